package transport_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/transport"
)

// memory is a file in memory.
type memory struct {
	bytes.Buffer
	closed bool
}

func (m *memory) Close() error { m.closed = true; return nil }

// TestQLog: both ends write a whole file of JSON records that qvis knows.
func TestQLog(t *testing.T) {
	cert := newCertificate(t)
	bubble(t, func(t *testing.T, a, b *link.End) {
		files := map[string]*memory{}
		open := func(name string) io.WriteCloser {
			_, side, _ := strings.Cut(name, "_")
			files[side] = new(memory)
			return files[side]
		}
		r, err := transport.Listen(b, transport.Config{TLS: cert.server, QLog: open})
		if err != nil {
			t.Fatal(err)
		}
		s, err := transport.Dial(t.Context(), a, b.LocalAddr(), transport.Config{TLS: cert.client, QLog: open})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Send(t.Context(), unit(rtp(1000))); err != nil {
			t.Fatal(err)
		}
		go s.Close()
		drain(r)
		r.Close()
		s.Close()
		for _, side := range []string{"client.sqlog", "server.sqlog"} {
			checkQLog(t, side, files[side])
		}
	})
}

func checkQLog(t *testing.T, name string, f *memory) {
	t.Helper()
	if f == nil || !f.closed {
		t.Fatalf("%s: not written, or not closed", name)
	}
	records := strings.Split(f.String(), "\x1e")[1:]
	var head struct {
		Version string `json:"qlog_version"`
		Format  string `json:"qlog_format"`
	}
	if err := json.Unmarshal([]byte(records[0]), &head); err != nil || head.Version != "0.3" || head.Format != "JSON-SEQ" {
		t.Errorf("%s: header %+v, %v", name, head, err)
	}
	seen := map[string]bool{}
	for _, r := range records[1:] {
		var e struct{ Name string }
		if err := json.Unmarshal([]byte(r), &e); err != nil {
			t.Fatalf("%s: %v in %q", name, err, r)
		}
		seen[e.Name] = true
	}
	for _, want := range []string{"transport:packet_sent", "transport:packet_received", "transport:connection_closed", "recovery:metrics_updated"} {
		if !seen[want] {
			t.Errorf("%s: no event %s", name, want)
		}
	}
}
