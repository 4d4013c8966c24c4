package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

	"github.com/vqeval/vqeval/decode"
)

// finding is one line of the doctor's report.
type finding struct {
	What   string `json:"what"`
	Found  string `json:"found"`
	OK     bool   `json:"ok"`
	Means  string `json:"means,omitempty"` // what is lost without it, or what to do
	needed bool
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "say what this machine can do",
		Long: `Looks at libraries, processor, kernel buffers and helper programs, and says
what each missing one means. Exits 1 when something is missing that vqeval cannot work without.`,
		Example: "  vqeval doctor\n  vqeval doctor --json",
		Args:    exactArgs(0, ""),
		RunE: func(*cobra.Command, []string) error {
			findings := examine()
			if a.json {
				if err := printJSON(a.stdout, findings); err != nil {
					return err
				}
			} else {
				printFindings(a.stdout, findings)
			}
			for _, f := range findings {
				if f.needed && !f.OK {
					return fmt.Errorf("%s: %s", f.What, f.Means)
				}
			}
			return nil
		},
	}
}

func examine() []finding {
	out := []finding{
		{What: "vqeval", Found: version() + ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH, OK: true},
		{What: "processors", Found: fmt.Sprint(runtime.NumCPU()), OK: true},
		{What: "AVX2", Found: yesNo(cpu.X86.HasAVX2), OK: cpu.X86.HasAVX2, Means: "scores are the same, measuring them takes longer"},
	}
	versions := decode.Versions()
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		out = append(out, finding{What: name, Found: versions[name], OK: true, needed: true})
	}
	out = append(out, kernelBuffer(), congestionControl(), namespaces())
	for _, p := range []struct{ program, means string }{
		{"ffmpeg", "tests against ffmpeg's own filters are skipped; vqeval itself does not need it"},
		{"ffplay", "watching `vqeval send` live needs some player"},
		{"gst-launch-1.0", "tests against GStreamer are skipped"},
		{"wireshark", "recordings are pcapng files, which it opens"},
		{"chromium", "tests of the HTML report are skipped; any browser shows it"},
	} {
		path, err := exec.LookPath(p.program)
		f := finding{What: p.program, Found: path, OK: err == nil, Means: p.means}
		if err != nil {
			f.Found = "not found"
		}
		out = append(out, f)
	}
	return out
}

func kernelBuffer() finding {
	const want = 4 << 20
	f := finding{What: "largest UDP receive buffer", Means: "bursts of key frames may overflow it, which is counted and reported apart; as root: sysctl net.core.rmem_max=8388608"}
	text, err := os.ReadFile("/proc/sys/net/core/rmem_max")
	if err != nil {
		f.Found = "unknown"
		return f
	}
	var n int
	fmt.Sscan(string(text), &n)
	f.Found = fmt.Sprintf("%d KiB", n/1024)
	f.OK = n >= want || os.Geteuid() == 0
	if n < want && f.OK {
		f.Found += " (root may exceed it)"
	}
	return f
}

func congestionControl() finding {
	f := finding{What: "kernel's TCP congestion control", Means: "it matters for TCP and TLS only"}
	text, err := os.ReadFile("/proc/sys/net/ipv4/tcp_congestion_control")
	f.Found, f.OK = strings.TrimSpace(string(text)), err == nil
	if err != nil {
		f.Found = "unknown"
	}
	return f
}

func namespaces() finding {
	_, err := os.Stat("/dev/net/tun")
	f := finding{What: "network namespaces with TUN", Found: "yes", OK: err == nil && os.Geteuid() == 0,
		Means: "links for the kernel's own TCP need root and /dev/net/tun; everything over UDP and QUIC works without"}
	if !f.OK {
		f.Found = "no"
	}
	return f
}

func printFindings(w io.Writer, findings []finding) {
	width := 0
	for _, f := range findings {
		width = max(width, len(f.What))
	}
	for _, f := range findings {
		mark := "ok"
		if !f.OK {
			mark = "--"
			if f.needed {
				mark = "!!"
			}
		}
		fmt.Fprintf(w, "%s  %-*s  %s\n", mark, width, f.What, f.Found)
		if !f.OK && f.Means != "" {
			fmt.Fprintf(w, "    %-*s  %s\n", width, "", f.Means)
		}
	}
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// printJSON writes v indented.
func printJSON(w io.Writer, v any) error {
	text, err := jsonText(v)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func jsonText(v any) ([]byte, error) {
	text, err := json.MarshalIndent(v, "", "  ")
	return append(text, '\n'), err
}
