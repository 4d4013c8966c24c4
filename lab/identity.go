package lab

import (
	"crypto/tls"
	"fmt"
	"math/rand/v2"

	"github.com/vqeval/vqeval/stream/transport"
)

// identity is what both ends of an experiment need to trust each other.
type identity struct{ server, client *tls.Config }

// newIdentity makes a certificate from the seed alone, so that handshakes are
// of the same size in every run.
func newIdentity(seed uint64) (identity, error) {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	cert, err := transport.SelfSigned(rand.NewChaCha8(key))
	if err != nil {
		return identity{}, err
	}
	client, err := transport.TrustTLS(cert)
	if err != nil {
		return identity{}, fmt.Errorf("certificate: %w", err)
	}
	return identity{server: transport.ServerTLS(cert), client: client}, nil
}
