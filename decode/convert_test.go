package decode

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

const (
	noiseWidth, noiseHeight = 50, 38
	noiseFrames             = 3
)

// noise makes a file of bare pictures with random samples, of a format that takes
// the given number of bits for a pixel, depth of them for a sample.
func noise(t testing.TB, format string, bits, depth int) (path string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(bits), uint64(depth)))
	b := make([]byte, noiseFrames*((noiseWidth*noiseHeight*bits+7)/8))
	for i := range b {
		b[i] = byte(rng.Uint32())
		if depth > 8 && i%2 == 1 {
			b[i] &= 1<<(depth-8) - 1 // little endian: the high byte of a sample
		}
	}
	return write(t, format+".yuv", b)
}

// raw are the options to read what noise makes.
func raw(format string, o Options) Options {
	o.RawFormat, o.RawSize = format, Size{noiseWidth, noiseHeight}
	return o
}

// A job is one decoding that ffmpeg does beside ours.
type job struct{ path, format, filter, to string }

// frameMD5s is what ffmpeg makes of bare pictures, all jobs in one process.
func frameMD5s(t testing.TB, jobs []job) (all [][]string) {
	t.Helper()
	dir, args := t.TempDir(), []string(nil)
	for _, j := range jobs {
		args = append(args, "-f", "rawvideo", "-pix_fmt", j.format, "-s", Size{noiseWidth, noiseHeight}.String(), "-i", j.path)
	}
	for i, j := range jobs {
		args = append(args, "-map", strconv.Itoa(i), "-vf", j.filter, "-pix_fmt", j.to, "-f", "framemd5", filepath.Join(dir, strconv.Itoa(i)))
	}
	ffmpeg(t, args...)
	for i := range jobs {
		all = append(all, framemd5(read(t, filepath.Join(dir, strconv.Itoa(i)))))
	}
	return all
}

// Planar formats are handed out as they are coded, byte for byte, by our own
// reader and by libav.
func TestPlanarFormats(t *testing.T) {
	tests := []struct {
		format      string
		bits, depth int
		x, y        int // chroma shifts
	}{
		{"gray", 8, 8, 0, 0}, {"gray10le", 16, 10, 0, 0}, {"gray16le", 16, 16, 0, 0},
		{"yuv420p", 12, 8, 1, 1}, {"yuv422p", 16, 8, 1, 0}, {"yuv444p", 24, 8, 0, 0}, {"yuv440p", 16, 8, 0, 1},
		{"yuvj420p", 12, 8, 1, 1}, {"yuvj422p", 16, 8, 1, 0}, {"yuvj444p", 24, 8, 0, 0},
		{"yuv420p9le", 24, 9, 1, 1}, {"yuv420p10le", 24, 10, 1, 1}, {"yuv422p10le", 32, 10, 1, 0},
		{"yuv444p12le", 48, 12, 0, 0}, {"yuv420p14le", 24, 14, 1, 1}, {"yuv444p16le", 48, 16, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.format, func(t *testing.T) {
			path := noise(t, tt.format, tt.bits, tt.depth)
			var want []string
			for frame := range slices.Chunk(read(t, path), noiseWidth*noiseHeight*tt.bits/8) {
				want = append(want, hexMD5(frame))
			}
			full := strings.HasPrefix(tt.format, "yuvj")
			format := metrics.Format{Depth: tt.depth, Planes: 3, ChromaShiftX: tt.x, ChromaShiftY: tt.y, FullRange: full}
			if strings.HasPrefix(tt.format, "gray") {
				format.Planes = 1
			}
			own := open1(t, path, raw(tt.format, Options{}))
			for who, d := range map[string]*Decoder{"own reader": own, "libav": byLibav(t, path, tt.format)} {
				i := d.Info()
				if name := strings.Replace(tt.format, "yuvj", "yuv", 1); i.PixelFormat != name || i.ConvertedFrom != "" {
					t.Errorf("%s: handed out as %s (from %q), want %s", who, i.PixelFormat, i.ConvertedFrom, name)
				}
				if i.Format != format || (i.RangeTag == RangeFull) != full {
					t.Errorf("%s: format %+v, tag %q, want %+v", who, i.Format, i.RangeTag, format)
				}
				equal(t, sums(t, d), want)
			}
		})
	}
}

// byLibav opens bare pictures past our own reader.
func byLibav(t testing.TB, path, format string) *Decoder {
	t.Helper()
	o := raw(format, Options{})
	options, _, err := rawOptions(path, &o)
	if err != nil {
		t.Fatal(err)
	}
	in, err := openInput(path, "rawvideo", options)
	if err != nil {
		t.Fatal(err)
	}
	d, err := startInput(in, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// scaling are the flags of ffmpeg's scale filter that mean what we do.
const scaling = "flags=bicubic+accurate_rnd+full_chroma_int+bitexact"

// Everything else is converted to the planar format that holds every sample, by
// libswscale as in ffmpeg, and never without a word.
func TestConvertedFormats(t *testing.T) {
	tests := []struct {
		from string
		bits int
		to   string
	}{
		{"nv12", 12, "yuv420p"}, {"nv21", 12, "yuv420p"}, {"yuyv422", 16, "yuv422p"}, {"uyvy422", 16, "yuv422p"}, {"p010le", 24, "yuv420p10le"},
		{"rgb24", 24, "yuv444p"}, {"bgra", 32, "yuv444p"}, {"gbrp", 24, "yuv444p"}, {"rgb48le", 48, "yuv444p16le"},
		{"yuv420p16be", 24, "yuv420p16le"}, {"ya8", 16, "gray"}, {"gray16be", 16, "gray16le"},
	}
	var jobs []job
	for _, tt := range tests {
		jobs = append(jobs, job{noise(t, tt.from, tt.bits, 8), tt.from, "scale=" + scaling, tt.to})
	}
	want := frameMD5s(t, jobs)
	for n, tt := range tests {
		t.Run(tt.from, func(t *testing.T) {
			d := open1(t, jobs[n].path, raw(tt.from, Options{}))
			if i := d.Info(); i.PixelFormat != tt.to || i.ConvertedFrom != tt.from {
				t.Errorf("handed out as %s from %q, want %s from %q", i.PixelFormat, i.ConvertedFrom, tt.to, tt.from)
			}
			equal(t, sums(t, d), want[n])
		})
	}
}

// An alpha plane is left out, and that is said.
func TestAlpha(t *testing.T) {
	const pixels = noiseWidth * noiseHeight
	path := noise(t, "yuva420p", 20, 8)
	var want []string
	for frame := range slices.Chunk(read(t, path), pixels*20/8) {
		want = append(want, hexMD5(frame[:pixels*12/8]))
	}
	d := open1(t, path, raw("yuva420p", Options{}))
	equal(t, sums(t, d), want)
	if n := d.Notes(); len(n) != 1 || n[0].Kind != NoAlpha {
		t.Errorf("notes %v, want one about alpha", n)
	}
}

// Conversions on request agree with ffmpeg's scale filter, bit for bit.
func TestConversions(t *testing.T) {
	tests := []struct {
		name, from  string
		bits, depth int
		o           Options
		filter, to  string
		said        string // Info.ConvertedFrom
	}{
		{"larger", "yuv420p", 12, 8, Options{Scale: Size{100, 76}}, "scale=100:76:" + scaling, "yuv420p", "yuv420p 50x38"},
		{"smaller, odd", "yuv422p", 16, 8, Options{Scale: Size{33, 21}}, "scale=33:21:" + scaling, "yuv422p", "yuv422p 50x38"},
		{"to full range", "yuv420p", 12, 8, Options{Range: RangeFull}, "scale=in_range=limited:out_range=full:" + scaling, "yuv420p", "yuv420p 50x38"},
		{"to limited range", "yuvj420p", 12, 8, Options{Range: RangeLimited}, "scale=in_range=full:out_range=limited:" + scaling, "yuv420p", "full range yuv420p 50x38"},
		{"to 10 bits", "yuv420p", 12, 8, Options{PixelFormat: "yuv420p10le"}, "scale=" + scaling, "yuv420p10le", "yuv420p 50x38"},
		{"to 8 bits", "yuv420p10le", 24, 10, Options{PixelFormat: "yuv420p"}, "scale=" + scaling, "yuv420p", "yuv420p10le 50x38"},
		{"to 4:4:4", "yuv420p", 12, 8, Options{PixelFormat: "yuv444p"}, "scale=" + scaling, "yuv444p", "yuv420p 50x38"},
		{"NV12, larger", "nv12", 12, 8, Options{Scale: Size{64, 64}}, "scale=64:64:in_v_chr_pos=128:" + scaling, "yuv420p", "nv12 50x38"},
		{"luma alone", "yuv420p", 12, 8, Options{PixelFormat: "gray"}, "extractplanes=y", "gray", "yuv420p 50x38"},
		{"nothing to do", "yuv420p", 12, 8, Options{PixelFormat: "yuv420p", Scale: Size{50, 38}, Range: RangeLimited}, "null", "yuv420p", ""},
	}
	var jobs []job
	for _, tt := range tests {
		jobs = append(jobs, job{noise(t, tt.from, tt.bits, tt.depth), tt.from, tt.filter, tt.to})
	}
	want := frameMD5s(t, jobs)
	for n, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := open1(t, jobs[n].path, raw(tt.from, tt.o))
			if got := d.Info().ConvertedFrom; got != tt.said {
				t.Errorf("converted from %q, want %q", got, tt.said)
			}
			equal(t, sums(t, d), want[n])
		})
	}
}

// A format that libswscale cannot read is refused by name.
func TestUnreadableFormat(t *testing.T) {
	path := noise(t, "nv16", 16, 8)
	d, err := Open(path, raw("nv16", Options{}))
	if err == nil {
		d.Close()
		t.Fatal("no error")
	}
	if want := "libswscale cannot convert nv16 50x38 to yuv422p 50x38"; !strings.Contains(err.Error(), want) {
		t.Errorf("error %q, want %q in it", err, want)
	}
}

func TestBadConversions(t *testing.T) {
	for name, o := range map[string]Options{
		"unknown format": {PixelFormat: "yuv421"}, "packed format": {PixelFormat: "rgb24"}, "huge": {Scale: Size{1 << 20, 1}},
		"no height": {Scale: Size{Width: 10}}, "negative": {Scale: Size{-4, 4}},
	} {
		if d, err := Open("testdata/pframes.mp4", o); err == nil {
			d.Close()
			t.Errorf("%s: no error", name)
		} else if !strings.HasPrefix(err.Error(), "testdata/pframes.mp4: ") {
			t.Errorf("%s: error %q does not name the file", name, err)
		}
	}
}

// Cropping is exact: to the sample on every side, not to an aligned address.
func TestCropping(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.mp4")
	ffmpeg(t, "-f", "lavfi", "-i", "testsrc2=r=25:s=96x80", "-frames:v", "3", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-qp", "0", "-threads", "1", path)
	want := frameMD5(t, "-i", path, "-vf", "crop=84:66:6:4")
	cut := filepath.Join(t.TempDir(), "cut.mp4")
	ffmpeg(t, "-i", path, "-c", "copy", "-bsf:v", "h264_metadata=crop_left=6:crop_right=6:crop_top=4:crop_bottom=10", cut)
	d := open1(t, cut, Options{})
	if i := d.Info(); i.Width != 84 || i.Height != 66 {
		t.Errorf("%dx%d, want 84x66", i.Width, i.Height)
	}
	equal(t, sums(t, d), want)
	if c := readUnits(t, cut); c.Width != 84 || c.Height != 66 {
		t.Errorf("units of %dx%d, want 84x66", c.Width, c.Height)
	}
}
