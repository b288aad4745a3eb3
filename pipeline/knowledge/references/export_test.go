package references

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"

	"docent/pipeline/ingest"
)

// KeptEdges is how many pages keep the edges that are stored.
func KeptEdges(kept []Kept, was Before) (n int) {
	slices.SortFunc(kept, func(a, b Kept) int { return strings.Compare(a.head.path, b.head.path) })
	r := newResolver(kept)
	r.keepEdges(context.Background(), was)
	for _, same := range r.same {
		if same {
			n++
		}
	}
	return n
}

// EncodeRecord is a page as it is stored.
func EncodeRecord(p *Page) []byte { return encodeRecord(p) }

// KeepPage keeps a page in memory.
func KeepPage(p *Page) (Kept, error) {
	raw := encodeRecord(p)
	return openKept(0, ingest.KeptRecord{In: bytes.NewReader(raw), Size: len(raw)})
}

// Resolve makes the graph of a doc set from the stored records of its pages, and writes it.
func Resolve(to io.Writer, state State, kept []Kept, was Before) error {
	n, err := NewNext(context.Background(), state, kept, was)
	if err != nil {
		return err
	}
	return n.Write(context.Background(), to)
}
