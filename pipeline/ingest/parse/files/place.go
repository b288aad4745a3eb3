package files

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/permalink"
	"docent/store/doc"
)

// placedFolder is what the configuration of a site of Jekyll says of the paths of its pages.
type placedFolder struct {
	rules *permalink.Rules
	use   doc.Use
	above string // the path of the doc set in the folder of the site, "" where it is that folder
}

// mostAboveSite is how many folders above a doc set are looked at for the configuration of its site: a
// collection of Jekyll is a folder of the site.
const mostAboveSite = 3

// PlaceOnSite gives a page its path on the web site, where that does not follow from its file's. The
// site's configuration is a file that the page uses then: the page is read again when it changes.
func (f *Folder) PlaceOnSite(d *doc.Document) {
	switch d.Format {
	case doc.FormatMarkdown, doc.FormatHTML, doc.FormatAsciiDoc:
	default:
		return
	}
	placed, _ := f.Survey("places of Jekyll", func(all parse.Files) any { return f.readPlaces(all) }).(placedFolder)
	if placed.rules == nil {
		return
	}
	d.SitePath = placed.rules.Place(path.Join(placed.above, d.Path), d.Source)
	d.Uses = append(slices.Clip(d.Uses), placed.use)
}

// readPlaces reads the nearest configuration, in the folder or above it in its repository. One that is not
// legible says nothing.
func (f *Folder) readPlaces(all parse.Files) placedFolder {
	inside, above := f.outer().inside, ""
	for up := range mostAboveSite + 1 {
		name := strings.Repeat("../", up) + permalink.ConfigFile
		if o, err := all.Open(name); err == nil {
			rules, err := permalink.ReadRules(o.Data)
			if err != nil {
				return placedFolder{}
			}
			return placedFolder{rules, parse.LookAtFile(all, name), above}
		}
		if inside == "" || inside == "." {
			break
		}
		above, inside = path.Join(path.Base(inside), above), path.Dir(inside)
	}
	return placedFolder{}
}
