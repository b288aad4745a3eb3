package unpack

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/xi2/xz"
)

// mostWindow bounds the memory that xz and zstd ask for, in bytes: xz -9 wants 64 MB, and
// zstd --ultra -22 128.
const mostWindow = 128 << 20

// packings are the ways to pack a tar archive, by the first bytes.
var packings = []struct{ name, magic string }{
	{"gzip", "\x1f\x8b"}, {"xz", "\xfd7zXZ\x00"}, {"zstd", "\x28\xb5\x2f\xfd"}, {"bzip2", "BZh"},
}

func packingOf(head []byte) string {
	for _, p := range packings {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return p.name
		}
	}
	return ""
}

// headBytes is the size of a header of tar.
const headBytes = 512

// isTar reports whether a header of tar begins a text. Archives before POSIX have no
// mark: their header's sum tells, which the package reads too.
func isTar(head []byte) bool {
	if len(head) >= 262 && string(head[257:262]) == "ustar" {
		return true
	}
	if len(head) < headBytes {
		return false
	}
	_, err := tar.NewReader(bytes.NewReader(head[:headBytes])).Next()
	return err == nil
}

// unpacked is a stream without its packing.
func unpacked(r io.Reader) (io.Reader, func(), error) {
	nothing := func() {}
	b := buffered(r)
	head, err := b.Peek(6)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nothing, err
	}
	switch packingOf(head) {
	case "gzip":
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nothing, damaged(err)
		}
		return z, func() { z.Close() }, nil
	case "xz":
		z, err := xz.NewReader(b, mostWindow)
		if err != nil {
			return nil, nothing, damaged(err)
		}
		return z, nothing, nil
	case "zstd":
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxWindow(mostWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nothing, damaged(err)
		}
		return z, z.Close, nil
	case "bzip2":
		return bzip2.NewReader(b), nothing, nil
	}
	return b, nothing, nil
}

// First gives the first file of a tar archive, which must have this name and no more than
// most bytes.
func First(ctx context.Context, r io.Reader, name string, most int64) ([]byte, error) {
	plain, release, err := unpacked(r)
	defer release()
	if err != nil {
		return nil, err
	}
	b := buffered(&bounded{ctx: ctx.Err, from: plain, left: most + 8*headBytes, most: most})
	head, err := b.Peek(headBytes)
	if ctx.Err() == nil && !isTar(head) && (err == nil || len(head) > 0 || errors.Is(err, io.EOF)) {
		return nil, ErrNotArchive
	}
	t := tar.NewReader(b)
	h, err := t.Next()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, tar.ErrHeader):
		return nil, ErrNotArchive
	case err != nil:
		return nil, damaged(err)
	case h.Typeflag != tar.TypeReg || h.Name != name:
		return nil, fmt.Errorf("%w: it does not begin with %s", ErrNotArchive, name)
	case h.Size > most:
		return nil, fmt.Errorf("%w: its %s has more than %d MB", ErrTooLarge, name, most>>20)
	}
	raw, err := io.ReadAll(t)
	if err != nil {
		return nil, damaged(err)
	}
	return raw, nil
}

// Tar unpacks a tar archive, packed or not, below a folder, which exists.
func Tar(ctx context.Context, r io.Reader, into string, o Options) (Result, error) {
	w, err := newWriter(into, o)
	if err != nil {
		return Result{}, err
	}
	defer w.close()
	plain, release, err := unpacked(r)
	defer release()
	if err != nil {
		return Result{}, err
	}
	b := buffered(&bounded{ctx: ctx.Err, from: plain, left: w.Read, most: w.Read})
	head, err := b.Peek(headBytes)
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case !isTar(head) && err != nil && !errors.Is(err, io.EOF):
		return Result{}, damaged(err)
	case !isTar(head):
		return Result{}, ErrNotArchive
	}
	err = w.unpackTar(ctx, tar.NewReader(b))
	return w.result, err
}

// unpackTar writes the files of a tar archive.
func (w *writer) unpackTar(ctx context.Context, t *tar.Reader) error {
	const mostEntries = 2_000_000 // links and folders too: a header of 512 bytes packs to nothing
	for entries := 0; ; entries++ {
		h, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return damaged(err)
		case entries > mostEntries:
			return fmt.Errorf("%w: more than %d entries", ErrTooLarge, mostEntries)
		}
		switch h.Typeflag {
		case tar.TypeReg:
			if name := w.place(h.Name); name != "" {
				if err := w.write(ctx, h.Name, name, h.Size, t); err != nil {
					return err
				}
			}
		case tar.TypeDir, tar.TypeXGlobalHeader:
		case tar.TypeSymlink, tar.TypeLink:
			w.refuseIfKept(h.Name, "it is a link")
		default:
			w.refuseIfKept(h.Name, "it is a device or another special file")
		}
	}
}

// refuseIfKept names an entry that is no file if a file of its name were written.
func (w *writer) refuseIfKept(raw, reason string) {
	name, err := CleanName(raw)
	if err == nil && w.Keep != nil && w.Strip == 0 && w.Name == nil && !w.Keep(name) {
		w.result.Skipped++
		return
	}
	w.refuse(raw, reason)
}
