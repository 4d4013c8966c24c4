#!/bin/bash
# Makes the streams of the rQUIC paper's experiments: 1280x720, 30 frames/s, 800 kbit/s, 60 s, an IDR frame every 2 s.
# usage: make-lab-clips.sh DIR    (bash, ffmpeg with libx264; half a minute)
# DIR/ipp.mp4 without B-frames; DIR/bf2.mp4 with two of them between others, which nothing refers to.
# The picture is a moving test pattern: its rate is steady (from second to second 9 % about its mean, standard
# deviation), so that what varies in the results is the transport's doing.
set -euo pipefail
dir=${1:?usage: make-lab-clips.sh DIR}
mkdir -p "$dir"
encode() {
  local to=$1; shift
  [ -s "$to" ] && return
  ffmpeg -nostdin -v error -y -f lavfi -i testsrc2=s=1280x720:r=30 -t 60 -pix_fmt yuv420p \
    -c:v libx264 -preset veryfast -b:v 800k -maxrate 800k -bufsize 800k -g 60 -keyint_min 60 -sc_threshold 0 "$@" -threads 1 -bitexact "$to.part.mp4"
  mv "$to.part.mp4" "$to"
}
encode "$dir/ipp.mp4" -bf 0
encode "$dir/bf2.mp4" -bf 2 -b_strategy 0 -x264-params b-pyramid=none
