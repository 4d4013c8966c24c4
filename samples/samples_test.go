package samples

import (
	"bytes"
	"os"
	"testing"
)

func TestUnpack(t *testing.T) {
	for _, c := range []Clip{FullHD, Small} {
		dir := t.TempDir()
		path, err := c.Unpack(dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := c.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes unpacked, want %d", c, len(got), len(want))
		}
		if err := os.WriteFile(path, []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Unpack(dir); err != nil {
			t.Fatal(err)
		}
		if got, _ = os.ReadFile(path); !bytes.Equal(got, want) {
			t.Errorf("%s: a spoilt file was kept", c)
		}
	}
}

func TestUnpackWhereNothingCanBeWritten(t *testing.T) {
	file := t.TempDir() + "/file"
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Small.Unpack(file + "/sub"); err == nil {
		t.Error("no error for a folder below a file")
	}
}
