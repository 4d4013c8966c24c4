package main

import (
	"fmt"
	"io"

	"github.com/vqeval/vqeval/lab/batch"
)

// jsonLines writes a line a row, in the plan's order, as they come to be there.
type jsonLines struct {
	w      io.Writer
	labels []string
	next   int
}

func (l *jsonLines) advance(row func(int) (batch.Row, bool)) error {
	for {
		r, ok := row(l.next)
		if !ok {
			return nil
		}
		if _, err := fmt.Fprintf(l.w, "%s\n", r.JSON(l.labels)); err != nil {
			return fmt.Errorf("stdout: %w", err)
		}
		l.next++
	}
}
