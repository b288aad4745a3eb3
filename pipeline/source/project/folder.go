package project

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"docent/pipeline/text/cause"
)

// Bounds of reading a folder.
const (
	mostManifest = 4 << 20  // bytes of a file that people write
	mostLock     = 64 << 20 // bytes of a file that a tool writes; the largest of Debian's and GitHub's projects have 5 MB
	mostEntries  = 50_000   // files and folders that are looked at
	mostDepth    = 6        // folders below the project's
	mostMembers  = 1000     // manifests of a workspace
)

// skipped are folders that hold packages of others, or what a build wrote.
var skipped = []string{"node_modules", "vendor", "target", "dist", "build", "testdata", "__pycache__", "venv", "third_party"}

// folder is a project's folder. Paths have slashes and begin below it.
type folder struct {
	content fs.FS
	files   map[string]bool // the manifests and locks in it
	read    map[string]bool
	kept    map[string][]byte                     // manifests, which several readers need
	locks   map[string]npmLock                    // those of JavaScript that were read; nil for one that could not be
	tables  map[string]map[string][]lockedPackage // those of Python
	crates  map[string]cargoLock
	found   func(kind, file string, line int, text string, args ...any)
}

func newFolder(content fs.FS) *folder {
	return &folder{content: content, files: map[string]bool{}, read: map[string]bool{}, kept: map[string][]byte{},
		locks: map[string]npmLock{}, tables: map[string]map[string][]lockedPackage{}, crates: map[string]cargoLock{}}
}

// list finds the files that readers may want.
func (f *folder) list(ctx context.Context) error {
	entries := 0
	err := fs.WalkDir(f.content, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // a folder that the system refuses
		}
		if entries++; entries > mostEntries {
			return fs.SkipAll
		}
		base := path.Base(name)
		if d.IsDir() {
			hidden := strings.HasPrefix(base, ".") && name != "."
			if hidden || slices.Contains(skipped, base) || strings.Count(name, "/") >= mostDepth {
				return fs.SkipDir
			}
			return nil
		}
		if isWanted(base) {
			f.files[name] = true
		}
		return nil
	})
	return err
}

// others are the files besides manifests that readers look for.
var others = []string{"go.work", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "yarn.lock",
	"bun.lock", "bun.lockb",
	"uv.lock", "poetry.lock", "pdm.lock", "Cargo.lock", "Gemfile.lock", "gems.locked", "composer.lock",
	"settings.gradle", "settings.gradle.kts", "gradle.properties"}

func isWanted(base string) bool {
	return slices.Contains(others, base) || slices.ContainsFunc(readers, func(r reader) bool { return r.manifest == base }) ||
		strings.HasSuffix(base, ".txt") || strings.HasSuffix(base, ".in") || strings.HasSuffix(base, ".gemspec")
}

// has reports whether a file is there.
func (f *folder) has(name string) bool { return f.files[path.Clean(name)] }

// manifest reads a file that people write, and lock one that a tool writes. ok is false
// for files that are missing, and for those that cannot be read: they are findings.
func (f *folder) manifest(name string) (src []byte, ok bool) {
	name = path.Clean(name)
	if src, ok := f.kept[name]; ok {
		return src, src != nil
	}
	src, ok = f.open(name, mostManifest)
	f.kept[name] = src
	return src, ok
}

func (f *folder) lock(name string) (src []byte, ok bool) { return f.open(path.Clean(name), mostLock) }

func (f *folder) open(name string, most int64) ([]byte, bool) {
	src, err := f.readAll(name, most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false
	case errors.Is(err, errTooLarge):
		f.found(tooLarge, name, 0, "it has more than %d MB and is not read", most>>20)
		return nil, false
	case err != nil:
		f.found(unreadable, name, 0, "it cannot be read: %v", cause.WithoutPath(err))
		return nil, false
	}
	f.read[name] = true
	return src, true
}

var (
	errTooLarge   = errors.New("too large")
	errNotRegular = errors.New("it is no regular file")
)

// readAll reads a file up to a bound. A pipe or a device is not opened: it may never end.
func (f *folder) readAll(name string, most int64) ([]byte, error) {
	info, err := fs.Stat(f.content, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errNotRegular
	case info.Size() > most:
		return nil, errTooLarge
	}
	file, err := f.content.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	src, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(src)) > most:
		return nil, errTooLarge
	case src == nil:
		src = []byte{}
	}
	return src, nil
}

func (f *folder) filesRead() []string {
	names := make([]string, 0, len(f.read))
	for name := range f.read {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// upward finds a file in a folder or the nearest above it.
func (f *folder) upward(dir, base string) (name string, ok bool) {
	for {
		if name := path.Join(dir, base); f.has(name) {
			return name, true
		}
		if dir == "." || dir == "" {
			return "", false
		}
		dir = path.Dir(dir)
	}
}

// folderOf is the folder of a path, "." for the project's own.
func folderOf(name string) string { return path.Dir(path.Clean(name)) }
