package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/metrics"
)

// casesDir holds the collection: the scripts that make real-world cases.
const casesDir = "../../samples/cases"

// A realCase is a line of cases.tsv.
type realCase struct {
	id, area, command string
	dir               string // that ref and tests count from
	ref               string
	tests             []string
	want              map[string]string // matched=49 and so on
}

// TestCases makes the real-world cases and checks each against its expectation.
// The files are kept in the user's cache folder, by the content of the scripts.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("making the cases takes a minute and a half of CPU time")
	}
	for _, tool := range []string{"bash", "ffmpeg", "ffprobe", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is needed to make the cases: %v", tool, err)
		}
	}
	checks := map[string]func(*testing.T, realCase){
		"O-A09": checkFreeze, "O-B03": checkEditList, "O-B09": checkNoVideo, "O-B10": checkNames, "O-B11": checkCodec,
		"O-B12": checkTransports, "O-C03": checkDepth, "O-D04": checkRepeatable, "O-D07": checkUndecodable,
		"O-F01": checkFormats, "O-G01": checkPlaces, "O-G02": checkFull, "O-G03": checkInput,
		"O-H01": checkFullHD, "O-H02": checkDatagrams,
	}
	for _, c := range makeCases(t) {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			if check := checks[c.id]; check != nil {
				check(t, c)
				return
			}
			for _, test := range c.tests {
				c.score(t, test)
			}
		})
	}
}

// score checks one file of a case.
func (c realCase) score(t *testing.T, test string) {
	t.Helper()
	switch {
	case strings.HasSuffix(test, ".rtpdump"):
		c.receive(t, test)
	case c.want["exit"] == "nonzero":
		code, _, stderr := command(t, "score", "--ref", c.path(c.ref), c.path(test))
		refused(t, test, code, stderr)
	default:
		c.judge(t, test, c.scoreFile(t, c.path(test)))
		c.closedForm(t, test)
	}
	if strings.HasSuffix(test, ".pcap") {
		c.packets(t, test)
	}
	if strings.Contains(c.command, "SEND test") && !strings.HasSuffix(test, ".rtpdump") {
		c.sendAndReceive(t, test, "udp")
	}
}

// closedForm checks the SSIM of flat pictures. It is arithmetic for windows that
// follow the definition; ffmpeg's dialect has a constant that is 64 times too small
// (416 against (.01*255)^2*64*64 = 26634), which shows where one picture is black.
func (c realCase) closedForm(t *testing.T, test string) {
	t.Helper()
	if c.want["ssim"] == "" {
		return
	}
	for _, dialect := range []string{"precise", "fast", "wang"} {
		s := c.scoreFile(t, c.path(test), "--ssim", dialect, "--luma")
		c.everyFrame(t, test+" "+dialect, "ssim", s, c.want["ssim"])
	}
}

// packets checks what is said about the packets of a recording.
func (c realCase) packets(t *testing.T, test string) {
	t.Helper()
	code, stdout, stderr := command(t, "score", "--ref", c.path(c.ref), c.path(test), "--json")
	var row struct {
		Sent float64 `json:"packets_sent"`
		Lost float64 `json:"packets_lost"`
	}
	if err := json.Unmarshal([]byte(stdout), &row); err != nil || code != exitOK {
		t.Fatalf("%s: exit code %d, %v: %s%s", test, code, err, stdout, stderr)
	}
	c.number(t, test, "lost", row.Lost, c.want["lost"], 0)
	c.number(t, test, "unique", row.Sent-row.Lost, c.want["unique"], 0)
}

func (c realCase) path(name string) string { return filepath.Join(c.dir, name) }

// scoreFile scores a file and reads what was written.
func (c realCase) scoreFile(t *testing.T, path string, flags ...string) metrics.Series {
	t.Helper()
	out := filepath.Join(t.TempDir(), "scores.json")
	args := append([]string{"score", "--ref", c.path(c.ref), "--out", out, path}, flags...)
	code, stdout, stderr := command(t, args...)
	if code != exitOK {
		t.Fatalf("%s: exit code %d, want 0\n%s%s", path, code, stdout, stderr)
	}
	s, err := readScores(out)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// command runs the program in this process.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = vqeval(t.Context(), args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}

// refused checks that a command failed in one clear line that names the file.
func refused(t *testing.T, file string, code int, stderr string) {
	t.Helper()
	if code == exitOK {
		t.Errorf("%s: exit code 0, want another", file)
	}
	line, rest, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	if !strings.Contains(line, filepath.Base(file)) {
		t.Errorf("%s: the message does not name the file: %s", file, stderr)
	}
	if rest != "" && !strings.HasPrefix(rest, "hint:") || strings.Contains(stderr, "goroutine") {
		t.Errorf("%s: got more than a line and a hint:\n%s", file, stderr)
	}
}

// makeCases makes the files of the collection, unless they are there from the
// last time, and reads the list of cases.
func makeCases(t *testing.T) []realCase {
	t.Helper()
	dir := filepath.Join(cacheFolder(t), "cases-"+fingerprint(t))
	if _, err := os.Stat(filepath.Join(dir, "cases.tsv")); err != nil {
		fresh, err := os.MkdirTemp(filepath.Dir(dir), "cases-new-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(fresh)
		cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(casesDir, "make.sh"), fresh)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("make.sh: %v\n%s", err, text)
		}
		if err := os.Rename(fresh, dir); err != nil && !exists(dir) {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "cases.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []realCase
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cases = append(cases, parseCase(t, dir, line))
	}
	return cases
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func parseCase(t *testing.T, dir, line string) realCase {
	t.Helper()
	const id, set, area, ref, test, command, kv, columns = 0, 1, 2, 5, 6, 7, 9, 10
	f := strings.Split(line, "\t")
	if len(f) != columns {
		t.Fatalf("cases.tsv: %d columns, want %d: %s", len(f), columns, line)
	}
	c := realCase{id: f[id], area: f[area], command: f[command], dir: filepath.Join(dir, f[set]), ref: f[ref],
		tests: strings.Split(f[test], ","), want: map[string]string{}}
	for _, pair := range strings.Fields(f[kv]) {
		k, v, _ := strings.Cut(pair, "=")
		c.want[k] = v
	}
	return c
}

// cacheFolder is where the cases are kept; without a home, for this test only.
func cacheFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "vqeval")
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		return t.TempDir()
	}
	return dir
}

// fingerprint tells one collection, made by one ffmpeg, from another.
func fingerprint(t *testing.T) string {
	t.Helper()
	h := sha256.New()
	version, err := exec.CommandContext(context.Background(), "ffmpeg", "-version").Output()
	if err != nil {
		t.Fatal(err)
	}
	h.Write(version)
	err = filepath.WalkDir(casesDir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".pyc") {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		io.WriteString(h, path)
		_, err = io.Copy(h, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
