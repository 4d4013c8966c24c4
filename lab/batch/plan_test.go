package batch

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// touch makes empty files below dir.
func touch(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, n := range names {
		path := filepath.Join(dir, filepath.FromSlash(n))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// show writes the items of a plan as lines of reference|captured|deadline|labels,
// with paths below dir.
func show(p Plan, dir string) (lines []string) {
	for _, it := range p.Items {
		lines = append(lines, strings.ReplaceAll(fmt.Sprintf("%s|%s|%v|%s", it.Reference, it.Captured, it.Deadline, strings.Join(it.Labels, ",")), dir+"/", ""))
	}
	return lines
}

func TestManifest(t *testing.T) {
	dir := t.TempDir()
	touch(t, dir, "r.mp4", "run1/a.mp4", "run2/a.mp4", "run10/a.mp4", "odd[1].mp4")
	for name, c := range map[string]struct {
		text   string
		m      Manifest
		labels []string
		want   []string
	}{
		"labels in any order": {
			text:   "codec,captured,loss,reference\nx264,a.mp4,2 %,r.mp4\n",
			labels: []string{"codec", "loss"}, want: []string{"r.mp4|a.mp4|0s|x264,2 %"},
		},
		"a pattern": {
			text:   "reference,captured,k\nr.mp4,run*/a.mp4,x\n",
			labels: []string{"k"}, want: []string{"r.mp4|run1/a.mp4|0s|x", "r.mp4|run10/a.mp4|0s|x", "r.mp4|run2/a.mp4|0s|x"},
		},
		"a pattern for the reference": {text: "reference,captured\nr.*,a.mp4\n", want: []string{"r.mp4|a.mp4|0s|"}},
		"a file named like a pattern": {text: "reference,captured\nr.mp4,odd[1].mp4\n", want: []string{"r.mp4|odd[1].mp4|0s|"}},
		"byte order mark, CR LF, quotes": {
			text:   "\ufeff\"reference\",\"captured\",\"a, b\"\r\n\"r.mp4\",\"with, comma \"\"q\"\".mp4\",\"1\n2\"\r\n",
			labels: []string{"a, b"}, want: []string{"r.mp4|with, comma \"q\".mp4|0s|1\n2"},
		},
		"comments, empty lines, no line end": {
			text: "# made by hand\nreference,captured\n\n# r.mp4,b.mp4\nr.mp4,a.mp4",
			want: []string{"r.mp4|a.mp4|0s|"},
		},
		"a reference for all, and one of its own": {
			text: "captured,reference\na.mp4,\nb.mp4,other.mp4\n", m: Manifest{Reference: "/all.mp4"},
			want: []string{"/all.mp4|a.mp4|0s|", "other.mp4|b.mp4|0s|"},
		},
		"absolute paths": {text: "reference,captured\n/x/r.mp4,/y/a.mp4\n", want: []string{"/x/r.mp4|/y/a.mp4|0s|"}},
		"deadlines": {
			text: "reference,captured\nr.mp4,a.pcap\n", m: Manifest{Deadlines: []time.Duration{0, time.Second}},
			want: []string{"r.mp4|a.pcap|0s|", "r.mp4|a.pcap|1s|"},
		},
		"a capture twice": {
			text:   "reference,captured,k\nr.mp4,a.mp4,1\nr.mp4,a.mp4,2\n",
			labels: []string{"k"}, want: []string{"r.mp4|a.mp4|0s|1", "r.mp4|a.mp4|0s|2"},
		},
		"built-in clips": {
			text: "reference,captured\nbuiltin:small,a.mp4\n",
			m: Manifest{Resolve: func(name string) (string, error) {
				if name == "builtin:small" {
					return "/cache/small.mp4", nil
				}
				return "", nil
			}},
			want: []string{"/cache/small.mp4|a.mp4|0s|"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.m.Dir = dir
			p, err := c.m.Read(strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p, dir); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if !slices.Equal(p.Labels, c.labels) {
				t.Errorf("labels %q, want %q", p.Labels, c.labels)
			}
		})
	}
}

func TestManifestErrors(t *testing.T) {
	dir := t.TempDir()
	touch(t, dir, "r1.mp4", "r2.mp4")
	const head = "reference,captured\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":               {"", "the manifest is empty"},
		"no lines":              {head, "no lines below its header"},
		"no captured":           {"reference,file\nr,a\n", `line 1: no column "captured" in "reference,file"`},
		"semicolons":            {"reference;captured\nr;a\n", "hint: columns are separated by commas"},
		"no reference":          {"captured\na\n", `no column "reference", and no --ref for all lines`},
		"reference left out":    {"reference,captured\n,a.mp4\n", "line 2: no reference"},
		"captured left out":     {head + "r1.mp4,\n", "line 2: no captured file"},
		"column without a name": {"reference,captured,\nr,a,x\n", "column 3 has no name"},
		"column twice":          {"reference,captured,k,k\nr,a,1,2\n", `column "k" stands twice`},
		"label of a number":     {"reference,captured,psnr_y_mean\nr,a,1\n", `a label cannot be called "psnr_y_mean"`},
		"label of a word":       {"reference,captured,error\nr,a,1\n", `a label cannot be called "error"`},
		"too few cells":         {head + "r1.mp4,a.mp4\nr1.mp4\n", "line 3: wrong number of fields"},
		"too many cells":        {head + "r1.mp4,a.mp4,b\n", "line 2: wrong number of fields"},
		"quote left open":       {head + "r1.mp4,\"a.mp4\n", "line 2"},
		"pattern of nothing":    {head + "r1.mp4,none*.mp4\n", "line 2: no file fits the pattern"},
		"broken pattern":        {head + "r1.mp4,a[.mp4\n", "syntax error in pattern"},
		"two references":        {head + "r?.mp4,a.mp4\n", "fits 2 files"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Manifest{Dir: dir}.Read(strings.NewReader(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v, want an error with %q", p, err, c.want)
			}
		})
	}
}
