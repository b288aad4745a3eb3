// Package mirror finds documentation in mirrors: folders of packages, and addresses that serve
// one. A mirror at an address has the file packages.json next to its packages.
//
// A mirror is asked before the source that a person names, so that a team fetches each source
// once, and a machine without a network has what a disk holds.
//
// It refuses to fetch and to open packages, which docent/pipeline/source/packed does.
package mirror

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/packed"
	"docent/pipeline/source/web"
	"docent/store/doc"
)

// ListFile lists the packages of a mirror.
const ListFile = "packages.json"

// format is the version of the list's form.
const format = 1

const (
	mostPackages = 10_000
	mostListed   = 16 << 20 // bytes
)

// Entry is a doc set in a package of a mirror.
type Entry struct {
	File    string `json:"file"` // the package, without a folder
	Name    string `json:"name"`
	Version string `json:"version"`
	// Source, Commit and Digest are the doc set's before it was packed: what `docent add` fetched,
	// and which state of it. They are "" where a person's folder was packed.
	Source string `json:"source,omitempty"`
	Commit string `json:"commit,omitempty"`
	Digest string `json:"digest,omitempty"`
	// Path is the folder of a repository, and Asked what a person narrowed it to.
	Path  string `json:"path,omitempty"`
	Asked string `json:"asked,omitempty"`
}

// docSet is the doc set's name and version.
func (e Entry) docSet() doc.Ref { return doc.Ref{Name: e.Name, Version: e.Version} }

// List is what a mirror has.
type List struct {
	Format int     `json:"docent_packages"`
	Sets   []Entry `json:"doc_sets"`
}

// JSON is the list as a file of a mirror has it.
func (l List) JSON() ([]byte, error) {
	raw, err := json.MarshalIndent(l, "", "  ")
	return append(raw, '\n'), err
}

// Fault is a package that cannot be read.
type Fault struct {
	File string
	Err  error
}

// Folder lists the packages in a folder, in the order of their names. Files that are no packages
// are passed over, and packages that cannot be read are faults.
func Folder(ctx context.Context, dir string) (List, []Fault, error) {
	list := List{Format: format, Sets: []Entry{}}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return list, nil, err
	}
	var faults []Fault
	n := 0
	for _, e := range entries {
		if !IsPackage(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if n++; n > mostPackages {
			return list, faults, fmt.Errorf("%s has more than %d packages", dir, mostPackages)
		}
		m, err := packed.ReadManifest(ctx, filepath.Join(dir, e.Name()))
		if ctx.Err() != nil {
			return list, faults, ctx.Err()
		}
		if err != nil {
			faults = append(faults, Fault{e.Name(), err})
			continue
		}
		for _, s := range m.Sets {
			one := Entry{File: e.Name(), Name: s.Name, Version: s.Version}
			if o := s.Origin; o != nil && isElsewhere(o.Source) { // a path says nothing to others
				one.Source, one.Commit, one.Digest, one.Path, one.Asked = o.Source, o.Commit, o.Digest, o.Path, o.Asked
			}
			list.Sets = append(list.Sets, one)
		}
	}
	return list, faults, nil
}

// IsPackage reports whether a file can be a package of a mirror by its name.
func IsPackage(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), packed.Ending) && isPlain(name)
}

// isPlain reports whether a name is one of a file without a folder, on every system.
func isPlain(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, "/\\:") &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// Mirrors are the mirrors of a configuration.
type Mirrors struct {
	// Places are folders, and addresses of http and https, in the order in which they are asked.
	Places []string
	// Client makes the client that asks an address.
	Client func(u *url.URL) (*web.Client, error)
}

// Find looks for what a person names in the mirrors: a doc set that came from the same source, or one of
// that name. say hears of a mirror that cannot be read, and the next is asked.
func (m *Mirrors) Find(ctx context.Context, want source.Want, say func(format string, args ...any)) (source.Mirrored, bool) {
	if !isElsewhere(want.Address) {
		return source.Mirrored{}, false
	}
	for _, place := range m.Places {
		list, err := m.read(ctx, place)
		if ctx.Err() != nil {
			return source.Mirrored{}, false
		}
		if err != nil {
			say("the mirror %s cannot be read: %v", place, err)
			continue
		}
		e, ok := list.find(want)
		if !ok {
			if versions := list.versionsOf(want); len(versions) > 0 && want.Version != "" {
				say("the mirror %s has %s in no version %s, but in %s", place, want.Address, want.Version, strings.Join(versions, ", "))
			}
			continue
		}
		ref := e.docSet().String()
		return source.Mirrored{Set: ref, Source: e.Source, Commit: e.Commit, Digest: e.Digest,
			Package: source.Want{Kind: source.KindPacked, Address: inside(place, e.File), Path: ref, Signers: want.Signers}}, true
	}
	return source.Mirrored{}, false
}

// IsAddress reports whether a place is an address, and no folder.
func IsAddress(place string) bool {
	return strings.HasPrefix(place, "https://") || strings.HasPrefix(place, "http://")
}

// inside is the place of a package.
func inside(place, file string) string {
	if IsAddress(place) {
		return strings.TrimSuffix(place, "/") + "/" + url.PathEscape(file)
	}
	return filepath.Join(place, file)
}

// read lists a mirror.
func (m *Mirrors) read(ctx context.Context, place string) (List, error) {
	if !IsAddress(place) {
		list, faults, err := Folder(ctx, place)
		for _, f := range faults {
			err = errors.Join(err, fmt.Errorf("%s: %w", f.File, f.Err))
		}
		if len(list.Sets) > 0 {
			return list, nil // a damaged package does not hide the others
		}
		return list, err
	}
	u, err := url.Parse(inside(place, ListFile))
	if err != nil {
		return List{}, err
	}
	client, err := m.Client(u)
	if err != nil {
		return List{}, err
	}
	answer, err := client.Get(ctx, web.Request{URL: u, Most: mostListed})
	if err != nil {
		return List{}, err
	}
	return parse(answer.Body)
}

// parse reads a list. What it says is not believed: names that are no plain files and doc sets
// without a proper name are errors.
func parse(raw []byte) (List, error) {
	var l List
	if err := json.Unmarshal(raw, &l); err != nil {
		return l, fmt.Errorf("its %s is damaged: %w", ListFile, err)
	}
	if l.Format != format {
		return l, fmt.Errorf("its %s is of another version: %d, and this docent reads %d", ListFile, l.Format, format)
	}
	for _, e := range l.Sets {
		if !IsPackage(e.File) || doc.CheckName(e.Name) != nil || doc.CheckName(e.Version) != nil {
			return l, fmt.Errorf("its %s names %.100q with %.100q, which no mirror has", ListFile, e.File, e.Name+"@"+e.Version)
		}
	}
	return l, nil
}

// isElsewhere reports whether a source is no file or folder of this machine, and nothing else that
// differs from one machine to the next.
func isElsewhere(address string) bool {
	for _, own := range []string{"file:", "man:", "info:"} {
		if strings.HasPrefix(address, own) {
			return false
		}
	}
	return address != "" && !filepath.IsAbs(address) && !strings.HasPrefix(address, "/") && !strings.Contains(address, "\\")
}

// find finds what a person names: the newest of the doc sets that came from the same source, or of
// those that have the name.
func (l List) find(want source.Want) (Entry, bool) {
	text := want.Address
	if want.Version != "" {
		text += "@" + want.Version
	}
	if e, ok := l.newest(func(e Entry) bool { return e.Source == text && fitsRequest(e, want) }); ok {
		return e, true
	}
	if want.Kind != source.KindRecipe || want.Ref != "" || want.Path != "" {
		return Entry{}, false
	}
	return l.newest(func(e Entry) bool {
		return strings.EqualFold(e.Name, want.Address) && isReleaseOf(e.Version, want.Version)
	})
}

// mostVersions is how many versions are said to be there.
const mostVersions = 5

// versionsOf are the newest versions of the doc set that a person names.
func (l List) versionsOf(want source.Want) []string {
	var out []string
	for _, e := range l.Sets {
		if want.Kind == source.KindRecipe && strings.EqualFold(e.Name, want.Address) {
			out = append(out, e.Version)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(doc.CompareVersions(b, a), strings.Compare(a, b)) })
	out = slices.Compact(out)
	return out[:min(len(out), mostVersions)]
}

// newest is the newest of some doc sets; of the same version, that in the first package by name.
func (l List) newest(which func(Entry) bool) (Entry, bool) {
	var some []Entry
	for _, e := range l.Sets {
		if which(e) {
			some = append(some, e)
		}
	}
	if len(some) == 0 {
		return Entry{}, false
	}
	return slices.MaxFunc(some, func(a, b Entry) int {
		return cmp.Or(doc.CompareVersions(a.Version, b.Version), strings.Compare(b.File, a.File))
	}), true
}

// fitsRequest reports whether an entry has the state and the folder that a request for its source names: it
// was asked for by the same words, or has the same commit and folder.
func fitsRequest(e Entry, want source.Want) bool {
	if want.Ref == "" && want.Path == "" {
		return e.Asked == ""
	}
	folder := strings.Trim(want.Path, "/")
	return e.Asked == want.Ref+":"+folder || want.Ref != "" && want.Ref == e.Commit && (folder == "" || folder == cmp.Or(e.Path, "."))
}

// isReleaseOf reports whether a version is the wanted one, or a release of it: 1.31.2 is of 1.31.
func isReleaseOf(version, wanted string) bool {
	wanted = strings.TrimLeft(wanted, "vV")
	return wanted == "" || version == wanted || strings.HasPrefix(version, wanted+".")
}
