package batch

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"
)

func TestWriteJUnit(t *testing.T) {
	good := scored("good", map[string]float64{"psnr_y_mean": 40})
	low := scored("low", map[string]float64{"psnr_y_mean": 20})
	broken := Row{Item: Item{Name: "bro]]>ken", Reference: "r&<\".mp4", Captured: "b\x00\xff\x1b\n.mp4"}, Err: "b\x00\xff\x1b\n.mp4: <no> \"video\""}
	var b bytes.Buffer
	if err := WriteJUnit(&b, []Row{good, low, broken}, []Threshold{{"psnr_y_mean", 35}}); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	if got.Tests != 3 || got.Failures != 1 || got.Errors != 1 || got.Suite.Tests != 3 || got.Suite.Failures != 1 || got.Suite.Errors != 1 {
		t.Errorf("counts are %+v, want 3 tests, 1 failure, 1 error", got)
	}
	cases := got.Suite.Cases
	if len(cases) != 3 || cases[0].Failure != nil || cases[0].Error != nil || cases[0].Name != "good" || cases[0].Class != "r.mp4" {
		t.Fatalf("got %+v, want three cases, the first one passed", cases)
	}
	if f := cases[1].Failure; f == nil || f.Message != "psnr_y_mean is 20, less than 35" || f.Text != "low.mp4" {
		t.Errorf("got %+v, want the threshold that was missed", f)
	}
	if e := cases[2].Error; e == nil || !strings.HasSuffix(e.Message, `.mp4: <no> "video"`) {
		t.Errorf("got %+v, want the reason", e)
	}
	if got := cases[2].Name; got != "bro]]>ken" {
		t.Errorf("got the name %q, want bro]]>ken", got)
	}
}

func TestWriteJUnitOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := WriteJUnit(&b, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(b.Bytes(), new(junitSuites)); err != nil {
		t.Errorf("%v in %s", err, b.String())
	}
}
