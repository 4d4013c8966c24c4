package transport

import (
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"time"
)

// SelfSigned makes an Ed25519 certificate for hosts (names and IP addresses),
// or for "vqeval", "localhost" and the loopback addresses if there are none. All
// of its randomness comes from rand. It is valid from 1990 to 2100, so that it
// also verifies under a clock that starts in the year 2000.
func SelfSigned(rand io.Reader, hosts ...string) (tls.Certificate, error) {
	random := make([]byte, ed25519.SeedSize+16)
	if _, err := io.ReadFull(rand, random); err != nil {
		return tls.Certificate{}, fmt.Errorf("self-signed certificate: %w", err)
	}
	if len(hosts) == 0 {
		hosts = []string{"vqeval", "localhost", "127.0.0.1", "::1"}
	}
	random[ed25519.SeedSize] &= 0x7f // serial numbers are positive, RFC 5280 4.1.2.2
	random[len(random)-1] |= 1
	template := &x509.Certificate{
		SerialNumber:          new(big.Int).SetBytes(random[ed25519.SeedSize:]),
		Subject:               pkix.Name{CommonName: hosts[0]},
		NotBefore:             time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:              time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	for _, h := range hosts {
		if ip := net.ParseIP(h); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, h)
		}
	}
	key := ed25519.NewKeyFromSeed(random[:ed25519.SeedSize])
	der, err := x509.CreateCertificate(nil, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("self-signed certificate: %w", err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("self-signed certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, nil
}

// LoadCert reads a certificate chain and its key from PEM files.
func LoadCert(certFile, keyFile string) (tls.Certificate, error) {
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("certificate %s with key %s: %w", certFile, keyFile, err)
	}
	return cert, nil
}

// LoadCA reads the certificates to trust from a PEM file.
func LoadCA(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("trusted certificates: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("trusted certificates: no certificate in PEM form in %s", file)
	}
	return pool, nil
}

// ServerTLS is the configuration of a receiver with cert. Session tickets are
// off: every connection is a fresh handshake, of the same size.
func ServerTLS(cert tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{cert}, SessionTicketsDisabled: true, MinVersion: tls.VersionTLS13}
}

// ClientTLS is the configuration of a sender that trusts ca (nil: the system's
// roots) for a receiver called name (empty: the address that is dialled).
func ClientTLS(ca *x509.CertPool, name string) *tls.Config {
	return &tls.Config{RootCAs: ca, ServerName: name, MinVersion: tls.VersionTLS13}
}

// TrustTLS is the configuration of a sender that trusts exactly the
// self-signed cert, whatever the receiver's address.
func TrustTLS(cert tls.Certificate) (*tls.Config, error) {
	if cert.Leaf == nil || len(cert.Leaf.DNSNames)+len(cert.Leaf.IPAddresses) == 0 {
		return nil, errors.New("trusted certificate: it names no host")
	}
	pool := x509.NewCertPool()
	pool.AddCert(cert.Leaf)
	if len(cert.Leaf.DNSNames) > 0 {
		return ClientTLS(pool, cert.Leaf.DNSNames[0]), nil
	}
	return ClientTLS(pool, cert.Leaf.IPAddresses[0].String()), nil
}

// InsecureTLS is the configuration of a sender that takes any certificate:
// whoever sits on the path can pose as the receiver.
func InsecureTLS() *tls.Config {
	return &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13}
}
