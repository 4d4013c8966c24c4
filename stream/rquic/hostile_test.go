package rquic_test

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/vqeval/vqeval/stream/link"
	"github.com/vqeval/vqeval/stream/rquic"
	"github.com/vqeval/vqeval/stream/transport"
)

// Control records, of the source 11223344.
const (
	helloHex   = "80cc000c112233447251554300010003000004b000400000000001906001020000015f9000000000e8a1b2c30000000000002328"
	helloV2    = "80cc000c112233447251554300020003000004b000400000000001906001020000015f9000000000e8a1b2c30000000000002328"
	helloCodec = "80cc000c112233447251554300010003000004b000400000000001906002020000015f9000000000e8a1b2c30000000000002328"
	helloSmall = "80cc000c112233447251554300010003000000ff00400000000001906001020000015f9000000000e8a1b2c30000000000002328"
	auEndHex   = "81cc000611223344725155430000000000000000000100020002" + "0000" // unit 0: packets 1 and 2
	lostHex    = "82cc0003112233447251554300020001"
	flowEndHex = "83cc00051122334472515543000000010000000200020000"
)

// A hostileRow is one way in which a sender may break the rules.
type hostileRow struct {
	name   string
	act    func(p rawPeer)
	closed uint64          // code with which the receiver closes; 0 = it takes the rest
	got    int             // packets received of act
	want   transport.Stats // the counters of bad input
}

// withControl sends a good HELLO and then b on the control stream, to its end if fin.
func withControl(b []byte) func(rawPeer) {
	return func(p rawPeer) { p.stream(append(control(helloHex), b...), false) }
}

func hostileRows() []hostileRow {
	bad := func(name string, code uint64, act func(rawPeer)) hostileRow {
		return hostileRow{name: name, act: act, closed: code}
	}
	only := func(b []byte) func(rawPeer) { return func(p rawPeer) { p.stream(b, true) } }
	rows := []hostileRow{
		bad("hello version 2", 0x07, only(control(helloV2))),
		bad("hello other codec", 0x07, only(control(helloCodec))),
		bad("hello datagrams of 255", 0x07, only(control(helloSmall))),
		bad("hello missing", 0x03, only(control(auEndHex))),
		bad("hello twice", 0x03, only(control(helloHex, helloHex))),
		bad("no RTCP first", 0x03, only(control("00000000"))),
		bad("two control streams", 0x03, func(p rawPeer) { p.stream(control(helloHex), false); p.stream(control(helloHex), false) }),
		bad("control length 0", 0x03, withControl([]byte{0})),
		bad("control length 65536", 0x03, withControl([]byte{0x80, 1, 0, 0})),
		bad("unit out of order", 0x03, withControl(record("81cc000611223344725155430000000100000000000100020002"+"0000"))),
		bad("more sent than made", 0x03, withControl(record("81cc000611223344725155430000000000000000000100020003"+"0000"))),
		bad("record after the end", 0x03, withControl(append(record("83cc00051122334472515543000000000000000000000000"), record(lostHex)...))),
		bad("lost of 33", 0x03, withControl(record("82cc00231122334472515543"+strings.Repeat("00010001", 33)))),
		bad("other name", 0x03, withControl(record("82cc0003112233447251554400020001"))),
		bad("bad APP length", 0x03, withControl(record("82cc0004112233447251554300020001"))),
		bad("flow id cut in a datagram", 0x03, func(p rawPeer) { p.datagram(0x40) }),
		bad("flow id cut in a stream", 0x03, only([]byte{0x80})),
		bad("bidirectional stream", 0x04, func(p rawPeer) {
			if s, err := p.c.OpenStream(); err == nil {
				s.Write([]byte{1})
			}
		}),
	}
	return append(rows, patientRows()...)
}

// patientRows are what a receiver only counts. Each begins without a control stream.
func patientRows() []hostileRow {
	none := transport.Stats{}
	return []hostileRow{
		{"nothing", func(rawPeer) {}, 0, 0, none},
		{"datagram of another flow", func(p rawPeer) { p.datagram(9, 1, 2) }, 0, 0, transport.Stats{UnknownFlow: 1}},
		{"stream of another flow", func(p rawPeer) { p.stream([]byte{9, 1}, true) }, 0, 0, transport.Stats{UnknownFlow: 1}},
		{"media length 0", func(p rawPeer) { p.stream(append(media(packet(7, 1, 50)), 0), true) }, 0, 1, transport.Stats{Malformed: 1}},
		{"media cut off", func(p rawPeer) { p.stream(append(media(packet(7, 1, 50)), 20, 1), true) }, 0, 1, transport.Stats{Truncated: 1}},
		{"media reset", func(p rawPeer) {
			s := p.stream(media(packet(7, 1, 50)), false)
			time.Sleep(time.Second)
			s.CancelWrite(0x55)
		}, 0, 1, transport.Stats{Resets: 1}},
		{"garbage as RTP", func(p rawPeer) { p.datagram(append([]byte{1}, make([]byte, 20)...)...) }, 0, 0, transport.Stats{Malformed: 1}},
		{"RTCP on the media's flow", func(p rawPeer) { p.datagram(1, 0x80, 201, 0, 1, 1, 2, 3, 4) }, 0, 1, none},
		{"packet twice", func(p rawPeer) {
			for range 2 {
				p.datagram(append([]byte{1}, packet(1, 0, 100)...)...)
			}
		}, 0, 2, none},
	}
}

func TestHostileSender(t *testing.T) {
	cert := newCertificate(t)
	for _, row := range hostileRows() {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, p := againstReceiver(t, cert)
				row.act(p)
				time.Sleep(2 * time.Second)
				if row.closed == 0 {
					s := p.stream(control(helloHex, "9fcc00021122334472515543", "80c9000111223344"), false) // and what is ignored
					p.end(s)
				}
				seqs, err := collect(r)
				if row.closed == 0 && (!errors.Is(err, io.EOF) || len(seqs) != row.got+2) {
					t.Errorf("received %d packets, then %v", len(seqs), err)
				}
				if row.closed != 0 && (errors.Is(err, io.EOF) || !strings.Contains(err.Error(), "closed the connection with code")) {
					t.Errorf("received %d packets, then %v, want the reason", len(seqs), err)
				}
				if code := p.closed(); code != row.closed {
					t.Errorf("closed with %#x, want %#x", code, row.closed)
				}
				st := r.Stats()
				got := transport.Stats{Malformed: st.Malformed, UnknownFlow: st.UnknownFlow, Truncated: st.Truncated, Resets: st.Resets}
				if got != row.want {
					t.Errorf("counters\ngot  %+v\nwant %+v", got, row.want)
				}
			})
		})
	}
}

// TestControlCutOff: a control stream that breaks off, and then the sender says
// goodbye: what came is kept, and the stream ends.
func TestControlCutOff(t *testing.T) {
	cert := newCertificate(t)
	for name, act := range map[string]func(s *quic.SendStream){
		"in a record": func(s *quic.SendStream) { s.Write([]byte{20, 0x81}); s.Close() },
		"reset":       func(s *quic.SendStream) { s.CancelWrite(0x05) },
	} {
		synctest.Test(t, func(t *testing.T) {
			r, p := againstReceiver(t, cert)
			s := p.stream(control(helloHex), false)
			time.Sleep(time.Second)
			act(s)
			p.datagram(append([]byte{transport.MediaFlow}, packet(2, 0, 100)...)...)
			time.Sleep(time.Second)
			p.c.CloseWithError(0, "")
			if seqs, err := collect(r); len(seqs) != 1 || !errors.Is(err, io.EOF) {
				t.Errorf("%s: received %d packets, then %v", name, len(seqs), err)
			}
			if st := r.Stats(); st.Truncated+st.Resets != 1 {
				t.Errorf("%s: %+v", name, st)
			}
		})
	}
}

// TestBusy: a second sender is told so, and the first goes on.
func TestBusy(t *testing.T) {
	cert := newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Profile{}, 1, link.PipeOptions{})
		r, err := rquic.Listen(b, rquic.Config{TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		conf, _ := transport.TLSFor(cert.client, rquic.ALPN)
		tr := &quic.Transport{Conn: a}
		defer func() { r.Close(); tr.Close(); a.Close(); b.Close() }()
		var peers [2]rawPeer
		for i := range peers {
			c, err := tr.Dial(t.Context(), b.LocalAddr(), conf, transport.QUICConfig())
			if err != nil {
				t.Fatal(err)
			}
			peers[i] = rawPeer{t, c}
			synctest.Wait()
		}
		if code := peers[1].closed(); code != transport.RoQGeneralError {
			t.Errorf("second sender was closed with %#x", code)
		}
		peers[0].end(peers[0].stream(control(helloHex), false))
		if seqs, err := collect(r); len(seqs) != 2 || !errors.Is(err, io.EOF) {
			t.Errorf("received %d packets, then %v", len(seqs), err)
		}
	})
}

// TestForeignHandshakes: garbage and clients that do not trust the certificate
// do not take the receiver from the sender that follows.
func TestForeignHandshakes(t *testing.T) {
	cert, other := newCertificate(t), newCertificate(t)
	synctest.Test(t, func(t *testing.T) {
		a, b := link.Pipe(link.Profile{}, 1, link.PipeOptions{})
		defer a.Close()
		defer b.Close()
		r, err := rquic.Listen(b, rquic.Config{TLS: cert.server})
		if err != nil {
			t.Fatal(err)
		}
		garbage := binary.BigEndian.AppendUint64(nil, 0xc0ffee)
		a.WriteTo(append(garbage, make([]byte, 1200)...), b.LocalAddr())
		if _, err := rquic.Dial(t.Context(), a, b.LocalAddr(), rquic.Config{TLS: other.client}); err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("dial without trust: %v", err)
		}
		s, err := rquic.Dial(t.Context(), a, b.LocalAddr(), rquic.Config{TLS: cert.client})
		if err != nil {
			t.Fatal(err)
		}
		if seqs := (pair{s, r, a, b}).run(t, 3, 2, 0, 2); len(seqs) != 6 {
			t.Errorf("received %d of 6 packets", len(seqs))
		}
	})
}
