// Package gitignore says which files of a folder git leaves alone, by the files
// .gitignore in it, and in the repository around it.
//
// It reads the files .gitignore alone, and .git/info/exclude. It refuses to read git's
// configuration, whose list of a person's own patterns would make the answer another one
// on each machine, and the index, in which an ignored file may be.
package gitignore

import (
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Limits of the files that are read.
const (
	mostParents  = 20        // folders above the root
	mostBytes    = 256 << 10 // of a file .gitignore
	mostPatterns = 2000      // of it
)

// Tree is a folder. It reads a folder's patterns when a file there is first asked for. It
// is not safe for concurrent use.
type Tree struct {
	root    string // of the repository; the folder itself outside of one
	inside  string // the folder's path in the repository, with slashes, "" where they are one
	folders map[string]*folder
}

// folder has the rules of a folder.
type folder struct {
	ignored  bool
	patterns []pattern
}

// New is the tree of a folder by its absolute path.
func New(root string) *Tree {
	t := &Tree{root: root, folders: map[string]*folder{}}
	dir, inside := root, ""
	for range mostParents {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			t.root, t.inside = dir, inside
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir, inside = up, path.Join(filepath.Base(dir), inside)
	}
	return t
}

// Ignored reports whether git leaves a file alone, by its path inside the folder, with
// slashes.
func (t *Tree) Ignored(file string) bool {
	full := path.Join(t.inside, file)
	dir := path.Dir(full)
	return t.rulesOfFolder(dir).ignored || t.matches(full, dir, false)
}

// rulesOfFolder returns the rules of a folder by its path in the repository; "." is its root.
func (t *Tree) rulesOfFolder(dir string) *folder {
	if f, ok := t.folders[dir]; ok {
		return f
	}
	f := &folder{}
	if dir != "." {
		up := path.Dir(dir)
		f.ignored = t.rulesOfFolder(up).ignored || t.matches(dir, up, true)
	}
	if !f.ignored {
		if dir == "." {
			f.patterns = readPatterns(filepath.Join(t.root, ".git", "info", "exclude"))
		}
		f.patterns = append(f.patterns, readPatterns(filepath.Join(t.root, filepath.FromSlash(dir), ".gitignore"))...)
	}
	t.folders[dir] = f
	return f
}

// matches reports whether the patterns of a folder and those around it say that something in
// it is ignored: the last that matches decides, those of inner folders first.
func (t *Tree) matches(full, dir string, isDir bool) bool {
	for {
		f := t.rulesOfFolder(dir)
		rel := full
		if dir != "." {
			rel = full[len(dir)+1:]
		}
		for i := len(f.patterns) - 1; i >= 0; i-- {
			if p := &f.patterns[i]; p.matches(rel, isDir) {
				return !p.not
			}
		}
		if dir == "." {
			return false
		}
		dir = path.Dir(dir)
	}
}

func readPatterns(file string) []pattern {
	st, err := os.Lstat(file)
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil // an unreadable file has no rules
	}
	raw, err := io.ReadAll(io.LimitReader(f, mostBytes))
	if errors.Join(err, f.Close()) != nil {
		return nil
	}
	return parsePatterns(string(raw))
}

// pattern is a line of a file .gitignore.
type pattern struct {
	not      bool     // !pattern
	dirs     bool     // pattern/
	anchored bool     // it has a slash: it is a path, no name
	parts    []string // between slashes
}

func parsePatterns(text string) []pattern {
	var out []pattern
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = line[:len(line)-1]
		}
		if line == "" || line[0] == '#' || len(out) >= mostPatterns {
			continue
		}
		p := pattern{}
		line, p.not = strings.CutPrefix(line, "!")
		line, p.dirs = strings.CutSuffix(line, "/")
		p.anchored = strings.Contains(line, "/")
		for part := range strings.SplitSeq(strings.TrimPrefix(line, "/"), "/") {
			if n := len(p.parts); part == "**" && n > 0 && p.parts[n-1] == "**" {
				continue
			}
			p.parts = append(p.parts, part)
		}
		if _, err := path.Match(strings.Join(p.parts, "/"), ""); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// matches reports whether the pattern is about a path below the folder of its file.
func (p *pattern) matches(rel string, isDir bool) bool {
	if p.dirs && !isDir {
		return false
	}
	if !p.anchored {
		ok, err := path.Match(p.parts[0], path.Base(rel))
		return ok && err == nil
	}
	return matchParts(p.parts, strings.Split(rel, "/"))
}

// matchParts compares the parts of a pattern with those of a path. The last ** is the only one
// that needs to be tried at several places, as with stars in names.
func matchParts(parts, names []string) bool {
	star, from := -1, 0 // the last **, and where what follows it was tried
	i, k := 0, 0
	for k < len(names) {
		switch {
		case i < len(parts) && parts[i] == "**":
			if i == len(parts)-1 {
				return true // all that is inside
			}
			star, from = i, k
			i++
		case i < len(parts) && matchesName(parts[i], names[k]):
			i++
			k++
		case star >= 0:
			from++
			i, k = star+1, from
		default:
			return false
		}
	}
	return i == len(parts)
}

func matchesName(part, name string) bool {
	ok, err := path.Match(part, name)
	return ok && err == nil
}
