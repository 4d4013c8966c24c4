package batch

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the XML that continuous integration reads: a test for each
// row, a failure where it misses a threshold, an error where it has no scores.
func WriteJUnit(w io.Writer, rows []Row, limits []Threshold) error {
	s := junitSuite{Name: "vqeval score", Tests: len(rows)}
	for _, r := range rows {
		c := junitCase{Class: r.Item.Reference, Name: r.Item.Name}
		misses := Misses(r, limits)
		switch {
		case r.Failed():
			s.Errors++
			c.Error = &junitMessage{Message: clean(r.Err), Text: r.Item.Captured}
		case len(misses) > 0:
			s.Failures++
			c.Failure = &junitMessage{Message: clean(strings.Join(misses, "; ")), Text: r.Item.Captured}
		}
		s.Cases = append(s.Cases, c)
	}
	text, err := xml.MarshalIndent(junitSuites{Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Suite: s}, "", "  ")
	if err != nil {
		return fmt.Errorf("junit: %w", err)
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// clean puts a text in one line of valid characters.
func clean(s string) string {
	return strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "?")
}
