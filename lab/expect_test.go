package lab

import (
	"strings"
	"testing"
)

const expecting = `
clips: [builtin:small]
transports: [udp, quic]
links: [lan, rtc-mild]
deadlines: [none, 400ms]
expect:
  - {metric: psnr_y_mean, a: quic, is: ">=", b: udp}
  - {metric: psnr_y_mean, a: udp, is: ">=", factor: 2, b: quic, link: lan, deadline: none}
  - {metric: psnr_y_mean, a: udp, is: within, factor: 0.25, b: quic, link: lan, deadline: 400ms}
  - {metric: psnr_y_mean, a: quic, is: "<=", value: 45, link: rtc-mild}
  - {metric: psnr_y_mean, a: quic, is: "<=", b: quic, b_link: rtc-mild, link: lan, deadline: none}
`

func TestExpectations(t *testing.T) {
	e, err := ParseExperiment([]byte(expecting))
	if err != nil {
		t.Fatal(err)
	}
	r := Results{Manifest: Manifest{Experiment: e}}
	for _, l := range []string{"lan", "rtc-mild"} {
		for _, d := range e.Deadlines {
			for seed, psnr := range []float64{10, 30, 31} {
				u, q := rowOf("udp", uint64(seed), psnr), rowOf("quic", uint64(seed), psnr+10)
				u.Clip, u.Profile, u.Deadline = "builtin:small", l, d
				q.Clip, q.Profile, q.Deadline = "builtin:small", l, d
				r.Rows = append(r.Rows, u, q)
			}
		}
	}
	r.Rows = r.Rows[:len(r.Rows)-6] // the last cells failed
	r.Cells = Cells(r.Rows)
	var got []string
	for _, c := range r.Check() {
		word := "no "
		if c.OK {
			word = "ok "
		}
		got = append(got, word+c.Over+" "+c.At.String()+" "+c.Why)
	}
	want := []string{"ok lan none ", "ok lan 400ms ", "ok rtc-mild none ", "no rtc-mild 400ms no result of quic",
		"no lan none ", "ok lan 400ms ", "ok rtc-mild none ", "no rtc-mild 400ms no result of quic", "ok lan none "}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if c := r.Check()[4]; c.Got != 30 || c.Other != 40 || c.Bound() != 80 {
		t.Errorf("medians: %+v, bound %v", c, c.Bound())
	}
}

func TestExpectationErrors(t *testing.T) {
	for text, want := range map[string]string{
		"{metric: speed, a: udp, is: '>=', b: quic}":                             "metric",
		"{metric: ok, a: tcp, is: '>=', b: quic}":                                "a:",
		"{metric: ok, a: udp, is: '>', b: quic}":                                 "is:",
		"{metric: ok, a: udp, is: '>=', b: quic, link: moon}":                    "link",
		"{metric: ok, a: udp, is: '>=', b: quic, value: 3}":                      "exclude",
		"{metric: ok, a: udp, is: '>=', b: quic, deadline: 3s}":                  "deadline",
		"{metric: ok, a: udp, is: '>=', value: 1, b_link: fullhd-5mbit}":         "b_link",
		"{metric: ok, a: udp, is: '>=', value: 1, factor: -2}":                   "factor",
		"{metric: ok, a: udp, is: '>=', value: 1, colour: red}":                  "colour",
		"{metric: ok, a: udp, is: '>=', value: 1, link: fullhd-5mbit, at: none}": "at",
	} {
		_, err := ParseExperiment([]byte("clips: [builtin:small]\nexpect:\n  - " + text + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
