package decode

import (
	"os"
	"path/filepath"
	"testing"
)

// write makes a file for the test.
func write(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// filepathMP4 makes ten frames of H.264 of the given size.
func filepathMP4(t testing.TB, size string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.mp4")
	ffmpeg(t, "-f", "lavfi", "-i", "testsrc2=r=25:s="+size, "-frames:v", "10", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-threads", "1", "-bf", "0", path)
	return path
}
