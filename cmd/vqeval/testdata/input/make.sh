#!/bin/sh
# Makes, with ffmpeg 5.1, inputs that `vqeval send` must refuse, and one of 2 s that it sends in real time.
set -eu
cd "$(dirname "$0")"
ff() { ffmpeg -nostdin -v error -y "$@"; }
ff -f lavfi -i testsrc=s=64x48:r=5:d=0.4 -c:v libx265 -preset ultrafast -x265-params log-level=0 -fflags +bitexact hevc.mp4
ff -f lavfi -i testsrc=s=64x48:r=5:d=0.4 -c:v libvpx-vp9 -fflags +bitexact vp9.webm
ff -f lavfi -i sine=d=0.05:r=8000 -c:a aac -b:a 8k -fflags +bitexact audio.mp4
ff -f lavfi -i testsrc2=s=98x54:r=25,format=yuv420p -frames:v 50 -c:v libx264 -threads 1 -crf 30 -g 25 -keyint_min 25 -sc_threshold 0 -bf 2 -bitexact -flags +bitexact -fflags +bitexact short.mp4
