package embedded

import (
	"context"
	"errors"
	"io"
	"os"

	"docent/store"
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
