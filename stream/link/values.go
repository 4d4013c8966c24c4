package link

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The values of Direction's text that are more than one number.

const unlimited = "unlimited"

func parseQueue(d *Direction, s string) error {
	if s == unlimited {
		d.Queue = None
		return nil
	}
	if err := setSize(&d.Queue, s); err != nil {
		return err
	}
	if d.Queue == 0 {
		return errors.New("0 is no buffer: a packet in service needs one (leave it out for 100 ms at the rate)")
	}
	return nil
}

func formatQueue(d Direction) string {
	if d.Queue == None {
		return unlimited
	}
	return unless(d.Queue == 0, Size(d.Queue).String())
}

func parseOverhead(d *Direction, s string) error {
	if err := setSize(&d.Overhead, s); err != nil {
		return err
	}
	switch d.Overhead {
	case 0:
		d.Overhead = None
	case Headers:
		d.Overhead = 0
	}
	return nil
}

func formatOverhead(d Direction) string {
	return unless(d.overhead() == Headers, strconv.Itoa(d.overhead()))
}

func parseJitter(d *Direction, s string) error {
	deviation, rest, more := strings.Cut(s, "/")
	if err := lag(&d.Jitter, deviation); err != nil || !more {
		return err
	}
	if err := setShare(&d.JitterCorrelation, rest); err != nil {
		return err
	}
	switch d.JitterCorrelation {
	case 0:
		d.JitterCorrelation = None
	case correlation:
		d.JitterCorrelation = 0
	}
	return nil
}

func formatJitter(d Direction) string {
	s := d.Jitter.String()
	switch d.JitterCorrelation {
	case 0:
		return unless(d.Jitter == 0, s)
	case None:
		return s + "/0"
	}
	return s + "/" + strconv.FormatFloat(d.JitterCorrelation, 'f', -1, 64)
}

func parseGE(d *Direction, s string) error {
	g := GilbertElliott{}
	if err := shares(s, []int{2, 4}, &g.P, &g.R, &g.LossGood, &g.LossBad); err != nil {
		return err
	}
	if strings.Count(s, "/") == 3 && g.LossBad == 0 {
		return errors.New("the bad state, the fourth value, must lose something")
	}
	if g.LossBad == 1 {
		g.LossBad = 0
	}
	d.GE = g
	return nil
}

func formatGE(d Direction) string {
	g := d.GE
	if g == (GilbertElliott{}) {
		return ""
	}
	s := Fraction(g.P).String() + "/" + Fraction(g.R).String()
	if g.LossGood == 0 && (g.LossBad == 0 || g.LossBad == 1) {
		return s
	}
	if g.LossBad == 0 {
		g.LossBad = 1
	}
	return s + "/" + Fraction(g.LossGood).String() + "/" + Fraction(g.LossBad).String()
}

func parseExtra(e *Extra, s string) error {
	chance, rest, more := strings.Cut(s, "/")
	if err := setShare(&e.Chance, chance); err != nil || !more {
		return err
	}
	return lag(&e.Delay, rest)
}

func formatExtra(e Extra) string {
	if e == (Extra{}) {
		return ""
	}
	s := Fraction(e.Chance).String()
	if e.Delay == 0 {
		return s
	}
	return s + "/" + e.Delay.String()
}

// parseTraceName takes a name without a comma, which would end the value.
func parseTraceName(d *Direction, s string) error {
	if s == "" {
		return errors.New("the name is empty")
	}
	d.Trace = &Trace{Name: s}
	return nil
}

func parseSeed(d *Direction, s string) (err error) {
	d.Seed, err = strconv.ParseUint(s, 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not a number from 0 to 2^64-1", s)
	}
	return nil
}
