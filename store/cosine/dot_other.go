//go:build !amd64 || purego

package cosine

// dotProducts is dotProduct for the components at offset at of each row that out has room for.
func dotProducts(rows []byte, size, at int, p *plane, out []uint32) {
	dotsPlain(rows, size, at, p, out)
}
