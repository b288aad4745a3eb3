//go:build !amd64 || purego

package vector

// dots is dot for each of the rows that out has room for.
func dots(rows []byte, size int, p *plane, out []uint32) { dotsPlain(rows, size, p, out) }
