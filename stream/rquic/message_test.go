package rquic

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/stream/transport"
)

const vectorSSRC = 0x11223344

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// vectors are control records as an independent program writes them.
func vectors() []struct {
	name, hex string
	message   any
	append    func() []byte
} {
	h := hello{
		version: 1, flags: flagSendsMedia | flagNeedsDatagrams, datagramMax: 1200, unitMax: 4 << 20, expire: 400,
		payload: 96, codec: codecH264, policy: ReferencesKept.wire(), clock: 90000, ntp: 0xe8a1b2c3 << 32, timestamp: 9000,
	}
	a := auEnd{index: 7, timestamp: 30000, firstSeq: 65530, packets: 12, sent: 9, status: StatusCut}
	l := []seqRange{{65530, 2}, {3, 1}}
	f := flowEnd{units: 900, packets: 3013, lastSeq: 3012}
	return []struct {
		name, hex string
		message   any
		append    func() []byte
	}{
		{"HELLO", "80cc000c112233447251554300010003000004b000400000000001906001020000015f9000000000e8a1b2c30000000000002328", h,
			func() []byte { return h.append(nil, vectorSSRC) }},
		{"AU_END", "81cc000611223344725155430000000700007530fffa000c00090300", a, func() []byte { return a.append(nil, vectorSSRC) }},
		{"LOST", "82cc00041122334472515543fffa000200030001", l, func() []byte { return appendLost(nil, vectorSSRC, l) }},
		{"FLOW_END", "83cc000511223344725155430000038400000bc50bc40000", f, func() []byte { return f.append(nil, vectorSSRC) }},
	}
}

func TestMessageVectors(t *testing.T) {
	for _, v := range vectors() {
		if got := hex.EncodeToString(v.append()); got != v.hex {
			t.Errorf("%s is written\n%s, want\n%s", v.name, got, v.hex)
		}
		got, err := parseRecord(unhex(t, v.hex))
		if err != nil || !reflect.DeepEqual(got, v.message) {
			t.Errorf("%s is read %+v, %v, want %+v", v.name, got, err, v.message)
		}
	}
	start := transport.AppendRecord(transport.AppendFlow(nil, transport.ControlFlow), unhex(t, vectors()[0].hex))
	if got := hex.EncodeToString(start); !strings.HasPrefix(got, "0234"+"80cc") {
		t.Errorf("a control stream begins %s", got[:8])
	}
	a := auEnd{reliable: true}
	if got, err := parseRecord(a.append(nil, 0)); err != nil || got != a {
		t.Errorf("reliable AU_END is read %+v, %v", got, err)
	}
}

// badRecords are records that close the connection.
func badRecords() map[string]string {
	return map[string]string{
		"empty":                  "",
		"of 3 bytes":             "80cc00",
		"version 1":              "40cc000611223344725155430000000700007530fffa000c00090300",
		"padding":                "a1cc000611223344725155430000000700007530fffa000c00090300",
		"of 8 bytes":             "80cc000111223344",
		"longer than it says":    "81cc000511223344725155430000000700007530fffa000c00090300",
		"shorter than it says":   "81cc000711223344725155430000000700007530fffa000c00090300",
		"other name":             "81cc000611223344725155440000000700007530fffa000c00090300",
		"HELLO of 36 bytes":      "80cc000b112233447251554300010003000004b000400000000001906001020000015f9000000000e8a1b2c300000000",
		"AU_END of 12 bytes":     "81cc000511223344725155430000000700007530fffa000c",
		"AU_END sent too many":   "81cc000611223344725155430000000700007530fffa000c000d0000",
		"AU_END of status 4":     "81cc000611223344725155430000000700007530fffa000c00090400",
		"LOST of nothing":        "82cc00021122334472515543",
		"LOST of 33 ranges":      "82cc00231122334472515543" + strings.Repeat("00010001", 33),
		"FLOW_END of 16 bytes":   "83cc000611223344725155430000038400000bc50bc4000000000000",
		"FLOW_END without its 8": "83cc000311223344725155430000038400",
	}
}

// ignoredRecords are records that change nothing.
func ignoredRecords() map[string]string {
	return map[string]string{
		"unknown subtype": "9fcc00021122334472515543",
		"receiver report": "80c9000111223344",
		"RTCP of 4 bytes": "80c80000",
	}
}

func TestBadRecords(t *testing.T) {
	for name, s := range badRecords() {
		if m, err := parseRecord(unhex(t, s)); !errors.Is(err, errControl) {
			t.Errorf("%s: got %+v, %v", name, m, err)
		}
	}
	for name, s := range ignoredRecords() {
		if m, err := parseRecord(unhex(t, s)); m != nil || err != nil {
			t.Errorf("%s: got %+v, %v", name, m, err)
		}
	}
}

// FuzzRecord: no input panics, and what is understood is written back as it was.
func FuzzRecord(f *testing.F) {
	for _, v := range vectors() {
		f.Add(unhex(f, v.hex))
	}
	for _, s := range badRecords() {
		f.Add(unhex(f, s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseRecord(b)
		if err != nil && m != nil {
			t.Errorf("both %+v and %v", m, err)
		}
		var again []byte
		switch m := m.(type) {
		case hello:
			again = m.append(nil, 1)
		case auEnd:
			again = m.append(nil, 1)
		case []seqRange:
			again = appendLost(nil, 1, m)
		case flowEnd:
			again = m.append(nil, 1)
		default:
			return
		}
		if got, err := parseRecord(again); err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%+v comes back as %+v, %v", m, got, err)
		}
	})
}
