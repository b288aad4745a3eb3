package ingest

import (
	"context"
	"io/fs"
	"path/filepath"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/skip"
	"docent/store/doc"
)

// CountPages counts the pages in a folder as Scan finds them, up to most pages and until
// ctx ends; whole reports whether all were counted. Unreadable folders and files are
// skipped: the number is for proposing a folder.
func CountPages(ctx context.Context, root string, most int, parsers *parse.Registry) (n int, whole bool) {
	layout := layoutOf(root)
	own, _ := domain.LoadRepository(root)
	rules := domain.New(domain.Set{}, own, domain.Repository{}, parsers.Endings(contract.DefaultDomain))
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case d.IsDir():
			if p != root && (skip.Folder(p, d.Name()) || skip.Included(p, d.Name())) {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		if layout == doc.LayoutTitled && d.Name() == doc.TOCFile {
			return nil
		}
		rel = filepath.ToSlash(rel)
		if !d.Type().IsRegular() {
			return nil
		}
		if p, err := parsers.ParserFor(rel, layout, files.HeadReader(root, rel)); err == nil &&
			p.Info().TakesDomain(rules.Decide(rel).Domain) {
			if n == most {
				return fs.SkipAll
			}
			n++
		}
		return nil
	})
	return n, err == nil && n < most
}
