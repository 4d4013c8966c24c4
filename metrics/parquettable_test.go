package metrics

import (
	"bytes"
	"math"
	"testing"

	"github.com/parquet-go/parquet-go"
)

func TestWriteParquetTable(t *testing.T) {
	var b bytes.Buffer
	err := WriteParquetTable(&b, []TableColumn{
		{Name: "name", Words: []string{"a", `b "quoted", with a comma`}},
		{Name: "psnr_y_mean", Numbers: []float64{36.5, math.NaN()}},
		{Name: `odd "name", here`, Words: []string{"", "x"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	if want := []string{"name", "psnr_y_mean", `odd "name"_ here`}; len(names) != 3 || names[0] != want[0] || names[1] != want[1] || names[2] != want[2] {
		t.Errorf("columns: got %q, want %q", names, want)
	}
	rows := make([]parquet.Row, 3)
	n, _ := file.RowGroups()[0].Rows().ReadRows(rows)
	if n != 2 {
		t.Fatalf("got %d rows, want 2", n)
	}
	if got := rows[0][1].Double(); got != 36.5 {
		t.Errorf("got %v, want 36.5", got)
	}
	if !rows[1][1].IsNull() {
		t.Errorf("NaN: got %v, want null", rows[1][1])
	}
	if got, want := rows[1][0].String(), `b "quoted", with a comma`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWriteParquetTableEmpty(t *testing.T) {
	for _, columns := range [][]TableColumn{nil, {{Name: "a", Words: []string{}}, {Name: "b", Numbers: []float64{}}}} {
		var b bytes.Buffer
		if err := WriteParquetTable(&b, columns); err != nil {
			t.Errorf("%d columns without rows: %v", len(columns), err)
		}
	}
}
