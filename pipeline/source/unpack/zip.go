package unpack

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// mostDirectory bounds the files that a zip archive lists.
const mostDirectory = 1_000_000

// Zip unpacks a zip archive below a folder, which exists.
func Zip(ctx context.Context, r io.ReaderAt, size int64, into string, o Options) (Result, error) {
	w, err := newWriter(into, o)
	if err != nil {
		return Result{}, err
	}
	defer w.close()
	z, err := zip.NewReader(r, size)
	switch {
	case err != nil && !errors.Is(err, zip.ErrInsecurePath): // names are checked here
		return Result{}, damaged(err)
	case len(z.File) > mostDirectory:
		return Result{}, fmt.Errorf("%w: more than %d files", ErrTooLarge, mostDirectory)
	}
	for _, f := range z.File {
		if err := ctx.Err(); err != nil {
			return w.result, err
		}
		if err := w.unzip(ctx, f); err != nil {
			return w.result, err
		}
	}
	return w.result, nil
}

// unzip writes one file of a zip archive.
func (w *writer) unzip(ctx context.Context, f *zip.File) error {
	mode := f.Mode()
	switch {
	case mode.IsDir():
		return nil
	case mode&fs.ModeSymlink != 0:
		w.refuseIfKept(f.Name, "it is a link")
		return nil
	case !mode.IsRegular():
		w.refuseIfKept(f.Name, "it is a device or another special file")
		return nil
	}
	name := w.place(f.Name)
	if name == "" {
		return nil
	}
	if f.Flags&1 != 0 {
		w.refuse(f.Name, "it is protected by a password")
		return nil
	}
	content, err := f.Open()
	if err != nil {
		return damaged(err)
	}
	defer content.Close()
	return w.write(ctx, f.Name, name, int64(min(f.UncompressedSize64, 1<<62)), content)
}
