package decode

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asticode/go-astiav"
)

// checkError wants one line that names the file and wraps err.
func checkError(t testing.TB, path string, got, want error) {
	t.Helper()
	switch {
	case got == nil:
		t.Errorf("%s: no error, want %v", path, want)
	case !errors.Is(got, want):
		t.Errorf("%s: error %q, want %q in it", path, got, want)
	case !strings.HasPrefix(got.Error(), path+": ") || strings.Contains(got.Error(), "\n"):
		t.Errorf("error %q: want one line that begins with the file's name", got)
	}
}

func TestBadFiles(t *testing.T) {
	random := make([]byte, 60000)
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	whole := read(t, "testdata/pframes.mp4")
	tests := []struct {
		name string
		data []byte
		want error
	}{
		{"empty.mp4", nil, ErrEmpty},
		{"text.mp4", []byte(strings.Repeat("this is not a video\n", 200)), ErrFormat},
		{"text.txt", []byte(strings.Repeat("this is not a video\n", 200)), ErrFormat},
		{"zeros.h264", make([]byte, 50000), ErrFormat},
		{"random.h264", random, ErrFormat},
		{"no moov.mp4", whole[:len(whole)/2], ErrFormat},
		{"tiny.y4m", []byte("YUV4MPEG2 W16384 H16384 F25:1\nFRAME\n"), ErrNoPicture},
		{"bad.y4m", []byte("YUV4MPEG2 W16 Hx F25:1\nFRAME\n"), ErrFormat},
		{"endless.y4m", append([]byte("YUV4MPEG2 W16 H16 "), bytes.Repeat([]byte("X"), 5000)...), ErrFormat},
		{"sizeless.yuv", make([]byte, 5000), ErrRawSize},
	}
	for _, tt := range tests {
		path := write(t, tt.name, tt.data)
		_, err := Open(path, Options{})
		checkError(t, path, err, tt.want)
		if filepath.Ext(path) != ".y4m" && filepath.Ext(path) != ".yuv" {
			_, err = ReadUnits(t.Context(), path)
			checkError(t, path, err, tt.want)
		}
	}
	for path, want := range map[string]error{t.TempDir(): ErrDirectory, "testdata/none.mp4": fs.ErrNotExist} {
		_, err := Open(path, Options{})
		checkError(t, path, err, want)
		_, err = ReadUnits(t.Context(), path)
		checkError(t, path, err, want)
	}
}

func TestNoPermission(t *testing.T) {
	path := write(t, "x.mp4", read(t, "testdata/pframes.mp4"))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(path); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	if _, err := Open(path, Options{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v, want %v", err, fs.ErrPermission)
	}
}

func TestNotH264(t *testing.T) {
	dir := t.TempDir()
	mpeg4, audio := filepath.Join(dir, "mpeg4.mkv"), filepath.Join(dir, "audio.mp4")
	ffmpeg(t, "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-f", "lavfi", "-i", "sine", "-t", "0.2", "-map", "0", "-c:v", "mpeg4", mpeg4, "-t", "0.2", "-map", "1", "-c:a", "aac", audio)
	_, err := ReadUnits(t.Context(), mpeg4)
	checkError(t, mpeg4, err, ErrCodec)
	if err != nil && !strings.Contains(err.Error(), "mpeg4, not") && !strings.Contains(err.Error(), "the video is mpeg4") {
		t.Errorf("error %q does not name the codec", err)
	}
	if got := len(sums(t, open1(t, mpeg4, Options{}))); got != 5 {
		t.Errorf("%d frames of another codec, want 5", got)
	}
	_, err = ReadUnits(t.Context(), audio)
	checkError(t, audio, err, ErrNoVideo)
	_, err = Open(audio, Options{})
	checkError(t, audio, err, ErrNoVideo)
}

func TestReadUnitsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ReadUnits(ctx, "testdata/pframes.mp4")
	checkError(t, "testdata/pframes.mp4", err, context.Canceled)
}

// A playlist must not make us open anything else than files.
func TestPlaylistStaysLocal(t *testing.T) {
	path := write(t, "list.m3u8", []byte("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:1/x.ts\n#EXT-X-ENDLIST\n"))
	d, err := Open(path, Options{})
	if err == nil {
		d.Close()
		t.Fatal("no error")
	}
	if strings.Contains(err.Error(), "refused") {
		t.Errorf("error %q: it tried to connect", err)
	}
}

// libav says nothing on the terminal, neither of a good file nor of a bad one.
func TestSilence(t *testing.T) {
	if os.Getenv("DECODE_TEST_CHILD") != "" {
		c := readUnits(t, "testdata/pframes.mp4")
		sums(t, openUnits(t, damage(c.Units)))
		Open(write(t, "x.mp4", []byte("no video")), Options{})
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestSilence$")
	cmd.Env = append(os.Environ(), "DECODE_TEST_CHILD=1")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "PASS" {
		t.Errorf("a process that decodes prints %q (%v), want PASS alone", out, err)
	}
}

// avStream counts on how go-astiav keeps its pointers.
func TestStreamPointer(t *testing.T) {
	in, err := openInput("testdata/bframes.mp4", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	s := in.stream
	c := avStream(s)
	if int64(c.nb_frames) != s.NbFrames() || int64(c.duration) != s.Duration() || int(c.time_base.den) != s.TimeBase().Den() || s.NbFrames() != 50 {
		t.Errorf("the stream behind the pointer has %d frames and duration %d, want %d and %d", c.nb_frames, c.duration, s.NbFrames(), s.Duration())
	}
	if attachedPicture(s) {
		t.Error("the video is taken for a cover")
	}
	if in.codec() != astiav.CodecIDH264.Name() {
		t.Errorf("codec %s", in.codec())
	}
}
