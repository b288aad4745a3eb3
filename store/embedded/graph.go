package embedded

import (
	"context"
	"errors"
	"os"

	"docent/store/spool"
)

// SpoolReferences keeps the records of a doc set's pages until its graph is made. Its file lies
// next to the graph, because the folder for temporary files may be in memory.
func (x Indexes) SpoolReferences(ctx context.Context, setID int64) (spool.Records, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return spool.Next(x.graphFile(setID)), nil
}

// graphFile is spool.GraphFile's.
type graphFile struct {
	*os.File
	size int64
}

// Size is spool.GraphFile's.
func (g graphFile) Size() int64 { return g.size }

// OpenReferences opens a doc set's reference graph. The error wraps fs.ErrNotExist where it
// never was written.
func (x Indexes) OpenReferences(ctx context.Context, setID int64) (spool.GraphFile, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := os.Open(x.graphFile(setID))
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return graphFile{f, st.Size()}, nil
}
