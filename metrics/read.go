package metrics

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Read reads a file of scores in any of the forms of this package, which it
// tells from its beginning: Parquet, JSON of ours or of libvmaf, the stats of
// ffmpeg's psnr and ssim filters, or CSV.
func Read(r io.Reader) (Series, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return Series{}, fmt.Errorf("scores: %w", err)
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\ufeff")), " \t\r\n")
	first, _, _ := bytes.Cut(text, []byte("\n"))
	in := bytes.NewReader(b)
	switch {
	case len(text) == 0:
		return Series{}, errors.New("scores: empty file")
	case bytes.HasPrefix(b, []byte("PAR1")):
		return ReadParquet(in)
	case text[0] == '{' && bytes.Contains(b, []byte(`"frameNum"`)):
		return ReadLibvmaf(in)
	case text[0] == '{':
		return ReadJSON(in)
	case bytes.HasPrefix(first, []byte("n:")) && bytes.Contains(first, []byte("psnr_avg:")):
		return ReadFFmpegPSNR(in)
	case bytes.HasPrefix(first, []byte("n:")):
		return ReadFFmpegSSIM(in)
	}
	return ReadCSV(in)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
