//go:build !purego

package cosine

import "golang.org/x/sys/cpu"

//go:noescape
func dotsAVX2(rows *byte, size, head, n int, plane *byte, blocks int, out *uint32)

// dotProducts is dot for the components at offset at of each row that out has room for. All processors for
// personal computers since 2013 to 2015 have AVX2.
func dotProducts(rows []byte, size, at int, p *plane, out []uint32) {
	if !cpu.X86.HasAVX2 || len(out) == 0 {
		dotsPlain(rows, size, at, p, out)
		return
	}
	_, _ = rows[size*(len(out)-1)+at+len(p.bytes)-1], p.bytes[len(p.bytes)-1] // assembly checks no bounds
	dotsAVX2(&rows[0], size, at, len(out), &p.bytes[0], len(p.bytes)/blockLen, &out[0])
}
