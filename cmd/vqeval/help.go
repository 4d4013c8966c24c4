package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageTemplate is cobra's with lines that fit a terminal and the examples at
// the end, where the prompt is.
const usageTemplate = `Usage:{{if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{else}}
  {{.UseLine}}{{end}}{{if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}

{{.CommandPath}} COMMAND --help says more about a command.{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsagesWrapped 100 | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Flags of every command:
{{.InheritedFlags.FlagUsagesWrapped 100 | trimTrailingWhitespaces}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}
`

// flagError words an error of the flags: which one, what it wants, and what
// was probably meant.
func flagError(c *cobra.Command, err error) error {
	seeHelp := "; hint: " + c.CommandPath() + " --help"
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	var unknown *pflag.NotExistError
	switch {
	case errors.As(err, &invalid):
		f := invalid.GetFlag()
		cause := wants(f, invalid.Unwrap())
		if !strings.Contains(cause.Error(), "; hint: ") {
			return usagef("--%s %q: %w%s", f.Name, invalid.GetValue(), cause, seeHelp)
		}
		return usagef("--%s %q: %w", f.Name, invalid.GetValue(), cause)
	case errors.As(err, &missing):
		return usagef("--%s wants a value%s", missing.GetSpecifiedName(), seeHelp)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usagef("%s has no flag -%s%s", c.Name(), unknown.GetSpecifiedName(), seeHelp)
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := nearest(name, names); near != "" {
			seeHelp = "; hint: did you mean --" + near + "?"
		}
		return usagef("%s has no flag --%s%s", c.Name(), name, seeHelp)
	}
	return usagef("%s: %w%s", c.Name(), err, seeHelp)
}

// wants replaces the words of package strconv and time by what the flag takes.
func wants(f *pflag.Flag, err error) error {
	var number *strconv.NumError
	switch kind := f.Value.Type(); {
	case kind == "duration":
		return errors.New("want a time such as 2s or 500ms")
	case errors.As(err, &number) && errors.Is(err, strconv.ErrRange):
		return errors.New("the number is too large")
	case strings.HasPrefix(kind, "uint"):
		return errors.New("want a whole number from 0 up")
	case errors.As(err, &number) && kind == "bool":
		return errors.New("want true or false")
	case errors.As(err, &number) && strings.HasPrefix(kind, "int"):
		return errors.New("want a whole number")
	case errors.As(err, &number):
		return errors.New("want a number")
	}
	return err
}

// unknown prints the help, or names the command that was probably meant.
func (a *app) unknown(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	if near := nearest(args[0], names); near != "" {
		return usagef("unknown command %q; hint: did you mean %s %s?", args[0], c.CommandPath(), near)
	}
	return usagef("unknown command %q; hint: %s --help lists the commands", args[0], c.CommandPath())
}

// nearest returns the word closest to s if it is close enough to be what was
// meant, otherwise "".
func nearest(s string, words []string) string {
	best, distance := "", len(s)/2+1
	for _, w := range words {
		if d := editDistance(s, w); d < distance {
			best, distance = w, d
		}
	}
	return best
}

// editDistance is Levenshtein's, with two neighbours swapped as one edit (the
// "optimal string alignment" distance).
func editDistance(a, b string) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}
