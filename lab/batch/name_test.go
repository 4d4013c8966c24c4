package batch

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestNames(t *testing.T) {
	ms := time.Millisecond
	for name, c := range map[string]struct {
		captured  []string
		deadlines []time.Duration
		want      []string
	}{
		"as short as can be":     {[]string{"x/a.mp4", "y/b.mp4"}, nil, []string{"a", "b"}},
		"with endings":           {[]string{"a.mp4", "a.mkv", "b.mp4"}, nil, []string{"a.mp4", "a.mkv", "b"}},
		"with folders":           {[]string{"1/x/a.mp4", "2/x/a.mp4"}, nil, []string{"1-x-a.mp4", "2-x-a.mp4"}},
		"twice":                  {[]string{"a.mp4", "a.mp4", "./a.mp4", "b/a.mp4"}, nil, []string{"a.mp4", "a.mp4-2", "a.mp4-3", "b-a.mp4"}},
		"that look counted":      {[]string{"a.mp4", "a.mp4", "a.mp4-2", "a.mp4-2"}, nil, []string{"a.mp4", "a.mp4-2", "a.mp4-2-2", "a.mp4-2-3"}},
		"of one case":            {[]string{"A.mp4", "a.mp4"}, nil, []string{"A.mp4", "a.mp4-2"}},
		"with deadlines":         {[]string{"a.pcap"}, []time.Duration{0, 50 * ms, 1500 * time.Microsecond}, []string{"a", "a-d50ms", "a-d1.5ms"}},
		"no path, no option":     {[]string{"/.hidden", "-c.mp4", "..", `a:b*c?"d<e>f|g#h%i\j.mp4`}, nil, []string{"hidden", "c", "capture", "a_b_c__d_e_f_g_h_i_j"}},
		"no control characters":  {[]string{"a\nb\x1b.mp4"}, nil, []string{"a_b_"}},
		"other scripts as is":    {[]string{"из дома ü.mp4"}, nil, []string{"из дома ü"}},
		"dots inside, no ending": {[]string{"v1.2.3", "noending"}, nil, []string{"v1.2", "noending"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, it := range NewPlan("r.mp4", c.captured, c.deadlines).Items {
				got = append(got, it.Name)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestLongNames has names that differ only where a file's name has no room.
func TestLongNames(t *testing.T) {
	deep := strings.Repeat("ü/", 300)
	paths := []string{deep + strings.Repeat("ö", 300) + "1.mp4", deep + strings.Repeat("ö", 300) + "2.mp4", "\xff\xfe.mp4", "\xfe\xff.mp4"}
	seen := map[string]bool{}
	for _, it := range NewPlan("r.mp4", paths, nil).Items {
		if len(it.Name) > 200 || !utf8.ValidString(it.Name) || seen[it.Name] || filepath.Base(it.Name) != it.Name {
			t.Errorf("%q of %d bytes is too long, not text, not alone, or a path", it.Name, len(it.Name))
		}
		seen[it.Name] = true
	}
}

// TestManySameNames fails by its time limit if naming is not linear.
func TestManySameNames(t *testing.T) {
	p := NewPlan("r.mp4", slices.Repeat([]string{"a.mp4"}, 100_000), nil)
	if got, want := p.Items[99_999].Name, "a-100000"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
