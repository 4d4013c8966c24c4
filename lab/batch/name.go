package batch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// name gives each item its name: the captured file's, with its ending and its
// folders before it as far as they are needed to tell it from others, and the
// deadline if there is one.
func (p *Plan) name() {
	names := make([]string, len(p.Items))
	first := map[key]int{}
	var waiting []int // without a name of their own up to now
	for i, it := range p.Items {
		k := key{captured: filepath.Clean(it.Captured), deadline: it.Deadline}
		if _, again := first[k]; !again {
			first[k] = i
			waiting = append(waiting, i)
		}
	}
	once := slices.Clone(waiting)
	for level := 0; len(waiting) > 0 && level <= deepest(p.Items); level++ {
		for _, i := range waiting {
			names[i] = nameAt(p.Items[i], level)
		}
		count := map[string]int{}
		for _, i := range once {
			count[strings.ToLower(names[i])]++
		}
		waiting = slices.DeleteFunc(waiting, func(i int) bool { return count[strings.ToLower(names[i])] == 1 })
	}
	for i, it := range p.Items {
		names[i] = names[first[key{captured: filepath.Clean(it.Captured), deadline: it.Deadline}]]
	}
	p.number(names)
}

// number gives names to the items, with a number behind those that are taken.
func (p *Plan) number(names []string) {
	used := map[string]bool{}
	times := map[string]int{} // so that what stands a thousand times is not tried a million times
	for i, n := range names {
		lower := strings.ToLower(n)
		times[lower]++
		for k := times[lower]; used[strings.ToLower(n)]; k++ {
			n = fmt.Sprintf("%s-%d", names[i], max(k, 2))
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
