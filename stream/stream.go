// Package stream is the way of a video stream from a clip to a recording and
// back: Send cuts access units into packets and hands them to a transport in
// real time, Receive writes what arrives to a capture, and a Recording makes
// access units of a capture again, as a player with a given delay would have
// had them.
//
// Only Send and Receive read the clock. Timestamps are ticks of 90 kHz.
package stream

import "time"

// tickRate is RTP's clock for H.264 (RFC 6184 section 8.1), Hz.
const tickRate = 90000

// ticks returns n ticks as a duration, rounded towards zero to nanoseconds.
func ticks(n int64) time.Duration {
	const second = int64(time.Second)
	return time.Duration(n/tickRate*second + n%tickRate*second/tickRate)
}
