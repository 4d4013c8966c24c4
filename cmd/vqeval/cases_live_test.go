package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/stream/h264"
)

// A receiver is vqeval recv at work on a port of its own.
type receiver struct {
	name   string // of its files
	addr   string
	ended  chan int // exit code
	stdout bytes.Buffer
	said   <-chan string // what else came to stderr
}

var listening = regexp.MustCompile(`on (127\.0\.0\.1:[0-9]+)`)

// startReceiver starts vqeval recv and waits until it listens.
func startReceiver(t *testing.T, flags ...string) *receiver {
	t.Helper()
	r := &receiver{name: filepath.Join(t.TempDir(), "got"), ended: make(chan int, 1)}
	stderr, w := io.Pipe()
	args := append([]string{"recv", "--listen", "127.0.0.1:0", "--out", r.name}, flags...)
	go func() {
		r.ended <- vqeval(t.Context(), args, strings.NewReader(""), &r.stdout, w)
		w.Close()
	}()
	in := bufio.NewReader(stderr)
	line, err := in.ReadString('\n')
	m := listening.FindStringSubmatch(line)
	if err != nil || m == nil {
		t.Fatalf("recv says %q, %v: no address", line, err)
	}
	r.addr = m[1]
	said := make(chan string, 1)
	go func() {
		rest, _ := io.ReadAll(in)
		said <- string(rest)
	}()
	r.said = said
	return r
}

// wait waits for the receiver's end.
func (r *receiver) wait(t *testing.T) {
	t.Helper()
	if code := <-r.ended; code != exitOK {
		t.Fatalf("recv: exit code %d, want 0\n%s", code, <-r.said)
	}
}

// receive plays the packets of a case to a receiver, and checks what it made of
// them: the coded pictures, the counts, the scores of both its files.
func (c realCase) receive(t *testing.T, dump string) {
	t.Helper()
	r := startReceiver(t, "--idle", "1s")
	_, port, _ := strings.Cut(r.addr, ":")
	play := exec.CommandContext(t.Context(), "python3", filepath.Join(casesDir, "lib/rtptool.py"), "play", c.path(dump), "127.0.0.1", port, "--speed", "0")
	if text, err := play.CombinedOutput(); err != nil {
		t.Fatalf("play: %v\n%s", err, text)
	}
	r.wait(t)
	if c.want["same"] != "" {
		sameUnits(t, dump, r.name+".h264", c.path(c.id+"/expected.h264"))
	}
	var summary struct {
		RTP struct {
			Packets int `json:"packets"`
			Lost    int `json:"lost"`
		} `json:"rtp"`
	}
	text, err := os.ReadFile(r.name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &summary)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.number(t, dump, "packets", float64(summary.RTP.Packets), c.want["packets"], 0)
	c.number(t, dump, "lost", float64(summary.RTP.Lost), c.want["lost"], 0)
	for _, ext := range []string{".pcapng", ".h264"} {
		c.judge(t, dump+" received, "+ext, c.scoreFile(t, r.name+ext))
	}
}

// sameUnits checks that two streams have the same NAL units. Fillers may be kept
// or dropped.
func sameUnits(t *testing.T, what, got, want string) {
	t.Helper()
	var lists [2][][]byte
	for i, path := range []string{got, want} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lists[i] = slices.DeleteFunc(h264.SplitAnnexB(text), func(n []byte) bool { return h264.TypeOf(n) == h264.Filler })
	}
	if !slices.EqualFunc(lists[0], lists[1], bytes.Equal) {
		t.Errorf("%s: %d NAL units, want %d with the same bytes", what, len(lists[0]), len(lists[1]))
	}
}

// sendAndReceive sends a file over a transport on this machine, and checks that
// what came is what the case says of the file.
func (c realCase) sendAndReceive(t *testing.T, test, mode string, flags ...string) {
	t.Helper()
	path := c.path(test)
	if c.want["exit"] == "nonzero" {
		code, _, stderr := command(t, "send", path, "--to", "127.0.0.1:9", "--transport", mode)
		refused(t, test, code, stderr)
		return
	}
	r := startReceiver(t, "--transport", mode)
	args := append([]string{"send", path, "--to", r.addr, "--transport", mode}, flags...)
	if mode != "udp" {
		args = append(args, "--max")
	}
	if code, stdout, stderr := command(t, args...); code != exitOK {
		t.Fatalf("send over %s: exit code %d, want 0\n%s%s", mode, code, stdout, stderr)
	}
	r.wait(t)
	ref := c
	ref.ref = test // what came is compared with what was sent
	for _, ext := range []string{".pcapng", ".h264"} {
		s := ref.scoreFile(t, r.name+ext)
		if n := len(survey(s).same); n != len(s.Rows) {
			t.Errorf("%s over %s, %s: %d of %d frames are the same\n%s", test, mode, ext, n, len(s.Rows), strings.Join(s.Notes, "\n"))
		}
	}
}

// checkTransports sends over every transport.
func checkTransports(t *testing.T, c realCase) {
	for _, mode := range []string{"udp", "quic", "quic-au", "quic-dgram", "tcp", "tls"} {
		t.Run(mode, func(t *testing.T) { c.sendAndReceive(t, c.tests[0], mode) })
	}
}

// checkCodec has clips that are not H.264: they can be scored, but not sent.
func checkCodec(t *testing.T, c realCase) {
	for _, test := range c.tests {
		code, _, stderr := command(t, "send", c.path(test), "--to", "127.0.0.1:9")
		refused(t, test, code, stderr)
		if !strings.Contains(stderr, "not H.264") {
			t.Errorf("%s: got %q, want it to say not H.264", test, stderr)
		}
		self := c
		self.ref = test
		if seen := survey(self.scoreFile(t, c.path(test))); len(seen.same) == 0 || len(seen.same) != len(seen.all) {
			t.Errorf("%s: %d of %d frames are the same as themselves", test, len(seen.same), len(seen.all))
		}
	}
}

// checkFullHD sends the built-in clip in real time: its key frames must not
// overflow a socket buffer.
func checkFullHD(t *testing.T, c realCase) {
	clip := filepath.Join(t.TempDir(), "clip1080.mp4")
	if code, _, stderr := command(t, "sample", clip); code != exitOK {
		t.Fatal(stderr)
	}
	c.dir, c.ref = filepath.Dir(clip), filepath.Base(clip)
	r := startReceiver(t)
	if code, _, stderr := command(t, "send", clip, "--to", r.addr); code != exitOK {
		t.Fatal(stderr)
	}
	r.wait(t)
	s := c.scoreFile(t, r.name+".pcapng")
	if seen := survey(s); len(seen.same) != len(seen.all) {
		if said := <-r.said + r.stdout.String(); strings.Contains(said, "kernel") {
			t.Skipf("this machine was too busy, and the tool says so: %s", said)
		}
		t.Errorf("%d of %d frames are the same\n%s", len(seen.same), len(seen.all), strings.Join(s.Notes, "\n"))
	}
}

// checkDatagrams sends packets that are larger than a QUIC datagram may be: they
// are cut to fit, or refused before anything is sent.
func checkDatagrams(t *testing.T, c realCase) {
	for _, size := range []int{1200, 1400, 1500} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			r := startReceiver(t, "--transport", "quic-dgram", "--duration", "20s")
			code, _, stderr := command(t, "send", c.path(c.tests[0]), "--to", r.addr, "--transport", "quic-dgram", "--max", "--max-packet", fmt.Sprint(size))
			if code != exitOK {
				if !strings.Contains(stderr, fmt.Sprint(size)) && !strings.Contains(stderr, "datagram") {
					t.Errorf("exit code %d: %s", code, stderr)
				}
				return
			}
			r.wait(t)
			if seen := survey(c.scoreFile(t, r.name+".pcapng")); len(seen.same) != len(seen.all) {
				t.Errorf("%d of %d frames are the same", len(seen.same), len(seen.all))
			}
		})
	}
}
