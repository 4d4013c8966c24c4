package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/vqeval/vqeval/lab"
)

// TestMain lets the test binary be vqeval itself: in scripts, and as the worker
// process that an experiment starts.
func TestMain(m *testing.M) {
	if lab.IsWorker() {
		os.Exit(realMain())
	}
	// Scripts mostly wait for processes, so more of them than there are processors
	// run at once, unless -parallel says otherwise.
	flag.Lookup("test.parallel").Value.Set("4")
	testscript.Main(m, map[string]func(){"vqeval": func() { os.Exit(tracked()) }})
}

// tracked runs vqeval and, for a process in the background, whose exit code a
// script cannot see, writes the code into the file that $EXIT names.
func tracked() int {
	code := realMain()
	if file := os.Getenv("EXIT"); file != "" {
		if err := os.WriteFile(file, []byte(fmt.Sprintln(code)), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return code
}

// TestScripts runs testdata/*.txtar; scriptCommands are the commands in them
// beside testscript's own. $INPUT is the folder of the fixtures.
func TestScripts(t *testing.T) {
	input, err := filepath.Abs("testdata/input")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("INPUT", input)
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, ".cache"))
			return nil
		},
		Cmds:      scriptCommands(),
		Condition: scriptCondition,
	})
}
