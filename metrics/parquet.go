package metrics

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
)

// parquetKey is the key of the file's metadata that holds what made a series.
const parquetKey = "vqeval"

// WriteParquet writes one row per frame with the columns of the CSV form, what
// is absent as null, and what made the series in the file's metadata.
func WriteParquet(w io.Writer, s Series) error {
	meta, err := json.Marshal(s.origin())
	if err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	records := make([]record, len(s.Rows))
	for i := range records {
		if records[i], err = s.record(i); err != nil {
			return err
		}
	}
	out := parquet.NewGenericWriter[record](w, parquet.Compression(&parquet.Zstd), parquet.KeyValueMetadata(parquetKey, string(meta)))
	if _, err := out.Write(records); err != nil {
		return fmt.Errorf("parquet: %w", err)
	}
	return out.Close()
}

// ReadParquet reads what WriteParquet writes.
func ReadParquet(r io.Reader) (s Series, err error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return Series{}, fmt.Errorf("parquet: %w", err)
	}
	defer func() { // the library panics on some broken files
		if p := recover(); p != nil {
			s, err = Series{}, fmt.Errorf("parquet: broken file: %v", p)
		}
	}()
	if err := checkFooter(b); err != nil {
		return Series{}, err
	}
	file, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return Series{}, fmt.Errorf("parquet: %w", err)
	}
	if meta, ok := file.Lookup(parquetKey); ok {
		var o origin
		if err := unmarshal([]byte(meta), &o); err != nil {
			return Series{}, fmt.Errorf("parquet: metadata: %w", err)
		}
		s = o.series()
	}
	records, err := readRecords(file, len(b))
	if err != nil {
		return Series{}, err
	}
	if err := s.collect(records); err != nil {
		return Series{}, fmt.Errorf("parquet: %w", err)
	}
	return s, nil
}

// checkFooter makes sure that the footer lies within the file: the library takes
// memory for as much as its length says. A file ends in the footer, its length in
// four bytes, and PAR1 (Apache Parquet file format, "File format").
func checkFooter(b []byte) error {
	const ends = 4 + 4 + 4 // PAR1 at both ends, the length
	if len(b) < ends || !bytes.HasSuffix(b, []byte("PAR1")) {
		return errors.New("parquet: the file is cut off: it does not end in PAR1")
	}
	if n := binary.LittleEndian.Uint32(b[len(b)-8:]); int64(n) > int64(len(b)-ends) {
		return fmt.Errorf("parquet: a footer of %d bytes in a file of %d", n, len(b))
	}
	return nil
}

// rowsPerByte is more than any compression reaches: frame numbers alone take
// some bits a row.
const rowsPerByte = 64

// readRecords reads all rows. A file of size bytes that claims more than
// rowsPerByte is refused before memory is taken for it, and one whose pages go
// on behind the rows that it claims when they do.
func readRecords(file *parquet.File, size int) ([]record, error) {
	n := file.NumRows()
	if n < 0 || n > int64(size)*rowsPerByte {
		return nil, fmt.Errorf("parquet: %d rows in %d bytes", n, size)
	}
	in := parquet.NewGenericReader[record](file)
	defer in.Close()
	records := make([]record, 0, min(n, 1<<16))
	buf := make([]record, 1024)
	for {
		clear(buf) // what a null leaves untouched is absent
		got, err := in.Read(buf)
		records = append(records, buf[:got]...)
		if int64(len(records)) > n {
			return nil, fmt.Errorf("parquet: more than the %d rows that the file says it has", n)
		}
		if errors.Is(err, io.EOF) || err == nil && got == 0 {
			return records, nil
		}
		if err != nil {
			return nil, fmt.Errorf("parquet: row %d: %w", len(records), err)
		}
	}
}
