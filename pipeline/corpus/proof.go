package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"unicode/utf8"

	"docent/store"
	"docent/store/doc"
)

// Proofs gives the verification of cited blocks access to pages. It implements
// cite.Source, cite.URLs, cite.Conversions and cite.Outlines.
type Proofs struct{ Corpus *Corpus }

func (v Proofs) findPage(ctx context.Context, ref doc.Ref, path string) (*Page, error) {
	sets, err := v.Corpus.Resolve(ctx, []string{ref.String()})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	p, err := v.Corpus.Source(ctx, sets[0], path)
	if errors.Is(err, ErrPageGone) || errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("%w: %w", err, fs.ErrNotExist)
	}
	return p, err
}

// Page is cite.Source's. The hash is one that the text has unless it changed since
// it was indexed.
func (v Proofs) Page(ctx context.Context, ref doc.Ref, path string) ([]byte, string, error) {
	p, err := v.findPage(ctx, ref, path)
	if err != nil {
		return nil, "", err
	}
	text := p.Doc.Text
	if !utf8.Valid(text) {
		// Phase 2 replaces invalid bytes of such a page by U+FFFD, and so does the block:
		// it is compared with the current result of phase 2.
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	switch {
	case !p.Changed:
		return text, hashBytes(text), nil
	case p.Converted:
		return text, changedHash, nil
	}
	return text, p.Indexed, nil
}

// changedHash is the hash of no text.
const changedHash = "changed"

// URL is cite.URLs'.
func (v Proofs) URL(ctx context.Context, ref doc.Ref, path string) (string, error) {
	p, err := v.findPage(ctx, ref, path)
	if err != nil {
		return "", err
	}
	return p.Doc.URL, nil
}

// Conversion is cite.Conversions'.
func (v Proofs) Conversion(ctx context.Context, ref doc.Ref, path string) (string, error) {
	p, err := v.findPage(ctx, ref, path)
	switch {
	case err != nil:
		return "", err
	case !p.Converted:
		return "", nil
	case p.Doc.Parser != p.IndexedParser:
		return fmt.Sprintf("the page's text was made again by version %d of the %s parser (version %d when it was indexed)", p.Doc.Parser,
			p.Doc.Format, p.IndexedParser), nil
	}
	return fmt.Sprintf("the %s parser made another text of the same source than when the page was indexed", p.Doc.Format), nil
}

// Outline is cite.Outlines'.
func (v Proofs) Outline(ctx context.Context, ref doc.Ref, path string) (string, []doc.Section, error) {
	p, err := v.findPage(ctx, ref, path)
	if err != nil {
		return "", nil, err
	}
	title := p.Doc.Title
	if !p.Changed {
		if err := v.Corpus.parseStructure(ctx, p); err != nil {
			return "", nil, err
		}
	}
	return title, p.Doc.Sections, nil
}
