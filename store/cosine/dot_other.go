//go:build !amd64 || purego

package cosine

// dots is dot for the components at offset at of each row that out has room for.
func dots(rows []byte, size, at int, p *plane, out []uint32) { dotsPlain(rows, size, at, p, out) }
