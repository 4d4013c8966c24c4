#!/bin/sh
# bench.sh - the benchmarks of `make bench`: Go benchmarks of the parts, and the whole program against ffmpeg's filters.
# Commands run by turns; each bar is the median of the ratios of one round. ROUNDS (7) = rounds, OUT (out/bench) = where
# clips and results go, PARTS ("go kernel process") = what is measured. Needs ffmpeg and python3; build first (make build).
set -eu
cd "$(dirname "$0")/.."
out=${OUT:-out/bench}
rounds=${ROUNDS:-7}
parts=${PARTS:-go kernel process}
mkdir -p "$out"

# make_clip NAME ARGS... writes $out/NAME once.
make_clip() {
	name=$1
	shift
	[ -s "$out/$name" ] && return
	printf 'bench: making %s\n' "$out/$name" >&2
	ffmpeg -v error -nostdin -y "$@" "$out/part.$name"
	mv "$out/part.$name" "$out/$name"
}

case " $parts " in *" process "*)
	a=samples/fullhd.mp4
	make_clip b.mp4 -i $a -an -c:v libx264 -preset medium -b:v 2M
	for gop in 240 230 220; do # the same quality in other bytes
		make_clip "b$gop.mp4" -i $a -an -c:v libx264 -preset medium -b:v 2M -g $gop
	done
	make_clip a.y4m -i $a -frames:v 300
	make_clip b.y4m -i "$out/b.mp4" -frames:v 300
	;;
esac

for package in metrics/internal/kernel metrics stream/rtph264 stream/link decode/align; do
	go test -c -o "$out/$(basename $package).test" ./$package
done
exec python3 scripts/bench.py --rounds "$rounds" --out "$out" $parts
