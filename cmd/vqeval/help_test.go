package main

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"send", "recv", "run", "score", "sample", "doctor"}
	for s, want := range map[string]string{
		"sned": "send", "snd": "send", "recieve": "recv", "doctr": "doctor", "scores": "score",
		"nonsense": "", "": "", "x": "",
	} {
		if got := nearest(s, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"sned", "send", 1}, {"ab", "ba", 1}, {"ca", "abc", 3}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
