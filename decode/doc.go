// Package decode turns files and recordings into pictures. It is the only door
// to libav: everything else of the tool is pure Go.
//
// [ReadUnits] reads an H.264 file as access units, ready to be sent. [Open]
// decodes a file of any kind that libavformat reads, a .y4m or a raw .yuv;
// [OpenUnits] decodes access units that were received. Both give a [Decoder],
// whose frames point into libav's memory without a copy.
//
// # Damaged streams
//
// Options.Damaged sets exactly one decoder thread. libavcodec conceals damage
// differently with frame threads, and differently on every run; with one thread
// the same bytes give the same pictures on every machine. OpenUnits always
// decodes so. Whatever a decoder noticed is in [Decoder.Notes]; that it noticed
// nothing proves nothing: after a lost picture only the pictures in which
// concealment ran are marked, not those that inherit the damage. Where it is not
// known whether a file is damaged, [Decoder.Repeatable] tells afterwards whether
// the number of threads mattered.
//
// The decoder's flags are libavcodec's defaults, output_corrupt is off: pictures
// before the first key picture are not shown, as in a player. Of a stream whose
// first IDR is lost, that hides every picture up to the next one.
//
// # Time
//
// Times are ticks of a 90 kHz clock. The picture that is shown first has time 0,
// wherever the container's own clock starts.
package decode
