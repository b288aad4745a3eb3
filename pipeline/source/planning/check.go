package planning

import (
	"cmp"
	"slices"

	"docent/pipeline/source/project"
)

// Held is a doc set of the home, and where it came from: Path is its folder in a repository.
type Held struct{ Name, Version, Source, Commit, Digest, Path string }

// The kinds of differences between a project, its lock and a home.
const (
	notLocked = "not_locked" // the project uses it, and the lock does not know it
	notUsed   = "not_used"   // the lock knows it, and the project does not use it
	changed   = "version"    // the project uses another version than the lock knows
	notHere   = "not_here"   // the home has no such doc set
	differs   = "differs"    // the home's came from another source or commit
)

// Difference is one.
type Difference struct {
	Kind string `json:"kind"`
	For  string `json:"for"`
	Text string `json:"text"` // for a person
}

// Check compares what a project uses with its lock, and the lock with a home.
func Check(steps []Step, lock Lock, held []Held) []Difference {
	var out []Difference
	used := map[string][]string{} // versions by key
	for _, s := range steps {
		d := s.Dependency
		used[KeyOf(d)] = append(used[KeyOf(d)], d.Version)
		if _, ok := lock.Find(d); ok {
			continue
		}
		if i := slices.IndexFunc(lock.Docs, func(e Locked) bool { return e.For == KeyOf(d) }); i >= 0 {
			out = append(out, Difference{changed, KeyOf(d),
				"the project uses " + orUnknown(d.Version) + ", and the lock has " + orUnknown(lock.Docs[i].Uses)})
			continue
		}
		out = append(out, Difference{notLocked, KeyOf(d), "the project uses it (" + place(d) + "), and the lock does not have it"})
	}
	for _, e := range lock.Docs {
		versions, ok := used[e.For]
		switch {
		case !ok:
			out = append(out, Difference{notUsed, e.For, "the lock has it, and the project does not use it"})
		case !slices.Contains(versions, e.Uses): // said above
		case e.Missing == "":
			if d, differs := compareHeld(e, held); differs {
				out = append(out, d)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Difference) int { return cmp.Or(cmp.Compare(a.For, b.For), cmp.Compare(a.Kind, b.Kind)) })
	return out
}

// compareHeld compares an entry with the doc set of its name.
func compareHeld(e Locked, held []Held) (Difference, bool) {
	i := slices.IndexFunc(held, func(h Held) bool { return h.Name == e.Name && h.Version == e.Version })
	if i < 0 {
		return Difference{notHere, e.For, "the home has no doc set " + e.Name + "@" + e.Version}, true
	}
	h := held[i]
	set := e.Name + "@" + e.Version
	switch {
	case e.Commit != "" && h.Commit != e.Commit:
		return Difference{differs, e.For, set + " is of " + shortened(h.Commit) + ", and the lock has " + shortened(e.Commit)}, true
	case e.Commit == "" && e.Digest != "" && h.Digest != e.Digest:
		return Difference{differs, e.For, set + " has other files than the lock names"}, true
	}
	return Difference{}, false
}

// Holds reports whether a home has what an entry of a lock names.
func Holds(e Locked, held []Held) bool {
	_, differs := compareHeld(e, held)
	return !differs
}

func orUnknown(version string) string {
	if version == "" {
		return "no version that is known"
	}
	return version
}

func place(d project.Dependency) string { return project.Finding{File: d.File, Line: d.Line}.Place() }

// shortened is a commit as people write it.
func shortened(commit string) string {
	if commit == "" {
		return "no commit"
	}
	return "commit " + commit[:min(12, len(commit))]
}
