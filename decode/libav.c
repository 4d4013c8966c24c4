#include "libav.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { line_size = 256, lines = 3 };

// A decoder's own threads have buffers of their own, which nobody reads: what
// they complain about is known from return values and frame flags.
static _Thread_local char ring[lines][line_size];
static _Thread_local unsigned written;
static _Thread_local char joined[lines * (line_size + 2)];

static void capture(void *avcl, int level, const char *format, va_list args)
{
    (void)avcl;
    if (level > AV_LOG_ERROR)
        return;
    char *line = ring[written++ % lines];
    vsnprintf(line, line_size, format, args);
    line[strcspn(line, "\r\n")] = 0;
}

void vq_log_capture(void) { av_log_set_callback(capture); }

void vq_log_clear(void) { written = 0; }

const char *vq_log_last(void)
{
    unsigned n = written < lines ? written : lines;
    joined[0] = 0;
    for (unsigned i = written - n; i != written; i++) {
        const char *line = ring[i % lines];
        if (!line[0])
            continue;
        if (joined[0])
            strcat(joined, "; ");
        strcat(joined, line);
    }
    return joined;
}

// chroma_row is where 4:2:0 has its chroma rows: half way between two of luma, in
// 1/256 of the way, by the convention of MPEG-2 and of ffmpeg's scale filter.
// The value of libswscale for "as usual" puts them on top.
static int chroma_row(int format)
{
    const AVPixFmtDescriptor *d = av_pix_fmt_desc_get(format);
    return d->log2_chroma_w == 1 && d->log2_chroma_h == 1 ? 128 : -513;
}

struct SwsContext *vq_scaler(int sw, int sh, int sfmt, int srange,
                             int dw, int dh, int dfmt, int drange)
{
    struct SwsContext *s = sws_alloc_context();
    if (!s)
        return NULL;
    av_opt_set_int(s, "srcw", sw, 0);
    av_opt_set_int(s, "srch", sh, 0);
    av_opt_set_int(s, "src_format", sfmt, 0);
    av_opt_set_int(s, "src_range", srange, 0);
    av_opt_set_int(s, "dstw", dw, 0);
    av_opt_set_int(s, "dsth", dh, 0);
    av_opt_set_int(s, "dst_format", dfmt, 0);
    av_opt_set_int(s, "dst_range", drange, 0);
    av_opt_set_int(s, "src_v_chr_pos", chroma_row(sfmt), 0);
    av_opt_set_int(s, "dst_v_chr_pos", chroma_row(dfmt), 0);
    av_opt_set_int(s, "sws_flags", SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_BITEXACT, 0);
    if (sws_init_context(s, NULL, NULL) < 0) {
        sws_freeContext(s);
        return NULL;
    }
    return s;
}

int vq_scale(struct SwsContext *s, const AVFrame *src, AVFrame *dst)
{
    return sws_scale(s, (const uint8_t *const *)src->data, src->linesize, 0, src->height,
                     dst->data, dst->linesize);
}
