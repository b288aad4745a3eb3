// Package archive fetches the documentation of an archive: zip or tar, on the disk or at an
// address.
//
// It refuses to unpack beyond its limits, which docent/pipeline/source/unpack keeps.
package archive

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/bundle"
	"docent/pipeline/source/docfolder"
	"docent/pipeline/source/unpack"
	"docent/pipeline/source/web"
	"docent/store/doc"
)

// Fetcher fetches archives.
type Fetcher struct {
	// Client asks for those at an address; nil: only those on the disk are read.
	Client *web.Client
	// OpenDB opens the index of a bundle in an archive; nil: it is not read.
	OpenDB bundle.OpenDB
}

// mostDownload bounds an archive in bytes.
const mostDownload = 2 << 30

// packed is the name of a downloaded archive in the folder that is fetched into.
const packed = ".docent-archive"

// Fetch implements source.Fetcher.
func (f *Fetcher) Fetch(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	if say == nil {
		say = func(source.Progress) {}
	}
	out := source.Fetched{Origin: source.Origin{Kind: source.KindArchive, URL: want.Address, Version: want.Version, Licence: want.Licence},
		Release: cmp.Or(want.Version, doc.DefaultVersion), URLBase: want.URLBase}
	if err := unpack.ClearFolder(into); err != nil {
		return out, err
	}
	file := want.Address
	if strings.Contains(want.Address, "://") {
		file = filepath.Join(into, packed)
		etag := ""
		if before != nil {
			etag = before.ETag
		}
		say(source.Progress{Text: "fetching " + want.Address})
		var err error
		if out.ETag, err = Download(ctx, f.Client, want, file, etag); err != nil {
			return out, err
		}
	}
	sum, err := unpack.Digest(file)
	if err != nil {
		return out, failure(want, err)
	}
	if out.Digest = sum; before != nil && before.Digest == sum {
		return out, source.ErrUnchanged
	}
	out.Name = nameOf(want.Address)
	if err := f.unpackInto(ctx, want, file, into, &out, say); err != nil {
		return out, err
	}
	if file != want.Address {
		if err := os.Remove(file); err != nil {
			return out, err
		}
	}
	out.Name = cmp.Or(want.Name, out.Name)
	return out, nil
}

// Download brings the archive at the address of a source into a file, and gives its ETag. The error
// is source.ErrUnchanged where it has the one given. client may be nil: nothing is fetched.
func Download(ctx context.Context, client *web.Client, want source.Want, file, etag string) (string, error) {
	u, err := url.Parse(want.Address)
	if err != nil || client == nil {
		return "", &source.Error{Source: want.Address, Reason: "it is no address that can be fetched", Do: "download it, and give its path"}
	}
	var out *os.File
	answer, err := client.Get(ctx, web.Request{URL: u, ETag: etag, Most: cmp.Or(want.AtMost.Bytes, mostDownload),
		Into: func() (io.Writer, error) {
			if out != nil {
				_ = out.Close() // of a try that broke off
			}
			out, err = os.Create(file)
			return out, err
		}})
	if out != nil {
		err = errors.Join(err, out.Close())
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", &source.Error{Source: want.Address, Reason: err.Error(), Do: "look at the address", Err: err}
	case answer.NotModified:
		return "", source.ErrUnchanged
	}
	return answer.ETag, nil
}

// unpackInto unpacks an archive and finds the documentation in it.
func (f *Fetcher) unpackInto(ctx context.Context, want source.Want, file, into string, out *source.Fetched,
	say func(source.Progress)) error {
	var names []string
	res, err := unpack.File(ctx, file, into, unpack.Options{
		Limits: unpack.Limits{Files: want.AtMost.Files, Bytes: want.AtMost.Bytes},
		Keep: func(name string) bool {
			if docfolder.IsMedia(name) || name == packed {
				return false
			}
			names = append(names, name)
			return true
		},
		Say: func(files int, bytes int64) { say(source.Progress{Text: "unpacking", Done: files, Bytes: bytes}) },
	})
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return failure(want, err)
	}
	out.Files, out.Bytes = res.Files, res.Bytes
	for _, l := range res.LeftOut {
		out.Failed = append(out.Failed, source.Failure{What: l.Name, Reason: l.Reason})
	}
	if out.Files == 0 {
		return &source.Error{Source: want.Address, Reason: "there is no text in it", Do: "give another archive"}
	}
	if b, ok, err := bundle.Prepare(ctx, into, f.OpenDB); ok || err != nil {
		if err != nil {
			return failure(want, err)
		}
		b.Complete(out)
		return nil
	}
	top := topFolder(names)
	folder := strings.Trim(want.Path, "/")
	if folder == "" {
		inside := make([]string, len(names))
		for i, n := range names {
			inside[i] = strings.TrimPrefix(n, top)
		}
		if likely := docfolder.Likely(inside); len(likely) > 0 {
			folder, out.Others = likely[0], likely[1:]
		}
	}
	if out.Root = path.Join(top, folder); out.Root == "" {
		out.Root = "."
	}
	if st, err := os.Stat(filepath.Join(into, filepath.FromSlash(out.Root))); err != nil || !st.IsDir() || !fs.ValidPath(out.Root) {
		return &source.Error{Source: want.Address, Reason: "it has no folder " + folder, Do: "name another folder of it"}
	}
	out.Path = folder
	return nil
}

// topFolder is the folder that all files of an archive lie in, with a slash; "" where they lie
// in several.
func topFolder(names []string) string {
	if len(names) == 0 {
		return ""
	}
	first, _, ok := strings.Cut(names[0], "/")
	if !ok || slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, first+"/") }) {
		return ""
	}
	return first + "/"
}

func failure(want source.Want, err error) error {
	do := "give another archive"
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		do = "look at its path"
	}
	reason := err.Error()
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		reason = pe.Err.Error()
	}
	return &source.Error{Source: want.Address, Reason: reason, Do: do}
}

// nameOf is the name of a doc set of an archive: the file's, without its endings.
func nameOf(address string) string {
	name := path.Base(filepath.ToSlash(address))
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		name = path.Base(u.Path)
	}
	low := strings.ToLower(name)
	for _, end := range source.ArchiveEndings() {
		if strings.HasSuffix(low, end) {
			name = name[:len(name)-len(end)]
			break
		}
	}
	name = doc.CleanName(name)
	if doc.CheckName(name) != nil {
		return "archive"
	}
	return name
}
