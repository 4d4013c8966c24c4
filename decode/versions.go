package decode

// #cgo pkg-config: libavcodec libavformat libavutil libswscale
// #include <libavcodec/avcodec.h>
// #include <libavformat/avformat.h>
// #include <libavutil/avutil.h>
// #include <libswscale/swscale.h>
import "C"

import "fmt"

// Versions returns the versions of the libav libraries that this program runs
// with, by name: libavcodec 59.37.100.
func Versions() map[string]string {
	out := map[string]string{}
	for name, v := range map[string]C.uint{
		"libavcodec": C.avcodec_version(), "libavformat": C.avformat_version(),
		"libavutil": C.avutil_version(), "libswscale": C.swscale_version(),
	} {
		out[name] = fmt.Sprintf("%d.%d.%d", v>>16, v>>8&0xff, v&0xff)
	}
	return out
}
