package main

import (
	"encoding"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag that takes one of a fixed list of words.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "NAME" }
func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		err := fmt.Errorf("want one of %s", strings.Join(c.words, ", "))
		if near := nearest(s, c.words); near != "" {
			err = fmt.Errorf("%w; hint: did you mean %s?", err, near)
		}
		return err
	}
	c.value = s
	return nil
}

// choiceVar adds a choice flag with completion, and lists the words unless usage
// explains them ("drop = nothing"). The first is the default unless c has one.
func choiceVar(cmd *cobra.Command, c *choice, name, usage string, words ...string) {
	c.words = words
	if c.value == "" {
		c.value = words[0]
	}
	if !strings.Contains(usage, words[0]+" = ") {
		usage += ": " + strings.Join(words, ", ")
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
