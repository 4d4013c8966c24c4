#!/bin/sh
# Makes the fixtures of package decode with ffmpeg 5.1: H.264 of 50 frames, 98x54, 25 frames/s, a key frame
# at 0 and 25, and the MD5 of every frame that ffmpeg decodes from it.
set -eu
cd "$(dirname "$0")"
src="testsrc2=s=98x54:r=25,format=yuv420p"
x264="-frames:v 50 -c:v libx264 -threads 1 -preset medium -crf 30 -g 25 -keyint_min 25 -sc_threshold 0 -bitexact -flags +bitexact -fflags +bitexact"
ff() { ffmpeg -nostdin -v error -y "$@"; }
ff -f lavfi -i "$src" $x264 -bf 2 bframes.mp4
ff -f lavfi -i "$src" $x264 -bf 0 pframes.mp4
for f in bframes pframes; do
  ff -i $f.mp4 -map 0:v -f framemd5 - | sed -n 's/^0,.*, *\([0-9a-f]\{32\}\)$/\1/p' > $f.md5
done
