package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"github.com/spf13/pflag"
)

// profiles are what --cpuprofile and --memprofile ask for.
type profiles struct {
	cpu, mem string
	file     *os.File
}

func (p *profiles) flags(f *pflag.FlagSet) {
	f.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to `FILE`, for developers")
	f.StringVar(&p.mem, "memprofile", "", "write a heap profile to `FILE`, for developers")
	f.MarkHidden("cpuprofile")
	f.MarkHidden("memprofile")
}

func (p *profiles) start() error {
	if p.cpu == "" {
		return nil
	}
	f, err := os.Create(p.cpu)
	if err != nil {
		return fmt.Errorf("cpu profile: %w", err)
	}
	p.file = f
	return pprof.StartCPUProfile(f)
}

func (p *profiles) stop() error {
	if p.file != nil {
		pprof.StopCPUProfile()
		if err := p.file.Close(); err != nil {
			return fmt.Errorf("cpu profile: %w", err)
		}
	}
	if p.mem == "" {
		return nil
	}
	f, err := os.Create(p.mem)
	if err != nil {
		return fmt.Errorf("heap profile: %w", err)
	}
	defer f.Close()
	runtime.GC()
	if err := pprof.WriteHeapProfile(f); err != nil {
		return fmt.Errorf("heap profile: %w", err)
	}
	return f.Close()
}
