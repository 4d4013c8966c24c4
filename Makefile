# vqeval: make demo (the main job on the built-in clip), make test (all tests). Each does its own set-up.
.PHONY: build demo test check bench generate clean setup setup-test
.DEFAULT_GOAL := build

OUT ?= out/demo
TOOL = go tool -modfile=tools/go.mod

build: setup
	@mkdir -p bin
	go build -trimpath -o bin/vqeval ./cmd/vqeval

setup:
	@scripts/setup.sh build

setup-test:
	@scripts/setup.sh test

# The source study's experiment: FullHD H.264 (about 6 Mbit/s) over UDP and QUIC through 5 Mbit/s.
demo: build
	rm -rf $(OUT)
	bin/vqeval run --transports udp,quic --rate 5mbit --frame 36 --out $(OUT)

test: setup-test build
	go test ./...

# The house rules: format, vet, staticcheck, tidy modules, race detector, portable kernels, other architectures.
check: setup-test
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'not gofmt-ed: run gofmt -w'; exit 1; }
	go vet ./...
	$(TOOL) staticcheck ./...
	go mod tidy -diff
	go test -race -short -shuffle=on ./...
	go test -tags purego ./metrics/...
	GOARCH=arm64 CGO_ENABLED=0 go vet ./metrics/... ./stream/... ./report/... ./lab/world/... ./decode/align/...
	@$(MAKE) --no-print-directory generated

# Generated files are what their generators give.
.PHONY: generated
generated:
	cd metrics/internal/kernel/_asm && go generate ./...
	git diff --exit-code -- metrics/internal/kernel

generate:
	cd metrics/internal/kernel/_asm && go generate ./...

# The streams that lab/fig5, fig6 and fig6p send.
.PHONY: lab-clips
lab-clips: setup-test
	scripts/make-lab-clips.sh lab/clips

bench: setup-test build
	scripts/bench.sh

# Batch scoring: speed against a loop over ffmpeg, peak memory, resuming after kill -9.
.PHONY: batch-bench
batch-bench: setup-test build
	scripts/batch-bench.sh speed
	scripts/batch-bench.sh memory
	scripts/batch-bench.sh resume

clean:
	rm -rf bin out
