package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/vqeval/vqeval/lab/batch"
)

// fewNames is how many captures a line names.
const fewNames = 3

// A saying is what was said about several captures.
type saying struct {
	text  string
	times int
	about []string
}

// sayings collects what was said about whom, in the order of the first time.
type sayings struct {
	list []*saying
	at   map[string]*saying
}

func (s *sayings) add(text, about string) {
	if s.at == nil {
		s.at = map[string]*saying{}
	}
	g := s.at[text]
	if g == nil {
		g = &saying{text: text}
		s.at[text] = g
		s.list = append(s.list, g)
	}
	g.times++
	if !slices.Contains(g.about[max(0, len(g.about)-fewNames):], about) { // deadlines of one capture
		g.about = append(g.about, about)
	}
}

// names lists the first few.
func (s saying) names() string {
	list := strings.Join(s.about[:min(fewNames, len(s.about))], ", ")
	if len(s.about) > fewNames {
		list += ", ..."
	}
	return list
}

// printRemarks prints what must be known to read the numbers.
func (a *app) printRemarks(rows []batch.Row) {
	if len(rows) > longTable && !a.verbose {
		return
	}
	var said sayings
	for _, r := range rows {
		for _, n := range r.Notes {
			said.add(printable(n), printable(r.Item.Captured))
		}
	}
	for _, s := range said.list {
		if len(s.about) > fewNames {
			a.note("%d captures (%s): %s", len(s.about), s.names(), s.text)
		} else {
			a.note("%s: %s", s.names(), s.text)
		}
	}
}

// printReasons says why captures have no scores: a line for each reason, the most
// frequent first.
func printReasons(w io.Writer, failed []batch.Row) error {
	var said sayings
	for _, r := range failed {
		said.add(printable(r.Reason()), printable(r.Item.Captured))
	}
	slices.SortStableFunc(said.list, func(a, b *saying) int { return cmp.Compare(b.times, a.times) })
	for _, s := range said.list {
		if _, err := fmt.Fprintf(w, "%d without scores: %s (%s)\n", s.times, s.text, s.names()); err != nil {
			return err
		}
	}
	return nil
}

// printable shows characters that would disturb a line or a terminal as Go writes
// them: names of files may hold any.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}
