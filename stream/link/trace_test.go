package link

import (
	"strings"
	"testing"
	"time"
)

// FuzzTrace takes any text as a trace: one that is accepted has a period and no
// negative rate, and its times do not fall.
func FuzzTrace(f *testing.F) {
	for _, text := range []string{
		"", "1\n2\n3\n", "0\n0\n1\n", "5\n3\n", "0\n", "-1\n", "1e9\n", "1000000000\n", "1000000001\n", "1.5\n", "1\r\n\r\n2", "0x10\n", " 7 \n", "1 2\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tr, err := ParseTrace("x", strings.NewReader(text))
		if err != nil {
			return
		}
		if !tr.Loaded() || tr.Period() <= 0 || tr.Rate() < 0 {
			t.Errorf("period %v, rate %v", tr.Period(), tr.Rate())
		}
		last := time.Duration(0)
		for _, at := range tr.at {
			if at < last {
				t.Errorf("%v behind %v", at, last)
			}
			last = at
		}
	})
}
