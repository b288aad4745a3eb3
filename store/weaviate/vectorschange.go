package weaviate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"docent/store"
	"docent/store/cosine"
)

// vectorsChange is a new generation of vectors. It is store.VectorUpdate.
type vectorsChange struct {
	*change
	attach []byte
	note   []byte
}

func (c *client) beginVectors(ctx context.Context, set int64, k kind, model string, dims int, fresh bool) (*vectorsChange, error) {
	b, err := c.begin(ctx, set, k, fresh, func(s state) bool { return s.Model == model && s.Dims == dims })
	if err != nil {
		return nil, err
	}
	b.next.Model, b.next.Dims = model, dims
	return &vectorsChange{change: b}, nil
}

// Add is store.VectorUpdate's. A vector of zeros has no direction and is left out.
func (b *vectorsChange) Add(id int64, vectors []store.Entry) error {
	if _, ok := b.docs[id]; ok {
		return fmt.Errorf("document %d has its vectors already", id)
	}
	seen := map[store.Key]bool{}
	var rows int
	for _, v := range vectors {
		k := store.Key{Doc: id, Chunk: v.Chunk, Part: v.Part}
		if len(v.Vector) != b.next.Dims {
			return fmt.Errorf("document %d, chunk %d, part %d: the vector has %d dimensions, not %d", id, v.Chunk, v.Part, len(v.Vector),
				b.next.Dims)
		}
		if seen[k] {
			return fmt.Errorf("document %d, chunk %d, part %d: two vectors", id, v.Chunk, v.Part)
		}
		seen[k] = true
		code, err := cosine.Append(nil, v.Vector)
		if err != nil {
			return fmt.Errorf("document %d, chunk %d, part %d: %w", id, v.Chunk, v.Part, err)
		}
		if len(code) == 0 {
			continue
		}
		rows++
		e := passageEntry(b.c.vectorsName(), b.next.Tenant, k, b.next.Change, seal(code))
		e.Vector = slices.Clone(v.Vector) // it is sent later
		if err := b.send(e); err != nil {
			return err
		}
	}
	return b.addDocument(id, object{parts: []int{rows}})
}

// Delete is store.VectorUpdate's.
func (b *vectorsChange) Delete(id int64) error {
	_, _, err := b.removeDocument(id)
	return err
}

// Rows is store.VectorUpdate's.
func (b *vectorsChange) Rows(id int64) int { return b.docs[id].count() }

// Attach is store.VectorUpdate's.
func (b *vectorsChange) Attach(bytes []byte) { b.attach, b.touch = bytes, true }

// SetNote is store.VectorUpdate's.
func (b *vectorsChange) SetNote(note []byte) { b.note, b.touch = note, true }

// Prepare is store.VectorUpdate's.
func (b *vectorsChange) Prepare(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	b.next.Sets = len(b.docs)
	for _, o := range b.docs {
		b.next.Vectors += o.count()
	}
	if !b.fresh {
		b.next.Note, b.next.Attached = b.old.Note, b.old.Attached
	}
	if b.note != nil {
		b.next.Note = string(b.note)
	}
	if b.attach == nil {
		return nil
	}
	p, err := b.c.putBlob(ctx, b.set, b.attach)
	if err != nil {
		return err
	}
	b.next.Attached = &p
	if b.old.Attached != nil && *b.old.Attached != p {
		b.next.Left = append(b.next.Left, left{At: time.Now().UnixMilli(), Blob: b.old.Attached})
	}
	return nil
}
