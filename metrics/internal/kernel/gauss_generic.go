package kernel

// spread8Generic is the definition of spread8 for n sample pairs.
func spread8Generic(a, b []byte, n int, centreU, centreV int32, row *sampleRow) {
	for i, x := range a[:n] {
		x, y := int32(x), int32(b[i])
		row.set(i, float32(x+y-centreU), float32(x-y-centreV))
	}
}

// spread16Generic is the definition of spread16 for n sample pairs.
func spread16Generic(a, b []byte, n int, centreU, centreV int32, row *sampleRow) {
	for i := range n {
		x, y := int32(a[2*i])|int32(a[2*i+1])<<8, int32(b[2*i])|int32(b[2*i+1])<<8
		row.set(i, float32(x+y-centreU), float32(x-y-centreV))
	}
}

func (r *sampleRow) set(i int, u, v float32) {
	r[0][i], r[1][i], r[2][i], r[3][i] = u, v, u*u, v*v
}

// spreadFloatGeneric is the definition of spreadFloat.
func spreadFloatGeneric(u, v []float32, n int, centreU, centreV float32, row *sampleRow) {
	for i, x := range u[:n] {
		row.set(i, x-centreU, v[i]-centreV)
	}
}

// horizontalGeneric filters the four maps for n windows side by side.
func horizontalGeneric(row *sampleRow, out *filteredRow, n int, g *gaussian) {
	for m := range row {
		for i := range n {
			s := row[m][i:][:taps]
			out[m][i] = g[5]*s[5] + g[4]*(s[4]+s[6]) + g[3]*(s[3]+s[7]) + g[2]*(s[2]+s[8]) + g[1]*(s[1]+s[9]) + g[0]*(s[0]+s[10])
		}
	}
}

// column filters column i of map m of eleven rows.
func column(r []filteredRow, m, i int, g *gaussian) float32 {
	r = r[:taps]
	return g[5]*r[5][m][i] + g[4]*(r[4][m][i]+r[6][m][i]) + g[3]*(r[3][m][i]+r[7][m][i]) +
		g[2]*(r[2][m][i]+r[8][m][i]) + g[1]*(r[1][m][i]+r[9][m][i]) + g[0]*(r[0][m][i]+r[10][m][i])
}

// similaritiesGeneric adds the SSIM of n windows to acc: window i to lane i%8.
// With the means and variances of u and v (see sampleRow) it is
//
//	(mu² - mv² + 2 C1)(su - sv + 2 C2) / ((mu² + mv² + 2 C1)(su + sv + 2 C2))
func similaritiesGeneric(rows []filteredRow, n int, g *gaussian, acc *lanes) {
	c1, c2, centreU, centreV := g[distinct], g[distinct+1], g[distinct+2], g[distinct+3]
	for i := range n {
		u, v := column(rows, 0, i, g), column(rows, 1, i, g)
		su, sv := column(rows, 2, i, g)-u*u, column(rows, 3, i, g)-v*v
		uu, vv := (u+centreU)*(u+centreU), (v+centreV)*(v+centreV)
		acc[i%8] += float64((uu - vv + c1) * (su - sv + c2) / ((uu + vv + c1) * (su + sv + c2)))
	}
}

// contrastsGeneric adds the second factor of similaritiesGeneric alone.
func contrastsGeneric(rows []filteredRow, n int, g *gaussian, acc *lanes) {
	c2 := g[distinct+1]
	for i := range n {
		u, v := column(rows, 0, i, g), column(rows, 1, i, g)
		su, sv := column(rows, 2, i, g)-u*u, column(rows, 3, i, g)-v*v
		acc[i%8] += float64((su - sv + c2) / (su + sv + c2))
	}
}
