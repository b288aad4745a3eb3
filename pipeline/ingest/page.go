package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline/ingest/chunk"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/text/fingerprint"
	"docent/pipeline/text/shorten"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
	"docent/store/durable"
)

// The stages that a file can fail in.
const (
	StageRead  = "read"
	StageParse = "parse"
	StageChunk = "chunk"
	// StageLeftOut is that of files that their parser found to be no pages.
	StageLeftOut = "left out"
)

// page is one file on its way through the stages.
type page struct {
	pageToRead
	done chan struct{} // closed when the worker is through
	took time.Duration // of the worker

	// read
	source []byte
	hash   string
	gone   bool      // vanished since the scan
	same   bool      // the content is the old one
	uses   []doc.Use // where it is: the old one's, with their present times
	// parse
	parsed doc.Document
	// chunk
	document store.Document
	analyzed store.Analyzed
	folded   folded // where vectors are folded in on the way
	kept     []byte // for the reference graph

	failed *store.Failure
	ends   error // says nothing of the page, and ends the update
}

func (in *Ingester) worker(u *update) *worker {
	return &worker{update: u, set: u.set, site: u.site, folder: u.folder, from: in.read, parsers: in.Parsers, indexes: in.Indexes,
		analyzer: analysis.New(), folding: u.folding, references: in.References}
}

// worker takes pages through the stages that need nothing but the page.
type worker struct {
	update   *update // nothing of it but what does not change
	set      store.Set
	site     string // see update.site
	folder   *files.Folder
	from     func(file string) ([]byte, error) // in tests
	parsers  *parse.Registry
	indexes  WordIndexes
	analyzer *analysis.Analyzer
	folding  *folding

	references References // nil: there are no graphs
}

// read reads a file of the doc set.
func (w *worker) read(name string) ([]byte, error) {
	if w.from != nil {
		return w.from(filepath.Join(w.set.Root, filepath.FromSlash(name)))
	}
	return files.ReadInside(w.set.Root, name)
}

// runPage runs the stages of one page, up to the first that ends its way. An error or a panic
// is the page's failure, unless the process has no file descriptors left: that is no
// fault of the file, and the page must not be removed for it.
func (w *worker) runPage(ctx context.Context, p *page) {
	began := time.Now()
	defer func() {
		p.took = time.Since(began)
		close(p.done)
	}()
	at := ""
	defer func() {
		if r := recover(); r != nil {
			p.failPage(at, fmt.Sprintf("panic: %v", r))
		}
	}()
	for _, s := range []struct {
		name string
		do   func(context.Context, *page) (more bool, err error)
	}{
		{StageRead, w.readFile},
		{StageParse, w.parsePage},
		{StageChunk, w.chunkPage},
	} {
		at = s.name
		more, err := s.do(ctx, p)
		if durable.Exhausted(err) || err != nil && ctx.Err() != nil {
			p.ends = err
			return
		}
		if err != nil {
			if _, ok := errors.AsType[parse.LeftOut](err); ok {
				at = StageLeftOut
			}
			p.failPage(at, err.Error())
			if f, ok := errors.AsType[*parse.Failed](err); ok {
				p.failed.Code, p.failed.Again = string(f.Code), f.Missing || f.Code == parse.Timeout
			}
		}
		if err != nil || !more {
			return
		}
	}
}

// failPage records why a page failed, in one line.
func (p *page) failPage(stage, reason string) {
	p.failed = &store.Failure{
		Path: p.file.Path, Stage: stage, Reason: oneLine(reason),
		Bytes: p.file.Size, ModTime: p.file.ModTime, TOCPath: p.file.TOCPath,
	}
	p.source, p.parsed, p.analyzed = nil, doc.Document{}, nil
}

// mostReason is the greatest length of a failure's reason, in bytes.
const mostReason = 300

// oneLine brings a text of any origin to one short line without control characters.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return shorten.Line(text, mostReason)
}

// readFile reads the file and compares its content with the catalog's.
func (w *worker) readFile(_ context.Context, p *page) (more bool, err error) {
	p.source, err = w.read(p.file.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		p.gone = true
		return false, nil
	case errors.Is(err, fs.ErrPermission):
		return false, errors.New("may not be read")
	case err != nil:
		return false, unwrapPath(err)
	}
	p.hash = HashSource(p.source)
	if p.old != nil && p.old.SHA256 == p.hash && p.old.TOCPath == p.file.TOCPath && p.old.TOCModTime == p.file.TOCModTime {
		p.uses, p.same = parse.Present(p.old.Uses, w.folder)
	}
	if p.reparse && p.indexed {
		p.same = false // a new document: readers of the index as it is have the old one's outline
	}
	return !p.same || !p.indexed, nil
}

// HashSource is the hash of a page's source, as the catalog has it.
func HashSource(source []byte) string {
	sum := sha256.Sum256(source)
	return hex.EncodeToString(sum[:])
}

// parsePage reads the page's structure.
func (w *worker) parsePage(ctx context.Context, p *page) (more bool, err error) {
	parser, err := w.parsers.ParserFor(p.file.Path, w.set.Layout, parse.HeadOf(p.source))
	if err != nil {
		return false, err
	}
	if parser.Info().Verbatim && !isText(p.source) {
		return false, errors.New("it is not text; give the file another ending, or save it as UTF-8")
	}
	p.parsed, err = w.parsers.Parse(ctx, p.source,
		parse.File{Path: p.file.Path, Layout: w.set.Layout, Files: w.folder, OCR: files.OCRSettings(w.set.Root, w.set.Layout, p.file.Path)})
	if err == nil {
		w.folder.NamePlaces(&p.parsed)
		w.folder.PlaceOnSite(&p.parsed)
	}
	return true, err
}

// chunkPage makes the passages as they are indexed, and the document as the catalog
// has it, which is without texts.
func (w *worker) chunkPage(ctx context.Context, p *page) (more bool, err error) {
	d := p.parsed
	missing := w.placePage(&d, p.file.TOCPath)
	chunks, extractor := chunk.ByDomain(p.file.Domain.Domain, d)
	if err := ctx.Err(); err != nil { // each step of a large page takes its time
		return false, err
	}
	routing := w.update.routing(p.file, domain.SliceType(p.file.Domain.Domain, d))
	routing.Extractor, routing.Tokens = extractor, chunk.Tokens(chunks)
	passages, warning := withinWords(Passages(d, chunks, missing), len(p.source), wordsOf(len(p.source)))
	if warning != "" {
		d.Warnings = append(d.Warnings, warning)
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	p.analyzed = w.indexes.Analyze(w.analyzer, passages)
	p.folded = w.folding.foldPage(p.analyzed)
	if w.references != nil {
		p.kept = w.references.Keep(d)
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	sketch, own := fingerprint.OfText(joinChunks(chunks)), ownWords(d)
	for i := range chunks {
		chunks[i].Text, chunks[i].Code = "", ""
	}
	p.document = store.Document{
		SetID: w.set.ID, Path: p.file.Path, Title: d.Title, H1: d.H1, URL: d.URL, Format: d.Format, Lines: d.Lines,
		Bytes: int64(len(p.source)), SHA256: p.hash, ModTime: p.file.ModTime, TOCPath: p.file.TOCPath, TOCModTime: p.file.TOCModTime,
		Parser: d.Parser, TextSHA256: d.TextSHA256(), Warnings: d.Warnings, Uses: d.Uses, Fingerprint: sketch, Words: own,
		Arrival: d.Words,
		Domain:  p.file.Domain.Domain, Routing: routing,
		Outline: store.Outline{Sections: d.Sections, Chunks: chunks},
	}
	p.source, p.parsed = nil, doc.Document{}
	return true, nil
}

// placePage gives a page its address and the anchors of its table of contents, and returns
// the headings that only that has.
func (w *worker) placePage(d *doc.Document, toc string) (missing []string) {
	if d.URL == "" {
		d.URL = cmp.Or(w.update.at[d.Path], doc.PageURL(w.site, d.Path, d.Permalink))
	}
	return w.applyTOC(d, toc)
}

// applyTOC gives a page the anchors of its table of contents, and returns the headings
// that only that has. A table that cannot be read is missing.
func (w *worker) applyTOC(d *doc.Document, file string) (missing []string) {
	if file == "" || file == d.Path {
		return nil
	}
	src, err := w.read(file)
	if err != nil || len(src) > MaxFile {
		return nil
	}
	return markdown.ApplyTOC(d, markdown.ParseTOC(src))
}

// joinChunks is the text of all chunks with their code.
func joinChunks(chunks []doc.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString(c.Text)
		b.WriteByte('\n')
		b.WriteString(c.Code)
		b.WriteByte('\n')
	}
	return b.String()
}

// batchPages is how many pages are staged in one transaction. They are in memory
// with all of their terms.
const batchPages = 16

// storeOutcome takes the outcome of one page into the update.
func (u *update) storeOutcome(ctx context.Context, p *page) error {
	for _, w := range p.document.Warnings {
		u.report.Warnings = append(u.report.Warnings, p.file.Path+": "+w)
	}
	u.report.Bytes += p.document.Bytes
	u.report.Unread.LeaveUsed(p.document.Uses)
	u.report.Unread.LeaveUsed(p.uses)
	switch {
	case p.ends != nil:
		return fmt.Errorf("page %s: %w", p.file.Path, p.ends)
	case p.failed != nil:
		p.failed.Format, p.failed.Parser = p.file.Format, p.file.Parser
		u.noteFailure(*p.failed)
		return u.leaveOut(p)
	case p.gone:
		return u.leaveOut(p)
	case p.same && p.analyzed == nil:
		u.report.Unchanged++
		if p.old.ModTime != p.file.ModTime || !slices.EqualFunc(p.old.Uses, p.uses, sameTime) {
			u.publish.Touched = append(u.publish.Touched,
				store.Touch{ID: p.old.ID, ModTime: p.file.ModTime, Uses: p.uses, Routing: p.old.Routing})
		}
		return nil
	case p.same:
		// The index is built again, perhaps by another version of this program,
		// whose parser gives another outline: that of the catalog is replaced too.
		u.report.Unchanged++
		u.replace(*p.old)
		p.document.ID = p.old.ID
	case p.old != nil:
		u.report.Changed++
		if err := u.remove(*p.old); err != nil {
			return err
		}
	default:
		u.report.Added++
	}
	u.indexed(p)
	u.batch = append(u.batch, p)
	u.waiting += p.document.Bytes
	if len(u.batch) < batchPages && u.waiting < batchBytes {
		return nil
	}
	return u.stageBatch(ctx)
}

func sameTime(a, b doc.Use) bool { return a.ModTime == b.ModTime }

// noteFailure notes a file that is left out because it failed.
func (u *update) noteFailure(f store.Failure) {
	u.publish.Failures = append(u.publish.Failures, f)
	u.report.Failed = append(u.report.Failed, f)
	text := f.Reason
	if f.Stage != StageRead && f.Stage != StageLeftOut {
		what := f.Stage
		if f.Code != "" {
			what = f.Code
		}
		text = "it cannot be indexed (" + what + ": " + f.Reason + ")"
	}
	u.report.Warnings = append(u.report.Warnings, f.Path+": "+text+", left out")
}

// leaveOut removes the earlier version of a page.
func (u *update) leaveOut(p *page) error {
	if p.old == nil {
		return nil
	}
	u.report.Removed++
	return u.remove(*p.old)
}

// stageBatch puts the pages of the batch into the catalog and the index, where no reader
// sees them yet.
func (u *update) stageBatch(ctx context.Context) error {
	if len(u.batch) == 0 {
		return nil
	}
	docs := make([]store.Document, len(u.batch))
	for i, p := range u.batch {
		docs[i] = p.document
	}
	ids, err := u.in.Catalog.Stage(ctx, docs)
	if err != nil {
		return err
	}
	u.staged = true
	for i, p := range u.batch {
		p.analyzed.SetID(ids[i])
		if p.kept != nil {
			if _, err := u.kept.add(ctx, ids[i], p.kept); err != nil {
				return err
			}
		}
		if err := errors.Join(u.index.Add(ctx, p.analyzed), u.folding.addDocument(ids[i], p.folded)); err != nil {
			return err
		}
	}
	clear(u.batch) // their terms are no longer needed
	u.batch, u.waiting = u.batch[:0], 0
	return nil
}
