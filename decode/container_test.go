package decode

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/vqeval/vqeval/stream/h264"
)

// remux makes files of the B-frame fixture, all in one ffmpeg process.
func remux(t testing.TB, names ...string) (paths []string) {
	t.Helper()
	dir, args := t.TempDir(), []string{"-i", "testdata/bframes.mp4"}
	for _, n := range names {
		path := filepath.Join(dir, n)
		args, paths = append(args, "-c", "copy", path), append(paths, path)
	}
	ffmpeg(t, args...)
	return paths
}

// One stream in every container gives the same units, the same times and the same
// pictures.
func TestContainers(t *testing.T) {
	want := readUnits(t, "testdata/bframes.mp4")
	paths := remux(t, "a.mov", "a.mkv", "a.ts", "a.flv", "a.avi", "a.h264", "a.nut")
	for _, path := range paths {
		t.Run(filepath.Ext(path), func(t *testing.T) {
			d := open1(t, path, Options{})
			n := 0
			for f := range frames(t, d) {
				if f.PTS != int64(n)*3600 {
					t.Errorf("frame %d has PTS %d, want %d", n, f.PTS, n*3600)
				}
				n++
			}
			equal(t, sums(t, open1(t, path, Options{Damaged: true})), golden(t, "testdata/bframes.md5"))
			c := readUnits(t, path)
			if c.FrameRate != (Rate{25, 1}) || c.Width != 98 || c.Height != 54 || c.Delay != want.Delay {
				t.Errorf("rate %v, %dx%d, delay %d, want 25, 98x54, %d", c.FrameRate, c.Width, c.Height, c.Delay, want.Delay)
			}
			if untimed := filepath.Ext(path) == ".h264" || filepath.Ext(path) == ".avi"; c.HasPTS == untimed || d.Info().HasPTS == untimed {
				t.Errorf("has presentation times: units %t, pictures %t, want %t", c.HasPTS, d.Info().HasPTS, !untimed)
			}
			sameUnits(t, c.Units, want.Units)
		})
	}
}

// sameUnits compares times and slices; parameter sets and delimiters may differ.
func sameUnits(t testing.TB, got, want []h264.AccessUnit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d units, want %d", len(got), len(want))
	}
	for i, g := range got {
		if w := want[i]; g.PTS != w.PTS || g.DTS != w.DTS || g.Key() != w.Key() || g.Key() && !g.HasParams() {
			t.Fatalf("unit %d: PTS %d, DTS %d, key %t, parameter sets %t, want %d, %d, %t", i, g.PTS, g.DTS, g.Key(), g.HasParams(), w.PTS, w.DTS, w.Key())
		}
		if !bytes.Equal(slices.Concat(slicesOf(g)...), slices.Concat(slicesOf(want[i])...)) {
			t.Fatalf("unit %d: slices differ", i)
		}
	}
}

func slicesOf(u h264.AccessUnit) (all [][]byte) {
	for _, n := range u.NALUs {
		if h264.TypeOf(n).Slice() {
			all = append(all, n)
		}
	}
	return all
}

// A small preview in front, audio in front and a large cover do not count.
func TestPicksTheVideo(t *testing.T) {
	dir := t.TempDir()
	cover, path := filepath.Join(dir, "cover.png"), filepath.Join(dir, "x.mkv")
	ffmpeg(t, "-f", "lavfi", "-i", "color=red:s=600x600", "-frames:v", "1", cover)
	ffmpeg(t, "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25", "-f", "lavfi", "-i", "sine", "-i", "testdata/bframes.mp4", "-t", "2",
		"-map", "0", "-map", "1", "-map", "2", "-c:v:0", "mpeg4", "-c:a", "flac", "-c:v:1", "copy", "-attach", cover, "-metadata:s:3", "mimetype=image/png", path)
	if d := open1(t, path, Options{}); d.Info().Width != 98 {
		t.Errorf("%d samples wide, want 98", d.Info().Width)
	} else {
		equal(t, sums(t, d), golden(t, "testdata/bframes.md5"))
	}
	if c := readUnits(t, path); len(c.Units) != 50 {
		t.Errorf("%d units, want 50", len(c.Units))
	}
}

// A cut in the middle of a GOP: the container hides what only helps to decode.
func TestEditList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.mp4")
	ffmpeg(t, "-ss", "0.4", "-i", "testdata/bframes.mp4", "-c", "copy", "-avoid_negative_ts", "disabled", path)
	d := open1(t, path, Options{})
	want := golden(t, "testdata/bframes.md5")
	got := sums(t, d)
	equal(t, got, want[50-len(got):])
	if len(got) != 40 {
		t.Errorf("%d frames, want 40", len(got))
	}
	if n := d.Notes(); len(n) != 1 || n[0].Kind != Hidden || n[0].Count != 10 {
		t.Errorf("notes %v, want 10 hidden pictures", n)
	}
	c := readUnits(t, path)
	if c.Hidden != 10 || len(c.Units) != 50 || c.Units[0].PTS != -36000 || c.Units[0].DTS != 0 {
		t.Errorf("%d units, %d hidden, first PTS %d and DTS %d, want 50, 10, -36000, 0", len(c.Units), c.Hidden, c.Units[0].PTS, c.Units[0].DTS)
	}
	seen := 0
	for f := range frames(t, openUnits(t, c.Units)) {
		if sum(f) != want[f.PTS/3600+10] {
			t.Errorf("frame of time %d is another", f.PTS/3600)
		}
		seen++
	}
	if seen != 50 {
		t.Errorf("%d frames from the units, want 50", seen)
	}
}

// A file that ends too early gives what is there and says where it ends.
func TestTruncated(t *testing.T) {
	want := golden(t, "testdata/pframes.md5")
	path := faststart(t, read(t, "testdata/pframes.mp4"))
	whole := read(t, path)
	for _, part := range []float64{.5, .75, .9} {
		cut := write(t, "cut.mp4", whole[:int(float64(len(whole))*part)])
		d := open1(t, cut, Options{})
		got := sums(t, d)
		if len(got) == 0 || len(got) == 50 {
			t.Errorf("%d frames of %g of the file", len(got), part)
		}
		equal(t, got, want[:len(got)])
		wantNote := Warning{Kind: Truncated, Frame: len(got), Total: 50}
		if n := d.Notes(); len(n) != 1 || n[0] != wantNote {
			t.Errorf("notes %v, want %v", n, wantNote)
		}
		c := readUnits(t, cut)
		if len(c.Units) != len(got) || len(c.Notes) != 1 || c.Notes[0] != wantNote {
			t.Errorf("%d units, notes %v, want %d, %v", len(c.Units), c.Notes, len(got), wantNote)
		}
	}
}

// faststart moves an MP4's moov box in front, as ffmpeg's -movflags +faststart
// does. It knows no more of MP4 than the fixture needs.
func faststart(t testing.TB, b []byte) string {
	t.Helper()
	var head, data, moov []byte
	for rest := b; len(rest) > 0; {
		n := int(binary.BigEndian.Uint32(rest))
		switch box := rest[:n]; string(rest[4:8]) {
		case "moov":
			moov = slices.Clone(box)
		case "mdat":
			data = box
		case "ftyp":
			head = box
		default: // free: the offsets below count on its going
			if len(data) > 0 || len(moov) > 0 {
				t.Fatalf("box %q after the data", rest[4:8])
			}
		}
		rest = rest[n:]
	}
	was := bytes.Index(b, data)
	i := bytes.Index(moov, []byte("stco"))
	for n := binary.BigEndian.Uint32(moov[i+8:]); n > 0; n-- {
		at := moov[i+8+4*int(n):]
		binary.BigEndian.PutUint32(at, binary.BigEndian.Uint32(at)+uint32(len(head)+len(moov)-was))
	}
	return write(t, "faststart.mp4", slices.Concat(head, moov, data))
}

// Names that libavformat or a shell would read as something else.
func TestAwkwardNames(t *testing.T) {
	b := read(t, "testdata/pframes.mp4")
	t.Chdir(t.TempDir())
	for _, name := range []string{"clip:1.mp4", "-dash.mp4", "percent%03d.mp4", "with space.mp4", "Мои видео № 1.mp4", "quote'\"x.mp4", "hash#q?a=b&c.mp4", "file:x.mp4", "http:"} {
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if got := len(sums(t, open1(t, name, Options{}))); got != 50 {
			t.Errorf("%s: %d frames, want 50", name, got)
		}
		if got := len(readUnits(t, name).Units); got != 50 {
			t.Errorf("%s: %d units, want 50", name, got)
		}
	}
}
