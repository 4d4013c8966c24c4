package batch

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// identity tells whether a file is the one that was scored.
type identity struct {
	Size    int64  `json:"size"`
	MTimeNS int64  `json:"mtime_ns"`
	SHA256  string `json:"sha256,omitempty"` // hexadecimal; "" = was not computed
}

// same reports whether a file that is now id is the one that was scored: by its
// content where that is known, else by size and time of change.
func (old identity) same(id identity) bool {
	if id.SHA256 != "" {
		return old.SHA256 == id.SHA256
	}
	return old.Size == id.Size && old.MTimeNS == id.MTimeNS
}

// look is a file's identity without its content.
func look(path string) (identity, error) {
	st, err := os.Stat(path)
	if err != nil {
		return identity{}, err
	}
	return identity{Size: st.Size(), MTimeNS: st.ModTime().UnixNano()}, nil
}

// An input is a file as it was before the batch began to score.
type input struct {
	path string
	seen identity
	err  error
	hash bool
	once sync.Once // for the content
}

func newInput(path string, hash bool) *input {
	in := &input{path: path, hash: hash}
	in.seen, in.err = look(path)
	return in
}

// identity tells what the input is. Its content is read when that is first asked
// for, and counts only if the file has not changed since the first look.
func (in *input) identity() (identity, error) {
	if in.hash && in.err == nil {
		in.once.Do(func() {
			sum := content(in.path)
			if now, err := look(in.path); err == nil && now == in.seen {
				in.seen.SHA256 = sum
			}
		})
	}
	return in.seen, in.err
}

// content hashes a regular file; "" if it cannot be read.
func content(path string) string {
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
