package metrics

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A TableColumn is a column of a table that is not a Series, such as a summary of
// many: numbers, or words where Numbers is nil.
type TableColumn struct {
	Name    string
	Numbers []float64 // NaN is written as null
	Words   []string
}

// WriteParquetTable writes columns of equal length as a Parquet file, in their
// order. A comma in a name becomes an underscore, as tags cannot hold it.
func WriteParquetTable(w io.Writer, columns []TableColumn) error {
	fields := make([]reflect.StructField, len(columns))
	for i, c := range columns {
		tag := strings.ReplaceAll(c.Name, ",", "_")
		f := reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: reflect.TypeFor[string]()}
		if c.Numbers != nil {
			f.Type = reflect.TypeFor[*float64]()
			tag += ",optional"
		}
		f.Tag = reflect.StructTag("parquet:" + strconv.Quote(tag))
		fields[i] = f
	}
	row := reflect.New(reflect.StructOf(fields)).Elem()
	out := parquet.NewWriter(w, parquet.SchemaOf(row.Interface()), parquet.Compression(&parquet.Zstd))
	for r := range lengthOf(columns) {
		for i, c := range columns {
			switch {
			case c.Numbers == nil:
				row.Field(i).SetString(c.Words[r])
			case math.IsNaN(c.Numbers[r]) || math.IsInf(c.Numbers[r], 0):
				row.Field(i).SetZero()
			default:
				row.Field(i).Set(reflect.ValueOf(&c.Numbers[r]))
			}
		}
		if err := out.Write(row.Interface()); err != nil {
			return fmt.Errorf("parquet: row %d: %w", r, err)
		}
	}
	return out.Close()
}

func lengthOf(columns []TableColumn) int {
	if len(columns) == 0 {
		return 0
	}
	return max(len(columns[0].Numbers), len(columns[0].Words))
}
