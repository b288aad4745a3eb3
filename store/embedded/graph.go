package embedded

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"docent/store"
	"docent/store/durable"
	"docent/store/spool"
)

// SpoolReferences keeps the records of a doc set's pages until its graph is made. Its file lies
// next to the graph, because the folder for temporary files may be in memory.
func (x Indexes) SpoolReferences(ctx context.Context, setID int64) (store.Spool, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return spool.Next(x.graphFile(setID)), nil
}

// OpenReferences opens a doc set's reference graph, which the caller closes. The error wraps
// fs.ErrNotExist where it never was written.
func (x Indexes) OpenReferences(ctx context.Context, setID int64) (*io.SectionReader, io.Closer, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(x.graphFile(setID))
	if err != nil {
		return nil, nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return io.NewSectionReader(f, 0, st.Size()), f, nil
}

// ReferencePatch gives the patch of a doc set's reference graph, nil where it has none.
func (x Indexes) ReferencePatch(ctx context.Context, setID int64) ([]byte, error) {
	b, err := os.ReadFile(x.graphFile(setID) + patchEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ctx.Err()
	}
	return b, errors.Join(err, ctx.Err())
}

// PatchReferences puts a patch of a doc set's reference graph in the place of the one before.
func (x Indexes) PatchReferences(ctx context.Context, setID int64, patch []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return durable.WriteFile(x.graphFile(setID)+patchEnding, patch)
}

// removePatch deletes the patch of a reference graph.
func removePatch(graph string) error {
	err := os.Remove(graph + patchEnding)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
