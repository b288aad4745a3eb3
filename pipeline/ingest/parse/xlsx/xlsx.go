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
	"path"
	"strconv"
	"strings"

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
	b := &workbook{w: build.New(), archive: a, left: mostText}
	main, err := b.readPart(ctx, "xl/workbook.xml")
	if errors.Is(err, fs.ErrNotExist) {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no workbook, whatever its name says: it has no xl/workbook.xml"}
	}
	if err != nil {
		return doc.Document{}, err
	}
	if core, err := b.readPart(ctx, "docProps/core.xml"); err == nil {
		b.w.Title(spacing.Single(core.Find("title").PlainText()))
		for _, about := range []string{"subject", "keywords", "description"} {
			b.w.AddMetadata(core.Find(about).PlainText())
		}
	}
	if err := b.readShared(ctx, main); err != nil {
		return doc.Document{}, err
	}
	parts := b.relations(ctx, "xl/workbook.xml")
	for i, sheet := range office.ChildrenOf(main.Find("sheets")) {
		if err := ctx.Err(); err != nil {
			return doc.Document{}, err
		}
		if i >= mostSheets {
			b.w.Warn("it has more than %d sheets: the others are not read", mostSheets)
			break
		}
		part := parts[sheet.Attr("id")]
		if state := sheet.Attr("state"); state == "hidden" || state == "veryHidden" || part.kind != "worksheet" {
			continue
		}
		if err := b.writeSheet(ctx, i+1, spacing.Single(sheet.Attr("name")), part.target); err != nil {
			return doc.Document{}, err
		}
	}
	if b.w.Len() == 0 {
		b.w.Warn("it has no text")
	}
	return b.w.Page(ctx, src, opt)
}

// workbook is a workbook while it is written.
type workbook struct {
	w       *build.Writer
	archive *archive.Archive
	shared  []string // the texts that cells refer to by their numbers
	formats []string // codes of the formats that cells refer to by their numbers
	is1904  bool     // dates count from 1904
	left    int      // bytes of text that may still be shown
}

// relation is what a part says of another one.
type relation struct {
	kind, target string
	external     bool
}

// readPart reads a part as a tree; of a damaged one what there is, with a warning.
func (b *workbook) readPart(ctx context.Context, name string) (*office.Node, error) {
	data, err := b.archive.Read(name)
	if err != nil {
		return nil, err
	}
	root, whole := office.Read(ctx, data)
	if !whole && ctx.Err() == nil {
		b.warnDamaged(name)
	}
	return root, nil
}

func (b *workbook) warnDamaged(part string) {
	b.w.Warn("its part %s is damaged: what follows after the damage is not read", part)
}

// relations are the parts that a part refers to, by their ids.
func (b *workbook) relations(ctx context.Context, part string) map[string]relation {
	all := map[string]relation{}
	root, err := b.readPart(ctx, path.Join(path.Dir(part), "_rels", path.Base(part)+".rels"))
	if err != nil {
		return all
	}
	for _, r := range office.ChildrenOf(root.Child("Relationships")) {
		to := relation{kind: path.Base(r.Attr("Type")), target: r.Attr("Target"), external: r.Attr("TargetMode") == "External"}
		if !to.external {
			if rooted, ok := strings.CutPrefix(to.target, "/"); ok {
				to.target = rooted
			} else {
				to.target = path.Join(path.Dir(part), to.target)
			}
		}
		all[r.Attr("Id")] = to
	}
	return all
}

// readShared reads what the cells of all sheets refer to: texts and formats.
func (b *workbook) readShared(ctx context.Context, main *office.Node) error {
	about := main.Find("workbookPr").Attr("date1904")
	b.is1904 = about == "1" || about == "true"
	data, err := b.archive.Read("xl/sharedStrings.xml")
	if err == nil {
		var whole bool
		if b.shared, whole = readTexts(ctx, data); !whole && ctx.Err() == nil {
			b.warnDamaged("xl/sharedStrings.xml")
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	styles, err := b.readPart(ctx, "xl/styles.xml")
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
	data, err := b.archive.Read(part)
	if errors.Is(err, fs.ErrNotExist) {
		b.w.Warn("its sheet %.100q is missing", name)
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
		b.warnDamaged(part)
	}
	g.fillMerged(&b.left)
	if g.cut != "" {
		b.w.Warn("its sheet %.100q has %s: the rest is not read", name, g.cut)
	}
	if len(g.rows) == 0 {
		return nil
	}
	links := map[string]relation{}
	if len(g.links) > 0 {
		links = b.relations(ctx, part)
	}
	b.w.At(doc.Location{Page: number})
	if name == "" {
		name = "Sheet " + strconv.Itoa(number)
	}
	b.w.Heading(2, build.TextInline(name), "")
	g.write(b.w, func(id string) string {
		if to := links[id]; to.external && len(to.target) < 2<<10 {
			return to.target
		}
		return ""
	})
	return nil
}
