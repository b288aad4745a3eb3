package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"docent/cmd/internal/app"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/embed"
	"docent/pipeline/home"
	"docent/pipeline/ingest"
	"docent/store"
	"docent/store/doc"
	"docent/tui"
	lib "docent/tui/pane/shelf"
)

// What the app's library needs: listing, adding, updating and forgetting doc
// sets in the running process.

// errUnopened means that the home is not open yet, or could not be opened.
var errUnopened = errors.New("the doc sets are not open yet")

// Library lists the doc sets with their freshness.
func (b *backend) Library(ctx context.Context) ([]tui.LibrarySet, error) {
	a := b.app()
	if a == nil {
		return nil, errUnopened
	}
	sets, err := a.Library.Sets(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]tui.LibrarySet, len(sets))
	for i, s := range sets {
		fresh, ch, err := freshness(ctx, a, s)
		if err != nil {
			return nil, err
		}
		out[i] = tui.LibrarySet{Name: s.Ref.Name, Version: s.Ref.Version, Pages: s.Documents, Root: s.Root,
			Indexed: a.Indexed(s), Manual: s.Ref == home.ManualRef()}
		switch {
		case fresh == "missing":
			out[i].State = lib.Missing
		case ch != nil:
			out[i].State, out[i].Changes = lib.Changed, freshText(setInfo{Fresh: fresh, Changes: ch})
		}
	}
	return out, nil
}

// NewerVersion says whether version a is newer than b.
func (*backend) NewerVersion(a, b string) bool { return corpus.Newer(a, b) }

// set finds one doc set.
func (b *backend) set(ctx context.Context, name string) (*app.App, store.Set, error) {
	a := b.app()
	if a == nil {
		return nil, store.Set{}, errUnopened
	}
	sets, err := a.Library.Resolve(ctx, []string{name})
	if err != nil {
		return nil, store.Set{}, err
	}
	return a, sets[0], nil
}

// PagesOf are the pages of a doc set, each compared with its file by size and
// time.
func (b *backend) PagesOf(ctx context.Context, docSet string) ([]tui.LibraryPage, error) {
	a, set, err := b.set(ctx, docSet)
	if err != nil {
		return nil, err
	}
	docs, err := a.Library.Catalog.Documents(ctx, set.ID)
	if err != nil {
		return nil, err
	}
	onDisk := map[string]ingest.File{}
	files, _, err := ingest.Scan(ctx, set.Root, set.Layout, a.Parsers)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	for _, f := range files {
		onDisk[f.Path] = f
	}
	out := make([]tui.LibraryPage, len(docs))
	for i, d := range docs {
		out[i] = tui.LibraryPage{Path: d.Path, Title: d.Title}
		switch f, ok := onDisk[d.Path]; {
		case !ok:
			out[i].State = lib.PageGone
		case f.Size != d.Bytes || f.ModTime != d.ModTime || a.Parsers.Outdated(d.Format, d.Parser):
			out[i].State = lib.PageChanged
		}
	}
	return out, nil
}

// folderPath is the folder that was typed: in the app no shell expands a ~.
func folderPath(typed string) string {
	typed = strings.TrimSpace(typed)
	if typed == "~" || strings.HasPrefix(typed, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			return home + typed[1:]
		}
	}
	return typed
}

// mostFolders is how many folders are offered while one is typed.
const mostFolders = 200

// Folders are the folders whose paths begin with what was typed, hidden ones
// only where a dot was.
func (b *backend) Folders(ctx context.Context, typed string) ([]string, error) {
	typed = strings.TrimLeft(typed, " ")
	if typed == "~" {
		return []string{"~/"}, nil
	}
	shown, begin := "", typed
	if i := strings.LastIndexByte(typed, '/'); i >= 0 {
		shown, begin = typed[:i+1], typed[i+1:]
	}
	dir := folderPath(shown)
	if dir == "" {
		dir = "."
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	match := func(same func(name string) bool) []string {
		var out []string
		for _, e := range entries {
			name := e.Name()
			if len(out) == mostFolders || ctx.Err() != nil {
				break
			}
			if strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".") || !same(name) {
				continue
			}
			if e.IsDir() {
				out = append(out, shown+name+"/")
			} else if e.Type()&fs.ModeSymlink != 0 {
				if st, err := os.Stat(filepath.Join(dir, name)); err == nil && st.IsDir() {
					out = append(out, shown+name+"/")
				}
			}
		}
		return out
	}
	out := match(func(name string) bool { return strings.HasPrefix(name, begin) })
	if len(out) == 0 {
		out = match(func(name string) bool {
			return strings.HasPrefix(strings.ToLower(name), strings.ToLower(begin))
		})
	}
	return out, ctx.Err()
}

// Propose says what a folder would be added as.
func (b *backend) Propose(ctx context.Context, path string) ([]tui.Proposed, error) {
	a := b.app()
	if a == nil {
		return nil, errUnopened
	}
	found, err := home.Discover(ctx, []string{folderPath(path)}, a.Parsers, home.Watch{})
	if err != nil {
		return nil, plainError(err)
	}
	known, err := a.Library.Sets(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]tui.Proposed, len(found))
	for i, f := range found {
		out[i] = tui.Proposed{Name: f.Ref.Name, Version: f.Ref.Version, Pages: f.Pages}
		for _, k := range known {
			switch {
			case k.Root == f.Root && k.Ref == f.Ref:
				out[i].Known = "it is there already: adding it again brings it up to date"
			case k.Root == f.Root && out[i].Known == "":
				out[i].Known = "the folder is there already as " + k.Ref.String()
			}
		}
	}
	return out, nil
}

// plainError is an error without what only makes sense in a shell.
func plainError(err error) error {
	if taken, ok := errors.AsType[*home.TakenError](err); ok {
		if taken.Ref == home.ManualRef() {
			return fmt.Errorf("%s is the built-in manual; give it another name or version", taken.Ref)
		}
		return fmt.Errorf("%s is already %s; give it another name or version, or forget the old one first", taken.Ref, taken.Root)
	}
	var ce *contract.Error
	if errors.As(err, &ce) {
		return errors.New(ce.Message)
	}
	return err
}

// likelyTime is how long folders of documentation are looked for, and
// mostLikely how many pages of one are counted: the screen waits for neither.
const (
	likelyTime = 1500 * time.Millisecond
	mostLikely = 20_000
)

// Likely are folders that look like documentation, seen from where the app was
// started.
func (b *backend) Likely(ctx context.Context) ([]tui.LikelyFolder, error) {
	ctx, cancel := context.WithTimeout(ctx, likelyTime)
	defer cancel()
	parsers, err := app.Parsers()
	if err != nil {
		return nil, err
	}
	var out []tui.LikelyFolder
	for _, dir := range []string{"docs", "doc", "documentation", "."} {
		st, err := os.Lstat(dir)
		if err != nil || !st.IsDir() {
			continue
		}
		n, whole := ingest.Count(ctx, dir, mostLikely, parsers)
		if n == 0 {
			continue
		}
		shown := "./" + dir
		if dir == "." {
			shown = "."
			// The folder that one is in, by its name: "." says too little.
			if abs, err := filepath.Abs(dir); err == nil {
				shown = abs
			}
		}
		out = append(out, tui.LikelyFolder{Path: shown, Pages: n, More: !whole})
	}
	return out, nil
}

// begin counts a piece of work that the home must not be closed under.
func (b *backend) begin() (*app.App, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.a == nil:
		return nil, errUnopened
	case b.closing:
		return nil, context.Canceled
	}
	b.work.Add(1)
	return b.a, nil
}

// Add registers and indexes a folder.
func (b *backend) Add(ctx context.Context, req tui.AddRequest, progress func(tui.WorkProgress)) (string, error) {
	a, err := b.begin()
	if err != nil {
		return "", err
	}
	defer b.work.Done()
	for _, name := range []string{req.Name, req.Version} {
		if name != "" {
			if err := doc.CheckName(name); err != nil {
				return "", err
			}
		}
	}
	watch := &watcher{progress: progress, now: time.Now}
	watch.stage("looking for pages")
	nothing := "nothing was added"
	found, err := home.Discover(ctx, []string{folderPath(req.Path)}, a.Parsers, home.Watch{Note: watch.note})
	if err != nil {
		if ctx.Err() != nil {
			return nothing, context.Canceled
		}
		return "", plainError(err)
	}
	watch.of(len(found))
	out, err := a.Add(ctx, found, home.As{Name: req.Name, Version: req.Version}, watch.app())
	text := summaries(out)
	switch {
	case errors.Is(err, home.ErrUnembedded):
		return "added " + text + unembedded, context.Canceled
	case ctx.Err() != nil && err != nil:
		if text == "" {
			return nothing, context.Canceled
		}
		return text + "; the rest was not added", context.Canceled
	case err != nil:
		return text, plainError(err)
	}
	return "added " + text + watch.said(), nil
}

// unembedded says that a model has not made all vectors yet.
const unembedded = "; a model's vectors with the next update"

// Update brings doc sets up to date.
func (b *backend) Update(ctx context.Context, docSets []string, progress func(tui.WorkProgress)) (string, error) {
	a, err := b.begin()
	if err != nil {
		return "", err
	}
	defer b.work.Done()
	var sets []store.Set
	if len(docSets) == 0 {
		sets, err = a.Library.Sets(ctx)
	} else {
		sets, err = a.Library.Resolve(ctx, docSets)
	}
	if err != nil {
		return "", err
	}
	watch := &watcher{progress: progress, now: time.Now}
	watch.of(len(sets))
	watch.stage("looking for changes")
	out, err := a.Refresh(ctx, sets, false, watch.app())
	text := summaries(out)
	if len(sets) > 1 {
		text = many(out)
	}
	unlearned := errors.Is(err, ingest.ErrUnlearned)
	switch {
	case errors.Is(err, home.ErrUnembedded):
		return text + unembedded, context.Canceled
	case err != nil:
		var parts []string
		if text != "" {
			parts = append(parts, text)
		}
		switch {
		case unlearned:
			parts = append(parts, "pages up to date, vectors with the next update")
		case len(sets) == 1:
			parts = append(parts, sets[0].Ref.String()+" is as it was")
		default:
			parts = append(parts, "the others are as they were")
		}
		if ctx.Err() != nil {
			err = context.Canceled
		}
		return strings.Join(parts, "; "), err
	case len(out.Missing) > 0 && len(out.Reports) == 0:
		return "", out.Missing[0]
	case len(out.Missing) > 0:
		return text + fmt.Sprintf("; %s missing: as it was", plural(len(out.Missing), "folder is", "folders are")), nil
	}
	return text + watch.said(), nil
}

// Remove forgets a doc set; its files stay.
func (b *backend) Remove(ctx context.Context, docSet string) error {
	a, err := b.begin()
	if err != nil {
		return err
	}
	defer b.work.Done()
	sets, err := a.Library.Resolve(ctx, []string{docSet})
	if err != nil {
		return err
	}
	if sets[0].Ref == home.ManualRef() {
		return fmt.Errorf("%s is built in and cannot be removed", sets[0].Ref)
	}
	return a.Forget(ctx, sets)
}

func summaries(out home.Outcome) string {
	var parts []string
	for _, r := range out.Reports {
		parts = append(parts, home.Summary(r))
	}
	return strings.Join(parts, "; ")
}

// many is what came of several updates, in a few words.
func many(out home.Outcome) string {
	if len(out.Reports) == 0 {
		return ""
	}
	touched := 0
	for _, r := range out.Reports {
		if r.Touched() {
			touched++
		}
	}
	if touched == 0 {
		return plural(len(out.Reports), "doc set", "doc sets") + ", nothing changed"
	}
	return fmt.Sprintf("%s looked at, %d changed", plural(len(out.Reports), "doc set", "doc sets"), touched)
}

// watcher turns what indexing says into progress for the app.
type watcher struct {
	progress func(tui.WorkProgress)
	now      func() time.Time

	mu       sync.Mutex
	at       tui.WorkProgress
	since    time.Time
	notes    []string
	warnings int
	embedded int // doc sets whose vectors were begun
	had      int // passages that had vectors before
}

// of says of how many doc sets the first begins.
func (w *watcher) of(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at.Nth, w.at.Of = 1, n
}

// stage begins a stage that counts nothing.
func (w *watcher) stage(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since = w.now()
	w.at.Stage, w.at.Done, w.at.Total, w.at.Elapsed = name, 0, 0, 0
	w.progress(w.at)
}

func (w *watcher) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}

func (w *watcher) app() home.Watch {
	return home.Watch{Note: w.note, Report: w.report, Events: w.event}
}

func (w *watcher) report(r ingest.Report) {
	w.mu.Lock()
	w.at.Nth = min(w.at.Nth+1, max(1, w.at.Of))
	w.warnings += len(r.Warnings)
	w.mu.Unlock()
	w.stage("looking for pages")
}

func (w *watcher) event(e pipeline.Event) {
	if e.Phase == embed.Phase {
		w.embedding(e)
		return
	}
	w.mu.Lock()
	w.at.Set = e.Text
	w.mu.Unlock()
	switch {
	case e.Phase == ingest.PhaseWrite:
		w.stage("writing the index")
	case e.Phase == ingest.PhaseLearn:
		w.stage("learning vectors")
	case e.Phase == ingest.PhaseIngest && e.Kind == pipeline.PhaseStarted:
		w.stage("reading pages")
	case e.Phase == ingest.PhaseIngest:
		w.mu.Lock()
		w.at.Done, w.at.Total, w.at.Elapsed = e.Done, e.Total, w.now().Sub(w.since)
		w.progress(w.at)
		w.mu.Unlock()
	}
}

// embedding is as event for the vectors that a model makes.
func (w *watcher) embedding(e pipeline.Event) {
	switch e.Kind {
	case pipeline.PhaseStarted:
		w.mu.Lock()
		w.embedded++
		w.at.Set, w.at.Nth = e.Text, min(w.embedded, w.at.Of)
		w.mu.Unlock()
		w.stage("vectors by " + e.Engine)
	case pipeline.PhaseProgress:
		w.mu.Lock()
		if w.at.Total == 0 {
			// What was there before tells nothing of how fast it goes.
			w.since, w.had = w.now(), e.Done
		}
		w.at.Done, w.at.Total, w.at.Elapsed = e.Done-w.had, e.Total-w.had, w.now().Sub(w.since)
		w.progress(w.at)
		w.mu.Unlock()
	}
}

// said is what a person should know beside the outcome.
func (w *watcher) said() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := ""
	if w.warnings > 0 {
		out += "; " + plural(w.warnings, "warning", "warnings")
	}
	notes := slices.Compact(w.notes)
	if len(notes) > 0 {
		out += "; " + strings.Join(notes, "; ")
	}
	return out
}
