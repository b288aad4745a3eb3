package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"strings"

	"docent/pipeline/source"
	"docent/pipeline/source/unpack"
	"docent/pipeline/text/nameindex"
)

// pagesFolder is the folder that the pages of DevDocs are written into.
const pagesFolder = "pages"

// devDocsIndex is the index of a bundle of DevDocs: https://github.com/freeCodeCamp/devdocs
type devDocsIndex struct {
	Entries []struct{ Name, Path, Type string }
}

// devDocsAbout is what a bundle of DevDocs says of itself.
type devDocsAbout struct{ Name, Slug, Version, Release string }

// prepareDevDocs writes the pages of a bundle of DevDocs, which are the values of one object,
// as files.
func prepareDevDocs(ctx context.Context, dir string) (Bundle, error) {
	b := Bundle{Root: pagesFolder}
	var about devDocsAbout
	if raw, err := readSmall(filepath.Join(dir, "meta.json")); err == nil {
		_ = json.Unmarshal(raw, &about) // what it says is optional
	}
	slug, _, _ := strings.Cut(about.Slug, "~")
	b.Name, b.Version = setName(firstText(about.Name, slug)), setName(firstText(about.Release, about.Version))
	raw, err := readSmall(filepath.Join(dir, "index.json"))
	if err != nil {
		return b, err
	}
	var index devDocsIndex
	if err := json.Unmarshal(raw, &index); err != nil {
		return b, fmt.Errorf("index.json is no index of DevDocs: %w", err)
	}
	pages := filepath.Join(dir, pagesFolder)
	if err := os.Mkdir(pages, 0o700); err != nil {
		return b, err
	}
	database := filepath.Join(dir, "db.json")
	if err := b.writePages(ctx, database, pages); err != nil {
		return b, fmt.Errorf("db.json: %w", err)
	}
	var entries []nameindex.Entry
	for _, e := range index.Entries[:min(len(index.Entries), mostNames)] {
		page, anchor, _ := strings.Cut(e.Path, "#")
		entries = append(entries, nameindex.Entry{Name: e.Name, Kind: e.Type, Path: page + pageEnding, Anchor: anchor})
	}
	if b.Names, err = writeNames(pages, entries); err != nil {
		return b, err
	}
	return b, os.Remove(database)
}

// pageEnding is that of the files of pages.
const pageEnding = ".html"

// writePages writes the pages of db.json, one after the other. Those whose names may not be
// files' are left out.
func (b *Bundle) writePages(ctx context.Context, database, into string) error {
	file, err := os.Open(database)
	if err != nil {
		return err
	}
	defer file.Close()
	d := json.NewDecoder(io.LimitReader(file, mostPaged))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("it is no object of pages")
	}
	for d.More() {
		if err := ctx.Err(); err != nil {
			return err
		}
		key, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		var text string
		if err := d.Decode(&text); err != nil {
			return fmt.Errorf("the page %.60q: %w", name, err)
		}
		if b.Bytes += int64(len(text)); b.Pages >= mostPages || len(b.Failed) >= mostFailed || b.Bytes > mostPaged {
			return unpack.ErrTooLarge
		}
		clean, err := unpack.CleanName(name + pageEnding)
		if err != nil || clean == pageEnding {
			b.Failed = append(b.Failed, source.Failure{What: fmt.Sprintf("%.60q", name), Reason: "its name can be no file's"})
			continue
		}
		if err := writePage(filepath.Join(into, filepath.FromSlash(clean)), text); err != nil {
			return err
		}
		b.Pages++
	}
	if b.Pages == 0 {
		return errors.New("there are no pages in it")
	}
	_, err = d.Token()
	return err
}

// writePage writes one page. One without a heading has its name as its title.
func writePage(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	head := "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"
	if !strings.Contains(text, "<h1") {
		head += "<title>" + html.EscapeString(strings.TrimSuffix(filepath.Base(file), pageEnding)) + "</title>\n"
	}
	return os.WriteFile(file, []byte(head+"<div class=\"_page\">\n"+text+"\n</div>\n"), 0o600)
}
