// Package packed reads and writes packages: one file with the pages of doc sets, where they
// came from, their checksums and, if wanted, the index that docent derives from them.
//
// A package is a tar archive packed by zstd. Every system has programs for both, one stream is
// read once from its beginning to its end, the small files of a doc set are packed together
// (a zip packs each by itself: Kubernetes' pages take twice as much), and the reader of archives
// with its limits is there already. A zip could give one page without reading the others, which
// nothing needs. The first file of the archive is manifest.json; it lists all others in their
// order, each with its size and SHA-256, so that damage has a name, and what is not listed is
// an error. The same files give the same bytes: the archive has no times, owners or modes.
//
// It refuses to know what the derived files mean: docent/pipeline/service/packing does.
package packed

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
	"docent/store/doc"
)

// Ending ends the names of packages.
const Ending = ".docent"

// SignatureEnding is what the name of a package's signature has behind the package's.
const SignatureEnding = ".minisig"

// format is the version of the form of packages.
const format = 1

// manifestName is the first file of a package.
const manifestName = "manifest.json"

// The folders of a doc set in a package, below its name and version.
const (
	pagesFolder = "pages"
	indexFolder = "index"
)

// Bounds of a manifest: 100 000 files of 200 bytes each.
const (
	mostManifest = 32 << 20
	mostMembers  = 100_000
	mostBytes    = 2 << 30
	mostSets     = 1000
	// mostRead is all of a package unpacked: its files with a header each.
	mostRead = mostManifest + mostBytes + 2000*mostMembers
)

// Manifest lists the contents of a package.
type Manifest struct {
	Format  int      `json:"docent_package"`
	Sets    []Set    `json:"doc_sets"`
	Members []Member `json:"members"`
}

// Set is a doc set in a package.
type Set struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Root is the folder below its files where the pages begin; see source.Fetched.
	Root string `json:"root"`
	// Domain is the one that a person gave, "" where the files decide.
	Domain  string `json:"domain,omitempty"`
	URLBase string `json:"url_base,omitempty"`
	// Origin is where the pages came from; nil: from a person's folder.
	Origin *source.Origin `json:"source,omitempty"`
	Files  int            `json:"files"`
	Bytes  int64          `json:"bytes"`
	// Index names the form of the index; a docent that writes another makes its own. "": it has
	// no index.
	Index string `json:"index,omitempty"`
}

// Ref is the doc set's name and version.
func (s Set) Ref() doc.Ref { return doc.Ref{Name: s.Name, Version: s.Version} }

// folder is that of one kind of the doc set's files in a package.
func (s Set) folder(kind string) string { return s.Ref().String() + "/" + kind + "/" }

// Member is a file of a package.
type Member struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// ErrDamaged means that a package is not as it was packed.
var ErrDamaged = errors.New("the package is damaged")

// ErrVersion means that a package has a form that this program does not read.
var ErrVersion = errors.New("it is a package of another version")

// ErrNotPackage means that a file is no package.
var ErrNotPackage = errors.New("it is no package of docent")

// parseManifest reads a manifest and checks all that is said in it.
func parseManifest(raw []byte) (Manifest, error) {
	var version struct {
		Format *int `json:"docent_package"`
	}
	if err := json.Unmarshal(raw, &version); err != nil {
		return Manifest{}, fmt.Errorf("%w: its manifest cannot be read", ErrDamaged)
	}
	if version.Format == nil {
		return Manifest{}, ErrNotPackage
	}
	if *version.Format != format {
		return Manifest{}, fmt.Errorf("%w: %d, and this docent reads %d", ErrVersion, *version.Format, format)
	}
	var m Manifest
	if err := json.Unmarshal(raw, &m); err != nil {
		return Manifest{}, fmt.Errorf("%w: its manifest cannot be read", ErrDamaged)
	}
	return m, m.check()
}

// check checks that a manifest names doc sets and files that can be unpacked.
func (m Manifest) check() error {
	if len(m.Sets) == 0 || len(m.Sets) > mostSets || len(m.Members) > mostMembers {
		return fmt.Errorf("%w: its manifest has %d doc sets and %d files", ErrDamaged, len(m.Sets), len(m.Members))
	}
	folders := map[string]bool{}
	for _, s := range m.Sets {
		for _, n := range []string{s.Name, s.Version} {
			if err := doc.CheckName(n); err != nil {
				return fmt.Errorf("%w: %w", ErrDamaged, err)
			}
		}
		ref := s.Ref().String()
		if folders[ref] {
			return fmt.Errorf("%w: it has %s twice", ErrDamaged, ref)
		}
		folders[ref] = true
	}
	names, total, pages := map[string]string{}, int64(0), map[string]int{}
	for _, f := range m.Members {
		ref, rest, _ := strings.Cut(f.Name, "/")
		kind, inside, _ := strings.Cut(rest, "/")
		name, err := unpack.CleanName(f.Name)
		switch {
		case err != nil:
			return fmt.Errorf("%w: its manifest names %q: %w", ErrDamaged, f.Name, err)
		case hasRepository(name):
			return fmt.Errorf("%w: its manifest names %q, a repository's own file", ErrDamaged, f.Name)
		case name != f.Name || !folders[ref] || inside == "" || kind != pagesFolder && kind != indexFolder ||
			strings.HasPrefix(inside, reserved):
			return fmt.Errorf("%w: its manifest names %q, which no package has", ErrDamaged, f.Name)
		case f.Size < 0 || f.Size > mostBytes:
			return fmt.Errorf("%w: its manifest gives %q %d bytes", ErrDamaged, f.Name, f.Size)
		}
		if kind == pagesFolder {
			pages[ref]++
		}
		low := strings.ToLower(name)
		if other, taken := names[low]; taken {
			return fmt.Errorf("%w: its manifest names both %q and %q, one file on some systems", ErrDamaged, other, name)
		}
		names[low] = name
		if total += f.Size; total > mostBytes {
			return fmt.Errorf("%w: more than %d MB", unpack.ErrTooLarge, mostBytes>>20)
		}
	}
	for _, s := range m.Sets {
		if n := pages[s.Ref().String()]; n != s.Files {
			return fmt.Errorf("%w: its manifest counts %d files of %s, and names %d", ErrDamaged, s.Files, s.Ref(), n)
		}
	}
	return nil
}

// hasRepository reports whether a path leads into the folder of a repository's own files, by any name
// that a file system takes for .git: git would run the programs that these name.
func hasRepository(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		part = strings.ToLower(strings.TrimRight(part, ". "))
		if part == ".git" || strings.HasPrefix(part, "git~") {
			return true
		}
	}
	return false
}

// reserved begins the names of files that docent puts next to pages.
const reserved = ".docent-"

// find gives a doc set by its name and version; "" is the first.
func (m Manifest) find(ref string) (Set, bool) {
	for _, s := range m.Sets {
		if ref == "" || s.Ref().String() == ref {
			return s, true
		}
	}
	return Set{}, false
}
