package decode

import (
	"os"
	"sync/atomic"
	"syscall"
)

// A mapping is a file in memory, for reading alone. It costs a third less than
// read(2) from the page cache, since nothing is copied. Pages are given back with
// each picture, so that no more of the file counts as our memory than the pictures
// that are out.
//
// A file that another process makes shorter in the meantime must not be touched
// behind its new end, or the kernel ends this process: [mapping.holds] asks before
// each picture.
type mapping struct {
	file  *os.File
	data  []byte
	stat  syscall.Stat_t
	users atomic.Int32 // frames that are out, and the source
}

// mapFile maps a file of size bytes, more than none. It takes the file over.
func mapFile(f *os.File, size int) (*mapping, error) {
	data, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	m := &mapping{file: f, data: data}
	m.users.Store(1)
	return m, nil
}

// holds reports whether the file still has its first n bytes.
func (m *mapping) holds(n int) bool {
	return n <= len(m.data) && syscall.Fstat(int(m.file.Fd()), &m.stat) == nil && m.stat.Size >= int64(n)
}

// lend counts one more user.
func (m *mapping) lend() { m.users.Add(1) }

// forget ends a use, of bytes from..to of the file, whose pages may go. With its
// last user the mapping ends.
func (m *mapping) forget(from, to int) {
	page := os.Getpagesize()
	if from, to = from/page*page, to/page*page; from < to {
		// Advice: a failure costs memory and nothing else. The pages on the edges are
		// shared with the pictures beside, which fault them in again.
		_ = syscall.Madvise(m.data[from:to], syscall.MADV_DONTNEED)
	}
	if m.users.Add(-1) == 0 {
		_ = syscall.Munmap(m.data)
		m.file.Close()
	}
}
