package lab

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// patience is how long a worker's clock may stand still before the worker is
// taken for stuck.
const patience = 60 * time.Second

// A pool carries out specs in worker processes.
type pool struct {
	workers  int
	patience time.Duration
	progress func(name string, done, total int64) // called from several goroutines
	ended    func(Spec, Outcome, error)           // called from one goroutine at a time
}

// run carries out all specs, or those begun before ctx ends. A run that fails
// or whose worker dies is an error of that run alone.
func (p pool) run(ctx context.Context, specs []Spec) {
	queue := make(chan Spec)
	var mu sync.Mutex
	var workers sync.WaitGroup
	for range p.workers {
		workers.Go(func() {
			var c *child
			defer func() { c.close() }()
			for s := range queue {
				var o Outcome
				var err error
				if c, err = c.ready(); err == nil {
					o, err = c.run(ctx, s, p)
				}
				mu.Lock()
				p.ended(s, o, err)
				mu.Unlock()
			}
		})
	}
	for _, s := range specs {
		select {
		case queue <- s:
			continue
		case <-ctx.Done():
		}
		break
	}
	close(queue)
	workers.Wait()
}

// child is a worker process as its parent sees it.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan line
	stderr *tail
	dead   bool
}

// ready returns c, or a fresh worker when there is none alive.
func (c *child) ready() (*child, error) {
	if c != nil && !c.dead {
		return c, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	n := &child{cmd: exec.Command(self), lines: make(chan line), stderr: &tail{max: 16 << 10}}
	n.cmd.Args = []string{os.Args[0]}
	n.cmd.Env = append(os.Environ(), workerEnv+"=1")
	n.cmd.Stderr = n.stderr
	// Ctrl-C goes to the whole foreground group; workers are told by us.
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	if err := n.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	go n.read(out)
	return n, nil
}

func (c *child) read(out io.Reader) {
	defer close(c.lines)
	dec := json.NewDecoder(bufio.NewReaderSize(out, 1<<16))
	for {
		var l line
		if err := dec.Decode(&l); err != nil {
			if !errors.Is(err, io.EOF) {
				fmt.Fprintln(c.stderr, "its answer cannot be read:", err)
			}
			return
		}
		c.lines <- l
	}
}

func (c *child) run(ctx context.Context, s Spec, p pool) (Outcome, error) {
	if err := json.NewEncoder(c.in).Encode(order{Spec: s, Clip: s.path, Dir: s.dir}); err != nil {
		return Outcome{}, c.bury(fmt.Errorf("worker: %w", err))
	}
	stop := ctx.Done()
	now, moved := time.Duration(-1), time.Now()
	tick := time.NewTicker(p.patience / 8)
	defer tick.Stop()
	for {
		select {
		case l, ok := <-c.lines:
			switch {
			case !ok:
				return Outcome{}, c.bury(errors.New("the worker process died"))
			case l.Outcome != nil && l.Err != "":
				return *l.Outcome, errors.New(l.Err)
			case l.Outcome != nil:
				return *l.Outcome, nil
			}
			if l.Now != now {
				now, moved = l.Now, time.Now()
			}
			p.progress(s.Name, l.Done, l.Total)
		case <-stop:
			stop = nil
			c.cmd.Process.Signal(syscall.SIGTERM)
			moved = time.Now()
		case <-tick.C:
			if time.Since(moved) > p.patience {
				return Outcome{}, c.bury(fmt.Errorf("its clock stood still at %v for %v", now, p.patience))
			}
		}
	}
}

// bury ends the worker and adds to err what it said last.
func (c *child) bury(err error) error {
	c.dead = true
	c.cmd.Process.Kill()
	for range c.lines {
	}
	c.in.Close()
	if werr := c.cmd.Wait(); werr != nil {
		err = fmt.Errorf("%w (%w)", err, werr)
	}
	if said := c.stderr.String(); said != "" {
		err = fmt.Errorf("%w; it said:\n%s", err, said)
	}
	return err
}

func (c *child) close() {
	if c == nil || c.dead {
		return
	}
	c.in.Close()
	for range c.lines {
	}
	c.cmd.Wait()
}

// tail keeps the last max bytes written to it.
type tail struct {
	mu  sync.Mutex
	max int
	buf []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.max; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.buf))
}
