package parse

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/fidelity"
	"docent/store/doc"
)

// Blobs keeps documents of formats whose text is not the source, so that a page
// is not converted at each look. store.Blobs implements it.
type Blobs interface {
	Get(ctx context.Context, key string) ([]byte, error)
	Put(ctx context.Context, key string, parts ...[]byte) error
}

// Keep has the registry keep converted documents in b. It is called before the
// registry is used.
func (r *Registry) Keep(b Blobs) { r.blobs = b }

// keptForm is the version of the form in which documents are kept.
const keptForm = "5"

// DocumentKey is the key of a kept document: a hash of the source's hash, its path, its format,
// the version of the parser, and how scanned pages are read where that was wanted. The
// path counts, since what a page takes from other files depends on it.
func DocumentKey(format doc.Format, version int, path, sourceSHA256 string, ocr OCR) string {
	of := fmt.Appendf(nil, "rendition %s\x00%s\x00%d\x00%s\x00%s", keptForm, format, version, sourceSHA256, path)
	if !ocr.IsZero() {
		of = fmt.Appendf(of, "\x00%s", ocr)
	}
	sum := sha256.Sum256(of)
	return hex.EncodeToString(sum[:])
}

// kept is the form in which a document is kept: a line of JSON, and behind it the text as
// it is, both compressed. In the JSON the text of a manual of 20 MB would be copied five times.
type kept struct {
	Document doc.Document
	// Of a large text without pages, in the place of Document.Map: the line of each line
	// of the text, and runs of them with the same element.
	Lines    []int        `json:",omitempty"`
	Elements []elementRun `json:",omitempty"`
}

type elementRun struct {
	N int
	E string
}

// packMap puts the map of a large text into its short form.
func (k *kept) packMap() {
	m := k.Document.Map
	if slices.ContainsFunc(m, func(l doc.Location) bool { return l.Page != 0 }) {
		return
	}
	k.Lines = make([]int, len(m))
	for i, l := range m {
		k.Lines[i] = l.Line
		if n := len(k.Elements); n > 0 && k.Elements[n-1].E == l.Element {
			k.Elements[n-1].N++
		} else {
			k.Elements = append(k.Elements, elementRun{1, l.Element})
		}
	}
	k.Document.Map = nil
}

// unpackMap undoes packMap.
func (k *kept) unpackMap() {
	if k.Lines == nil {
		return
	}
	m := make([]doc.Location, len(k.Lines))
	i := 0
	for _, run := range k.Elements {
		for n := 0; n < run.N && i < len(m); n++ {
			m[i] = doc.Location{Line: k.Lines[i], Element: run.E}
			i++
		}
	}
	k.Document.Map = m
}

// looked is the part of a page that a caller needs.
type looked int

const (
	whole  looked = iota
	asText        // its blocks may be missing
	anew          // converted even where it is kept
)

// converted gives the document of a page whose text is not its source: the stored one, or
// a new one by the parser if anew is set or none is stored.
func (r *Registry) converted(ctx context.Context, p Parser, src []byte, file File, opt Options, how looked) (doc.Document, error) {
	sum := sha256.Sum256(src)
	hash := hex.EncodeToString(sum[:])
	info := p.Info()
	key := DocumentKey(info.Format, info.Version, file.Path, hash, file.OCR)
	if how != anew && r.blobs != nil {
		// Whatever is wrong with a kept document, the source is there.
		if d, err := r.getKept(ctx, key, src, hash, p, how); err == nil {
			if uses, ok := Present(d.Uses, file.Files); ok {
				d.Uses = uses
				if how == whole && d.Words == (doc.WordCount{}) { // an earlier version kept it
					noteWords(&d, info.Format, src)
				}
				return nameDocument(d, opt), nil
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return doc.Document{}, err
	}
	if !file.OCR.IsZero() {
		ctx = withOCR(ctx, file.OCR)
	}
	used := using{files: file.Files}
	with := used.optionsOfPage(file.Path)
	with.Wanted = file.Layout == doc.LayoutUploads
	if info.Verbatim { // a page that includes others
		with.FallbackTitle, with.Titled = opt.FallbackTitle, opt.Titled
	}
	d, err := p.Parse(ctx, src, with)
	if err != nil {
		return doc.Document{}, err
	}
	d.Uses = used.allUses()
	noteWords(&d, info.Format, src)
	if d, err = finishDocument(d, src, hash, info); err != nil {
		return doc.Document{}, err
	}
	if r.blobs != nil {
		if err := r.putKept(ctx, key, d); err != nil {
			// It costs time alone: the next look converts the page again.
			d.Warnings = append(d.Warnings[:len(d.Warnings):len(d.Warnings)], fmt.Sprintf("its text could not be kept: %v", err))
		}
	}
	return nameDocument(d, opt), nil
}

// noteWords counts how many words of a source arrive, unless the parser did, and warns of a
// page that keeps few of them.
func noteWords(d *doc.Document, format doc.Format, src []byte) {
	if d.Words == (doc.WordCount{}) {
		d.Words = fidelity.CountWords(format, src, d.Text)
	}
	if fidelity.Falls(format, d.Words) {
		d.Warnings = append(slices.Clip(d.Warnings), d.Words.String())
	}
}

// keptBlocks is the size of the largest text, in bytes, that is kept with its blocks.
// They take four times as much as the text; those of larger ones are read again.
const keptBlocks = 1 << 20

func (r *Registry) getKept(ctx context.Context, key string, src []byte, hash string, p Parser, how looked) (doc.Document, error) {
	raw, err := r.blobs.Get(ctx, key)
	if err != nil {
		return doc.Document{}, err
	}
	if raw, err = r.small.expand(raw); err != nil {
		return doc.Document{}, err
	}
	head, text, ok := bytes.Cut(raw, []byte("\n"))
	if !ok {
		return doc.Document{}, errors.New("it has no text")
	}
	var k kept
	if err := json.Unmarshal(head, &k); err != nil {
		return doc.Document{}, err
	}
	k.unpackMap()
	d := k.Document
	if d.Text = text[:len(text):len(text)]; len(d.Text) > keptBlocks && how != asText {
		s, err := p.Structure(ctx, d.Text)
		if err != nil {
			return doc.Document{}, err
		}
		if len(s.Sections) != len(d.Sections) {
			return doc.Document{}, fmt.Errorf("the text has %d sections and not %d", len(s.Sections), len(d.Sections))
		}
		d.Blocks = s.Blocks
	}
	return finishDocument(d, src, hash, p.Info())
}

func (r *Registry) putKept(ctx context.Context, key string, d doc.Document) error {
	k := kept{Document: d}
	k.Document.Source, k.Document.Text = nil, nil
	if len(d.Text) > keptBlocks {
		k.Document.Blocks = nil
		k.packMap()
	}
	raw, err := json.Marshal(k)
	if err != nil {
		return err
	}
	small, err := r.small.compress(slices.Concat(raw, []byte("\n"), d.Text))
	if err != nil {
		return err
	}
	return r.blobs.Put(ctx, key, small)
}

// finishDocument sets what every converted document has in common and checks the rest.
func finishDocument(d doc.Document, src []byte, hash string, info Info) (doc.Document, error) {
	if !utf8.Valid(d.Text) {
		return d, fmt.Errorf("the parser of %s (version %d) made a text that is not UTF-8", info.Name, info.Version)
	}
	d.Format, d.Parser, d.Plain = info.Format, info.Version, info.Plain
	d.Source, d.Bytes, d.SHA256 = src, len(src), hash
	if d.Lines = doc.CountLines(d.Text); d.Map != nil && len(d.Map) != d.Lines {
		return d, fmt.Errorf("the parser of %s (version %d) made a text of %d lines and a map of %d", info.Name, info.Version, d.Lines,
			len(d.Map))
	}
	for _, b := range d.Blocks {
		if s := b.Span; s.Start < 0 || s.End < s.Start || s.End > len(d.Text) {
			return d, fmt.Errorf("the parser of %s (version %d) made a block of the bytes %d to %d in a text of %d bytes", info.Name,
				info.Version, s.Start, s.End, len(d.Text))
		}
	}
	return d, nil
}

// nameDocument sets what depends on a page's path.
func nameDocument(d doc.Document, opt Options) doc.Document {
	d.Path = opt.Path
	if opt.Titled || d.Title == "" {
		d.Title = opt.FallbackTitle
	}
	return d
}
