// Package xlsx parses workbooks of Excel (Office Open XML): each sheet is a section called by
// its name, and its content is tables and paragraphs.
//
// Empty rows part the tables of a sheet. The first row of a table is its header. A row above
// it that has one cell, and every row of a table of one column, is a paragraph. Numbers and
// dates are shown in the format of their cells; a merged cell has its text in each of its
// rows. A citation names the sheet as the page.
//
// It refuses to read hidden sheets, formulas, charts, pictures, text boxes, comments of cells
// and the formats of Excel before 2007, and to compute: a cell shows the value that was saved.
package xlsx

import (
	"context"
	"errors"
	"io/fs"
	"strconv"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/archive"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/office"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// version is the parser's version.
const version = 1

// Parser is the parser of workbooks. It implements parse.Parser.
type Parser struct{}

// Info describes the format.
func (Parser) Info() parse.Info {
	return parse.Info{Format: doc.FormatXLSX, Version: version, Name: "Excel", Extensions: []string{".xlsx", ".xlsm"}}
}

// Structure reads the rendition, which is Markdown.
func (Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Bounds of a workbook. A cell may refer to a text that many other cells have too, so the
// text is counted as it is shown.
const (
	mostSheets  = 1000
	mostRows    = 20_000 // of a sheet
	mostColumns = 100
	mostText    = 8 << 20 // bytes, of all sheets
)

// Parse reads a workbook. Errors are of type *parse.Failed, or the context's.
func (Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	a, err := archive.Open(src, "a workbook")
	if err != nil {
		return doc.Document{}, err
	}
	b := &workbook{Package: office.Package{Archive: a, Writer: build.New()}, left: mostText}
	main, err := b.ReadPart(ctx, "xl/workbook.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no workbook, whatever its name says: it has no xl/workbook.xml"}
	}
	if err != nil {
		return doc.Document{}, err
	}
	b.TakeProperties(ctx)
	if err := b.readShared(ctx, main); err != nil {
		return doc.Document{}, err
	}
	parts := b.Relations(ctx, "xl/workbook.xml")
	for i, sheet := range office.ChildrenOf(main.Find("sheets")) {
		if err := ctx.Err(); err != nil {
			return doc.Document{}, err
		}
		if i >= mostSheets {
			b.Writer.Warn("it has more than %d sheets: the others are not read", mostSheets)
			break
		}
		part := parts[sheet.Attr("id")]
		if state := sheet.Attr("state"); state == "hidden" || state == "veryHidden" || part.Kind != "worksheet" {
			continue
		}
		if err := b.writeSheet(ctx, i+1, spacing.Single(sheet.Attr("name")), part.Target); err != nil {
			return doc.Document{}, err
		}
	}
	if b.Writer.Len() == 0 {
		b.Writer.Warn("it has no text")
	}
	return b.Writer.Page(ctx, src, opt)
}

// workbook is a workbook while it is written.
type workbook struct {
	office.Package
	shared  []string // the texts that cells refer to by their numbers
	formats []string // codes of the formats that cells refer to by their numbers
	is1904  bool     // dates count from 1904
	left    int      // bytes of text that may still be shown
}

// readShared reads what the cells of all sheets refer to: texts and formats.
func (b *workbook) readShared(ctx context.Context, main *office.Node) error {
	about := main.Find("workbookPr").Attr("date1904")
	b.is1904 = about == "1" || about == "true"
	data, err := b.Archive.Read("xl/sharedStrings.xml")
	if err == nil {
		var whole bool
		if b.shared, whole = readTexts(ctx, data); !whole && ctx.Err() == nil {
			b.WarnDamaged("xl/sharedStrings.xml")
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	styles, err := b.ReadPart(ctx, "xl/styles.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	own := map[int]string{}
	for _, f := range office.ChildrenOf(styles.Find("numFmts")) {
		if id, err := strconv.Atoi(f.Attr("numFmtId")); err == nil {
			own[id] = f.Attr("formatCode")
		}
	}
	for _, f := range office.ChildrenOf(styles.Find("cellXfs")) {
		if f.Name != "xf" {
			continue
		}
		id, _ := strconv.Atoi(f.Attr("numFmtId"))
		code, ok := own[id]
		if !ok {
			code = builtinFormats[id]
		}
		b.formats = append(b.formats, code)
	}
	return nil
}

// writeSheet writes a sheet as a section. A part that unpacks to too much is an error.
func (b *workbook) writeSheet(ctx context.Context, number int, name, part string) error {
	data, err := b.Archive.Read(part)
	if errors.Is(err, fs.ErrNotExist) {
		b.Writer.Warn("its sheet %.100q is missing", name)
		return nil
	}
	if err != nil {
		return err
	}
	g, whole := b.readGrid(ctx, data)
	if err := ctx.Err(); err != nil {
		return err
	}
	if !whole {
		b.WarnDamaged(part)
	}
	g.fillMerged(&b.left)
	if g.cut != "" {
		b.Writer.Warn("its sheet %.100q has %s: the rest is not read", name, g.cut)
	}
	if len(g.rows) == 0 {
		return nil
	}
	links := map[string]office.Relation{}
	if len(g.links) > 0 {
		links = b.Relations(ctx, part)
	}
	b.Writer.At(doc.Location{Page: number})
	if name == "" {
		name = "Sheet " + strconv.Itoa(number)
	}
	b.Writer.Heading(2, build.TextInline(name), "")
	g.write(b.Writer, func(id string) string {
		if to := links[id]; to.External && len(to.Target) < 2<<10 {
			return to.Target
		}
		return ""
	})
	return nil
}
