package dita

import (
	"path"
	"slices"
	"sync"

	"docent/pipeline/ingest/parse"
)

// keyIndex has the maps of a doc set with their keys: made once for all pages of an update, for
// thousands of pages ask hundreds of maps. It is safe for concurrent use.
type keyIndex struct {
	maps     map[string]*keyMap  // listed ones and those that they refer to, by path; nil: one is missing
	listed   []string            // in order
	inFolder map[string][]string // listed ones, in order

	mu     sync.Mutex
	closed map[string]*keysOfMaps // by folder
}

// keysOfMaps are the keys of some maps and of those that they refer to and that the doc set does not
// list.
type keysOfMaps struct {
	first    map[string]key // the first definition of each
	unlisted []string       // those that they refer to
}

// allFolders is the name of all maps in keyIndex.closed: no folder is called so.
const allFolders = ""

// mapEndings are those of the files that are listed as maps.
var mapEndings = [...]string{".ditamap", ".bookmap"}

// indexKeys reads the maps of a doc set.
func indexKeys(all parse.Files, cache *mapCache) *keyIndex {
	x := &keyIndex{maps: map[string]*keyMap{}, inFolder: map[string][]string{}, closed: map[string]*keysOfMaps{}}
	x.listed = slices.Sorted(slices.Values(all.List(mapEndings[:]...)))
	x.listed = x.listed[:min(len(x.listed), maxMaps)]
	queue := slices.Clone(x.listed)
	for _, p := range x.listed {
		x.inFolder[path.Dir(p)] = append(x.inFolder[path.Dir(p)], p)
	}
	for len(queue) > 0 && len(x.maps) < 2*maxMaps {
		p := queue[0]
		queue = queue[1:]
		if _, known := x.maps[p]; known {
			continue
		}
		opened, err := all.Open(p)
		if err != nil {
			x.maps[p] = nil // one that is named, but missing, defines nothing
			continue
		}
		x.maps[p] = cache.getKeyMap(p, opened.Data)
		for _, sub := range x.maps[p].maps {
			if len(sub) <= maxPath {
				queue = append(queue, sub)
			}
		}
	}
	return x
}

// around are the keys of the maps in a folder.
func (x *keyIndex) around(folder string) *keysOfMaps { return x.closure(folder, x.inFolder[folder]) }

// everywhere are the keys of all maps.
func (x *keyIndex) everywhere() *keysOfMaps { return x.closure(allFolders, x.listed) }

// closure gives the keys of maps and keeps them under a name.
func (x *keyIndex) closure(name string, of []string) *keysOfMaps {
	x.mu.Lock()
	defer x.mu.Unlock()
	if known, ok := x.closed[name]; ok {
		return known
	}
	out := &keysOfMaps{first: map[string]key{}}
	seen := map[string]bool{}
	for _, p := range x.listed { // each has its own turn
		seen[p] = true
	}
	// Other maps that one of them refers to come before the next one.
	for queue := slices.Clone(of); len(queue) > 0; {
		p := queue[0]
		queue = queue[1:]
		if _, listed := slices.BinarySearch(x.listed, p); !listed {
			out.unlisted = append(out.unlisted, p)
		}
		m := x.maps[p]
		if m == nil {
			continue
		}
		for _, d := range m.keys {
			if _, twice := out.first[d.name]; !twice {
				out.first[d.name] = d.key
			}
		}
		var more []string
		for _, sub := range m.maps {
			if !seen[sub] && len(seen) < 2*maxMaps {
				seen[sub] = true
				more = append(more, sub)
			}
		}
		queue = append(more, queue...)
	}
	x.closed[name] = out
	return out
}
