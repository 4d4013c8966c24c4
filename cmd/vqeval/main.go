// Vqeval measures what a transport does to video: it sends an H.264 clip over
// UDP or QUIC through a limited link, and says frame by frame what the viewer
// got.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/vqeval/vqeval/lab"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1   // the work failed
	exitUsage       = 2   // the command line is wrong
	exitThreshold   = 3   // --fail-under or --check was not met
	exitInterrupted = 130 // Ctrl-C or SIGTERM; what was done is kept
)

func main() { os.Exit(realMain()) }

// realMain is main with a return value, so that deferred calls run.
func realMain() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	// quic-go logs about small socket buffers; vqeval counts what overflows them,
	// and vqeval doctor says how to enlarge them.
	if err := os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailed
	}
	if lab.IsWorker() {
		if err := lab.Worker(ctx, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return exitFailed
		}
		return exitOK
	}
	return vqeval(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// vqeval is main without the process: it runs args and returns the exit code.
func vqeval(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		a.complain(errInterrupted)
		return exitInterrupted
	}
	a.complain(err)
	var u usageError
	var t thresholdError
	switch {
	case errors.As(err, &u):
		return exitUsage
	case errors.As(err, &t):
		return exitThreshold
	}
	return exitFailed
}

var errInterrupted = errors.New("interrupted; what was done so far is kept")

// complain prints err for a person: one line, its hint on the next.
func (a *app) complain(err error) {
	text := strings.TrimRight(err.Error(), "\n")
	text = strings.ReplaceAll(text, "; hint: ", "\nhint: ")
	a.say("vqeval: %s", text)
}

// usageError marks errors of the command line, as opposed to those of the work.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// usagef returns a usageError.
func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// thresholdError says that a result exists and is not good enough.
type thresholdError struct{ error }

func (t thresholdError) Unwrap() error { return t.error }
