package bundle

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/docfolder"
	"docent/pipeline/source/unpack"
	"docent/pipeline/source/web"
	"docent/store/doc"
)

// Fetcher fetches bundles: a docset that lies here as a folder, one whose feed or archive
// has an address, and those of DevDocs.
type Fetcher struct {
	Client *web.Client
	Open   OpenDB
	// Archive fetches and unpacks archives, and prepares the bundle in them.
	Archive source.Fetcher
}

// Fetch implements source.Fetcher.
func (f *Fetcher) Fetch(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	if say == nil {
		say = func(source.Progress) {}
	}
	u, err := url.Parse(want.Address)
	switch {
	case err == nil && u.Host != "" && f.Client == nil:
		return source.Fetched{}, failure(want, errors.New("nothing is fetched from the web here"))
	case err == nil && u.Host != "" && path.Ext(u.Path) == ".xml":
		return f.fetchFeed(ctx, want, u, into, before, say)
	case err == nil && u.Host != "" && source.IsArchive(u.Path):
		return f.Archive.Fetch(ctx, want, into, before, say)
	case err == nil && u.Host != "":
		return f.fetchDevDocs(ctx, want, u, into, before, say)
	}
	return f.copyBundle(ctx, want, into, before, say)
}

func failure(want source.Want, err error) error {
	do := "give another bundle"
	if e, ok := errors.AsType[*web.Error](err); ok {
		return &source.Error{Source: want.Address, Reason: e.Error(), Do: "look at the address", Err: err}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		do = "look at its path"
	}
	return &source.Error{Source: want.Address, Reason: err.Error(), Do: do}
}

// Complete fills in what a bundle that was prepared says of itself.
func (b Bundle) Complete(out *source.Fetched) {
	out.Root = b.Root
	out.Name, out.Release = cmp.Or(b.Name, out.Name), cmp.Or(b.Version, out.Release)
	out.URLBase = cmp.Or(out.URLBase, b.URLBase)
	out.Failed = append(out.Failed, b.Failed...)
	if b.Pages > 0 {
		out.Files, out.Bytes = b.Pages, b.Bytes
	}
}

// finish prepares the bundle in a folder that files were brought into.
func (f *Fetcher) finish(ctx context.Context, want source.Want, into string, out source.Fetched) (source.Fetched, error) {
	b, ok, err := Prepare(ctx, into, f.Open)
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case err != nil:
		return out, failure(want, err)
	case !ok:
		return out, failure(want, errors.New("there is no docset and no bundle of DevDocs in it"))
	}
	b.Complete(&out)
	out.Name = cmp.Or(want.Name, out.Name)
	return out, nil
}

// begun has the facts that are known before anything was fetched.
func begun(want source.Want) source.Fetched {
	return source.Fetched{Origin: source.Origin{Kind: source.KindBundle, URL: want.Address, Version: want.Version, Licence: want.Licence},
		Release: cmp.Or(want.Version, doc.DefaultVersion), URLBase: want.URLBase}
}

// mostFeed bounds the feed of a docset in bytes.
const mostFeed = 1 << 20

// fetchFeed fetches the docset that a feed has, which names its version and the addresses of
// its archive.
func (f *Fetcher) fetchFeed(ctx context.Context, want source.Want, u *url.URL, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	say(source.Progress{Text: "asking " + want.Address})
	answer, err := f.Client.Get(ctx, web.Request{URL: u, Most: mostFeed})
	if err != nil {
		return begun(want), failure(want, err)
	}
	var feed struct {
		Version string   `xml:"version"`
		URLs    []string `xml:"url"`
	}
	if err := xml.NewDecoder(bytes.NewReader(answer.Body)).Decode(&feed); err != nil {
		return begun(want), failure(want, errors.New("it is no feed of a docset"))
	}
	version := setName(firstText(feed.Version))
	err = errors.New("the feed names no archive")
	for _, address := range feed.URLs {
		at, problem := u.Parse(strings.TrimSpace(address))
		if problem != nil || !source.IsArchive(at.Path) {
			continue
		}
		archive := want
		archive.Address, archive.Version = at.String(), cmp.Or(want.Version, version)
		var out source.Fetched
		if out, err = f.Archive.Fetch(ctx, archive, into, before, say); err == nil {
			out.Kind, out.URL, out.Version = source.KindBundle, want.Address, cmp.Or(version, out.Version)
			out.Release = cmp.Or(want.Version, version, out.Release)
			return out, nil
		}
		if ctx.Err() != nil || errors.Is(err, source.ErrUnchanged) {
			return out, err
		}
	}
	return begun(want), failure(want, err)
}

// files are those of a bundle of DevDocs; the last is optional.
var files = []string{"index.json", "db.json", "meta.json"}

// fetchDevDocs fetches the files of a bundle of DevDocs from the folder at an address.
func (f *Fetcher) fetchDevDocs(ctx context.Context, want source.Want, u *url.URL, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	out := begun(want)
	if err := unpack.ClearFolder(into); err != nil {
		return out, err
	}
	base := *u
	base.Path = strings.TrimRight(base.Path, "/") + "/"
	sum := sha256.New()
	for i, name := range files {
		say(source.Progress{Text: "fetching " + name, Done: i, Total: len(files)})
		etag, unchanged, err := f.fetchFile(ctx, base.JoinPath(name), filepath.Join(into, name), i, before, sum)
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case unchanged:
			return out, source.ErrUnchanged
		case err != nil && i < len(files)-1:
			return out, failure(want, err)
		case err != nil:
			if err := os.Remove(filepath.Join(into, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return out, err
			}
		case i == 0:
			out.ETag = etag
		}
	}
	if out.Digest = digestOf(sum); before != nil && before.Digest == out.Digest {
		return out, source.ErrUnchanged
	}
	return f.finish(ctx, want, into, out)
}

// fetchFile brings one file of a bundle. The first one, which is small and changes with all
// others, is asked for by the ETag that it had.
func (f *Fetcher) fetchFile(ctx context.Context, u *url.URL, file string, n int, before *source.Before, sum io.Writer) (etag string,
	unchanged bool, err error) {
	req := web.Request{URL: u, Most: mostPaged}
	if n == 0 && before != nil {
		req.ETag = before.ETag
	}
	var out *os.File
	req.Into = func() (io.Writer, error) {
		if out != nil {
			_ = out.Close() // of a try that broke off
		}
		out, err = os.Create(file)
		return out, err
	}
	answer, err := f.Client.Get(ctx, req)
	if out != nil {
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return "", false, err
	}
	if answer.NotModified {
		return "", true, nil
	}
	in, err := os.Open(file)
	if err != nil {
		return "", false, err
	}
	_, err = io.Copy(sum, in)
	return answer.ETag, false, errors.Join(err, in.Close())
}

// copyBundle copies a bundle that lies here as a folder. Links and media stay.
func (f *Fetcher) copyBundle(ctx context.Context, want source.Want, into string, before *source.Before,
	say func(source.Progress)) (source.Fetched, error) {
	out := begun(want)
	if !IsBundle(want.Address) {
		return out, failure(want, errors.New("it is no docset, and no bundle of DevDocs: it has neither a folder "+
			"Contents/Resources/Documents nor a db.json"))
	}
	if err := unpack.ClearFolder(into); err != nil {
		return out, err
	}
	top, sum := filepath.Join(into, filepath.Base(want.Address)), sha256.New()
	devDocs := isDevDocs(want.Address)
	err := filepath.WalkDir(want.Address, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case !e.Type().IsRegular() || docfolder.IsMedia(name) || devDocs && !slices.Contains(files, e.Name()):
			return nil
		case out.Files >= mostPages || out.Bytes >= mostPaged:
			return unpack.ErrTooLarge
		}
		inside, err := filepath.Rel(want.Address, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s\x00", filepath.ToSlash(inside))
		n, err := copyFile(name, filepath.Join(top, inside), sum)
		out.Files, out.Bytes = out.Files+1, out.Bytes+n
		say(source.Progress{Text: "copying", Done: out.Files, Bytes: out.Bytes})
		return err
	})
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if err != nil {
		return out, failure(want, err)
	}
	if out.Digest = digestOf(sum); before != nil && before.Digest == out.Digest {
		return out, source.ErrUnchanged
	}
	return f.finish(ctx, want, into, out)
}

func digestOf(sum hash.Hash) string { return "sha256:" + hex.EncodeToString(sum.Sum(nil)) }

// copyFile copies a file, and writes it to sum too.
func copyFile(from, to string, sum io.Writer) (n int64, err error) {
	in, err := os.Open(from)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return 0, err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(io.MultiWriter(out, sum), in)
	return n, errors.Join(err, out.Close())
}
