package clustered

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"docent/pipeline/service/home"
	"docent/pipeline/service/sourcing/kept"
	"docent/pipeline/service/uploads"
	"docent/store/durable"
	"docent/store/filetree"
	"docent/store/networked"
)

// documents keeps the documents of a home in its database, and brings them to the folder of this
// machine. It is home.Files.
type documents struct {
	trees networked.Trees
	roots home.Roots

	mu      sync.Mutex
	folders map[string]*networked.Folder
	changed bool // since swept
	swept   time.Time
}

// sweepEvery is how often a process sweeps.
const sweepEvery = 10 * time.Minute

// change notes that a sweep may find something.
func (d *documents) change(err error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changed = true
	return err
}

// isDue reports whether a sweep is due, and takes it as done.
func (d *documents) isDue() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.changed || time.Since(d.swept) < sweepEvery {
		return false
	}
	d.changed, d.swept = false, time.Now()
	return true
}

var _ home.Files = (*documents)(nil)

func openDocuments(db *networked.Database, dir string) (*documents, error) {
	trees, err := networked.OpenTrees(db)
	if err != nil {
		return nil, err
	}
	machine, err := identifyMachine(dir)
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // "" where it has none
	return &documents{trees: trees, folders: map[string]*networked.Folder{},
		roots: home.Roots{Home: dir, Shared: true, Machine: machine, Host: host}}, nil
}

// identifyMachine gives the identity of this machine's folder, and makes it where it is missing.
func identifyMachine(dir string) (string, error) {
	return identityIn(dir, home.MachineName, func() (string, error) { return rand.Text(), nil })
}

// folder is a folder of the home with its files in the database.
func (d *documents) folder(name string) *networked.Folder {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.folders[name]
	if f == nil {
		f = &networked.Folder{Dir: filepath.Join(d.roots.Home, filepath.FromSlash(name)), Tree: name, Trees: d.trees,
			Mark: filepath.Join(d.roots.Home, home.StatesFolder, strings.ReplaceAll(name, "/", "-"))}
		switch name {
		case home.ListFolder:
			f.Dir, f.Parts = d.roots.Home, []string{home.ListName}
		case home.UploadsFolder:
			f.Parts = uploads.Parts()
		default:
			f.Parts = kept.Parts()
			if isEnrichment(name) {
				f.Dir, f.Parts = filepath.Dir(f.Dir), []string{filepath.Base(f.Dir)}
			}
		}
		d.folders[name] = f
	}
	return f
}

// isEnrichment reports whether a folder is the file with what models said of a doc set.
func isEnrichment(name string) bool { return strings.HasPrefix(name, home.EnrichmentFolder+"/") }

// Roots is home.Files'.
func (d *documents) Roots() home.Roots { return d.roots }

// Fill is home.Files'.
func (d *documents) Fill(ctx context.Context, folder string) error {
	return d.adopted(ctx, folder, d.folder(folder).Fill)
}

// FillNow is home.Files'.
func (d *documents) FillNow(ctx context.Context, folder string) error {
	if isEnrichment(folder) {
		if err := d.mergeEnrichment(ctx, folder); err != nil {
			return err
		}
	}
	return d.adopted(ctx, folder, d.folder(folder).FillNow)
}

// mergeEnrichment adds the records of this machine's folder, of a version that shared none, to those that
// machines share by now. A model may have worked on them for hours.
func (d *documents) mergeEnrichment(ctx context.Context, name string) error {
	f := d.folder(name)
	file := f.Parts[0]
	own, err := f.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && f.Known() {
		return nil
	}
	if err != nil {
		return err
	}
	var theirs []byte
	files, err := d.trees.Files(ctx, name, file)
	if err != nil || len(files) != 1 {
		return err // no machine shares it yet
	}
	err = d.trees.Contents(ctx, []string{files[0].SHA256}, func(_ string, content []byte, err error) error {
		theirs = content
		return err
	})
	if err != nil {
		return err
	}
	// The last line of a section counts: theirs are put behind, as those that others read already.
	lines, seen := slices.Collect(bytes.Lines(theirs)), map[string]bool{}
	for _, line := range lines {
		seen[string(line)] = true
	}
	var merged bytes.Buffer
	for line := range bytes.Lines(own) {
		if !seen[string(line)] {
			merged.Write(bytes.TrimSuffix(line, []byte("\n")))
			merged.WriteByte('\n')
		}
	}
	merged.Write(theirs)
	if err := durable.WriteFile(filepath.Join(f.Dir, file), merged.Bytes()); err != nil {
		return err
	}
	if err := d.change(f.Push(ctx, ".")); err != nil {
		return err
	}
	return f.FillNow(ctx) // the folder is known from here on
}

// adopted fills a folder. A folder that no machine has shared yet was written by an earlier version, which
// kept documents in a folder that all machines saw: its files are shared now.
func (d *documents) adopted(ctx context.Context, name string, fill func(context.Context) error) error {
	f := d.folder(name)
	if f.Known() {
		return fill(ctx)
	}
	state, err := d.trees.State(ctx, name)
	if err != nil {
		return err
	}
	there, ferr := f.HasFiles()
	if there && state.Revision != 0 && isEnrichment(name) {
		return nil // it has records that others lack, until mergeEnrichment
	}
	if state.Revision == 0 && (there || ferr != nil) {
		if ferr == nil {
			ferr = f.Push(ctx, ".")
		}
		if ferr != nil {
			return ferr
		}
	}
	return fill(ctx)
}

// Mend is home.Files'.
func (d *documents) Mend(ctx context.Context, folder, path string) (bool, error) {
	return d.folder(folder).Mend(ctx, path)
}

// Restore is home.Files'.
func (d *documents) Restore(ctx context.Context, folder string) error {
	return d.adopted(ctx, folder, d.folder(folder).Restore)
}

// Push is home.Files'.
func (d *documents) Push(ctx context.Context, folder string, paths ...string) error {
	return d.change(d.folder(folder).Push(ctx, paths...))
}

// Change is home.Files'.
func (d *documents) Change(ctx context.Context, folder string, do func() error, paths ...string) error {
	return d.change(d.folder(folder).Change(ctx, do, paths...))
}

// Replace is home.Files'.
func (d *documents) Replace(ctx context.Context, folder, from string) error {
	return d.change(d.folder(folder).Replace(ctx, from))
}

// Recheck is home.Files'.
func (d *documents) Recheck(folder string) error {
	if err := os.MkdirAll(filepath.Join(d.roots.Home, home.StatesFolder), home.FolderMode); err != nil {
		return err
	}
	return d.folder(folder).Recheck()
}

// Forget is home.Files'.
func (d *documents) Forget(ctx context.Context, folder string) error {
	return d.change(d.folder(folder).Forget(ctx))
}

// spare is how long a content without a file is kept: its file may be about to be written.
const spare = time.Hour

// Sweep is home.Files'. It removes also the folders here of fetched doc sets that another machine
// forgot.
func (d *documents) Sweep(ctx context.Context) error {
	if !d.isDue() {
		return nil
	}
	if _, err := d.trees.Sweep(ctx, spare); err != nil {
		return err
	}
	states, err := os.ReadDir(filepath.Join(d.roots.Home, home.StatesFolder))
	if err != nil {
		return nil // nothing was brought here
	}
	for _, e := range states {
		name, ok := strings.CutPrefix(e.Name(), home.SourcesFolder+"-")
		if !ok || strings.HasSuffix(name, ".lock") {
			continue
		}
		state, err := d.trees.State(ctx, home.SourcesFolder+"/"+name)
		if err != nil || state.Revision != 0 {
			continue
		}
		gone := errors.Join(os.RemoveAll(filepath.Join(d.roots.Home, home.SourcesFolder, name)),
			os.Remove(filepath.Join(d.roots.Home, home.StatesFolder, e.Name())))
		if gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			return gone
		}
	}
	return nil
}

// identityIn gives the identity in a file of a folder, and makes it where it is missing. Several
// processes may do that at the same time, on several machines: the first one's identity counts.
func identityIn(dir, name string, newIdentity func() (string, error)) (string, error) {
	path := filepath.Join(dir, name)
	for try := 1; ; try++ {
		raw, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			var text string
			if text, err = newIdentity(); err != nil {
				return "", err
			}
			raw = []byte(text)
			if err = os.MkdirAll(dir, home.FolderMode); err == nil {
				err = durable.WriteNew(path, raw)
			}
		}
		id := strings.TrimSpace(string(raw))
		// On a disk without hard links the file is empty for a moment.
		unfinished := err == nil && id == ""
		if try == identifyTries || !unfinished && !errors.Is(err, fs.ErrExist) {
			if unfinished {
				err = fmt.Errorf("%s is empty", path)
			}
			return id, err
		}
		time.Sleep(identifyPause)
	}
}

// Check is home.Files'.
func (d *documents) Check(ctx context.Context, deep bool) (home.LostFiles, error) {
	found, err := d.trees.Check(ctx, deep)
	return home.LostFiles{Files: found.Files, Missing: namesOf(found.Missing), Damaged: namesOf(found.Damaged), Unused: found.Unused}, err
}

// namesOf are files by their places in the home.
func namesOf(faults []filetree.Fault) (out []string) {
	for _, f := range faults {
		out = append(out, f.Tree+"/"+f.Path)
	}
	return out
}

// Rescue is home.Files'.
func (d *documents) Rescue(ctx context.Context) (left []string, err error) {
	found, err := d.trees.Check(ctx, true)
	if err != nil {
		return nil, err
	}
	kept := map[string]bool{} // several files may have one content
	for _, f := range slices.Concat(found.Missing, found.Damaged) {
		if kept[f.SHA256] {
			continue
		}
		content, err := d.folder(f.Tree).ReadFile(f.Path)
		if err == nil {
			err = d.trees.Restore(ctx, f.SHA256, content)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if kept[f.SHA256] = err == nil; err != nil {
			// Another machine may have it, or somebody hands it in again.
			if err := d.trees.Discard(ctx, f.SHA256); err != nil {
				return nil, err
			}
			left = append(left, namesOf([]filetree.Fault{f})...)
		}
	}
	return left, nil
}

// clearDocuments forgets all documents in a database, before those of the folder are kept there.
func clearDocuments(ctx context.Context, db *networked.Database, dir string) error {
	trees, err := networked.OpenTrees(db)
	if err != nil {
		return err
	}
	names, err := trees.List(ctx)
	for _, name := range names {
		err = errors.Join(err, trees.Remove(ctx, name))
	}
	return errors.Join(err, os.RemoveAll(filepath.Join(dir, home.StatesFolder)))
}
