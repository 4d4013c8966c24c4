package world

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	mathrand "math/rand/v2"
	"sync"
)

// Seed makes crypto/rand.Reader a seeded generator for the whole process, for
// good, so that an experiment repeats itself. It belongs at the beginning of a
// worker process, before any other goroutine runs, and never into a process
// that protects anything: its keys can be computed from the seed.
//
// Since Go 1.26 key generation in the standard library asks the system all the
// same unless GODEBUG has cryptocustomrand=1; that changes keys, not sizes or times.
func Seed(seed uint64) { rand.Reader = Random(seed) }

// Random returns an endless stream of bytes that the seed fixes (ChaCha8). It
// may be read concurrently.
func Random(seed uint64) io.Reader {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	return &random{stream: mathrand.NewChaCha8(key)}
}

type random struct {
	mu     sync.Mutex
	stream *mathrand.ChaCha8
}

func (r *random) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stream.Read(p)
}
