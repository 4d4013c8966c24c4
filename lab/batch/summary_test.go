package batch

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// table is a good and a broken row with labels that need care.
func table() (labels []string, rows []Row) {
	good := scored("a", map[string]float64{"psnr_y_mean": 1. / 3, "frames": 375})
	good.Item.Labels = []string{"x264, \"fast\"", ""}
	good.Notes = []string{"one", "two"}
	broken := Row{Item: Item{Name: "b", Reference: "r.mp4", Captured: "b\n.mp4", Labels: []string{"<x265>", "ü"}}, Err: "not a video"}
	return []string{"codec", "net work"}, []Row{good, broken}
}

func TestWriteCSV(t *testing.T) {
	labels, rows := table()
	var b bytes.Buffer
	if err := WriteCSV(&b, labels, rows); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(lines) != 3 {
		t.Fatalf("got %q, %v, want 3 lines", lines, err)
	}
	cell := func(line int, column string) string { return lines[line][slices.Index(lines[0], column)] }
	for i, c := range []struct{ column, good, broken string }{
		{"captured", "a.mp4", "b\n.mp4"},
		{"frames", "375", ""},
		{"psnr_y_mean", "0.3333333333333333", ""},
		{"ssim_y_mean", "", ""},
		{"error", "", "not a video"},
		{"notes", "one; two", ""},
		{"codec", "x264, \"fast\"", "<x265>"},
		{"net work", "", "ü"},
	} {
		if cell(1, c.column) != c.good || cell(2, c.column) != c.broken {
			t.Errorf("%d: %s is %q and %q, want %q and %q", i, c.column, cell(1, c.column), cell(2, c.column), c.good, c.broken)
		}
	}
}

func TestWriteJSON(t *testing.T) {
	labels, rows := table()
	var b bytes.Buffer
	if err := WriteJSON(&b, Made{Tool: "vqeval", Version: "1", Settings: map[string]string{"a": "b"}}, labels, rows); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Made
		Captures, Failed int
		Rows             []struct {
			Captured string
			PSNR     *float64 `json:"psnr_y_mean"`
			SSIM     *float64 `json:"ssim_y_mean"`
			Error    string
			Notes    []string
			Labels   map[string]string
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, b.String())
	}
	if got.Captures != 2 || got.Failed != 1 || got.Version != "1" || got.Settings["a"] != "b" || len(got.Rows) != 2 {
		t.Fatalf("got %+v, want two captures, one failed, and what made them", got)
	}
	good, broken := got.Rows[0], got.Rows[1]
	if good.PSNR == nil || *good.PSNR != 1./3 || good.SSIM != nil || good.Error != "" || !slices.Equal(good.Notes, []string{"one", "two"}) || good.Labels["codec"] != "x264, \"fast\"" {
		t.Errorf("got %+v, want the good row", good)
	}
	if broken.PSNR != nil || broken.Captured != "b\n.mp4" || broken.Error != "not a video" || broken.Notes == nil || broken.Labels["net work"] != "ü" {
		t.Errorf("got %+v, want the broken row", broken)
	}
}

func TestWriteParquet(t *testing.T) {
	labels, rows := table()
	var b bytes.Buffer
	if err := WriteParquet(&b, labels, rows); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if f.NumRows() != 2 {
		t.Errorf("got %d rows, want 2", f.NumRows())
	}
	values := func(column string) []parquet.Value {
		leaf, ok := f.Schema().Lookup(column)
		if !ok {
			t.Fatalf("no column %q", column)
		}
		pages := f.RowGroups()[0].ColumnChunks()[leaf.ColumnIndex].Pages()
		defer pages.Close()
		var all []parquet.Value
		for {
			page, err := pages.ReadPage()
			if errors.Is(err, io.EOF) {
				return all
			}
			if err != nil {
				t.Fatal(err)
			}
			some := make([]parquet.Value, page.NumValues())
			n, _ := page.Values().ReadValues(some)
			all = append(all, some[:n]...)
		}
	}
	if got := values("codec"); got[0].String() != "x264, \"fast\"" || got[1].String() != "<x265>" {
		t.Errorf("labels are %v", got)
	}
	if got := values("psnr_y_mean"); got[0].Double() != 1./3 || !got[1].IsNull() && !math.IsNaN(got[1].Double()) {
		t.Errorf("PSNR is %v, want 1/3 and nothing", got)
	}
	if got := values("error"); got[1].String() != "not a video" {
		t.Errorf("errors are %v", got)
	}
}
