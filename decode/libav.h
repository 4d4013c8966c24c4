// Small helpers around what go-astiav does not reach.
#ifndef VQEVAL_LIBAV_H
#define VQEVAL_LIBAV_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

// vq_log_capture sends libav's log to a buffer of the calling thread, for the
// whole process, and never to the terminal.
void vq_log_capture(void);
// vq_log_clear forgets this thread's lines.
void vq_log_clear(void);
// vq_log_last returns this thread's last lines of error, joined by "; ".
const char *vq_log_last(void);

// vq_scaler makes a converter. Ranges are 0 for limited, 1 for full.
struct SwsContext *vq_scaler(int sw, int sh, int sfmt, int srange,
                             int dw, int dh, int dfmt, int drange);
// vq_scale converts a whole picture.
int vq_scale(struct SwsContext *s, const AVFrame *src, AVFrame *dst);

#endif
