// Package report draws what the scores say: curves of quality per frame, the
// comparison of one frame across transports, and a self-contained HTML page.
//
// Figure, Latency and Timeline draw plots as PNG, SVG or PDF; Compare draws one
// frame of every transport beside the reference as a lossless PNG; HTML writes
// the page. All of them take plain data, write to an io.Writer, and give the
// same bytes for the same input on every machine: fonts are built in, and no
// clock is read. A transport has the same colour everywhere (Color).
package report
