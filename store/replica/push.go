package replica

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"docent/store/durable"
	"docent/store/filetree"
)

// Change changes files of the folder at or below paths with do, and makes the tree's the same. Nothing
// fills the folder in between: a Fill that runs beside a change would bring the tree's old files back.
// Where do fails, the tree stays as it is.
func (f *Folder) Change(ctx context.Context, do func() error, paths ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.locked(ctx, func() error {
		if err := do(); err != nil {
			return err
		}
		return f.push(ctx, f.Dir, paths, paths)
	})
}

// Push makes the files of the tree at or below paths the ones of the folder, "." for all of them.
func (f *Folder) Push(ctx context.Context, paths ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	within := paths
	if slices.Contains(paths, ".") {
		paths, within = f.Parts, f.Parts
	}
	return f.push(ctx, f.Dir, paths, within)
}

// Replace makes the files of the tree those of another folder. The folder itself is not changed.
func (f *Folder) Replace(ctx context.Context, from string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.push(ctx, from, f.Parts, f.Parts)
}

func (f *Folder) push(ctx context.Context, dir string, paths, within []string) error {
	had, err := f.Trees.Files(ctx, f.Tree, within...)
	if err != nil {
		return err
	}
	before := make(map[string]filetree.File, len(had))
	for _, t := range had {
		before[t.Path] = t
	}
	var files []filetree.File
	err = f.walkFiles(dir, paths, func(p string, st fs.FileInfo) error {
		t := filetree.File{Path: p, Bytes: st.Size(), ModTime: st.ModTime().UnixNano()}
		if was := before[p]; was.Bytes == t.Bytes && was.ModTime == t.ModTime {
			t.SHA256 = was.SHA256
		} else if t.SHA256, err = hashFile(filepath.Join(dir, filepath.FromSlash(p))); err != nil {
			return err
		}
		files = append(files, t)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return f.Trees.Change(ctx, f.Tree, within, files, func(t filetree.File) ([]byte, error) {
		return os.ReadFile(filepath.Join(dir, filepath.FromSlash(t.Path)))
	})
}

// gitFolder is left out of trees: the program git makes its content again.
const gitFolder = ".git"

// walkFiles calls visit for the regular files of a folder, at or below paths inside it; nil: for all.
// Temporary files are left out: they are not whole yet.
func (f *Folder) walkFiles(dir string, paths []string, visit func(p string, st fs.FileInfo) error) error {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, top := range paths {
		err := filepath.WalkDir(filepath.Join(dir, filepath.FromSlash(top)), func(file string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir() && d.Name() == gitFolder:
				return filepath.SkipDir
			case !d.Type().IsRegular(), isTemporary(d.Name()):
				return nil
			}
			rel, err := filepath.Rel(dir, file)
			if err != nil {
				return err
			}
			st, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			return visit(filepath.ToSlash(rel), st)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func isTemporary(name string) bool { return path.Ext(name) == durable.Temporary }

func hashFile(file string) (string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]), nil
}

// sameTime reports whether a file here has the size and the time of one of the tree. A file that has
// the content and another time gets that of the tree.
func sameTime(file string, t filetree.File) bool {
	st, err := os.Lstat(file)
	if err != nil || !st.Mode().IsRegular() || st.Size() != t.Bytes {
		return false
	}
	return st.ModTime().UnixNano() == t.ModTime || sameContent(file, t)
}

// sameContent compares the content too.
func sameContent(file string, t filetree.File) bool {
	st, err := os.Lstat(file)
	if err != nil || !st.Mode().IsRegular() || st.Size() != t.Bytes {
		return false
	}
	sum, err := hashFile(file)
	if err != nil || sum != t.SHA256 {
		return false
	}
	return st.ModTime().UnixNano() == t.ModTime || os.Chtimes(file, time.Time{}, time.Unix(0, t.ModTime)) == nil
}

// Forget removes the tree, and what this folder knows of it. The folder stays.
func (f *Folder) Forget(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.Trees.Remove(ctx, f.Tree); err != nil {
		return err
	}
	err := os.Remove(f.Mark)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
