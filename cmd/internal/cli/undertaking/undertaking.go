// Package undertaking says which doc sets a command has changed and which it has not, for
// the message about a signal that ended the command.
//
// It refuses to guess from an error: it asks the home.
package undertaking

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"docent/cmd/internal/app"
	"docent/store"
)

// Work is what a command that changes the home was asked to do. When a signal
// ends the command, it says which doc sets are done and which are not. It asks the
// home for that, since an error does not tell.
type Work struct {
	Kind   deed
	Begun  bool
	Sets   []string             // "Lantern@2.1"
	asked  []string             // the sources that are not done: their doc sets are not known before they are fetched
	before map[string]time.Time // the doc sets there were, with the times of their indexes

	// Before the beginning, undone has everything that was requested.
	Done, Undone []string
	Bare         []string // registered, and without an index
	More         bool     // the doc sets that are done lack vectors, which a note says
}

// deed is a kind of undertaking, in words.
type deed struct {
	done           string // "added"
	next, nextOne  string // what brings the rest, and the one doc set of which nothing was done
	finished       func(u *Work, set string, now map[string]time.Time) bool
	mayLackAnIndex bool // a doc set that is there and has no index is neither done nor undone
}

// The kinds. Where an index was written, its doc set was indexed.
var (
	Adding = deed{done: "added", next: "the same command adds the rest", nextOne: "the same command adds it",
		finished: (*Work).indexed, mayLackAnIndex: true}
	Updating = deed{done: "updated", next: "what was not updated answers as before, docent update goes on",
		nextOne: "it answers as before, docent update goes on", finished: (*Work).indexed}
	Rebuilding = deed{done: "rebuilt", next: "what was not rebuilt answers as before", nextOne: "it answers as before",
		finished: (*Work).indexed}
	Forgetting = deed{done: "forgotten", next: "the same command forgets the rest", nextOne: "the same command forgets it",
		finished: (*Work).isGone}
)

// indexed reports whether a doc set's index was written since the beginning, or found
// to be up to date.
func (u *Work) indexed(set string, now map[string]time.Time) bool {
	return slices.Contains(u.Done, set) || !now[set].IsZero() && !now[set].Equal(u.before[set])
}

func (u *Work) isGone(set string, now map[string]time.Time) bool {
	_, there := now[set]
	return !there
}

// NoteState notes the state of the home. Without names it is about all doc sets.
func (u *Work) NoteState(ctx context.Context, a *app.App, names []string) {
	// Also after a signal: without the times of before, an index of yesterday would count
	// as written now.
	u.before, u.Sets, u.Begun = indexTimes(context.WithoutCancel(ctx), a), names, true
	if len(names) == 0 {
		for name := range u.before {
			u.Sets = append(u.Sets, name)
		}
	}
	slices.Sort(u.Sets)
	u.Sets = slices.Compact(u.Sets)
}

// NoteSources notes the state of the home before sources are fetched. Which doc sets they become is
// not known: those that have a new index in the end are done, and a source is undone until
// NoteFetched.
func (u *Work) NoteSources(ctx context.Context, a *app.App, sources []string) {
	u.before, u.asked, u.Begun = indexTimes(context.WithoutCancel(ctx), a), slices.Clone(sources), true
}

// NoteFetched notes that a source was fetched and its doc set added.
func (u *Work) NoteFetched(source string) {
	u.asked = slices.DeleteFunc(u.asked, func(s string) bool { return s == source })
}

// NoteOutcome asks the home what became of the doc sets.
func (u *Work) NoteOutcome(ctx context.Context, a *app.App) { u.judge(indexTimes(ctx, a)) }

// judge parts the doc sets by what became of them, from the times of the indexes now.
func (u *Work) judge(now map[string]time.Time) {
	if u.asked != nil {
		u.judgeSources(now)
		return
	}
	var done []string
	u.Undone, u.Bare = nil, nil
	for _, set := range u.Sets {
		at, there := now[set]
		switch {
		case u.Kind.finished(u, set, now):
			done = append(done, set)
		case u.Kind.mayLackAnIndex && there && at.IsZero():
			u.Bare = append(u.Bare, set)
		default:
			u.Undone = append(u.Undone, set)
		}
	}
	u.Done = done
}

// judgeSources is as judge where sources were asked for: a doc set that the command did not touch is
// left out.
func (u *Work) judgeSources(now map[string]time.Time) {
	done := slices.Clone(u.Done)
	u.Bare = nil
	for set, at := range now {
		_, old := u.before[set]
		switch {
		case at.IsZero() && !old:
			u.Bare = append(u.Bare, set)
		case u.indexed(set, now):
			done = append(done, set)
		}
	}
	slices.Sort(done)
	slices.Sort(u.Bare)
	u.Done, u.Undone = slices.Compact(done), u.asked
}

// indexTimes are the registered doc sets with the times at which their indexes were
// written.
func indexTimes(ctx context.Context, a *app.App) map[string]time.Time {
	out := map[string]time.Time{}
	sets, err := a.Home.Corpus.Sets(ctx)
	if err != nil {
		return out
	}
	for _, s := range sets {
		out[s.Ref.String()] = a.Library.Indexed(ctx, s)
	}
	return out
}

// maxNamed is how many doc sets of a kind are named at most.
const maxNamed = 5

// Summary lists the finished and the unfinished work.
func (u *Work) Summary() string {
	if len(u.Done)+len(u.Undone)+len(u.Bare) == 0 {
		return "nothing was " + u.Kind.done
	}
	var parts []string
	add := func(sets []string, singular, plural string) {
		switch len(sets) {
		case 0:
		case 1:
			parts = append(parts, sets[0]+" "+singular)
		default:
			parts = append(parts, enumerate(sets)+" "+plural)
		}
	}
	add(u.Done, "was "+u.Kind.done, "were "+u.Kind.done)
	add(u.Undone, "was not "+u.Kind.done, "were not "+u.Kind.done)
	add(u.Bare, "is registered and has no pages yet (docent update reads them)",
		"are registered and have no pages yet (docent update reads them)")
	switch {
	case len(u.Undone) == 1 && len(parts) == 1:
		parts = append(parts, u.Kind.nextOne)
	case len(u.Undone) > 0:
		parts = append(parts, u.Kind.next)
	case len(u.Bare) == 0 && !u.More:
		parts = append(parts, "nothing is left to do")
	}
	return strings.Join(parts, "; ")
}

// enumerate joins names as in a sentence: "a, b and c"; at most maxNamed of them.
func enumerate(names []string) string {
	names = slices.Clone(names)
	if more := len(names) - maxNamed; more > 0 {
		names = append(names[:maxNamed], fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// FoldersOf are the folders of doc sets.
func FoldersOf(sets []store.Set) []string {
	roots := make([]string, len(sets))
	for i, s := range sets {
		roots[i] = s.Root
	}
	return roots
}

// NamesOf are the names of doc sets.
func NamesOf(sets []store.Set) []string {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Ref.String()
	}
	return names
}
