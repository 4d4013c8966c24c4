package batch

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vqeval/vqeval/metrics"
)

// A Format is a form of files of scores per frame.
type Format uint8

// The formats. FFmpeg has a file for PSNR and one for SSIM, as ffmpeg's filters.
const (
	CSV Format = iota
	JSON
	Parquet
	FFmpeg
	Libvmaf
)

var formatNames = [...]string{"csv", "json", "parquet", "ffmpeg", "libvmaf"}

// Formats lists the names that Format reads and writes.
func Formats() []string { return slices.Clone(formatNames[:]) }

// String returns the format's name.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// MarshalText writes the format's name.
func (f Format) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a name that MarshalText writes.
func (f *Format) UnmarshalText(text []byte) error {
	i := slices.Index(formatNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("unknown format %q: want one of %s", text, strings.Join(formatNames[:], ", "))
	}
	*f = Format(i)
	return nil
}

// FormatOf returns the format that the ending of a file's name stands for, and
// whether it is one of scores at all.
func FormatOf(path string) (Format, bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return CSV, true
	case ".json":
		return JSON, true
	case ".parquet":
		return Parquet, true
	case ".log", ".txt":
		return FFmpeg, true
	}
	return CSV, false
}

// A Part is one of the files that a format needs for a series.
type Part struct {
	Suffix string // what a bare name becomes a file's name with
	Infix  string // what goes before the ending of a name that has one; may be empty
	Write  func(io.Writer, metrics.Series) error
}

// Parts lists the files of the format.
func (f Format) Parts() []Part {
	switch f {
	case JSON:
		return []Part{{Suffix: ".json", Write: metrics.WriteJSON}}
	case Parquet:
		return []Part{{Suffix: ".parquet", Write: metrics.WriteParquet}}
	case FFmpeg:
		return []Part{{".psnr.log", ".psnr", metrics.WriteFFmpegPSNR}, {".ssim.log", ".ssim", metrics.WriteFFmpegSSIM}}
	case Libvmaf:
		return []Part{{Suffix: ".libvmaf.json", Write: metrics.WriteLibvmaf}}
	}
	return []Part{{Suffix: ".csv", Write: metrics.WriteCSV}}
}

// Path returns the name of the part's file where the user named the whole.
func (p Part) Path(whole string) string {
	ext := filepath.Ext(whole)
	return strings.TrimSuffix(whole, ext) + p.Infix + ext
}

// Bytes returns the content of the part's file.
func (p Part) Bytes(s metrics.Series) ([]byte, error) {
	var b bytes.Buffer
	err := p.Write(&b, s)
	return b.Bytes(), err
}
