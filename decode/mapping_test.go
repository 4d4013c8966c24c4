package decode

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
)

// A picture is there until its Release, also when the decoder is gone.
func TestMappedFrameOutlivesDecoder(t *testing.T) {
	const size = 1 << 16 // of a picture: several pages
	data := bytes.Join([][]byte{bytes.Repeat([]byte{1}, size), bytes.Repeat([]byte{2}, size), bytes.Repeat([]byte{3}, size)}, nil)
	d := open1(t, write(t, "x.gray", data), Options{RawSize: Size{256, 256}})
	var held []*Frame
	for range 3 {
		f, err := d.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, f)
	}
	held[1].Release() // whose pages go
	d.Close()
	for i, want := range map[int]byte{0: 1, 2: 3} {
		if pix := held[i].Planes[0].Pix; len(pix) != size || !bytes.Equal(pix, bytes.Repeat([]byte{want}, size)) {
			t.Errorf("picture %d has changed", i)
		}
	}
	held[0].Release()
	held[2].Release()
	held[2].Release()
}

// A file that is made shorter while it is read ends there.
func TestShrinkingFile(t *testing.T) {
	const size = 1 << 16
	path := write(t, "x.gray", make([]byte, 5*size))
	d := open1(t, path, Options{RawSize: Size{256, 256}})
	for range 2 {
		f, err := d.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f.Release()
	}
	if err := os.Truncate(path, 3*size-1); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("error %v, want %v", err, io.EOF)
	}
	if n := d.Notes(); len(n) != 1 || n[0] != (Warning{Kind: Truncated, Frame: 2}) {
		t.Errorf("notes %v, want the file's end inside frame 2", n)
	}
}
