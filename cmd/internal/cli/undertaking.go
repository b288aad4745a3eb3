package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"docent/cmd/internal/app"
	"docent/store"
)

// undertaking is what a command that changes the home was asked to do. When a signal
// ends the command, it says which doc sets are done and which are not. It asks the
// home for that, since an error does not tell.
type undertaking struct {
	kind   deed
	begun  bool
	sets   []string             // "Lantern@2.1"
	before map[string]time.Time // the doc sets there were, with the times of their indexes

	// Before the beginning, undone has everything that was requested.
	done, undone []string
	bare         []string // registered, and without an index
	more         bool     // the doc sets that are done lack vectors, which a note says
}

// deed is a kind of undertaking, in words.
type deed struct {
	done           string // "added"
	next, nextOne  string // what brings the rest, and the one doc set of which nothing was done
	finished       func(u *undertaking, set string, now map[string]time.Time) bool
	mayLackAnIndex bool // a doc set that is there and has no index is neither done nor undone
}

// The kinds. Where an index was written, its doc set was indexed.
var (
	adding = deed{done: "added", next: "the same command adds the rest", nextOne: "the same command adds it",
		finished: (*undertaking).indexed, mayLackAnIndex: true}
	updating = deed{done: "updated", next: "what was not updated answers as before, docent update goes on",
		nextOne: "it answers as before, docent update goes on", finished: (*undertaking).indexed}
	rebuilding = deed{done: "rebuilt", next: "what was not rebuilt answers as before", nextOne: "it answers as before",
		finished: (*undertaking).indexed}
	forgetting = deed{done: "forgotten", next: "the same command forgets the rest", nextOne: "the same command forgets it",
		finished: (*undertaking).isGone}
)

// indexed reports whether a doc set's index was written since the beginning, or found
// to be up to date.
func (u *undertaking) indexed(set string, now map[string]time.Time) bool {
	return slices.Contains(u.done, set) || !now[set].IsZero() && !now[set].Equal(u.before[set])
}

func (u *undertaking) isGone(set string, now map[string]time.Time) bool {
	_, there := now[set]
	return !there
}

// noteState notes the state of the home. Without names it is about all doc sets.
func (u *undertaking) noteState(ctx context.Context, a *app.App, names []string) {
	// Also after a signal: without the times of before, an index of yesterday would count
	// as written now.
	u.before, u.sets, u.begun = indexTimes(context.WithoutCancel(ctx), a), names, true
	if len(names) == 0 {
		for name := range u.before {
			u.sets = append(u.sets, name)
		}
	}
	slices.Sort(u.sets)
	u.sets = slices.Compact(u.sets)
}

// noteOutcome asks the home what became of the doc sets.
func (u *undertaking) noteOutcome(ctx context.Context, a *app.App) {
	now := indexTimes(ctx, a)
	var done []string
	u.undone, u.bare = nil, nil
	for _, set := range u.sets {
		at, there := now[set]
		switch {
		case u.kind.finished(u, set, now):
			done = append(done, set)
		case u.kind.mayLackAnIndex && there && at.IsZero():
			u.bare = append(u.bare, set)
		default:
			u.undone = append(u.undone, set)
		}
	}
	u.done = done
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

// summary lists the finished and the unfinished work.
func (u *undertaking) summary() string {
	if len(u.done)+len(u.undone)+len(u.bare) == 0 {
		return "nothing was " + u.kind.done
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
	add(u.done, "was "+u.kind.done, "were "+u.kind.done)
	add(u.undone, "was not "+u.kind.done, "were not "+u.kind.done)
	add(u.bare, "is registered and has no pages yet (docent update reads them)",
		"are registered and have no pages yet (docent update reads them)")
	switch {
	case len(u.undone) == 1 && len(parts) == 1:
		parts = append(parts, u.kind.nextOne)
	case len(u.undone) > 0:
		parts = append(parts, u.kind.next)
	case len(u.bare) == 0 && !u.more:
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

func setNamesOf(sets []store.Set) []string {
	names := make([]string, len(sets))
	for i, s := range sets {
		names[i] = s.Ref.String()
	}
	return names
}
