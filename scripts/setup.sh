#!/bin/sh
# setup.sh build|test - makes sure that what the build (or the tests) need from outside Go is there.
# On Debian and its relatives missing packages are installed with apt-get (through sudo when not root); elsewhere they are named.
set -eu
want=${1:-build}
build_packages="gcc libc6-dev pkg-config libavcodec-dev libavdevice-dev libavfilter-dev libavformat-dev libavutil-dev libswresample-dev libswscale-dev"
test_packages="ffmpeg python3 fonts-dejavu-core chromium gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-libav"

die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

command -v go >/dev/null 2>&1 || die "Go is not installed. hint: install Go 1.26 or newer from https://go.dev/dl and put it on PATH (Debian 12's own golang package, 1.19, is too old)"
go_version=$(GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//')
major=${go_version%%.*}
rest=${go_version#*.}
minor=${rest%%[!0-9]*}
if [ "$major" -lt 1 ] || { [ "$major" -eq 1 ] && [ "${minor:-0}" -lt 26 ]; }; then
	die "Go $go_version is too old, 1.26 or newer is needed. hint: https://go.dev/dl"
fi

packages=$build_packages
[ "$want" = test ] && packages="$build_packages $test_packages"

if ! command -v dpkg-query >/dev/null 2>&1; then
	pkg-config --exists libavcodec libavformat libavutil libswscale libavfilter libavdevice libswresample 2>/dev/null && exit 0
	die "this is not a Debian system and FFmpeg 5.1's development files were not found. hint: install FFmpeg 5.1 with its headers and pkg-config files (libavcodec, libavdevice, libavfilter, libavformat, libavutil, libswresample, libswscale), or use Debian 12"
fi

missing=""
for p in $packages; do
	dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

sudo=""
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null 2>&1 || die "packages are missing and there is no sudo. hint: as root run: apt-get install -y$missing"
	sudo=sudo
fi
printf 'setup: installing%s\n' "$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1; then
	tail -n 20 "$log" >&2
	die "apt-get could not install the packages above. hint: run: ${sudo:+sudo }apt-get install -y$missing"
fi
