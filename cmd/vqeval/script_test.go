package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for another process on a busy machine.
const patience = 20 * time.Second

type scriptCommand = func(ts *testscript.TestScript, neg bool, args []string)

func scriptCommands() map[string]scriptCommand {
	return map[string]scriptCommand{
		"port":        takesArgs(1, "port NAME...: set $NAME to a free port", scriptPort),
		"bound":       takesArgs(2, "bound udp|tcp PORT: wait until a program has it", scriptBound),
		"status":      takesArgs(2, "status CODE PROGRAM ARG...: run it and compare the exit code", scriptStatus),
		"run":         takesArgs(1, "run CODE ARG...: status of vqeval without a process, in no particular folder", scriptRun),
		"field":       takesArgs(3, "field FILE PATH VALUE: compare a value in a JSON file", scriptField),
		"await":       takesArgs(1, "await GLOB: wait until there is such a file", scriptAwait),
		"sums":        takesArgs(4, "sums FILE MIN MAX PATH...: numbers in a JSON file add up to MIN..MAX", scriptSums),
		"until":       takesArgs(3, "until FILE PATH MIN: wait until a number in a JSON file is that large", scriptUntil),
		"copies":      takesArgs(4, "copies FILE NAME FIRST LAST: copy it to names with %d counting", scriptCopies),
		"atleast":     takesArgs(2, "atleast FILE N: wait until the file has so many lines", scriptAtLeast),
		"decodes":     takesArgs(2, "decodes FILE N: a decoder makes N frames of it", scriptDecodes),
		"starts":      takesArgs(2, "starts FILE TYPE...: its first NAL units are of these types", scriptStarts),
		"records":     takesArgs(2, "records FILE MIN: a capture that can be read, of so many packets at least", scriptRecords),
		"beside":      takesArgs(4, "beside OUT A PORT B: the packets of recording A and, to another port, those of B", scriptBeside),
		"certificate": takesArgs(1, "certificate HOST...: make cert.pem and key.pem", scriptCertificate),
	}
}

// scriptCondition adds [gstreamer]: it is here with all that the scripts want of it.
func scriptCondition(name string) (bool, error) {
	if name != "gstreamer" {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	if _, err := exec.LookPath("gst-launch-1.0"); err != nil {
		return false, nil
	}
	for _, element := range []string{"rtph264depay", "rtph264pay", "h264parse"} {
		if exec.Command("gst-inspect-1.0", "--exists", element).Run() != nil {
			return false, nil
		}
	}
	return true, nil
}

// takesArgs checks the number of arguments of a command that cannot be negated.
func takesArgs(least int, usage string, f func(ts *testscript.TestScript, args []string)) scriptCommand {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < least {
			ts.Fatalf("usage: %s", usage)
		}
		f(ts, args)
	}
}

func scriptPort(ts *testscript.TestScript, args []string) {
	for _, name := range args {
		port, err := ports.take()
		ts.Check(err)
		ts.Setenv(name, strconv.Itoa(port))
	}
}

func scriptBound(ts *testscript.TestScript, args []string) {
	port, err := strconv.Atoi(args[1])
	ts.Check(err)
	await(ts, func() error {
		if !bound(args[0], port) {
			return fmt.Errorf("nobody has %s port %d", args[0], port)
		}
		return nil
	})
}

// await calls try until it returns nil.
func await(ts *testscript.TestScript, try func() error) {
	err := try()
	for end := time.Now().Add(patience); err != nil && time.Now().Before(end); err = try() {
		time.Sleep(10 * time.Millisecond)
	}
	ts.Check(err)
}

func scriptStatus(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// scriptRun saves the start of a process, which takes a while: vqeval is linked
// to some 200 libraries.
func scriptRun(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if code := vqeval(context.Background(), args[1:], strings.NewReader(""), ts.Stdout(), ts.Stderr()); code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// jsonField finds a value by its path, such as rtp.lost, and prints it.
func jsonField(text, path string) (string, error) {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return "", err
	}
	for _, name := range strings.Split(path, ".") {
		object, _ := v.(map[string]any) // nil, and thus without the name, if it is no object
		var ok bool
		if v, ok = object[name]; !ok {
			return "", fmt.Errorf("no %s in %s", path, text)
		}
	}
	return fmt.Sprint(v), nil
}

func scriptField(ts *testscript.TestScript, args []string) {
	got, err := jsonField(ts.ReadFile(args[0]), args[1])
	ts.Check(err)
	if want := strings.Join(args[2:], " "); got != want {
		ts.Fatalf("%s: %s = %s, want %s", args[0], args[1], got, want)
	}
}

func scriptSums(ts *testscript.TestScript, args []string) {
	var bounds [2]float64
	for i := range bounds {
		n, err := strconv.ParseFloat(args[1+i], 64)
		ts.Check(err)
		bounds[i] = n
	}
	sum := 0.0
	for _, path := range args[3:] {
		field, err := jsonField(ts.ReadFile(args[0]), path)
		ts.Check(err)
		n, err := strconv.ParseFloat(field, 64)
		ts.Check(err)
		sum += n
	}
	if sum < bounds[0] || sum > bounds[1] {
		ts.Fatalf("%s: %v add up to %g, want %s to %s", args[0], args[3:], sum, args[1], args[2])
	}
}

func scriptUntil(ts *testscript.TestScript, args []string) {
	least, err := strconv.ParseFloat(args[2], 64)
	ts.Check(err)
	await(ts, func() error {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		if err != nil {
			return err
		}
		field, err := jsonField(string(text), args[1])
		if err != nil {
			return err
		}
		if n, err := strconv.ParseFloat(field, 64); err != nil || n < least {
			return fmt.Errorf("%s: %s = %s, want %s", args[0], args[1], field, args[2])
		}
		return nil
	})
}

func scriptAwait(ts *testscript.TestScript, args []string) {
	await(ts, func() error {
		found, err := filepath.Glob(ts.MkAbs(args[0]))
		if err == nil && len(found) == 0 {
			err = fmt.Errorf("no file %s", args[0])
		}
		return err
	})
}
