package decode

import (
	"fmt"
	"path/filepath"
	"strings"
)

// rawEndings are the pixel formats of files of bare pictures that say no more
// about themselves than the end of their name.
func rawEndings(path string) (format string, ok bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".yuv", ".raw", ".i420":
		return "yuv420p", true
	case ".gray", ".grey", ".y":
		return "gray", true
	case ".nv12":
		return "nv12", true
	case ".nv21":
		return "nv21", true
	case ".uyvy":
		return "uyvy422", true
	case ".yuyv", ".yuy2":
		return "yuyv422", true
	case ".rgb":
		return "rgb24", true
	case ".bgr":
		return "bgr24", true
	}
	return "", false
}

// rawOptions completes o for a file of bare pictures and returns what
// libavformat's rawvideo demuxer wants to be told.
func rawOptions(path string, o *Options) (options map[string]string, raw bool, err error) {
	format, raw := rawEndings(path)
	if !raw && !o.Raw {
		return nil, false, nil
	}
	if o.RawFormat == "" {
		o.RawFormat = format
	}
	if o.RawFormat == "" {
		o.RawFormat = "yuv420p"
	}
	o.RawRate = o.RawRate.orDefault()
	if (o.RawSize == Size{}) {
		return nil, true, ErrRawSize
	}
	if err := o.RawSize.check(); err != nil {
		return nil, true, err
	}
	if _, err := layoutByName(o.RawFormat); err != nil {
		return nil, true, err
	}
	return map[string]string{
		"pixel_format": o.RawFormat,
		"video_size":   o.RawSize.String(),
		"framerate":    fmt.Sprintf("%d/%d", o.RawRate.Num, o.RawRate.Den),
	}, true, nil
}
