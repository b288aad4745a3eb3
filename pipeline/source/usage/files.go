package usage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/source/git"
)

// Bounds of reading a project.
const (
	mostFiles = 50_000
	mostBytes = 512 << 20
	mostFile  = 1 << 20 // larger files were written by programs
	mostDepth = 40
)

// project is the folder of a project and its files.
type project struct {
	root  *os.Root
	names []string
	cut   bool // there are more files than are read
}

func openProject(ctx context.Context, req Request) (*project, error) {
	root, err := os.OpenRoot(req.Dir)
	if err != nil {
		return nil, fmt.Errorf("the project %s cannot be read: %w", req.Dir, err)
	}
	p := &project{root: root}
	names, err := (&git.Fetcher{}).ListFiles(ctx, req.Dir)
	if ctx.Err() != nil {
		err = ctx.Err()
	} else if err != nil {
		names, err = walkFolder(ctx, root.FS())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("the files of %s: %w", req.Dir, err), root.Close())
	}
	excluded := excludedFolders(req)
	for _, name := range names {
		if !isLeftOut(name, excluded) {
			p.names = append(p.names, name)
		}
	}
	slices.Sort(p.names)
	if p.names = slices.Compact(p.names); len(p.names) > mostFiles {
		p.names, p.cut = p.names[:mostFiles], true
	}
	return p, nil
}

func (p *project) close() { _ = p.root.Close() } // it was only read

// excludedFolders are the excluded folders as names below the project's folder.
func excludedFolders(req Request) []string {
	dir, err := filepath.Abs(req.Dir)
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	var out []string
	for _, e := range req.Exclude {
		if real, err := filepath.EvalSymlinks(e); err == nil {
			e = real
		}
		if rel, err := filepath.Rel(dir, e); err == nil && rel != "." && filepath.IsLocal(rel) {
			out = append(out, filepath.ToSlash(rel)+"/")
		}
	}
	return out
}

// foreign are folders that hold packages of others, or what a build wrote.
var foreign = []string{"node_modules", "vendor", "target", "third_party", "__pycache__", "venv", ".venv", ".tox", ".git", ".hg", ".svn",
	".idea", ".next", ".nuxt", ".cache", "bower_components", "site-packages"}

// walkFolder lists the files of a folder without git.
func walkFolder(ctx context.Context, content fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(content, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // a folder that the system refuses
		case d.IsDir() && name != "." && (isForeign(path.Base(name)) || strings.Count(name, "/") >= mostDepth):
			return fs.SkipDir
		case len(names) > mostFiles:
			return fs.SkipAll
		case d.Type().IsRegular():
			names = append(names, name)
		}
		return nil
	})
	return names, err
}

func isForeign(folder string) bool {
	return slices.Contains(foreign, folder) || folder == "dist" || folder == "build" || folder == "out"
}

// isLeftOut reports whether a file is not read: packages of others, what tools write, history.
func isLeftOut(name string, excluded []string) bool {
	for _, e := range excluded {
		if strings.HasPrefix(name, e) {
			return true
		}
	}
	if !fs.ValidPath(name) {
		return true
	}
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if slices.Contains(foreign, part) || strings.HasPrefix(part, "release-note") || part == "changelog" || part == "changelogs" {
			return true
		}
	}
	base := strings.ToLower(path.Base(name))
	stem, ending := strings.TrimSuffix(base, path.Ext(base)), path.Ext(base)
	switch {
	case ending == ".lock", ending == ".sum", ending == ".map", ending == ".svg", ending == ".csv", ending == ".tsv", ending == ".snap",
		ending == ".ipynb", ending == ".po", ending == ".pot", ending == ".patch", ending == ".diff", ending == ".jsonl":
		return true
	case strings.HasSuffix(stem, ".min"), stem == "package-lock", stem == "npm-shrinkwrap", stem == "pnpm-lock", stem == "docent":
		return true
	}
	for _, history := range []string{"changelog", "changes", "history", "news", "license", "licence", "notice", "copying", "authors",
		"security", "roadmap"} {
		if stem == history {
			return true
		}
	}
	return false
}

// eachFile reads the files in the order of their names.
func (p *project) eachFile(ctx context.Context, out *Report, do func(name string, text []byte)) error {
	if p.cut {
		out.Stopped = fmt.Sprintf("it has more than %d files", mostFiles)
	}
	for _, name := range p.names {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		text, ok := p.readText(name)
		if !ok {
			out.LeftOut++
			continue
		}
		if out.Bytes+int64(len(text)) > mostBytes {
			out.Stopped = fmt.Sprintf("its files have more than %d MB", mostBytes>>20)
			return nil
		}
		out.Files++
		out.Bytes += int64(len(text))
		do(name, text)
	}
	return nil
}

// readText reads a regular file of text.
func (p *project) readText(name string) ([]byte, bool) {
	info, err := p.root.Lstat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostFile {
		return nil, false
	}
	f, err := p.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, false
	}
	text, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	if err != nil || len(text) > mostFile || bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
		return nil, false
	}
	return text, true
}
