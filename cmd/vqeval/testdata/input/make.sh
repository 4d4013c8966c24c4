#!/bin/sh
# Makes the inputs that `vqeval send` must refuse, with ffmpeg 5.1.
set -eu
cd "$(dirname "$0")"
ff() { ffmpeg -nostdin -v error -y "$@"; }
ff -f lavfi -i testsrc=s=64x48:r=5:d=0.4 -c:v libx265 -preset ultrafast -x265-params log-level=0 -fflags +bitexact hevc.mp4
ff -f lavfi -i testsrc=s=64x48:r=5:d=0.4 -c:v libvpx-vp9 -fflags +bitexact vp9.webm
ff -f lavfi -i sine=d=0.05:r=8000 -c:a aac -b:a 8k -fflags +bitexact audio.mp4
