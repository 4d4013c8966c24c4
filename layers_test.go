package vqeval

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/vqeval/vqeval/"

// layers says which packages of this module each package may import. One that
// is missing here fails the test: a new package begins with this decision.
var layers = map[string][]string{
	"stream/h264":                    {},
	"stream/rtph264":                 {"stream/h264"},
	"stream/link":                    {},
	"stream/transport":               {},
	"stream/transport/transporttest": {"stream/link", "stream/transport"},
	"stream/rquic":                   {"stream/transport"},
	"stream/capture":                 {},
	"stream":                         {"stream/capture", "stream/h264", "stream/rtph264", "stream/transport"},
	"metrics/internal/kernel":        {},
	"metrics":                        {"metrics/internal/kernel"},
	"decode":                         {"metrics", "stream/h264"},
	"decode/align":                   {"metrics"},
	"report":                         {"metrics"},
	"samples":                        {},
	"lab/world":                      {},
	"lab/folder":                     {},
	"lab/score":                      {"decode", "decode/align", "metrics", "stream", "stream/capture", "stream/h264", "stream/rtph264"},
	"lab/batch":                      {"decode", "decode/align", "lab/folder", "lab/score", "metrics", "stream", "stream/capture", "stream/h264", "stream/rtph264"},
	"lab": {"decode", "decode/align", "lab/folder", "lab/score", "lab/world", "metrics", "samples", "stream", "stream/capture", "stream/h264",
		"stream/link", "stream/rquic", "stream/rtph264", "stream/transport"},
	"cmd/vqeval": {"decode", "decode/align", "lab", "lab/batch", "lab/score", "metrics", "report", "samples", "stream", "stream/capture", "stream/h264",
		"stream/link", "stream/rquic", "stream/rtph264", "stream/transport"},
}

// doors says which packages alone may import a third-party module.
var doors = map[string][]string{
	"github.com/apernet/quic-go":    {"stream/rquic"},
	"github.com/asticode/go-astiav": {"decode"},
	"github.com/goccy/go-yaml":      {"lab"},
	"github.com/gopacket/gopacket":  {"stream/capture"},
	"github.com/mattn/go-isatty":    {"cmd/vqeval"},
	"github.com/parquet-go":         {"metrics"},
	"github.com/pion/rtp":           {"stream", "stream/capture", "stream/rtph264"},
	"github.com/pion/sdp":           {"stream"},
	"github.com/quic-go/quic-go":    {"stream/rquic", "stream/transport"},
	"github.com/spf13/cobra":        {"cmd/vqeval"},
	"github.com/spf13/pflag":        {"cmd/vqeval"},
	"github.com/vbauerster/mpb":     {"cmd/vqeval"},
	"golang.org/x/image":            {"report"},
	"golang.org/x/sys":              {"cmd/vqeval", "metrics/internal/kernel", "stream/link", "stream/transport"},
	"gonum.org/v1/plot":             {"report"},
	"testing/synctest":              {"lab/world"},
}

// TestLayers reads the files itself: what "go list" prints would be hidden
// from the test cache, and a stale pass would follow.
func TestLayers(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), "_") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		may, known := layers[pkg]
		if !known {
			t.Errorf("%s: package has no layer", pkg)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if dep, ours := strings.CutPrefix(imp, module); ours && !slices.Contains(may, dep) {
				t.Errorf("%s: %s may not import %s", path, pkg, dep)
			}
			for door, keepers := range doors {
				if strings.HasPrefix(imp, door) && !slices.Contains(keepers, pkg) {
					t.Errorf("%s: only %v may import %s", path, keepers, door)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
