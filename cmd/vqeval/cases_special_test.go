package main

import (
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vqeval/vqeval/lab/batch"
	"github.com/vqeval/vqeval/metrics"
)

// checkFreeze has a picture that stands while the reference goes on: those frames
// are frozen, or damaged with the values of the list, and the rest does not shift.
func checkFreeze(t *testing.T, c realCase) {
	for _, key := range []string{"matched", "missing", "extra", "same", "damaged", "missing_list", "mean_psnr", "total_psnr", "min_psnr", "mean_mse", "mean_ssim_ff"} {
		delete(c.want, key)
	}
	s := c.scoreFile(t, c.path(c.tests[0]))
	c.judge(t, c.tests[0], s)
	for _, i := range frameNumbers(t, c.want["alt_damaged"]) {
		if v := s.Rows[i].Verdict; v != metrics.Frozen && v != metrics.Damaged {
			t.Errorf("frame %d is %v", i, v)
		}
	}
	if p := s.Pool(metrics.Filter{})["psnr_y"]; p.Mean < 93.126 || p.Mean > 93.1263 {
		t.Errorf("mean PSNR over all frames: got %v, want 93.1262 whatever the verdicts are", p.Mean)
	}
}

// checkEditList has hidden pictures: not shown, or shown and said.
func checkEditList(t *testing.T, c realCase) {
	s := c.scoreFile(t, c.path(c.tests[0]))
	if strings.Contains(strings.Join(s.Notes, "\n"), "edit list") && len(survey(s).same) == len(s.Rows) {
		return
	}
	c.judge(t, c.tests[0], s)
}

// checkNoVideo has things that are no video, as capture, reference and clip.
func checkNoVideo(t *testing.T, c realCase) {
	for _, test := range c.tests {
		for _, args := range [][]string{
			{"score", "--ref", c.path(c.ref), c.path(test)},
			{"score", "--ref", c.path(test), c.path(c.ref)},
			{"send", c.path(test), "--to", "127.0.0.1:9"},
		} {
			out := filepath.Join(t.TempDir(), "out")
			if args[0] == "score" {
				args = append(args, "--out", out)
			}
			code, _, stderr := command(t, args...)
			refused(t, test, code, stderr)
			if exists(out) {
				t.Errorf("%s: %v left a result behind", test, args)
			}
			file := filepath.Join(t.TempDir(), "out.csv")
			if args[0] == "score" {
				command(t, append(args[:len(args)-1], file)...)
				if left, _ := os.ReadDir(filepath.Dir(file)); len(left) > 0 {
					t.Errorf("%s: %v left %v behind", test, args, left)
				}
			}
		}
	}
}

// checkNames has awkward file names, by themselves and all at once in a folder.
func checkNames(t *testing.T, c realCase) {
	args := []string{"score", "--ref", c.path(c.ref), "--out", filepath.Join(t.TempDir(), "out"), "--json"}
	for _, test := range c.tests {
		c.judge(t, test, c.scoreFile(t, c.path(test)))
		args = append(args, c.path(test))
	}
	code, stdout, stderr := command(t, args...)
	if n := strings.Count(stdout, `"identical":50,`); code != exitOK || n != len(c.tests) {
		t.Errorf("all at once: exit code %d, %d of %d are identical\n%s", code, n, len(c.tests), stderr)
	}
}

// checkDepth has 10 bits against 8: refused, or converted on demand.
func checkDepth(t *testing.T, c realCase) {
	path := c.path(c.tests[0])
	code, _, stderr := command(t, "score", "--ref", c.path(c.ref), path)
	refused(t, path, code, stderr)
	for _, word := range []string{"8 bits", "10 bits", "--convert"} {
		if !strings.Contains(stderr, word) {
			t.Errorf("the message does not say %q: %s", word, stderr)
		}
	}
	c.judge(t, path, c.scoreFile(t, path, "--convert"))
}

// checkRepeatable scores damage again and again, with one job and with two.
func checkRepeatable(t *testing.T, c realCase) {
	var first string
	for _, jobs := range []string{"1", "2", "2"} {
		code, stdout, stderr := command(t, "score", "--ref", c.path(c.ref), c.path(c.tests[0]), "--jobs", jobs, "--out", "-")
		if code != exitOK {
			t.Fatal(stderr)
		}
		if first == "" {
			first = stdout
		}
		if stdout != first {
			t.Errorf("%s jobs: another result than the first time", jobs)
		}
	}
	c.judge(t, c.tests[0], c.scoreFile(t, c.path(c.tests[0])))
}

// checkUndecodable has nothing that decodes: an error, or a result that says so.
func checkUndecodable(t *testing.T, c realCase) {
	code, stdout, stderr := command(t, "score", "--ref", c.path(c.ref), c.path(c.tests[0]), "--json")
	if code != exitOK {
		refused(t, c.tests[0], code, stderr)
		return
	}
	if !strings.Contains(stdout, `"ok":0,"damaged":0,`) || strings.Contains(stdout, "NaN") {
		t.Errorf("got %s", stdout)
	}
}

// checkFormats writes a file against itself in every format and reads it again.
func checkFormats(t *testing.T, c realCase) {
	for _, format := range batch.Formats() {
		out := filepath.Join(t.TempDir(), "scores.out.log")
		code, _, stderr := command(t, "score", "--ref", c.path(c.ref), c.path(c.tests[0]), "--format", format, "--out", out)
		if code != exitOK {
			t.Fatalf("%s: %s", format, stderr)
		}
		files, err := filepath.Glob(filepath.Join(filepath.Dir(out), "*.log"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", format, err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			if low := strings.ToLower(string(text)); format != "parquet" && (strings.Contains(low, "inf") || strings.Contains(low, "nan")) {
				t.Errorf("%s: a number that is not finite", f)
			}
			if format == "json" || format == "libvmaf" {
				if !json.Valid(text) {
					t.Errorf("%s is not JSON", f)
				}
			}
			if s, err := readScores(f); err != nil || len(s.Rows) != 50 {
				t.Errorf("%s: %d rows, %v", f, len(s.Rows), err)
			}
		}
	}
	c.judge(t, c.tests[0], c.scoreFile(t, c.path(c.tests[0])))
}

// checkPlaces writes where nothing can be written.
func checkPlaces(t *testing.T, c realCase) {
	for _, out := range []string{c.path(c.id + "/afile/x.csv"), c.path(c.id + "/none/x.csv"), "/proc/x.csv", c.path(c.id + "/afile/folder"), "/proc/folder", c.path(c.id + "/afile")} {
		code, stdout, stderr := command(t, "score", "--ref", c.path(c.ref), c.path(c.tests[0]), "--out", out)
		refused(t, out, code, stderr)
		if stdout != "" {
			t.Errorf("%s: the work was done first: %s", out, stdout)
		}
	}
}

// checkFull writes to a full disk, in every format.
func checkFull(t *testing.T, c realCase) {
	if !exists("/dev/full") {
		t.Skip("this system has no /dev/full")
	}
	for _, format := range batch.Formats() {
		code, _, stderr := command(t, "score", "--ref", c.path(c.ref), c.path(c.tests[0]), "--format", format, "--out", "/dev/full")
		if code == exitOK || !strings.Contains(stderr, "no space left") {
			t.Errorf("%s: exit code %d, %q: want an error that says no space left", format, code, stderr)
		}
	}
	code, _, stderr := command(t, "recv", "--listen", "127.0.0.1:0", "--duration", "100ms", "--out", "/dev/full")
	if code == exitOK || !strings.Contains(stderr, "no space left") {
		t.Errorf("recv: exit code %d, %q: want an error that says no space left", code, stderr)
	}
}

// checkInput writes to an input, by its name and by others.
func checkInput(t *testing.T, c realCase) {
	dir := t.TempDir()
	text, err := os.ReadFile(c.path(c.ref))
	if err != nil {
		t.Fatal(err)
	}
	ref := filepath.Join(dir, "ref.mp4")
	if err := os.WriteFile(ref, text, 0o644); err != nil {
		t.Fatal(err)
	}
	outs := []string{ref, filepath.Join(dir, "..", filepath.Base(dir), "ref.mp4"), filepath.Join(dir, "symbolic.csv"), filepath.Join(dir, "hard.csv")}
	for _, err := range []error{os.Symlink(ref, outs[2]), os.Link(ref, outs[3])} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, out := range outs {
		for _, flag := range []string{"--out", "--junit"} {
			code, _, stderr := command(t, "score", "--ref", ref, ref, "--force", flag, out)
			refused(t, out, code, stderr)
		}
	}
	if now, err := os.ReadFile(ref); err != nil || sha256.Sum256(now) != sha256.Sum256(text) {
		t.Errorf("the video was changed, %v", err)
	}
}
