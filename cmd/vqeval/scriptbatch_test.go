package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

func scriptCopies(ts *testscript.TestScript, args []string) {
	content := []byte(ts.ReadFile(args[0]))
	first, err := strconv.Atoi(args[2])
	ts.Check(err)
	last, err := strconv.Atoi(args[3])
	ts.Check(err)
	for i := first; i <= last; i++ {
		ts.Check(os.WriteFile(ts.MkAbs(fmt.Sprintf(args[1], i)), content, 0o644))
	}
}

func scriptAtLeast(ts *testscript.TestScript, args []string) {
	least, err := strconv.Atoi(args[1])
	ts.Check(err)
	await(ts, func() error {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if n := bytes.Count(text, []byte("\n")); err == nil && n < least {
			err = fmt.Errorf("%s: %d lines, want %d", args[0], n, least)
		}
		return err
	})
}
