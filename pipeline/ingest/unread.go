package ingest

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Unread are the files of a doc set's folder that no parser reads: pictures, programs,
// formats that are not known. Hidden files are not counted.
type Unread struct {
	Endings []Ending `json:"endings,omitempty"` // most files first
	Files   int      `json:"files"`
	// Paths are those of the files, the first mostUnread in the order of the scan.
	Paths []string `json:"-"`

	byName map[string]int // index in Endings
}

// Ending counts the files that have an ending.
type Ending struct {
	Ending string `json:"ending"` // with its dot, in lower case; "": none
	Files  int    `json:"files"`
}

// Bounds of what is kept of a folder of any size.
const (
	mostUnread  = 10_000 // paths
	mostEndings = 200    // others are counted together
	otherEnding = ".…"
)

// add counts a file.
func (u *Unread) add(file string) {
	if strings.HasPrefix(path.Base(file), ".") {
		return
	}
	if u.Files++; len(u.Paths) < mostUnread {
		u.Paths = append(u.Paths, file)
	}
	name := strings.ToLower(path.Ext(file))
	if len(name) > 20 {
		name = otherEnding
	}
	i, ok := u.byName[name]
	if !ok && len(u.Endings) >= mostEndings {
		name = otherEnding
		i, ok = u.byName[name]
	}
	if !ok {
		if u.byName == nil {
			u.byName = map[string]int{}
		}
		i = len(u.Endings)
		u.byName[name] = i
		u.Endings = append(u.Endings, Ending{Ending: name})
	}
	u.Endings[i].Files++
}

// sort brings the endings into their order; nothing is added afterwards.
func (u *Unread) sort() {
	u.byName = nil
	slices.SortFunc(u.Endings, func(a, b Ending) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), strings.Compare(a.Ending, b.Ending))
	})
}

// mostNamed is how many endings a summary names.
const mostNamed = 5

// String is a summary for a person, "" where all files are read: "12 .png, 3 .psd and 2
// others".
func (u Unread) String() string {
	var parts []string
	others := u.Files
	for _, e := range u.Endings[:min(mostNamed, len(u.Endings))] {
		name := e.Ending
		if name == "" {
			name = "without an ending"
		}
		parts = append(parts, fmt.Sprintf("%d %s", e.Files, name))
		others -= e.Files
	}
	text := oneLine(strings.Join(parts, ", "))
	if others > 0 {
		text += fmt.Sprintf(" and %d others", others)
	}
	return text
}
