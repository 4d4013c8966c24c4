package metrics

import (
	"bytes"
	"strings"
	"testing"
)

// broken are files that no reader may take, and what the error must say.
var broken = []struct{ name, text, want string }{
	{"empty", "", "empty file"},
	{"blank", " \n\n", "empty file"},
	{"no frame column", "a,b\n1,2\n", `no column "frame"`},
	{"column twice", "frame,psnr_y,psnr_y\n", "stands twice"},
	{"text for a number", "frame,psnr_y\n0,31.5\n1,high\n", `line 3: column psnr_y: "high" is not a finite number`},
	{"NaN", "frame,ssim_y\n0,NaN\n", "line 2: column ssim_y"},
	{"infinity", "frame,psnr_y\n0,+Inf\n", "line 2: column psnr_y"},
	{"too great", "frame,psnr_y\n0,1e999\n", "line 2: column psnr_y"},
	{"fraction of a frame", "frame\n1.5\n", "line 2: column frame"},
	{"frame below 0", "frame\n-1\n", "row 1: frame -1"},
	{"squares below 0", "frame,sse_y\n0,5\n1,-5\n", "row 2: sse_y is -5"},
	{"losses below 0", "frame,lost_packets\n0,-3\n", "row 1: lost_packets is -3"},
	{"short line", "frame,psnr_y\n0\n", "line 2"},
	{"bare quote", "frame,psnr_y\n0,\"3\n", "line"},
	{"unknown verdict", "frame,verdict\n0,fine\n", `unknown verdict "fine"`},
	{"unknown dialect", "frame,ssim_dialect\n0,matlab\n", `unknown SSIM dialect "matlab"`},
	{"JSON cut off", "{\"frames\":\n[", "json: line 2"},
	{"JSON without frames", `{"tool":"x"}`, "no frames"},
	{"JSON of another kind", "{\n\"frames\":\n\"all\"}", "json: line 3"},
	{"libvmaf frame number", `{"frames":[{"frameNum":-1,"metrics":{}}]}`, "number -1"},
	{"libvmaf NaN", `{"frames":[{"frameNum":0,"metrics":{"psnr_y":nan}}]}`, "json: line 1"},
	{"ffmpeg frame number", "n:0 mse_avg:1 psnr_avg:2\n", "line 1"},
	{"ffmpeg cut off", "n:1 mse_avg:1.00 psnr_avg:2.00\nn:2 mse_avg:\n", "line 2: mse_avg"},
	{"ffmpeg NaN", "n:1 Y:nan All:0.5 (3)\n", "line 1: Y"},
	{"ffmpeg without values", "n:1 A:1\n", "line 1: no frame number or no value"},
	{"Parquet cut off", "PAR1 and no more", "parquet"},
}

func TestBrokenFiles(t *testing.T) {
	for _, c := range broken {
		s, err := Read(strings.NewReader(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.want)
		}
		if len(s.Rows) != 0 {
			t.Errorf("%s: %d rows beside the error", c.name, len(s.Rows))
		}
	}
}

// A Parquet file cut off or with a byte changed is an error or a series, never
// a panic.
func TestBrokenParquet(t *testing.T) {
	var b bytes.Buffer
	if err := WriteParquet(&b, sample()); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for n := 0; n < len(whole); n += 307 {
		if _, err := ReadParquet(bytes.NewReader(whole[:n])); err == nil {
			t.Errorf("%d of %d bytes are read without an error", n, len(whole))
		}
		changed := bytes.Clone(whole)
		changed[n] ^= 0xff
		_, _ = ReadParquet(bytes.NewReader(changed))
	}
}

// FuzzRead holds that whatever can be read can be written and read again the
// same.
func FuzzRead(f *testing.F) {
	for _, c := range broken {
		f.Add([]byte(c.text))
	}
	for _, format := range exactFormats() {
		var b bytes.Buffer
		if err := format.write(&b, sample()); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte("n:1 mse_avg:1.00 psnr_avg:2.00\n"))
	f.Add([]byte("n:7 Y:1.0 All:0.5 (3)\n"))
	f.Add([]byte(`{"frames":[{"frameNum":0,"metrics":{"psnr_y":7}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		s, err := Read(bytes.NewReader(b))
		if !bytes.Equal(before, b) {
			t.Error("the input has changed")
		}
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := WriteJSON(&first, s); err != nil {
			t.Skip(err) // sums of numbers near the greatest are not finite
		}
		again, err := ReadJSON(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatalf("%v in\n%s", err, first.Bytes())
		}
		if err := WriteJSON(&second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%v; written again it is\n%s\nand was\n%s", err, second.Bytes(), first.Bytes())
		}
	})
}

// A footer that claims to be larger than the file once took 4 GB of memory.
func TestParquetFooterBeyondTheFile(t *testing.T) {
	for _, b := range [][]byte{
		[]byte("PAR1"),
		[]byte("PAR1\x00\x00\x00\x00PAR2"),
		[]byte("PAR1 and so on \xc9\x0a\xff\xf7PAR1"),
	} {
		if _, err := ReadParquet(bytes.NewReader(b)); err == nil {
			t.Errorf("%q: no error", b)
		}
	}
}
