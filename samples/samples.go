// Package samples holds the built-in test clip, so that an experiment needs no
// input, and a small version of it for tests.
package samples

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

//go:generate ./fullhd.sh small.mp4 320 180 120

//go:embed fullhd.mp4 small.mp4
var files embed.FS

// A Clip names a built-in clip.
type Clip string

// The clips. Both show the same five scenes: 15 s, 375 frames, 25 frames/s,
// H.264 High with up to 2 B-frames, a key frame every 2 s. fullhd.sh makes
// them from ffmpeg's own sources; they are free to ship.
const (
	FullHD Clip = "fullhd.mp4" // 1920x1080, 6.2 Mbit/s
	Small  Clip = "small.mp4"  // 320x180, 112 kbit/s
)

// Prefix marks a built-in clip where a file name is expected: builtin:fullhd.
const Prefix = "builtin:"

// Open returns the clip's MP4 file.
func (c Clip) Open() (io.ReadCloser, error) { return files.Open(string(c)) }

// Bytes returns the clip's MP4 file. The caller may change the bytes.
func (c Clip) Bytes() ([]byte, error) { return files.ReadFile(string(c)) }

// SHA256 returns the hex digest of the clip's file.
func (c Clip) SHA256() (string, error) {
	b, err := c.Bytes()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Unpack makes the clip available as a file for libraries that want a path and
// returns that path: in dir, or in the user's cache when dir is empty, or in
// the system's temporary folder when there is no cache. A file that is already
// there with the right content is used as it is.
func (c Clip) Unpack(dir string) (string, error) {
	b, err := c.Bytes()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	name := fmt.Sprintf("%x-%s", sum[:6], c)
	if dir != "" {
		return write(dir, name, b)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		if path, err := write(filepath.Join(cache, "vqeval"), name, b); err == nil {
			return path, nil
		}
	}
	return write(filepath.Join(os.TempDir(), fmt.Sprintf("vqeval-%d", os.Getuid())), name, b)
}

// write puts b at dir/name through a temporary name, so that two processes can
// do so at once and none ever sees half a file.
func write(dir, name string, b []byte) (string, error) {
	path := filepath.Join(dir, name)
	if have, err := os.ReadFile(path); err == nil && sha256.Sum256(have) == sha256.Sum256(b) {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("unpack %s: %w", name, err)
	}
	f, err := os.CreateTemp(dir, name+".*")
	if err != nil {
		return "", fmt.Errorf("unpack %s: %w", name, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", fmt.Errorf("unpack %s: %w", name, err)
	}
	return path, nil
}
