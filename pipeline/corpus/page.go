package corpus

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/chunk"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/markdown"
	"docent/store"
	"docent/store/doc"
)

// Page is one page as its file is now. Doc.Source is the file's content, Doc.Text the
// text that is shown and cited.
type Page struct {
	Set     store.Set
	Path    string
	SHA256  string // of Doc.Source
	Indexed string // the source's hash when the page was indexed
	// Changed says that the text may not be the indexed one: places in the index
	// are not places in it.
	Changed bool
	// Converted says that the source is the indexed one, and that its text was
	// made by another version of the parser, or came out differently.
	Converted bool
	// IndexedParser is the version of the parser when the page was indexed;
	// Doc.Parser is the present one.
	IndexedParser int
	Domain        string // as store.Document.Domain
	Doc           doc.Document
	Chunks        []doc.Chunk // with texts; without, where Shown gives a large page
}

func hashBytes(src []byte) string {
	sum := sha256.Sum256(src)
	return hex.EncodeToString(sum[:])
}

// ErrPageGone means that a page's file is not there any more.
var ErrPageGone = errors.New("its file is gone")

// Page reads and parses one page. The error wraps ErrPageGone where the file
// is gone, store.ErrNotFound where the set has no such page.
func (l *Corpus) Page(ctx context.Context, set store.Set, path string) (*Page, error) {
	p, err := l.Source(ctx, set, path)
	if err != nil {
		return nil, err
	}
	if !p.Changed { // else Source did
		err = l.parseStructure(ctx, p)
	}
	return p, err
}

// parseStructure reads the structure of a page's text.
func (l *Corpus) parseStructure(ctx context.Context, p *Page) error {
	d, err := l.Parsers.Parse(ctx, p.Doc.Source, l.sourceFiles().parserFile(p.Set, p.Path))
	if err != nil {
		return p.wrapError(err)
	}
	if p.Set.Layout == doc.LayoutTitled && path.Base(p.Path) == doc.ContentFile {
		if toc, err := l.TOC(p.Set, path.Join(path.Dir(p.Path), doc.TOCFile)); err == nil { // a page may lack it
			markdown.ApplyTOC(&d, toc)
		}
	}
	if d.URL == "" {
		d.URL = cmp.Or(files.AddressesIn(p.Set.Root)[p.Path], doc.PageURL(p.Set.Site, p.Path, d.Permalink))
	}
	p.Doc = d
	p.Chunks, _ = chunk.ByDomain(p.Domain, d)
	return nil
}

func (p *Page) wrapError(err error) error {
	return fmt.Errorf("page %s of %s: %w", p.Path, p.Set.Ref, err)
}

// FileHash is the SHA-256 of a page's file as it is now, "" where the page or its file is
// gone.
func (l *Corpus) FileHash(ctx context.Context, set store.Set, path string) (string, error) {
	_, err := l.Catalog.ByPath(ctx, set.ID, path)
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	src, err := l.sourceFiles().readSource(ctx, set, path, "")
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return hashBytes(src), nil
}

// readSource reads a page's file. One with another hash than expected may have been altered on this
// machine, where others have it too: it is compared with theirs.
func (l sourceFiles) readSource(ctx context.Context, set store.Set, path, expected string) ([]byte, error) {
	if err := l.fillFolder(ctx, set); err != nil {
		return nil, err
	}
	src, err := l.readFile(set, path)
	if l.Mend == nil || err == nil && (expected == "" || hashBytes(src) == expected) {
		return src, err
	}
	mended, merr := l.Mend(ctx, set, path)
	switch {
	case merr != nil:
		return nil, merr
	case !mended:
		return src, err
	}
	return l.readFile(set, path)
}

// Source is as Page without blocks and chunks: of Doc it gives path, title, first
// heading, address and rendition, the sections of a page whose text is not its source,
// and of a changed page all that Page gives, as it is now.
//
// A text that is not the source is compared with the catalog. One that the same
// version of the parser made and that differs was not kept as it was made: it is
// made again.
func (l *Corpus) Source(ctx context.Context, set store.Set, path string) (*Page, error) {
	d, err := l.Catalog.ByPath(ctx, set.ID, path)
	if err != nil {
		return nil, fmt.Errorf("doc set %s: %w", set.Ref, err)
	}
	src, err := l.sourceFiles().readSource(ctx, set, path, d.SHA256)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(set.Root); errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("page %s of %s: %w, with the whole folder %s; bring it back",
				path, set.Ref, ErrPageGone, set.Root)
			return nil, contract.Remedied(err, contract.FolderGone(set.Ref))
		}
		return nil, contract.Remedied(fmt.Errorf("page %s of %s: %w", path, set.Ref, ErrPageGone),
			contract.RunDocent("update", set.Ref.String()).To("takes it out of the index"))
	}
	if err != nil {
		return nil, err
	}
	h := hashBytes(src)
	p := &Page{Set: set, Path: path, SHA256: h, Indexed: d.SHA256, IndexedParser: d.Parser, Domain: d.Domain, Changed: h != d.SHA256}
	if !p.Changed {
		p.Changed = !l.sourceFiles().areUsesPresent(set, d.Uses) // the source is as it was, and what it takes in is not
	}
	if p.Changed {
		p.Doc.Source = src
		return p, l.parseStructure(ctx, p)
	}
	p.Doc.Path, p.Doc.Title, p.Doc.H1, p.Doc.URL = d.Path, d.Title, d.H1, d.URL
	text, err := l.Parsers.Rendition(ctx, src, l.sourceFiles().parserFile(set, path))
	if err != nil {
		return nil, p.wrapError(err)
	}
	p.Doc.Format, p.Doc.Rendition, p.Doc.Sections = text.Format, text.Rendition, text.Sections
	made := p.Doc.TextSHA256()
	if made != d.TextSHA256 && p.Doc.Parser == d.Parser {
		again, err := l.Parsers.ParseAgain(ctx, src, l.sourceFiles().parserFile(set, path))
		if err != nil {
			return nil, p.wrapError(err)
		}
		made, p.Doc.Rendition, p.Doc.Sections = again.TextSHA256(), again.Rendition, again.Sections
	}
	p.Converted = made != d.TextSHA256 || !p.Doc.Verbatim() && p.Doc.Parser != d.Parser
	if made != d.TextSHA256 {
		p.Changed = true
		return p, l.parseStructure(ctx, p)
	}
	return p, nil
}

// Location is where a line of a page's text stands in its source, for a person's
// own programs; the zero Location where that is not known.
func (l *Corpus) Location(ctx context.Context, docSet, path string, line int) (doc.Location, error) {
	set, err := l.lastKnown(ctx, docSet)
	if err != nil {
		return doc.Location{}, err
	}
	if err := l.fillFolder(ctx, set); err != nil {
		return doc.Location{}, err
	}
	if f, err := l.sourceFiles().lookAtFile(set, path); err == nil && l.isTextTheFile(set, path, f) {
		return doc.Location{Line: line}, nil
	}
	p, err := l.Source(ctx, set, path)
	if err != nil {
		return doc.Location{}, err
	}
	return p.Doc.Location(line), nil
}
