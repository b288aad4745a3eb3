package planning

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/BurntSushi/toml"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/source/project"
)

// LockFile is the name of the file in a project's folder.
const LockFile = "docent.lock"

// lockFormat is the version of the file.
const lockFormat = 1

// Locked is where the documentation of one dependency came from.
type Locked struct {
	For    string `toml:"for" json:"for"` // the dependency: npm:react
	Uses   string `toml:"uses" json:"uses,omitempty"`
	Source string `toml:"source" json:"source,omitempty"`
	How    string `toml:"how" json:"how,omitempty"`
	// Name and Version are the doc set's.
	Name    string `toml:"name" json:"name,omitempty"`
	Version string `toml:"version" json:"version,omitempty"`
	Commit  string `toml:"commit" json:"commit,omitempty"`
	Digest  string `toml:"digest" json:"digest,omitempty"`
	// Path is the folder of a repository that was found, "" where the source itself says it.
	Path string `toml:"path" json:"path,omitempty"`
	// Missing says why no documentation was found; all but For and Uses is empty then.
	Missing string `toml:"missing" json:"missing,omitempty"`
}

// Lock is what docent.lock says.
type Lock struct{ Docs []Locked }

// KeyOf names a dependency in a lock without its version: npm:react, docs:postgresql@16.
func KeyOf(d project.Dependency) string {
	if d.Ecosystem == "" {
		return "docs:" + d.Name
	}
	return ecosystem.Address(d.Ecosystem, d.Name, "")
}

// Errors of a lock that cannot be read.
var (
	ErrLockDamaged = errors.New("it is damaged")
	ErrLockNewer   = errors.New("it was written by a newer docent")
)

// head begins the file.
const head = "# Where the documentation of this project's dependencies came from. Written by docent; keep it in the repository.\n"

// Format writes a lock. The same entries in any order give the same bytes.
func (l Lock) Format() []byte {
	var b bytes.Buffer
	b.WriteString(head)
	fmt.Fprintf(&b, "format = %d\n", lockFormat)
	docs := slices.Clone(l.Docs)
	slices.SortFunc(docs, func(x, y Locked) int { return cmp.Or(cmp.Compare(x.For, y.For), cmp.Compare(x.Uses, y.Uses)) })
	for _, d := range docs {
		b.WriteString("\n[[docs]]\n")
		for _, field := range [][2]string{{"for", d.For}, {"uses", d.Uses}, {"source", d.Source}, {"how", d.How},
			{"name", d.Name}, {"version", d.Version},
			{"commit", d.Commit}, {"digest", d.Digest}, {"path", d.Path}, {"missing", d.Missing}} {
			if field[1] != "" {
				fmt.Fprintf(&b, "%s = %s\n", field[0], quote(field[1]))
			}
		}
	}
	return b.Bytes()
}

// quote writes a text as a string of TOML.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsControl(r):
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// ParseLock reads a lock. The error wraps ErrLockDamaged or ErrLockNewer.
func ParseLock(src []byte) (Lock, error) {
	var file struct {
		Format int
		Docs   []Locked
	}
	if bytes.Contains(src, []byte("<<<<<<<")) {
		return Lock{}, fmt.Errorf("%w: it has marks of a merge; resolve them", ErrLockDamaged)
	}
	if project.NestsTooDeeply(src) {
		return Lock{}, fmt.Errorf("%w: its brackets are nested too deeply", ErrLockDamaged)
	}
	if _, err := toml.Decode(string(src), &file); err != nil {
		return Lock{}, fmt.Errorf("%w: %s", ErrLockDamaged, strings.ReplaceAll(err.Error(), "\n", " "))
	}
	switch {
	case file.Format > lockFormat:
		return Lock{}, ErrLockNewer
	case file.Format < 1:
		return Lock{}, fmt.Errorf("%w: it has no format", ErrLockDamaged)
	}
	for _, d := range file.Docs {
		if d.For == "" || d.Missing == "" && (d.Source == "" || strings.HasPrefix(d.Source, "-") || strings.HasPrefix(d.Commit, "-")) {
			return Lock{}, fmt.Errorf("%w: an entry names no dependency or no source", ErrLockDamaged)
		}
	}
	return Lock{Docs: file.Docs}, nil
}

// maxLock is the most that is read of a lock, in bytes.
const maxLock = 8 << 20

// FindLock reads the lock of the project that a folder lies in: that of the folder, or of
// the nearest one above it, up to the root of its repository. path is "" where there is
// none. The error wraps ErrLockDamaged or ErrLockNewer where the file at path cannot be read.
func FindLock(dir string) (path string, l Lock, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return "", l, err
	}
	for {
		path = filepath.Join(dir, LockFile)
		if l, err = ReadLock(path); !errors.Is(err, fs.ErrNotExist) {
			return path, l, err
		}
		_, err = os.Lstat(filepath.Join(dir, ".git"))
		above := filepath.Dir(dir)
		if err == nil || above == dir {
			return "", l, nil
		}
		dir = above
	}
}

// ReadLock reads the lock at path. The error wraps fs.ErrNotExist, ErrLockDamaged or
// ErrLockNewer.
func ReadLock(path string) (Lock, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Lock{}, err
	}
	if !st.Mode().IsRegular() || st.Size() > maxLock {
		return Lock{}, fmt.Errorf("%w: it is no file of at most %d MB", ErrLockDamaged, maxLock>>20)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return Lock{}, err
	}
	return ParseLock(raw)
}

// Find gives the entry of a dependency at the version that the project uses.
func (l Lock) Find(d project.Dependency) (Locked, bool) {
	key := KeyOf(d)
	for _, e := range l.Docs {
		if e.For == key && e.Uses == d.Version {
			return e, true
		}
	}
	return Locked{}, false
}

// Set puts the entry of a dependency in the place of the one that it had.
func (l *Lock) Set(e Locked) {
	for i, old := range l.Docs {
		if old.For == e.For && old.Uses == e.Uses {
			l.Docs[i] = e
			return
		}
	}
	l.Docs = append(l.Docs, e)
}

// Keep drops the entries of all but some dependencies.
func (l *Lock) Keep(dependencies []project.Dependency) {
	l.Docs = slices.DeleteFunc(l.Docs, func(e Locked) bool {
		return !slices.ContainsFunc(dependencies, func(d project.Dependency) bool { return KeyOf(d) == e.For && d.Version == e.Uses })
	})
}
