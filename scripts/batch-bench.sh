#!/bin/bash
# Measures batch scoring:
#   batch-bench.sh speed [ROUNDS] [FILES]   against a shell loop over ffmpeg's psnr and ssim filters, by turns, 2 processors each
#   batch-bench.sh memory                   peak memory for 100 and for 1,000 captures
#   batch-bench.sh resume                   killed with -9 several times, the result is the one of an undisturbed run
# Needs bin/vqeval (make build), ffmpeg, GNU time. CLIPS=DIR keeps the files between runs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
vqeval=${VQEVAL:-$here/../bin/vqeval}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clips=${CLIPS:-$work/clips}

# made COUNT makes sure that the captures are there.
made() {
  [ -f "$clips/manifest.csv" ] && [ "$(wc -l < "$clips/manifest.csv")" -gt "$1" ] || "$here/make-batch-clips.sh" "$clips" "$1"
}

# The loop that users would write: a process per file and both metrics in one pass, two at a time.
ffmpeg_loop() {
  xargs -P 2 -I {} ffmpeg -nostdin -v error -threads 1 -i {} -threads 1 -i "$clips/ref.mp4" \
    -lavfi '[0:v][1:v]psnr=stats_file=-;[0:v][1:v]ssim=stats_file=-' -f null - < "$work/list" > "$work/ffmpeg.log"
}

speed() {
  local rounds=${1:-5} files=${2:-200}
  made "$((files + files / 20))"
  { head -1 "$clips/manifest.csv"; grep -v broken "$clips/manifest.csv" | sed 1d | head -"$files"; } > "$clips/speed.csv"
  sed 1d "$clips/speed.csv" | cut -d, -f2 | sed "s#^#$clips/#" > "$work/list"
  local t ours theirs all=""
  for _ in $(seq "$rounds"); do
    t=$(date +%s%N); ffmpeg_loop; theirs=$(($(date +%s%N) - t))
    rm -rf "$work/out"
    t=$(date +%s%N)
    "$vqeval" score -q --jobs 2 --manifest "$clips/speed.csv" --per-frame --worst 0 --out "$work/out" > /dev/null
    ours=$(($(date +%s%N) - t))
    all+="$ours $theirs"$'\n'
  done
  printf %s "$all" | awk -v n="$files" '{ o[NR] = $1/1e9; t[NR] = $2/1e9; r[NR] = $2/$1 }
    function median(a,  k, i, j, x) { k = NR; for (i = 2; i <= k; i++) { x = a[i]; for (j = i - 1; j > 0 && a[j] > x; j--) a[j+1] = a[j]; a[j+1] = x } return a[int((k+1)/2)] }
    END { printf "%d files, %d rounds: ffmpeg loop %.2f s, vqeval %.2f s, median ratio %.2f\n", n, NR, median(t), median(o), median(r) }'
}

memory() {
  made 1000
  for n in 100 1000; do
    head -$((n + 1)) "$clips/manifest.csv" > "$clips/memory.csv"
    rm -rf "$work/out"
    /usr/bin/time -f "%M" -o "$work/rss" "$vqeval" score -q --manifest "$clips/memory.csv" --out "$work/out" > /dev/null 2> "$work/err" || tail -1 "$work/err"
    echo "$n captures: $(tail -1 "$work/rss") KB at most"
  done
}

resume() {
  made 1000
  "$vqeval" score -q --manifest "$clips/manifest.csv" --out "$work/whole" > /dev/null 2>&1 || true
  local kills=0
  while :; do
    "$vqeval" score -q --manifest "$clips/manifest.csv" --out "$work/killed" > /dev/null 2>&1 &
    local pid=$!
    sleep "${EVERY:-2}"
    if ! kill -9 $pid 2> /dev/null; then
      wait $pid || true
      break
    fi
    wait $pid 2> /dev/null || true
    kills=$((kills + 1))
    echo "killed with $(wc -l < "$work/killed/journal.jsonl") results there"
    [ $kills -lt 100 ]
  done
  for f in summary.csv summary.json; do
    cmp "$work/whole/$f" "$work/killed/$f"
  done
  echo "killed $kills times: the summaries are those of an undisturbed run"
  sed 1d "$clips/broken.csv" | cut -d, -f1 | while read -r f; do
    grep -F "$f\"" "$work/killed/summary.json" | grep -q '"error":"[^"]' || { echo "$f is not named as broken"; exit 1; }
  done
  echo "$(sed 1d "$clips/broken.csv" | wc -l) broken captures, all named with their reasons"
}

case ${1:-} in
  speed | memory | resume) "$@" ;;
  *) sed -n 's/^# \{0,1\}//p' "$0" | sed -n 2,6p; exit 2 ;;
esac
