package decode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Errors of an input. They come wrapped, with the file's name in front.
var (
	ErrCodec     = errors.New("not H.264")                            // a video, but of another codec
	ErrNoVideo   = errors.New("no video stream")                      // audio only, or nothing but cover pictures
	ErrFormat    = errors.New("not a video file")                     // libavformat cannot open it
	ErrEmpty     = errors.New("the file is empty")                    // zero bytes
	ErrDirectory = errors.New("a directory, not a file")              // also for paths that end in a slash
	ErrNoPicture = errors.New("no picture could be decoded")          // a video stream of which nothing decodes
	ErrRawSize   = errors.New("raw pictures need a size, --size WxH") // Options.RawSize is missing
)

// checkFile finds what is wrong with a path before libav does, in clearer words.
func checkFile(path string) error {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", path, fs.ErrNotExist)
	case err != nil:
		return err
	case st.IsDir():
		return fmt.Errorf("%s: %w", path, ErrDirectory)
	case st.Mode().IsRegular() && st.Size() == 0:
		return fmt.Errorf("%s: %w", path, ErrEmpty)
	}
	f, err := os.Open(path) // libav would say "Permission denied" without a name
	if err != nil {
		return err
	}
	return f.Close()
}
