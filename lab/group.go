package lab

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vqeval/vqeval/metrics"
)

// A Scored is one run's ledger at one deadline.
type Scored struct {
	Run       Spec
	Deadline  Deadline
	Transport string // its label
	Series    metrics.Series
}

// A Group is what belongs into one figure: every transport over one link, with
// the first seed, at one deadline.
type Group struct {
	Clip, Profile string
	Deadline      Deadline
	Seed          uint64
	Title         string
	Series        []Scored
	suffix        string // of file names, where there are several groups
}

// File makes a file's name, with what tells this group from the others before
// its ending.
func (g Group) File(format string, args ...any) string {
	name := fmt.Sprintf(format, args...)
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + g.suffix + ext
}

// Groups returns the figures to draw, in the plan's order.
func (r Results) Groups() []Group {
	e := r.Manifest.Experiment
	var groups []Group
	index := map[cellKey]int{}
	for _, s := range r.Scored {
		if s.Run.Seed != e.Seeds[0] {
			continue
		}
		k := cellKey{clip: s.Run.Clip, profile: s.Run.Link.Name, deadline: s.Deadline}
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, Group{Clip: k.clip, Profile: k.profile, Deadline: k.deadline, Seed: s.Run.Seed,
				Title: groupTitle(s), suffix: r.suffix(s)})
		}
		groups[i].Series = append(groups[i].Series, s)
	}
	return groups
}

// LinkGroups returns Groups with all deadlines of a clip and link in one, and
// without their series.
func (r Results) LinkGroups() []Group {
	var out []Group
	for _, s := range r.Scored {
		s.Deadline = 0
		same := func(g Group) bool { return g.Clip == s.Run.Clip && g.Profile == s.Run.Link.Name }
		if !slices.ContainsFunc(out, same) {
			out = append(out, Group{Clip: s.Run.Clip, Profile: s.Run.Link.Name, Title: groupTitle(s), suffix: r.suffix(s)})
		}
	}
	return out
}

func groupTitle(s Scored) string {
	title := clipTitle(s.Run.Clip) + " over " + s.Run.Link.Name
	if rate := s.Run.Link.Down.Rate; rate > 0 {
		title += fmt.Sprintf(" (%v)", rate)
	}
	if s.Deadline != 0 {
		title += ", played out after " + s.Deadline.String()
	}
	return title
}

func clipTitle(name string) string {
	base := filepath.Base(name)
	return strings.TrimSuffix(strings.TrimPrefix(base, "builtin:"), filepath.Ext(base))
}

// suffix tells a group's files from those of others, as far as there are any.
func (r Results) suffix(s Scored) string {
	e := r.Manifest.Experiment
	var parts []string
	if len(e.Clips) > 1 {
		parts = append(parts, folderSafe(clipTitle(s.Run.Clip)))
	}
	if len(e.Sweep.expand(e.Links)) > 1 {
		parts = append(parts, folderSafe(s.Run.Link.Name))
	}
	if s.Deadline != 0 {
		parts = append(parts, "d"+folderSafe(s.Deadline.String()))
	}
	if len(parts) == 0 {
		return ""
	}
	return "-" + strings.Join(parts, "-")
}

// Path returns the path of a file in the result folder.
func (r Results) Path(parts ...string) string {
	return filepath.Join(append([]string{r.Dir}, parts...)...)
}

// scoreName names the file of a run's scores at a deadline.
func scoreName(run string, d Deadline) string {
	if d == 0 {
		return run
	}
	return run + "-d" + folderSafe(d.String())
}

// Files lists what a person will want to open, as paths that exist.
func (r Results) Files() []string {
	var out []string
	for _, pattern := range []string{"report.html", "frame-*.png", "plots/figure*.png", "summary.csv"} {
		names, err := filepath.Glob(r.Path(pattern))
		if err == nil {
			out = append(out, names...)
		}
	}
	return out
}

// ScoreFile returns the path of a run's scores per frame.
func (r Results) ScoreFile(s Scored) string {
	return r.Path("scores", scoreName(s.Run.Name, s.Deadline)+".csv")
}
