// Package replica keeps a folder of this machine as a tree of filetree.Store says, so that programs
// that read files find them there, whichever machine they came from.
//
// Fill brings what changed since the last time. A mark next to the folder says up to which state of
// the tree that was. Push and Replace write files of this machine to the tree. A file that was altered
// here is replaced by Mend, which its reader calls where the content is not the expected one.
//
// Fill brings a folder as a whole. Rejected: the file of the page alone that is read first on a new
// machine. What a page says depends on other files of its folder, which are looked up by name when it
// is read: what it includes, and that what it may include is not there, tables of contents in the folders
// above, the addresses of a site, settings of text recognition. A page read in a folder with some of its
// files would have another text than on the other machines, and count as changed. Each format would have
// to list all of these first.
//
// Links, and folders of git, belong to no tree: they stay on their machine.
//
// It refuses to know what the files are.
package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"docent/store/durable"
	"docent/store/filetree"
	"docent/store/lock"
)

// fresh is how long a folder that was compared with its tree is not compared again.
const fresh = 250 * time.Millisecond

// lockWait is how long another process of this machine that fills the same folder is waited for.
const lockWait = 10 * time.Minute

// Folder is a folder of this machine with the files of a tree. It is safe for concurrent use, by
// several processes too.
type Folder struct {
	// Dir is the folder, and Mark the file that keeps the state of the tree; both absolute.
	Dir, Mark string
	Tree      string
	Trees     filetree.Store
	// Parts are the files and folders of Dir that belong to the tree; nil: all of it.
	Parts []string

	mu       sync.Mutex
	compared time.Time
}

// Fill brings the folder to the present state of the tree. A folder without a tree stays as it is.
// The error is a *filetree.LostError where contents cannot be had; the other files are there.
func (f *Folder) Fill(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.compared) < fresh {
		return nil
	}
	asked := time.Now()
	err := f.bringNew(ctx)
	if err == nil {
		f.compared = asked
	}
	return err
}

// FillNow is Fill for one who must see what changed up to this moment.
func (f *Folder) FillNow(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bringNew(ctx)
}

// Restore compares every file with the tree by its content, and replaces those that differ.
func (f *Folder) Restore(ctx context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.locked(ctx, func() error {
		c, err := f.Trees.Changes(ctx, f.Tree, filetree.State{})
		if err != nil || c.State == (filetree.State{}) {
			return err
		}
		return f.apply(ctx, c, sameContent)
	})
}

func (f *Folder) bringNew(ctx context.Context) error {
	now, err := f.Trees.State(ctx, f.Tree)
	if err != nil {
		return fmt.Errorf("look for new files of %s: %w", f.Tree, err)
	}
	if now == (filetree.State{}) || now == f.readMark() {
		return nil
	}
	return f.locked(ctx, func() (err error) {
		// A content may be swept while it is read, because its file went.
		const tries = 3
		for range tries {
			c, cerr := f.Trees.Changes(ctx, f.Tree, f.readMark())
			if cerr != nil || c.State == (filetree.State{}) {
				return cerr
			}
			err = f.apply(ctx, c, sameTime)
			if _, lost := errors.AsType[*filetree.LostError](err); !lost {
				return err
			}
			now, serr := f.Trees.State(ctx, f.Tree)
			if serr != nil || now == c.State {
				return errors.Join(serr, err)
			}
		}
		return err
	})
}

// locked does something to the folder while no other process of this machine changes it.
func (f *Folder) locked(ctx context.Context, do func() error) error {
	held, err := lock.Acquire(ctx, f.Mark+".lock", "files", lockWait, nil)
	if err != nil {
		return err
	}
	return errors.Join(do(), held.Release())
}

// apply makes changes of the tree in the folder. same reports whether a file here is already the one of
// the tree.
func (f *Folder) apply(ctx context.Context, c filetree.Changes, same func(file string, t filetree.File) bool) error {
	if c.Whole {
		wanted := make(map[string]bool, len(c.Files))
		for _, t := range c.Files {
			wanted[t.Path] = true
		}
		err := f.walkFiles(f.Dir, f.Parts, func(p string, _ fs.FileInfo) error {
			if !wanted[p] {
				c.Gone = append(c.Gone, p)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, p := range c.Gone {
		if err := f.remove(p); err != nil {
			return err
		}
	}
	var need []filetree.File
	for _, t := range c.Files {
		if err := f.checkPath(t.Path); err != nil {
			return err
		}
		if !same(f.fileOf(t.Path), t) {
			need = append(need, t)
		}
	}
	if err := f.fetch(ctx, need); err != nil {
		return err
	}
	return f.writeMark(c.State)
}

// checkPath refuses paths that lead out of the folder: the rows of a tree may be damaged, or
// written by somebody else.
func (f *Folder) checkPath(p string) error {
	if p == "." || !fs.ValidPath(p) || !filepath.IsLocal(filepath.FromSlash(p)) || !f.isPartOfTree(p) {
		return fmt.Errorf("%q is no path of a file of %s", p, f.Tree)
	}
	return nil
}

// isPartOfTree reports whether a path belongs to the tree.
func (f *Folder) isPartOfTree(p string) bool {
	for _, part := range f.Parts {
		if p == part || strings.HasPrefix(p, part+"/") {
			return true
		}
	}
	return len(f.Parts) == 0
}

func (f *Folder) fileOf(p string) string { return filepath.Join(f.Dir, filepath.FromSlash(p)) }

// remove removes a file, and folders that are empty then.
func (f *Folder) remove(p string) error {
	if err := f.checkPath(p); err != nil {
		return err
	}
	if err := os.Remove(f.fileOf(p)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for p = path.Dir(p); p != "." && f.isPartOfTree(p) && !slices.Contains(f.Parts, p); p = path.Dir(p) {
		if os.Remove(f.fileOf(p)) != nil { // it has other files
			break
		}
	}
	return nil
}

// fetch writes files with their contents from the store.
func (f *Folder) fetch(ctx context.Context, need []filetree.File) error {
	by, sums := map[string][]filetree.File{}, []string{}
	for _, t := range need {
		if len(by[t.SHA256]) == 0 {
			sums = append(sums, t.SHA256)
		}
		by[t.SHA256] = append(by[t.SHA256], t)
	}
	var lost error
	var written []string
	err := f.Trees.Contents(ctx, sums, func(sum string, content []byte, err error) error {
		for _, t := range by[sum] {
			if err != nil {
				if lost == nil {
					lost = &filetree.LostError{Tree: f.Tree, Path: t.Path, Err: err}
				}
				continue
			}
			if err := f.writeFile(t, content); err != nil {
				return err
			}
			written = append(written, f.fileOf(t.Path))
		}
		return nil
	})
	for _, file := range written {
		// All are written before the first is flushed: most are on the disk by then.
		err = errors.Join(err, flush(file))
	}
	return errors.Join(err, lost)
}

// writeFile puts a file in place, whole.
func (f *Folder) writeFile(t filetree.File, content []byte) (err error) {
	file := f.fileOf(t.Path)
	if st, err := os.Lstat(file); err == nil && st.IsDir() {
		if err := os.Remove(file); err != nil { // an empty one, or one with files of another tree's state
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".*"+durable.Temporary)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(tmp.Name()) // the error before it counts
		}
	}()
	_, err = tmp.Write(content)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err := os.Chtimes(tmp.Name(), time.Time{}, time.Unix(0, t.ModTime)); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// flush writes a file to the disk. One that was removed in between need not be there.
func flush(file string) error {
	r, err := os.OpenFile(file, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(r.Sync(), r.Close())
}

// Mend compares one file with the tree by its content, and replaces it where that differs; mended
// reports whether it did. A path that the tree does not have is left alone.
func (f *Folder) Mend(ctx context.Context, p string) (mended bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.checkPath(p) != nil {
		return false, nil
	}
	err = f.locked(ctx, func() error {
		files, err := f.Trees.Files(ctx, f.Tree, p)
		if err != nil || len(files) != 1 || files[0].Path != p || sameContent(f.fileOf(p), files[0]) {
			return err
		}
		mended = true
		return f.fetch(ctx, files)
	})
	return mended && err == nil, err
}

// mark is the content of the file Mark.
type mark struct {
	Born     string `json:"born"`
	Revision int64  `json:"revision"`
}

// readMark gives the state that the folder was brought to; the zero state where that is not known.
func (f *Folder) readMark() filetree.State {
	var m mark
	raw, err := os.ReadFile(f.Mark)
	if err != nil || json.Unmarshal(raw, &m) != nil {
		return filetree.State{}
	}
	return filetree.State{Born: m.Born, Revision: m.Revision}
}

func (f *Folder) writeMark(s filetree.State) error {
	raw, err := json.Marshal(mark{s.Born, s.Revision})
	if err != nil {
		return err
	}
	return durable.WriteFile(f.Mark, append(raw, '\n'))
}

// ReadFile gives the content of a file as it is here.
func (f *Folder) ReadFile(p string) ([]byte, error) {
	if err := f.checkPath(p); err != nil {
		return nil, err
	}
	return os.ReadFile(f.fileOf(p))
}

// Recheck has the next Fill compare all files: the folder was replaced by hand.
func (f *Folder) Recheck() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.compared = time.Time{}
	return f.writeMark(filetree.State{Born: "another"})
}

// HasFiles reports whether the folder has files that belong to a tree.
func (f *Folder) HasFiles() (bool, error) {
	err := f.walkFiles(f.Dir, f.Parts, func(string, fs.FileInfo) error { return errSome })
	if errors.Is(err, errSome) {
		return true, nil
	}
	return false, err
}

var errSome = errors.New("there are some")

// Known reports whether the folder was ever brought to a state of the tree.
func (f *Folder) Known() bool { return f.readMark() != (filetree.State{}) }
