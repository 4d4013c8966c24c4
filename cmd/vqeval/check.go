package main

import (
	"fmt"
	"io"

	"github.com/vqeval/vqeval/lab"
)

// checkResults holds the experiment's expectations against its results and
// prints what came of each; a thresholdError if one does not hold.
func (a *app) checkResults(res lab.Results) error {
	checked := res.Check()
	failed := 0
	for _, c := range checked {
		if !c.OK {
			failed++
		}
	}
	if !a.json {
		printChecked(a.stdout, checked)
	}
	if failed > 0 {
		return thresholdError{fmt.Errorf("%d of %d expectations do not hold", failed, len(checked))}
	}
	return nil
}

func printChecked(w io.Writer, checked []lab.Checked) {
	lines := [][]string{{"expectation (medians over seeds)", "link", "deadline", "got", "limit", ""}}
	for _, c := range checked {
		verdict, got, limit := "ok", fmt.Sprintf("%.4g", c.Got), fmt.Sprintf("%.4g", c.Bound())
		if c.Is == lab.Within {
			limit = fmt.Sprintf("%.4g..%.4g", c.Other*(1-c.Factor), c.Other*(1+c.Factor))
		}
		switch {
		case c.Why != "":
			verdict, got, limit = "FAILS: "+c.Why, "-", "-"
		case !c.OK:
			verdict = "FAILS"
		}
		lines = append(lines, []string{c.String(), c.Over, c.At.String(), got, limit, verdict})
	}
	fmt.Fprintln(w)
	printTable(w, lines, 2)
}
