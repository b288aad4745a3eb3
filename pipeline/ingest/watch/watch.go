// Package watch says when something below some folders changed.
//
// Operating systems report changes in one folder, not in its subfolders: every folder has
// its own watch, and new folders get one when they appear. Changes are reported when the
// folders have been quiet for a moment, so that a checkout of a thousand files is one
// change. A folder that cannot be watched (there are too many, it lies on a disk of
// another machine, it is not there now) is listed every few seconds instead.
//
// It refuses to say what changed, to read files and to follow symbolic links.
package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"docent/pipeline/ingest/skip"
)

// Options are how folders are watched. The zero value is that of the program.
type Options struct {
	Quiet   time.Duration // without an event before a change is reported; 0: 250 ms
	Longest time.Duration // a continuous change is reported after so long; 0: 5 s
	Poll    time.Duration // between two looks at a folder that is not watched; 0: 2 s
	Polling bool          // nothing is watched: all folders are listed
	Most    int           // folders that are watched; 0: 20 000
	// LeftOut reports whether a folder is not looked at: its path, and its name. nil:
	// skip.Folder, whose folders are no part of a doc set.
	LeftOut func(path, name string) bool
	// Note, unless nil, is called for folders that are listed because they cannot be
	// watched. It is called by one goroutine at a time.
	Note func(format string, args ...any)
}

const mostFolders = 20000

func (o Options) withDefaults() Options {
	or := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	or(&o.Quiet, 250*time.Millisecond)
	or(&o.Longest, 5*time.Second)
	or(&o.Poll, 2*time.Second)
	if o.Most <= 0 {
		o.Most = mostFolders
	}
	if o.LeftOut == nil {
		o.LeftOut = skip.Folder
	}
	if o.Note == nil {
		o.Note = func(string, ...any) {}
	}
	return o
}

// WatchRoots calls changed with the folders below which something changed, until ctx ends; it
// then waits for changed and returns nil. The first call has all roots, once they are
// watched, so that no change is missed. Calls of changed do not overlap; changes during a
// call are reported afterwards. A reported folder may be unchanged. An error of changed
// ends Run with that error.
func WatchRoots(ctx context.Context, roots []string, opt Options, changed func(ctx context.Context, roots []string) error) error {
	w := &watcher{opt: opt.withDefaults(), ctx: ctx, dirty: map[string]bool{}, folders: map[string]bool{}, looked: make(chan look),
		told: make(chan error)}
	if !opt.Polling {
		n, err := fsnotify.NewWatcher()
		if err != nil {
			w.opt.Note("changes cannot be watched (%v); the folders are listed every %s", err, w.opt.Poll)
		} else {
			w.notify = n
			defer n.Close() //nolint:errcheck // nothing is written
		}
	}
	for _, r := range roots {
		root := &root{path: filepath.Clean(r)}
		w.roots = append(w.roots, root)
		w.watchFolder(root)
		w.markRoot(root.path)
	}
	return w.runLoop(changed)
}

// root is a folder that is watched with all below it.
type root struct {
	path   string
	self   os.FileInfo // as it was when it was watched; nil: it is listed
	stamp  string      // of the last listing
	refuse bool        // it cannot be watched, and is not tried again
}

type watcher struct {
	ctx     context.Context //nolint:containedctx // of one Run
	opt     Options
	notify  *fsnotify.Watcher // nil: nothing is watched
	roots   []*root
	folders map[string]bool // that are watched

	dirty   map[string]bool // folders with unreported changes
	since   time.Time       // of the first of them
	last    time.Time       // of the last one
	looked  chan look       // what a listing found
	looking bool
	told    chan error // changed returned
	telling bool
}

// look is what a listing of the folders that are not watched found.
type look struct {
	stamps map[*root]string
	again  []*root // can be watched again
	moved  []*root // are watched, and another folder now
}

// runLoop is the loop: one goroutine owns all state.
func (w *watcher) runLoop(changed func(context.Context, []string) error) error {
	var events chan fsnotify.Event
	var faults chan error
	if w.notify != nil {
		events, faults = w.notify.Events, w.notify.Errors
	}
	quiet := time.NewTimer(0)
	defer quiet.Stop()
	poll := time.NewTicker(w.opt.Poll)
	defer poll.Stop()
	for {
		select {
		case <-w.ctx.Done():
			return w.awaitCall()
		case e := <-events:
			w.handleEvent(e)
		case err := <-faults:
			w.handleFault(err)
		case <-poll.C:
			w.listUnwatched()
		case l := <-w.looked:
			w.takeListing(l)
		case err := <-w.told:
			w.telling = false
			if err != nil && w.ctx.Err() == nil {
				w.drainListing()
				return err
			}
		case <-quiet.C:
		}
		if wait, ok := w.dueIn(); ok && wait <= 0 {
			w.reportChanges(changed)
		} else if ok {
			quiet.Reset(wait)
		}
	}
}

// awaitCall waits for the running call.
func (w *watcher) awaitCall() error {
	w.drainListing()
	if w.telling {
		<-w.told
	}
	return nil
}

// drainListing waits for a listing that goes on.
func (w *watcher) drainListing() {
	if w.looking {
		<-w.looked
	}
}

// dueIn is the time until the changes are reported; ok is false without changes, or while
// changed is still running.
func (w *watcher) dueIn() (wait time.Duration, ok bool) {
	if len(w.dirty) == 0 || w.telling {
		return 0, false
	}
	return min(time.Until(w.last.Add(w.opt.Quiet)), time.Until(w.since.Add(w.opt.Longest))), true
}

func (w *watcher) reportChanges(changed func(context.Context, []string) error) {
	var roots []string
	for _, r := range w.roots {
		if w.dirty[r.path] {
			roots = append(roots, r.path)
		}
	}
	clear(w.dirty)
	w.telling = true
	go func() { w.told <- changed(w.ctx, roots) }()
}

func (w *watcher) markRoot(root string) {
	w.last = time.Now()
	if len(w.dirty) == 0 {
		w.since = w.last
	}
	w.dirty[root] = true
}

// handleEvent marks the folders that an event concerns, and watches a new folder.
func (w *watcher) handleEvent(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod || e.Name == "" { // programs that index disks touch files all the time
		return
	}
	if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
		delete(w.folders, e.Name)
	}
	for _, r := range w.roots {
		if !isBelow(e.Name, r.path) {
			continue
		}
		switch {
		case e.Name == r.path && (e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)):
			w.leaveToListing(r)
		case e.Has(fsnotify.Create) && r.self != nil:
			if st, err := os.Lstat(e.Name); err == nil && st.IsDir() {
				w.addFolder(r, e.Name)
			}
		}
		w.markRoot(r.path)
	}
}

// handleFault treats an error of the system's queue: events may be lost.
func (w *watcher) handleFault(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.opt.Note("watching for changes: %v", err)
	}
	for _, r := range w.roots {
		if r.self != nil {
			w.addFolder(r, r.path)
		}
		w.markRoot(r.path)
	}
}

// watchFolder watches a folder and all below it, or leaves it to be listed.
func (w *watcher) watchFolder(r *root) {
	if w.notify == nil || r.refuse {
		return
	}
	st, err := os.Stat(r.path)
	if err != nil || !st.IsDir() {
		return
	}
	r.self = st
	w.addFolder(r, r.path)
}

// addFolder watches a folder of a root and those below it. A folder is watched before it is
// listed, so that no new file is missed.
func (w *watcher) addFolder(r *root, dir string) {
	if dir != r.path && w.opt.LeftOut(dir, filepath.Base(dir)) {
		return
	}
	err := errTooMany
	if len(w.folders) < w.opt.Most || w.folders[dir] {
		err = w.notify.Add(dir) // again, too: it may be another folder of that name
	}
	if err == nil {
		w.folders[dir] = true
	} else {
		if _, gone := os.Lstat(dir); gone != nil {
			return
		}
		w.opt.Note("%s cannot be watched (%v); it is looked through every %s instead", r.path, err, w.opt.Poll)
		w.leaveToListing(r)
		r.refuse = true
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // it is gone, or cannot be read: an update says so
	}
	for _, e := range entries {
		if e.IsDir() && r.self != nil {
			w.addFolder(r, filepath.Join(dir, e.Name()))
		}
	}
}

var errTooMany = errors.New("there are too many folders")

// leaveToListing leaves a root to be listed.
func (w *watcher) leaveToListing(r *root) {
	if r.self == nil {
		return
	}
	r.self, r.stamp = nil, ""
	for dir := range w.folders {
		if isBelow(dir, r.path) && !slices.ContainsFunc(w.roots, func(o *root) bool { return o.self != nil && isBelow(dir, o.path) }) {
			_ = w.notify.Remove(dir) // it may be gone
			delete(w.folders, dir)
		}
	}
}

// isBelow reports whether a path is that of a folder, or of something in it.
func isBelow(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
}
