package decode

// #cgo pkg-config: libavformat libavcodec libavutil libswscale
// #include <stdlib.h>
// #include "libav.h"
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/asticode/go-astiav"
)

// avFrame looks at the fields of a frame that go-astiav does not show, and
// costs no call into C.
func avFrame(f *astiav.Frame) *C.struct_AVFrame {
	return (*C.struct_AVFrame)(f.UnsafePointer())
}

// avStream reaches the C object behind a go-astiav stream, whose only field is
// that pointer. go-astiav is pinned to one version, and a test compares the two.
func avStream(s *astiav.Stream) *C.struct_AVStream {
	return *(**C.struct_AVStream)(unsafe.Pointer(s))
}

// attachedPicture tells a cover picture from a video.
func attachedPicture(s *astiav.Stream) bool {
	return avStream(s).disposition&C.AV_DISPOSITION_ATTACHED_PIC != 0
}

// discard makes the demuxer skip the stream's packets.
func discard(s *astiav.Stream) { avStream(s).discard = C.AVDISCARD_ALL }

// libav runs f with libav's complaints kept: an error of f is returned with the
// last lines of the log, which say what the error code does not.
func libav(f func() error) error {
	runtime.LockOSThread() // the log is kept per thread
	defer runtime.UnlockOSThread()
	C.vq_log_capture()
	C.vq_log_clear()
	err := f()
	if err == nil {
		return nil
	}
	if line := C.GoString(C.vq_log_last()); line != "" {
		return fmt.Errorf("%s (%w)", line, err)
	}
	return err
}

// concealed reports whether the decoder itself marked the frame as damaged.
func concealed(f *C.struct_AVFrame) bool {
	return f.flags&C.AV_FRAME_FLAG_CORRUPT != 0 || f.decode_error_flags != 0
}

// rangeTag is what the stream says about its range.
func rangeTag(f *C.struct_AVFrame) Range {
	switch f.color_range {
	case C.AVCOL_RANGE_MPEG:
		return RangeLimited
	case C.AVCOL_RANGE_JPEG:
		return RangeFull
	}
	return RangeUnknown
}

// matrix names the frame's luma coefficients; empty = not said.
func matrix(f *C.struct_AVFrame) string {
	switch f.colorspace {
	case C.AVCOL_SPC_BT709:
		return "bt709"
	case C.AVCOL_SPC_BT470BG, C.AVCOL_SPC_SMPTE170M:
		return "bt601"
	case C.AVCOL_SPC_BT2020_NCL, C.AVCOL_SPC_BT2020_CL:
		return "bt2020"
	}
	return ""
}

// plane returns n bytes of component i of a frame. They are libav's memory.
func plane(f *C.struct_AVFrame, i, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(f.data[i])), n)
}
