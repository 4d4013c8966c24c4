package lab

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// TestMain lets the test binary be its own worker.
func TestMain(m *testing.M) {
	if IsWorker() {
		if err := Worker(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}
