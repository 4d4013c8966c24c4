package h264

// RemoveEmulation returns the RBSP of a NAL unit, header byte included: each
// emulation_prevention_three_byte (7.4.1) is taken out. Without any, n itself
// is returned.
func RemoveEmulation(n []byte) []byte {
	at := emulated(n, 0)
	if at < 0 {
		return n
	}
	out := make([]byte, 0, len(n))
	from := 0
	for at >= 0 {
		out = append(out, n[from:at]...)
		from = at + 1
		at = emulated(n, from)
	}
	return append(out, n[from:]...)
}

// emulated returns the index of the first emulation prevention byte of n whose
// two zeros lie at or behind from, or -1.
func emulated(n []byte, from int) int {
	zeros := 0
	for i := from; i < len(n); i++ {
		switch {
		case zeros >= 2 && n[i] == 3:
			return i
		case n[i] == 0:
			zeros++
		default:
			zeros = 0
		}
	}
	return -1
}

// AddEmulation returns a NAL unit made of an RBSP with its header byte: a 3
// goes in wherever two zeros would be followed by 0, 1, 2 or 3, and behind a
// last zero, which only a cabac_zero_word has (7.4.1). Where nothing has to go
// in, rbsp itself is returned.
func AddEmulation(rbsp []byte) []byte {
	var out []byte
	from, zeros := 0, 0
	for i, x := range rbsp {
		if zeros >= 2 && x <= 3 {
			out = append(append(out, rbsp[from:i]...), 3)
			from, zeros = i, 0
		}
		if x == 0 {
			zeros++
		} else {
			zeros = 0
		}
	}
	if zeros > 0 {
		return append(append(out, rbsp[from:]...), 3)
	}
	if out == nil {
		return rbsp
	}
	return append(out, rbsp[from:]...)
}
