package batch

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// name gives each item its name: the captured file's, with its ending and its
// folders before it as far as they are needed to tell it from others, and the
// deadline if there is one.
func (p *Plan) name() {
	names := make([]string, len(p.Items))
	waiting := make([]int, len(p.Items)) // without a name of their own up to now
	for i := range waiting {
		waiting[i] = i
	}
	for level := 0; len(waiting) > 0 && level <= deepest(p.Items); level++ {
		count := map[string]int{}
		for _, i := range waiting {
			names[i] = nameAt(p.Items[i], level)
		}
		for _, n := range names {
			count[strings.ToLower(n)]++
		}
		var still []int
		for _, i := range waiting {
			if count[strings.ToLower(names[i])] > 1 {
				still = append(still, i)
			}
		}
		waiting = still
	}
	used := map[string]bool{}
	for i, n := range names {
		for k := 2; used[strings.ToLower(n)]; k++ {
			n = fmt.Sprintf("%s-%d", names[i], k)
		}
		used[strings.ToLower(n)] = true
		p.Items[i].Name = n
	}
}

// nameAt returns a name with so many particulars: 0 is the bare one, 1 has the
// ending, and each further one a folder.
func nameAt(it Item, level int) string {
	path := filepath.ToSlash(filepath.Clean(it.Captured))
	if level == 0 {
		path = strings.TrimSuffix(path, filepath.Ext(path))
	}
	parts := strings.Split(strings.Trim(path, "/"), "/")
	keep := min(max(level, 1), len(parts))
	name := safe(strings.Join(parts[len(parts)-keep:], "-"))
	if it.Deadline > 0 {
		name += fmt.Sprintf("-d%gms", float64(it.Deadline)/float64(time.Millisecond))
	}
	return name
}

// deepest is the level at which no path has more to tell.
func deepest(items []Item) int {
	n := 0
	for _, it := range items {
		n = max(n, strings.Count(filepath.ToSlash(it.Captured), "/")+1)
	}
	return n
}

// maxName bounds a name, bytes: with an ending it must fit the 255 of a file
// name.
const maxName = 180

// safe makes a name of which every file system and every browser takes the same
// view.
func safe(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|#%`, r) {
			return '_'
		}
		return r
	}, s)
	s = strings.TrimLeft(s, ".- ")
	if len(s) > maxName {
		s = strings.ToValidUTF8(s[:maxName], "")
	}
	if s == "" {
		s = "capture"
	}
	return s
}
