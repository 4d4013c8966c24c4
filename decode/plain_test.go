package decode

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

// A .y4m of ffmpeg's, in every chroma and depth that it writes, read by our own
// reader and as ffmpeg reads it.
func TestY4M(t *testing.T) {
	formats := []string{"gray", "gray10le", "yuv420p", "yuv422p", "yuv444p", "yuv411p", "yuv420p9le", "yuv420p10le", "yuv422p12le", "yuv444p14le", "yuv444p16le"}
	dir, args := t.TempDir(), []string{"-f", "lavfi", "-i", "testsrc2=r=30000/1001:s=35x21", "-strict", "-1"}
	for _, f := range formats {
		args = append(args, "-frames:v", "2", "-pix_fmt", f, filepath.Join(dir, f+".y4m"), "-frames:v", "2", "-pix_fmt", f, "-f", "framemd5", filepath.Join(dir, f))
	}
	ffmpeg(t, slices.Concat(args[:4], withStrict(args[6:]))...)
	for _, f := range formats {
		t.Run(f, func(t *testing.T) {
			d := open1(t, filepath.Join(dir, f+".y4m"), Options{})
			i := d.Info()
			if i.PixelFormat != f || i.Codec != "rawvideo" || i.Container != "yuv4mpegpipe" || i.FrameRate != (Rate{30000, 1001}) || i.Frames != 2 || i.HasPTS {
				t.Errorf("info %+v, want %s", i, f)
			}
			if _, own := d.source.(*plainSource); !own {
				t.Error("not read by our own reader")
			}
			equal(t, sums(t, d), framemd5(read(t, filepath.Join(dir, f))))
			if n := d.Notes(); len(n) != 0 {
				t.Errorf("notes %v", n)
			}
		})
	}
}

// withStrict lets ffmpeg write the formats that .y4m does not officially have.
func withStrict(args []string) (all []string) {
	for _, a := range args {
		if strings.HasSuffix(a, ".y4m") {
			all = append(all, "-strict", "-1")
		}
		all = append(all, a)
	}
	return all
}

func TestParseY4M(t *testing.T) {
	tests := []struct {
		line string
		want y4mHeader
	}{
		{"YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420jpeg", y4mHeader{Size{64, 48}, Rate{25, 1}, "yuv420p", RangeUnknown, 0}},
		{"YUV4MPEG2 W64 H48", y4mHeader{Size{64, 48}, Rate{25, 1}, "yuv420p", RangeUnknown, 0}},
		{"YUV4MPEG2 W64 H48 F0:0 C444", y4mHeader{Size{64, 48}, Rate{25, 1}, "yuv444p", RangeUnknown, 0}},
		{"YUV4MPEG2 C422p10 XYSCSS=422P10 XCOLORRANGE=FULL F30000:1001 H1 W16384", y4mHeader{Size{16384, 1}, Rate{30000, 1001}, "yuv422p10le", RangeFull, 0}},
		{"YUV4MPEG2 W2 H2 Cmono12 XCOLORRANGE=LIMITED", y4mHeader{Size{2, 2}, Rate{25, 1}, "gray12le", RangeLimited, 0}},
	}
	for _, tt := range tests {
		got, err := parseY4M(tt.line)
		if err != nil || got != tt.want {
			t.Errorf("%s: got %+v, %v, want %+v", tt.line, got, err, tt.want)
		}
	}
}

// brokenY4M are first lines that must be refused.
func brokenY4M() []string {
	return []string{
		"YUV4MPEG2", "YUV4MPEG2 W64", "YUV4MPEG2 W64 H0", "YUV4MPEG2 W-1 H4", "YUV4MPEG2 W64 H48 F25", "YUV4MPEG2 W64 H48 F-1:1",
		"YUV4MPEG2 W64 H48 C421", "YUV4MPEG2 W64 H48 C444alpha", "YUV4MPEG2 W64 H48 C420p11", "YUV4MPEG2 W99999 H48",
		"YUV4MPEG2 W64 H99999999999999999999",
	}
}

func TestParseBrokenY4M(t *testing.T) {
	for _, line := range brokenY4M() {
		if h, err := parseY4M(line); err == nil {
			t.Errorf("%s: no error but %+v", line, h)
		}
	}
}

// FuzzY4M holds the header's parser to a header that can be used, and to an error
// for the rest.
func FuzzY4M(f *testing.F) {
	f.Add("YUV4MPEG2 W64 H48 F25:1 Ip A1:1 C420jpeg XCOLORRANGE=FULL")
	for _, line := range brokenY4M() {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if !strings.HasPrefix(line, y4mMagic) {
			return
		}
		h, err := parseY4M(line)
		if err != nil {
			return
		}
		l, err := layoutByName(h.format)
		if err != nil || l.convert || h.size.check() != nil || !h.rate.Known() {
			t.Errorf("%q gives %+v, %v", line, h, err)
		}
	})
}

// y4m is a small file of 4x2 pictures, the n-th flat with value n.
func y4m(frames int, mark string) []byte {
	b := []byte("YUV4MPEG2 W4 H2 F25:1 C420jpeg\n")
	for i := range frames {
		b = append(append(b, mark...), bytes.Repeat([]byte{byte(i)}, 4*2*3/2)...)
	}
	return b
}

func TestY4MFrames(t *testing.T) {
	whole := y4m(3, "FRAME\n")
	tests := []struct {
		name   string
		data   []byte
		frames int
		note   string
	}{
		{"whole", whole, 3, ""},
		{"frame parameters", y4m(3, "FRAME Ip XA=1\n"), 3, ""},
		{"cut in the picture", whole[:len(whole)-1], 2, "the file ends inside frame 2"},
		{"cut behind the mark", whole[:len(whole)-12], 2, "the file ends inside frame 2"},
		{"cut in the mark", whole[:len(whole)-15], 2, "the file ends inside frame 2"},
		{"cut between pictures", whole[:len(whole)-18], 2, ""},
	}
	for _, tt := range tests {
		d := open1(t, write(t, "x.y4m", tt.data), Options{})
		n := 0
		for f := range frames(t, d) {
			if f.PTS != int64(n)*3600 || f.Unit != n || f.Planes[2].Pix[1] != byte(n) || f.Planes[0].Stride != 4 {
				t.Errorf("%s: frame %d is %+v", tt.name, n, f)
			}
			n++
		}
		if n != tt.frames || strings.Trim(fmt.Sprint(d.Notes()), "[]") != tt.note {
			t.Errorf("%s: %d frames, notes %v, want %d, %q", tt.name, n, d.Notes(), tt.frames, tt.note)
		}
	}
	broken := slices.Clone(whole)
	copy(broken[bytes.LastIndex(broken, []byte("FRAME")):], "FRAMF")
	d := open1(t, write(t, "x.y4m", broken), Options{})
	var err error
	for err == nil {
		var f *Frame
		f, err = d.Next(t.Context())
		f.Release()
	}
	if !strings.Contains(err.Error(), "frame 2: no line FRAME") {
		t.Errorf("without its mark: %v", err)
	}
}

func TestRaw(t *testing.T) {
	data := bytes.Repeat([]byte{7}, 10*(35*21+2*18*11))
	path := write(t, "x.yuv", data[:len(data)-5])
	d := open1(t, path, Options{RawSize: Size{35, 21}, RawRate: Rate{50, 1}})
	if i := d.Info(); i.Width != 35 || i.Height != 21 || i.Format != (metrics.Format{Depth: 8, Planes: 3, ChromaShiftX: 1, ChromaShiftY: 1}) || i.FrameRate != (Rate{50, 1}) || i.Frames != 9 {
		t.Errorf("info %+v", i)
	}
	n := 0
	for f := range frames(t, d) {
		if f.PTS != int64(n)*1800 || f.Planes[1].Width != 18 || f.Planes[1].Height != 11 {
			t.Errorf("frame %d: PTS %d, chroma %dx%d", n, f.PTS, f.Planes[1].Width, f.Planes[1].Height)
		}
		n++
	}
	if notes := d.Notes(); n != 9 || len(notes) != 1 || notes[0] != (Warning{Kind: Truncated, Frame: 9}) {
		t.Errorf("%d frames, notes %v", n, notes)
	}
	gray := open1(t, write(t, "x.bin", data), Options{Raw: true, RawSize: Size{10, 10}, RawFormat: "gray"})
	if got := len(sums(t, gray)); got != len(data)/100 {
		t.Errorf("%d grey frames, want %d", got, len(data)/100)
	}
	for name, o := range map[string]Options{
		"no such format": {RawSize: Size{4, 4}, RawFormat: "yuv"}, "no height": {RawSize: Size{Width: 4}}, "huge": {RawSize: Size{1 << 30, 1 << 30}},
	} {
		_, err := Open(path, o)
		if err == nil || !strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: error %v, want one that names the file", name, err)
		}
	}
}
