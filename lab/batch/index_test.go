package batch

import (
	"bytes"
	"context"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// indexOf is the page of four captures, one of them broken.
func indexOf(t *testing.T) string {
	t.Helper()
	row := func(name, label string, psnr float64) Row {
		r := scored(name, map[string]float64{"psnr_y_mean": psnr, "frames": 375})
		r.Item.Labels = []string{label}
		return r
	}
	rows := []Row{
		row("b10", "two", 9.5), row("b2", "<ten>", 100), row("a", "", 31.25),
		{Item: Item{Name: "x", Reference: "r.mp4", Captured: "x.mp4", Labels: []string{"one"}}, Err: "x.mp4: <not> a video"},
	}
	var b bytes.Buffer
	err := WriteIndex(&b, Index{
		Title: "Scores of <out>", Made: Made{Tool: "vqeval", Version: "1.2", Settings: map[string]string{"ssim": "ffmpeg"}},
		Labels: []string{"co\"dec"}, Rows: rows, Plots: []Plot{{"./plots/worst-1-ü a.png", "b10 & others"}},
		Link: func(r Row) string {
			if r.Failed() {
				return ""
			}
			return "./reports/" + r.Item.Name + ".html"
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteIndex(t *testing.T) {
	page := indexOf(t)
	for _, want := range []string{
		"<title>Scores of &lt;out&gt;</title>", "3 of 4 captures scored", "1 without scores", "SSIM is the ffmpeg dialect",
		`<a href="./reports/b10.html">b10.mp4</a>`, `<td>x.mp4</td>`, `<tr class="failed">`, `<td colspan="2">&lt;not&gt; a video</td>`,
		`<td class="n">9.50</td>`, "<button>co&#34;dec</button>", "&lt;ten&gt;",
		`src="./plots/worst-1-%c3%bc%20a.png"`, "b10 &amp; others", "vqeval 1.2 · ssim ffmpeg",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	for _, not := range []string{"delay_ms_p50", "NaN", "http://", "https://", "ZgotmplZ"} {
		if strings.Contains(page, not) {
			t.Errorf("%q in the page", not)
		}
	}
}

// TestIndexPolicy makes sure that the page's own style and script are those that
// its policy admits.
func TestIndexPolicy(t *testing.T) {
	page := indexOf(t)
	policy := html.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1])
	for _, tag := range []string{"style", "script"} {
		text := regexp.MustCompile("(?s)<" + tag + ">(.*?)</" + tag + ">").FindStringSubmatch(page)[1]
		if want := tag + "-src '" + contentHash(text) + "'"; !strings.Contains(policy, want) {
			t.Errorf("policy %q, want %q", policy, want)
		}
	}
}

// browse lets Chromium run a script on the page, and returns what it puts into
// the document's title.
func browse(t *testing.T, page, script string) string {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here; apt-get install chromium")
	}
	page = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(page, "")
	page = strings.Replace(page, "</html>", "<script>"+script+"</script></html>", 1)
	dir := t.TempDir()
	file := filepath.Join(dir, "index.html")
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Skipf("Chromium does not start: %v", err)
	}
	found := regexp.MustCompile(`(?s)<title>(.*?)</title>`).FindSubmatch(out)
	if found == nil {
		t.Fatalf("no title in %s", out)
	}
	return html.UnescapeString(string(found[1]))
}

// TestIndexSorts clicks on the heads of columns and types into the filter.
func TestIndexSorts(t *testing.T) {
	got := browse(t, indexOf(t), `
		const shown = () => [...document.querySelectorAll("tbody tr")].map(r => r.cells[0].textContent.replace(".mp4", "")).join(" ");
		const log = [shown()];
		const click = name => {
			[...document.querySelectorAll("th button")].find(b => b.textContent === name).click();
			log.push(shown());
		};
		click("capture"); click("capture"); click("psnr_y_mean"); click("psnr_y_mean"); click('co"dec'); click("remarks");
		const find = document.querySelector("#find"), failed = document.querySelector("#failed");
		const type = text => { find.value = text; find.dispatchEvent(new Event("input")); log.push(shown()); };
		type("MP4 two"); type("nothing"); type("");
		failed.click(); log.push(shown());
		document.title = log.join("|");`)
	want := strings.Join([]string{
		"b10 b2 a x", // as written
		"a b2 b10 x", // numbers in names count as such
		"x b10 b2 a",
		"b10 a b2 x", // one without scores is last
		"b2 a b10 x",
		"b2 x b10 a", // <ten>, one, two, nothing
		"b10 b2 a x", // nothing anywhere: as written
		"b10", "", "b10 b2 a x",
		"x",
	}, "|")
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestIndexOfMany scrolls through more rows than are laid out at once.
func TestIndexOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	rows := make([]Row, 500)
	for i := range rows {
		rows[i] = scored(strconv.Itoa(i), map[string]float64{"psnr_y_mean": float64(i * 7 % 500), "frames": 1})
	}
	var b bytes.Buffer
	if err := WriteIndex(&b, Index{Title: "many", Rows: rows}); err != nil {
		t.Fatal(err)
	}
	got := browse(t, b.String(), `
		const values = () => [...document.querySelectorAll("tbody tr")].map(r => +r.cells[3].textContent);
		const log = [values().length], wide = document.querySelector(".wide");
		document.querySelectorAll("th button")[3].click();
		log.push(values().length);
		for (const end of [1e6, 1e7]) {
			wide.scrollTop = end;
			wide.dispatchEvent(new Event("scroll"));
			log.push(values().length);
		}
		dispatchEvent(new Event("beforeprint"));
		log.push(values().every((v, i) => v === i));
		document.title = log.join(" ");`)
	if want := "200 200 400 500 true"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
