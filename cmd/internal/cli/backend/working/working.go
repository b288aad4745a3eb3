// Package working changes the library for the app: add, update, follow, remove, with
// progress that the app shows.
//
// It refuses to leave half of a change: what a person cancels is taken back.
package working

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"docent/cmd/internal/cli/backend/opening"
	"docent/cmd/internal/cli/wording"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/service/care"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/service/vectors"
	"docent/pipeline/text/plural"
	"docent/store"
	"docent/tui"
)

// Work is what changes the library of a home.
type Work struct{ home *opening.Home }

// New is the work on a home that is opened later.
func New(of *opening.Home) Work { return Work{home: of} }

// Background makes learned vectors that are missing, trains those again that are due, and has models
// do the work that is left to them.
func (b Work) Background(ctx context.Context, progress func(text string)) error {
	a, err := b.home.Begin()
	if err != nil {
		return nil // it is being closed
	}
	defer b.home.End()
	return a.Care.Keep(ctx, care.KeepRequest{Thorough: true, Progress: func(label string, e pipeline.Event) {
		text := fmt.Sprintf("%s %d%%", label, 100*e.Done/e.Total)
		if e.Left > 0 {
			text += ", " + embed.TimeText(e.Left) + " left"
		}
		progress(text)
	}})
}

// AllowServer allows the model servers that were found and not named, and says which.
func (b Work) AllowServer(context.Context) (string, error) {
	a, err := b.home.Begin()
	if err != nil {
		return "", err
	}
	defer b.home.End()
	servers, err := a.Models.Servers()
	if err != nil {
		return "", err
	}
	about, err := vectors.AllowFound(a.Home.Dir, servers)
	if err != nil || len(about) == 0 {
		return "", err
	}
	a.Models.Preload()
	return strings.Join(about, ", ") + " is asked from now on; docent models refuse ends it", nil
}

// Add registers and indexes a folder.
func (b Work) Add(ctx context.Context, req tui.AddRequest, progress func(tui.WorkProgress)) (string, error) {
	a, err := b.home.Begin()
	if err != nil {
		return "", err
	}
	defer b.home.End()
	watch := &watcher{progress: progress, now: time.Now}
	nothing := "nothing was added"
	if text := strings.TrimSpace(req.Path); isSource(text) {
		watch.setTotal(1)
		watch.beginStage("fetching")
		out, err := a.Sourcing.Add(ctx, sourcing.AddRequest{Source: text, Name: req.Name, Version: req.Version}, watch.appWatch())
		return added(ctx, out.Updated, err, watch, nothing)
	}
	watch.beginStage("looking for pages")
	plan, err := library.Discover(ctx, library.AddRequest{Paths: []string{folderPath(req.Path)}, Name: req.Name, Version: req.Version},
		a.Home.Parsers, home.Watch{Note: watch.addNote})
	if err != nil {
		if ctx.Err() != nil {
			return nothing, context.Canceled
		}
		return "", appError(err)
	}
	watch.setTotal(len(plan.Sets))
	out, err := a.Library.Add(ctx, plan, watch.appWatch())
	return added(ctx, out, err, watch, nothing)
}

// added is the outcome of adding, in words.
func added(ctx context.Context, out library.Updated, err error, watch *watcher, nothing string) (string, error) {
	text := summaries(out)
	switch {
	case errors.Is(err, vectors.ErrUnembedded):
		return "added " + text + unembedded, context.Canceled
	case ctx.Err() != nil && err != nil:
		if text == "" {
			return nothing, context.Canceled
		}
		return text + "; the rest was not added", context.Canceled
	case err != nil:
		return text, appError(err)
	}
	return "added " + text + watch.messageOfNotes(), nil
}

// unembedded says that a model has not made all vectors yet.
const unembedded = "; a model's vectors with the next update"

// Update brings doc sets up to date.
func (b Work) Update(ctx context.Context, docSets []string, progress func(tui.WorkProgress)) (string, error) {
	a, err := b.home.Begin()
	if err != nil {
		return "", err
	}
	defer b.home.End()
	sets, err := a.Home.ResolveOrAll(ctx, docSets)
	if err != nil {
		return "", err
	}
	watch := &watcher{progress: progress, now: time.Now}
	watch.setTotal(len(sets))
	watch.beginStage("looking for changes")
	out, err := a.Sourcing.Update(ctx, sourcing.UpdateRequest{UpdateRequest: library.UpdateRequest{Sets: docSets}}, watch.appWatch())
	text := summaries(out)
	if len(sets) > 1 {
		text = summarizeUpdates(out)
	}
	unlearned := errors.Is(err, ingest.ErrUnlearned)
	switch {
	case errors.Is(err, vectors.ErrUnembedded):
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
	case len(out.Missing) > 0 && len(out.Sets) == 0:
		return "", out.Missing[0]
	case len(out.Missing) > 0:
		return text + fmt.Sprintf("; %s missing: as it was", plural.Count(len(out.Missing), "folder is", "folders are")), nil
	}
	return text + watch.messageOfNotes(), nil
}

// Mend repairs the doc sets that were not ready when the home was opened.
func (b Work) Mend(ctx context.Context, progress func(tui.WorkProgress)) (string, error) {
	a, err := b.home.Begin()
	if err != nil {
		return "", err
	}
	defer b.home.End()
	behind := a.Home.Behind.Names()
	watch := &watcher{progress: progress, now: time.Now}
	watch.setTotal(1)
	watch.beginStage("looking for pages")
	switch err := a.Home.Behind.Mend(ctx, watch.showEvent); {
	case ctx.Err() != nil:
		return "searched after the next start: " + strings.Join(behind, ", "), context.Canceled
	case home.LockedByAnother(err):
		return "another program makes the index of " + strings.Join(behind, ", ") + ", which is searched when it is done", nil
	case err != nil:
		return "", appError(err)
	}
	return "searched too by now: " + strings.Join(behind, ", "), nil
}

// Follow updates doc sets whose files change, until ctx ends.
func (b Work) Follow(ctx context.Context, told func(text string)) error {
	a, err := b.home.Begin()
	if err != nil {
		return nil // it is being closed
	}
	defer b.home.End()
	return a.Library.Follow(ctx, library.FollowRequest{Followed: func(f library.Followed) error {
		told(library.Note(f.Report))
		return nil
	}}, home.Watch{})
}

// Remove forgets a doc set; its files stay.
func (b Work) Remove(ctx context.Context, docSet string) error {
	a, err := b.home.Begin()
	if err != nil {
		return err
	}
	defer b.home.End()
	_, err = a.Library.Remove(ctx, library.RemoveRequest{Sets: []string{docSet}})
	return err
}

// Retry has a file that was handed in read now.
func (b Work) Retry(ctx context.Context, document string, progress func(tui.WorkProgress)) (string, error) {
	a, err := b.home.Begin()
	if err != nil {
		return "", err
	}
	defer b.home.End()
	watch := &watcher{progress: progress, now: time.Now}
	watch.beginStage("reading the file")
	d, err := a.Intake.ReadDocument(ctx, document)
	switch {
	case ctx.Err() != nil:
		return "the file waits again", context.Canceled
	case err != nil:
		return "", appError(err)
	case d.Status != store.UploadCompleted:
		return "", errors.New(wording.DocumentText(d))
	}
	return wording.DocumentText(d), nil
}

// CancelFile ends the job of a file that was handed in.
func (b Work) CancelFile(ctx context.Context, document string) error {
	a, err := b.home.Begin()
	if err != nil {
		return err
	}
	defer b.home.End()
	if err := a.Intake.CancelDocument(ctx, document); err != nil {
		return appError(err)
	}
	return nil
}

// appError is an error as the app says it: the innermost one that was made for
// people.
func appError(err error) error {
	if taken, ok := errors.AsType[*library.TakenError](err); ok {
		return taken
	}
	if e, ok := errors.AsType[*contract.Error](err); ok {
		return contract.Remedied(errors.New(e.Message), e.Remedy)
	}
	return err
}

func summaries(out library.Updated) string {
	var parts []string
	for _, r := range out.Sets {
		parts = append(parts, library.Summary(r))
	}
	return strings.Join(parts, "; ")
}

// summarizeUpdates is the outcome of several updates, in a few words.
func summarizeUpdates(out library.Updated) string {
	if len(out.Sets) == 0 {
		return ""
	}
	touched := 0
	for _, r := range out.Sets {
		if r.Touched() {
			touched++
		}
	}
	if touched == 0 {
		return plural.Count(len(out.Sets), "doc set", "doc sets") + ", nothing changed"
	}
	return fmt.Sprintf("%s looked at, %d changed", plural.Count(len(out.Sets), "doc set", "doc sets"), touched)
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

// setTotal says of how many doc sets the first begins.
func (w *watcher) setTotal(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at.Nth, w.at.Of = 1, n
}

// beginStage begins a stage that counts nothing.
func (w *watcher) beginStage(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.since = w.now()
	w.at.Stage, w.at.Done, w.at.Total, w.at.Elapsed = name, 0, 0, 0
	w.progress(w.at)
}

func (w *watcher) addNote(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.notes = append(w.notes, fmt.Sprintf(format, tui.AppWords().Args(args)...))
}

func (w *watcher) appWatch() home.Watch {
	return home.Watch{Note: w.addNote, Report: w.report, Events: w.showEvent}
}

func (w *watcher) report(r ingest.Report) {
	w.mu.Lock()
	w.at.Nth = min(w.at.Nth+1, max(1, w.at.Of))
	w.warnings += len(r.Warnings)
	w.mu.Unlock()
	w.beginStage("looking for pages")
}

func (w *watcher) showEvent(e pipeline.Event) {
	if e.Phase == embed.Phase {
		w.embedding(e)
		return
	}
	w.mu.Lock()
	w.at.Set = e.Text
	w.mu.Unlock()
	switch {
	case e.Phase == sourcing.PhaseFetch:
		w.mu.Lock()
		w.at.Stage, w.at.Done, w.at.Total, w.at.Elapsed = "fetching", e.Done, e.Total, w.now().Sub(w.since)
		w.progress(w.at)
		w.mu.Unlock()
	case e.Phase == ingest.PhaseWrite:
		w.beginStage("writing the index")
	case e.Phase == ingest.PhaseLearn:
		w.beginStage("learning vectors")
	case e.Phase == ingest.PhaseIngest && e.Kind == pipeline.PhaseStarted:
		w.beginStage("reading pages")
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
		w.beginStage("vectors by " + e.Engine)
	case pipeline.PhaseProgress:
		w.mu.Lock()
		if w.at.Total == 0 {
			// Earlier work does not count for the speed.
			w.since, w.had = w.now(), e.Done
		}
		w.at.Done, w.at.Total, w.at.Elapsed = e.Done-w.had, e.Total-w.had, w.now().Sub(w.since)
		w.progress(w.at)
		w.mu.Unlock()
	}
}

// messageOfNotes is the message in addition to the outcome.
func (w *watcher) messageOfNotes() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := ""
	if w.warnings > 0 {
		out += "; " + plural.Count(w.warnings, "warning", "warnings")
	}
	notes := slices.Compact(w.notes)
	if len(notes) > 0 {
		out += "; " + strings.Join(notes, "; ")
	}
	return out
}
