#!/bin/bash
# Makes many small captures of one reference, 2 in 100 of them broken in known ways.
# usage: make-batch-clips.sh DIR [COUNT]    (bash, ffmpeg with libx264; a few seconds)
# DIR/ref.mp4, DIR/clips/NNNN.mp4, DIR/manifest.csv (reference,captured,kind) and DIR/broken.csv (captured,reason)
set -euo pipefail
dir=${1:?usage: make-batch-clips.sh DIR [COUNT]}
count=${2:-1000}
mkdir -p "$dir/clips"
cd "$dir"
ff() { ffmpeg -nostdin -v error -y "$@"; }

ff -f lavfi -i testsrc2=s=160x120:r=25:d=1.2 -pix_fmt yuv420p -c:v libx264 -preset veryfast -crf 18 -threads 1 -bitexact ref.mp4
# Eight sound captures of different quality; the rest are copies of them.
for k in 0 1 2 3 4 5 6 7; do
  ff -i ref.mp4 -c:v libx264 -preset veryfast -crf $((22 + 3 * k)) -threads 1 -bitexact "sound-$k.mp4"
done
ff -f lavfi -i sine=d=1 -c:a aac -bitexact audio.mp4
ff -i ref.mp4 -vf scale=96:72 -c:v libx264 -threads 1 -bitexact small.mp4
ff -i ref.mp4 -pix_fmt yuv420p10le -c:v libx264 -threads 1 -bitexact deep.mp4

# broken FILE N makes file N of the broken ones and says what is wrong with it.
broken() {
  case $(($2 % 10)) in
    0) : > "$1"; echo 'empty' ;;
    1) head -c 2000 /dev/zero > "$1"; echo 'zeros' ;;
    2) printf 'this is not a video\n%.0s' {1..99} > "$1"; echo 'text' ;;
    3) head -c $(($(stat -c %s sound-0.mp4) / 2)) sound-0.mp4 > "$1"; echo 'no index: the recorder was killed' ;;
    4) cp audio.mp4 "$1"; echo 'audio only' ;;
    5) mkdir -p "$1"; echo 'a folder' ;;
    6) cp small.mp4 "$1"; echo 'another picture size' ;;
    7) cp deep.mp4 "$1"; echo 'another bit depth' ;;
    8) rm -f "$1"; echo 'missing' ;;
    9) head -c 40 sound-1.mp4 > "$1"; echo 'cut off behind the header' ;;
  esac
}

echo reference,captured,kind > manifest.csv
echo captured,reason > broken.csv
n=0
for ((i = 0; i < count; i++)); do
  f=$(printf 'clips/%04d.mp4' "$i")
  rm -rf "$f"
  if ((i % 50 == 7)); then
    reason=$(broken "$f" $n)
    n=$((n + 1))
    echo "$f,$reason" >> broken.csv
    echo "ref.mp4,$f,broken: $reason" >> manifest.csv
  else
    cp "sound-$((i % 8)).mp4" "$f"
    echo "ref.mp4,$f,sound" >> manifest.csv
  fi
done
rm -f audio.mp4 small.mp4 deep.mp4 sound-?.mp4
echo "$count captures in $dir, $n of them broken"
