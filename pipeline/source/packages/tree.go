package packages

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
	"docent/pipeline/text/shorten"
)

// copyTree copies the files of a folder that keep keeps. Links are left out.
func (r *request) copyTree(ctx context.Context, from string, keep func(name string) bool) error {
	root, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return err
		case !d.Type().IsRegular() || !keep(name):
			return nil
		}
		return r.copyFile(root.FS(), name, name)
	})
}

// copyFile copies one file below the folder of the request, within the limits.
func (r *request) copyFile(from fs.FS, name, to string) error {
	to, err := unpack.CleanName(to)
	if err != nil {
		r.failed = append(r.failed, source.Failure{What: shorten.Line(name, 200), Reason: err.Error()})
		return nil
	}
	const mostFile = 64 << 20
	limits := r.limits()
	if r.files >= limits.Files || r.bytes >= limits.Bytes {
		return r.failure(fmt.Sprintf("it has more than %d files or %d MB", limits.Files, limits.Bytes>>20), "name a part of it",
			unpack.ErrTooLarge)
	}
	content, err := from.Open(name)
	if err != nil {
		r.failed = append(r.failed, source.Failure{What: name, Reason: "it cannot be read"})
		return nil
	}
	defer content.Close()
	path := filepath.Join(r.into, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(content, mostFile))
	if closed := file.Close(); err == nil {
		err = closed
	}
	r.files, r.bytes = r.files+1, r.bytes+n
	if r.files%100 == 0 {
		r.say(source.Progress{Text: "copying", Done: r.files, Bytes: r.bytes})
	}
	return err
}

// hasFile reports whether a folder has a file with an ending, at any depth.
func hasFile(dir, ending string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ending) {
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// oneLine is a text of metadata on one line; "" where it is no text for people.
func oneLine(text string) string {
	const most = 200
	return shorten.Line(strings.Map(func(c rune) rune {
		if c < ' ' || c >= 0x7f && c < 0xa0 {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "")), most)
}
