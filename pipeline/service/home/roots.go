package home

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/store"
)

// Roots turns the folders of doc sets into texts that mean the same on every machine, and back.
// Folders of a home itself are named by their place in it, those of a person by the machine that has
// them. A text of another form is a folder of this machine: earlier versions kept folders so.
type Roots struct {
	Home    string // the home's folder, absolute
	Shared  bool   // several machines share the catalog
	Machine string // the identity of this machine's home folder; "": it has none
	Host    string // what people call this machine
}

const (
	homeRoot    = "home:"
	machineRoot = "machine:"
)

// shared are the folders of a home with documents, that every machine has.
var shared = []string{"manual", SourcesFolder, "uploads"}

// rootsOf are the folders of a home whose catalog is this machine's alone. The list of doc sets may be
// from a time when it was not.
func rootsOf(dir string) Roots {
	raw, _ := os.ReadFile(filepath.Join(dir, MachineName)) // missing in most homes
	return Roots{Home: dir, Machine: strings.TrimSpace(string(raw))}
}

// Placed is the text for the folder of a doc set.
func (r Roots) Placed(s store.Set) string {
	if s.Place != "" || !r.Shared {
		return cmp.Or(s.Place, s.Root)
	}
	if inside, err := filepath.Rel(r.Home, s.Root); err == nil && filepath.IsLocal(inside) {
		inside = filepath.ToSlash(inside)
		if top, _, _ := strings.Cut(inside, "/"); slices.Contains(shared, top) {
			return homeRoot + inside
		}
	}
	return machineRoot + r.Machine + ":" + strings.ReplaceAll(cmp.Or(r.Host, "another machine"), ":", "_") + ":" + s.Root
}

// FoundAll is Found for each of several doc sets.
func (r Roots) FoundAll(sets []store.Set) []store.Set {
	out := make([]store.Set, len(sets))
	for i, s := range sets {
		out[i] = r.found(s)
	}
	return out
}

// found is a doc set, whose Root is such a text, with its folder.
func (r Roots) found(s store.Set) store.Set {
	if inside, ok := strings.CutPrefix(s.Root, homeRoot); ok && filepath.IsLocal(filepath.FromSlash(inside)) {
		s.Place, s.Root = s.Root, filepath.Join(r.Home, filepath.FromSlash(inside))
		return s
	}
	parts := strings.SplitN(s.Root, ":", 4)
	if !strings.HasPrefix(s.Root, machineRoot) || len(parts) != 4 {
		return s
	}
	s.Place, s.Root = s.Root, parts[3]
	if parts[1] != r.Machine {
		s.Host, s.Root = parts[2], parts[2]+":"+parts[3]
	}
	return s
}
