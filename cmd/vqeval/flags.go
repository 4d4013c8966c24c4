package main

import (
	"encoding"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is a flag that takes one of a fixed list of words.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("want one of %s%s", strings.Join(c.words, ", "), nearest(s, c.words))
	}
	c.value = s
	return nil
}

// choiceVar adds a choice flag with completion. The first word is the default.
func choiceVar(cmd *cobra.Command, c *choice, name, usage string, words ...string) {
	c.words = words
	if c.value == "" {
		c.value = words[0]
	}
	cmd.Flags().Var(c, name, usage)
	cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// textFlag makes a flag of anything that reads and writes itself as text.
type textFlag struct {
	value interface {
		encoding.TextUnmarshaler
		encoding.TextMarshaler
	}
	kind string
}

func (t textFlag) Set(s string) error { return t.value.UnmarshalText([]byte(s)) }
func (t textFlag) Type() string       { return t.kind }
func (t textFlag) String() string {
	if t.value == nil {
		return ""
	}
	b, err := t.value.MarshalText()
	if err != nil {
		return ""
	}
	return string(b)
}

var unknownFlag = regexp.MustCompile(`unknown (?:shorthand )?flag: (?:'.' in )?-+([^ =]+)`)

// nearestFlag is a hint at the flag that was probably meant.
func nearestFlag(c *cobra.Command, err error) string {
	m := unknownFlag.FindStringSubmatch(err.Error())
	if m == nil {
		return "; hint: " + c.CommandPath() + " --help"
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if hint := nearest(m[1], names); hint != "" {
		return strings.Replace(hint, "mean ", "mean --", 1)
	}
	return "; hint: " + c.CommandPath() + " --help lists the flags"
}

// nearest names the word closest to s, if one is close enough to be a slip.
func nearest(s string, words []string) string {
	best, distance := "", len(s)/2+1
	for _, w := range words {
		if d := editDistance(s, w); d < distance {
			best, distance = w, d
		}
	}
	if best == "" {
		return ""
	}
	return "; hint: did you mean " + best + "?"
}

// editDistance is Levenshtein's.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := prev
			if a[i] != b[j] {
				cost = 1 + min(prev, row[j], row[j+1])
			}
			prev, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
