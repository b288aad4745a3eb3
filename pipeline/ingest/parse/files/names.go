package files

import (
	"slices"

	"docent/pipeline/ingest/naming"
	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// namedFolder is the index of names of a folder, and the use of it by its pages.
type namedFolder struct {
	naming.Index
	use doc.Use
}

// NamePlaces gives a page the names that an index of the folder has on it. The index is a
// file that the page uses: the page is read again when it changes.
func (f *Folder) NamePlaces(d *doc.Document) {
	named, _ := f.Survey("names", func(all parse.Files) any {
		x := naming.Read(func(name string) ([]byte, error) {
			o, err := all.Open(name)
			return o.Data, err
		})
		if x.File == "" {
			return namedFolder{}
		}
		return namedFolder{x, parse.LookAtFile(all, x.File)}
	}).(namedFolder)
	if d.Names = named.Names(d.Path); len(d.Names) > 0 {
		d.Uses = append(slices.Clip(d.Uses), named.use)
	}
}

// IsNameIndex reports whether a file of a folder is an index of names, by its path in it.
func IsNameIndex(file string) bool { return naming.IsIndex(file) }
