package main

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/vqeval/vqeval/decode"
	"github.com/vqeval/vqeval/stream/capture"
	"github.com/vqeval/vqeval/stream/h264"
	"github.com/vqeval/vqeval/stream/transport"
)

func scriptDecodes(ts *testscript.TestScript, args []string) {
	n, err := countFrames(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := strconv.Itoa(n); got != args[1] {
		ts.Fatalf("%s: %s frames, want %s", args[0], got, args[1])
	}
}

// countFrames decodes a file to its end.
func countFrames(path string) (n int, err error) {
	d, err := decode.Open(path, decode.Options{})
	if err != nil {
		return 0, err
	}
	defer d.Close()
	for {
		f, err := d.Next(context.Background())
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		f.Release()
		n++
	}
}

func scriptStarts(ts *testscript.TestScript, args []string) {
	nalus := h264.SplitAnnexB([]byte(ts.ReadFile(args[0])))
	var got []string
	for i := 0; i < len(nalus) && i < len(args)-1; i++ {
		got = append(got, strconv.Itoa(int(h264.TypeOf(nalus[i]))))
	}
	if want := args[1:]; strings.Join(got, " ") != strings.Join(want, " ") {
		ts.Fatalf("%s begins with NAL unit types %v, want %v", args[0], got, want)
	}
}

func scriptRecords(ts *testscript.TestScript, args []string) {
	least, err := strconv.Atoi(args[1])
	ts.Check(err)
	rd, err := capture.Open(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	n := 0
	for ; ; n++ {
		if _, err = rd.Next(); err != nil {
			break
		}
	}
	if n < least || !errors.Is(err, io.EOF) && !errors.Is(err, capture.ErrTruncated) {
		ts.Fatalf("%s: %d packets, then %v, want %d or more", args[0], n, err, least)
	}
}

// scriptBeside writes two recordings into one, the second as if it had gone to
// another port.
func scriptBeside(ts *testscript.TestScript, args []string) {
	port, err := strconv.Atoi(args[2])
	ts.Check(err)
	var out strings.Builder
	for i, name := range []string{args[1], args[3]} {
		rd, err := capture.Open(strings.NewReader(ts.ReadFile(name)))
		ts.Check(err)
		var o capture.WriterOptions
		if i > 0 {
			o.Dst = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
			o.Src = o.Dst
		}
		w, err := capture.NewWriter(&out, o) // a section of the file
		ts.Check(err)
		for {
			rec, err := rd.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			ts.Check(err)
			ts.Check(w.Write(rec.At, rec.Packet))
		}
		ts.Check(w.Close())
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(out.String()), 0o644))
}

func scriptCertificate(ts *testscript.TestScript, args []string) {
	c, err := transport.SelfSigned(rand.Reader, args...)
	ts.Check(err)
	key, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	ts.Check(err)
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate[0]})
	ts.Check(os.WriteFile(ts.MkAbs("cert.pem"), cert, 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
}
