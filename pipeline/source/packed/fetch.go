package packed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/archive"
	"docent/pipeline/source/unpack"
	"docent/pipeline/source/web"
)

// Fetcher fetches a doc set out of a package; Client asks for those at an address. nil: only
// those on the disk are read.
type Fetcher struct {
	Client *web.Client
	// Index names the form of indexes that this program reads; others are left out.
	Index string
	// Keys are those by which packages must be signed, unless a request names others.
	Keys Keys
}

// downloaded is the name of a package in the folder that is fetched into.
const downloaded = ".docent-package"

// Fetch implements source.Fetcher. Want.Path names a doc set of the package; "" is the first,
// and the others are then Fetched.Others.
func (f *Fetcher) Fetch(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	if say == nil {
		say = func(source.Progress) {}
	}
	out := source.Fetched{Origin: source.Origin{Kind: source.KindPacked, URL: want.Address}}
	if err := unpack.ClearFolder(into); err != nil {
		return out, err
	}
	file, err := f.bring(ctx, want, into, before, &out, say)
	if err != nil {
		return out, err
	}
	if err := f.checkSignature(ctx, want, file); err != nil {
		return out, failure(want, err)
	}
	if err := f.open(ctx, want, file, into, &out, say); err != nil {
		return out, err
	}
	return out, os.Remove(file)
}

// copyFile copies a file.
func copyFile(ctx context.Context, from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	const part = 16 << 20
	for err == nil && ctx.Err() == nil {
		if _, err = io.CopyN(out, in, part); errors.Is(err, io.EOF) {
			return out.Close()
		}
	}
	return errors.Join(ctx.Err(), err, out.Close())
}

// bring gives the package's file on this machine; the error is source.ErrUnchanged where it is
// the one from before.
func (f *Fetcher) bring(ctx context.Context, want source.Want, into string, before *source.Before, out *source.Fetched,
	say func(source.Progress)) (file string, err error) {
	file = filepath.Join(into, downloaded)
	if !strings.Contains(want.Address, "://") {
		// A copy: on a shared disk others could change the file behind the check of its signature.
		err = copyFile(ctx, want.Address, file)
	} else {
		etag := ""
		if before != nil {
			etag = before.ETag
		}
		say(source.Progress{Text: "fetching " + want.Address})
		if out.ETag, err = archive.Download(ctx, f.Client, want, file, etag); err != nil {
			return "", err
		}
	}
	if err == nil {
		out.Digest, err = unpack.Digest(file)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && before != nil:
		return "", source.ErrUnchanged // it was added from a disk that is not there now
	case err != nil:
		return "", failure(want, err)
	case before != nil && before.Digest == out.Digest:
		return "", source.ErrUnchanged
	}
	return file, nil
}

// open unpacks a doc set of a package.
func (f *Fetcher) open(ctx context.Context, want source.Want, file, into string, out *source.Fetched, say func(source.Progress)) error {
	m, err := ReadManifest(ctx, file)
	if err != nil {
		return failure(want, err)
	}
	s, ok := m.find(want.Path)
	if !ok {
		return &source.Error{Source: want.Address, Reason: "the package has no doc set " + want.Path, Do: "look at what it has now"}
	}
	withIndex := s.Index != "" && s.Index == f.Index
	if s.Index != "" && !withIndex {
		out.Note = fmt.Sprintf("another program version or other settings made the index of %s; it is made again", s.Ref())
	}
	err = unpackSet(ctx, file, m, s, into, source.PackedIndex, withIndex, func(files int, bytes int64) {
		say(source.Progress{Text: "unpacking " + s.Ref().String(), Done: files, Total: s.Files, Bytes: bytes})
	})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return failure(want, err)
	}
	if s.Root == "" {
		s.Root = "."
	}
	if st, err := os.Stat(filepath.Join(into, filepath.FromSlash(s.Root))); err != nil || !st.IsDir() || !fs.ValidPath(s.Root) {
		return failure(want, fmt.Errorf("%w: it has no folder %q", ErrDamaged, s.Root))
	}
	out.Name, out.Release, out.Root, out.Domain, out.URLBase = s.Name, s.Version, s.Root, s.Domain, s.URLBase
	out.Files, out.Bytes, out.Path = s.Files, s.Bytes, s.Ref().String()
	if from := s.Origin; from != nil {
		out.From, out.Licence, out.Version, out.Commit = from, from.Licence, from.Version, from.Commit
	}
	for _, o := range m.Sets {
		if want.Path == "" && o.Ref() != s.Ref() {
			out.Others = append(out.Others, o.Ref().String())
		}
	}
	return nil
}

// failure is an error of a package.
func failure(want source.Want, err error) error {
	if e, ok := errors.AsType[*source.Error](err); ok {
		return e
	}
	do := "get it again"
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		do = "look at its path"
	case errors.Is(err, ErrNotPackage):
		do = "give another file"
	case errors.Is(err, ErrVersion):
		do = "use the program version that packed it, or have it packed by this one"
	}
	reason := err.Error()
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		reason = pe.Err.Error()
	}
	return &source.Error{Source: want.Address, Reason: reason, Do: do}
}
