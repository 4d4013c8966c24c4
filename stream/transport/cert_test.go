package transport

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSelfSigned(t *testing.T) {
	cert, err := SelfSigned(rand.NewChaCha8([32]byte{1}), "example.test", "192.0.2.7")
	if err != nil {
		t.Fatal(err)
	}
	again, err := SelfSigned(rand.NewChaCha8([32]byte{1}), "example.test", "192.0.2.7")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(cert.Certificate[0], again.Certificate[0]) {
		t.Error("the same randomness gave two certificates")
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert.Leaf)
	for _, c := range []struct {
		name string
		year int
		ok   bool
	}{
		{"example.test", 2000, true}, {"192.0.2.7", 2026, true}, {"example.test", 2099, true},
		{"other.test", 2026, false}, {"example.test", 1989, false}, {"example.test", 2101, false},
	} {
		at := time.Date(c.year, 1, 2, 0, 0, 0, 0, time.UTC)
		_, err := cert.Leaf.Verify(x509.VerifyOptions{DNSName: c.name, Roots: pool, CurrentTime: at})
		if (err == nil) != c.ok {
			t.Errorf("%s in %d: got %v", c.name, c.year, err)
		}
	}
	if _, err := SelfSigned(bytes.NewReader(nil)); err == nil {
		t.Error("no randomness: no error")
	}
}

func TestLoad(t *testing.T) {
	cert, err := SelfSigned(rand.NewChaCha8([32]byte{2}))
	if err != nil {
		t.Fatal(err)
	}
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name, kind string, der []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	certFile, keyFile := file("cert.pem", "CERTIFICATE", cert.Certificate[0]), file("key.pem", "PRIVATE KEY", key)
	if _, err := LoadCert(certFile, keyFile); err != nil {
		t.Error(err)
	}
	if _, err := LoadCA(certFile); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{filepath.Join(dir, "none.pem"), keyFile, dir} {
		if _, err := LoadCert(bad, keyFile); err == nil {
			t.Errorf("certificate %s: no error", bad)
		}
		if _, err := LoadCA(bad); err == nil {
			t.Errorf("CA %s: no error", bad)
		}
	}
}

func TestParseMode(t *testing.T) {
	for _, m := range Modes() {
		if got, err := ParseMode(string(m)); err != nil || got != m {
			t.Errorf("%s: got %s, %v", m, got, err)
		}
	}
	if got, err := ParseMode("tcp+tls"); err != nil || got != TLS {
		t.Errorf("tcp+tls: got %s, %v", got, err)
	}
	for _, bad := range []string{"", "UDP", "sctp"} {
		if _, err := ParseMode(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestPrivatePeer(t *testing.T) {
	for addr, want := range map[string]bool{
		"127.0.0.1:1": true, "10.1.2.3:1": true, "192.168.0.1:1": true, "[::1]:1": true, "[fe80::1]:1": true,
		"[::ffff:10.0.0.1]:1": true, "8.8.8.8:1": false, "[2001:db8::1]:1": false,
	} {
		at, err := net.ResolveUDPAddr("udp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := PrivatePeer(at); got != want {
			t.Errorf("%s: got %v, want %v", addr, got, want)
		}
	}
}
