package files

import (
	"slices"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/permalink"
	"docent/store/doc"
)

// placedFolder is what the configuration of a site of Jekyll says of the paths of its pages.
type placedFolder struct {
	rules *permalink.Rules
	use   doc.Use
}

// PlaceOnSite gives a page its path on the web site, where that does not follow from its file's. The
// site's configuration is a file that the page uses then: the page is read again when it changes.
func (f *Folder) PlaceOnSite(d *doc.Document) {
	switch d.Format {
	case doc.FormatMarkdown, doc.FormatHTML, doc.FormatAsciiDoc:
	default:
		return
	}
	placed, _ := f.Survey("places of Jekyll", func(all parse.Files) any {
		o, err := all.Open(permalink.ConfigFile)
		if err != nil {
			return placedFolder{}
		}
		rules, err := permalink.ReadRules(o.Data)
		if err != nil {
			return placedFolder{} // which the program that makes the site says
		}
		return placedFolder{rules, parse.LookAtFile(all, permalink.ConfigFile)}
	}).(placedFolder)
	if placed.rules == nil {
		return
	}
	d.SitePath = placed.rules.Place(d.Path, d.Source)
	d.Uses = append(slices.Clip(d.Uses), placed.use)
}
