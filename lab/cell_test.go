package lab

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func rowOf(transport string, seed uint64, psnr float64) Row {
	return Row{Transport: transport, Mode: transport, Clip: "c", Profile: "p", Seed: seed, PSNRY: psnr,
		RateMbps: math.NaN(), DelayP50: math.NaN(), DelayP95: 7, StartupMS: math.NaN()}
}

func TestCells(t *testing.T) {
	rows := []Row{rowOf("udp", 1, 30), rowOf("quic", 1, 40), rowOf("udp", 2, 32), rowOf("quic", 2, 41), rowOf("udp", 3, 31)}
	cells := Cells(rows)
	if len(cells) != 2 || cells[0].Transport != "udp" || cells[0].Seeds != 3 || cells[1].Seeds != 2 {
		t.Fatalf("got %+v", cells)
	}
	if v := cells[0].Values["psnr_y_mean"]; v.Mean != 31 || v.Median != 31 || v.N != 3 {
		t.Errorf("udp: %+v", v)
	}
	if v := cells[0].Values["delay_ms_p50"]; v.N != 0 {
		t.Errorf("delays that do not exist: %+v", v)
	}
	if _, err := json.Marshal(cells); err != nil {
		t.Error(err)
	}
}

func TestDifferencesArePaired(t *testing.T) {
	var rows []Row
	for s := range uint64(10) {
		level := 20 + 3*float64(s) // seeds differ far more than transports do
		rows = append(rows, rowOf("udp", s, level), rowOf("quic", s, level+1), rowOf("quic-au", s, level+math.Sin(float64(5*s))))
	}
	got := map[string]Difference{}
	for _, d := range Differences(rows, "psnr_y_mean") {
		got[d.A+"-"+d.B] = d
	}
	if d := got["udp-quic"]; d.AMinusB.Mean != -1 || d.Unclear {
		t.Errorf("one dB on every seed: %+v", d)
	}
	if d := got["udp-quic-au"]; !d.Unclear {
		t.Errorf("noise is no difference: %+v", d)
	}
}

func TestRowsAsText(t *testing.T) {
	r := rowOf("udp", 7, 30.125)
	r.Run = `a "name", quoted`
	var b strings.Builder
	if err := WriteRows(&b, []Row{r}); err != nil {
		t.Fatal(err)
	}
	const head = "transport,mode,profile,rate_mbps,seed,deadline_ms,frames,ok,damaged,frozen,late,expired,missing," +
		"mse_y_mean,psnr_y_mean,psnr_y_total,ssim_y_mean,delay_ms_p50,delay_ms_p95,goodput_mbps,packets_sent,packets_lost,"
	if !strings.HasPrefix(b.String(), head) {
		t.Errorf("columns moved: %s", b.String())
	}
	if !strings.Contains(b.String(), "\nudp,udp,p,,7,,0,0,0,0,0,0,0,0,30.125,0,0,,7,0,0,0,c,") {
		t.Errorf("got %s", b.String())
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if back["psnr_y_mean"] != 30.125 || back["delay_ms_p50"] != nil || back["run"] != r.Run {
		t.Errorf("got %s", text)
	}
}
