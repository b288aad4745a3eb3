package ingest

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/skip"
	"docent/store/durable"
)

// A scan takes the folders and files of a doc set in the order of filepath.WalkDir. Listing a
// folder and looking at its files is most of the work, and mostly waiting for the disk: it is
// done on other goroutines for the folders that come next.

const (
	// mostAhead is how many folders of one folder are listed ahead.
	mostAhead = 4
	// manyEntries is the number of entries from which several goroutines look at one folder.
	manyEntries = 64
)

// listing is a folder of which the entries are looked at.
type listing struct {
	rel     string // inside the doc set, "." for its own folder
	entries []listed
	err     error                  // of listing it
	crash   atomic.Pointer[string] // what a goroutine panicked with, and where
	done    chan struct{}
}

// noteCrash is deferred by the goroutines of a listing. The one that takes it panics: on another
// one a panic ends the process before the terminal is restored.
func (l *listing) noteCrash() {
	if v := recover(); v != nil {
		crash := fmt.Sprintf("%v\n\n%s", v, debug.Stack())
		l.crash.CompareAndSwap(nil, &crash)
	}
}

// listed is an entry of a folder: a file, or a folder that belongs to the doc set.
type listed struct {
	seen   seen
	folder bool
	left   bool // a folder that does not belong to it
}

// walkFolders takes all entries of the doc set's folder.
func (s *scan) walkFolders(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	begin := func(rel string) *listing {
		l := &listing{rel: rel, done: make(chan struct{})}
		wg.Go(func() {
			defer close(l.done)
			defer l.noteCrash()
			s.listFolder(ctx, l)
		})
		return l
	}
	return s.takeFolder(ctx, begin(rootFolder), begin)
}

// rootFolder is the doc set's own folder, inside itself.
const rootFolder = "."

// takeFolder takes the entries of a folder, and those of the folders in it.
func (s *scan) takeFolder(ctx context.Context, l *listing, begin func(rel string) *listing) error {
	select {
	case <-l.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if crash := l.crash.Load(); crash != nil {
		panic(*crash)
	}
	if l.err != nil {
		return s.leaveFolder(l)
	}
	var ahead []*listing
	next := 0 // the entry from which folders are not begun yet
	for _, e := range l.entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !e.folder {
			if err := s.takeFile(e.seen); err != nil {
				return err
			}
			continue
		}
		if e.left {
			continue
		}
		for ; len(ahead) < mostAhead && next < len(l.entries); next++ {
			if n := l.entries[next]; n.folder && !n.left {
				ahead = append(ahead, begin(n.seen.rel))
			}
		}
		one := ahead[0]
		ahead = ahead[1:]
		if err := s.takeFolder(ctx, one, begin); err != nil {
			return err
		}
	}
	return nil
}

// leaveFolder notes that a folder could not be listed; its error is that of the scan where the
// doc set has no other, or the machine is out of something.
func (s *scan) leaveFolder(l *listing) error {
	if l.rel == rootFolder || durable.Exhausted(l.err) {
		return l.err
	}
	s.out.Warnings = append(s.out.Warnings, ScanWarning{Path: l.rel, Reason: unwrapPath(l.err).Error()})
	return nil
}

// listFolder lists a folder, and looks at its entries.
func (s *scan) listFolder(ctx context.Context, l *listing) {
	folder, err := openFolder(filepath.Join(s.root, filepath.FromSlash(l.rel)))
	if err != nil {
		l.err = err
		return
	}
	defer folder.Close()
	all, err := folder.ReadDir(-1)
	if l.err = err; err != nil || l.rel != rootFolder && skip.IsHome(all) {
		return
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	l.entries = make([]listed, len(all))
	byName := func(d fs.DirEntry, name string) int { return strings.Compare(d.Name(), name) }
	look := func(i int) {
		if ctx.Err() != nil {
			return
		}
		l.entries[i] = s.lookAt(folder, l.rel, all[i])
		if page, ok := parse.TemplateOf(all[i].Name()); ok {
			_, l.entries[i].seen.isMade = slices.BinarySearchFunc(all, page, byName)
		}
	}
	if len(all) < manyEntries {
		for i := range all {
			look(i)
		}
		return
	}
	var wg sync.WaitGroup
	defer wg.Wait()
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		wg.Go(func() {
			defer l.noteCrash()
			for i := first; i < len(all); i += workers {
				look(i)
			}
		})
	}
}

// lookAt looks at an entry of a folder.
func (s *scan) lookAt(folder *os.File, inside string, d fs.DirEntry) listed {
	rel := d.Name()
	if inside != rootFolder {
		rel = inside + "/" + rel
	}
	if !d.IsDir() {
		return listed{seen: s.lookAtFile(folder, rel, d)}
	}
	dir := filepath.Join(s.root, filepath.FromSlash(rel))
	return listed{folder: true, left: skip.FolderByName(dir, d.Name()) || skip.Included(dir, d.Name()), seen: seen{rel: rel}}
}
