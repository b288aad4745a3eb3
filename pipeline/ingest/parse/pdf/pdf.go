// Package pdf parses PDF: text with headings, lists, tables and code, each line with its
// page. Scanned pages are read by OCR.
//
// The work is done by poppler's programs (pdftotext for words and their places,
// pdftohtml for fonts and the outline, pdftoppm for pictures of pages) and by tesseract,
// as children with limits on time, memory and output; see package child. What this
// package does itself is to find lines, columns, tables, headings and paragraphs among
// words and their places: the same for words of a text layer and for those that OCR
// found.
//
// Rejected: a PDF library in this process. Those in Go read fewer files than poppler,
// know no layout, and a hostile file would take the program down with them.
//
// The rendition has the lines of the file: short ones are put together, words that the
// end of a line divides are joined, paragraphs go on over columns and pages. Headers,
// footers, page numbers and lines of a table of contents are left out.
//
// It refuses to look for programs and to ask for passwords: a file that needs one fails.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"docent/pipeline/ingest/child"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/ingest/parse/fidelity"
	"docent/store/doc"
	"docent/store/durable"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// version is the parser's version; see Parser.Info.
const version = 2

// The modes of OCR, in the words of specification 4.
const (
	Auto  = "auto"  // pages without text
	Force = "force" // all pages
	Never = "never"
)

// OCRModes are the modes of OCR.
func OCRModes() []string { return []string{Auto, Force, Never} }

// Tools are the paths of programs; "" for one that is not installed.
type Tools struct {
	PDFToText, PDFToHTML, PDFToPPM, Tesseract string
	// Trained are the languages that tesseract has data of, by its names; nil: unknown.
	Trained []string
	// Env is the environment that they are given.
	Env []string
	// Install is the command that installs poppler and tesseract, for a person.
	Install string
}

// Options are the options of the parser.
type Options struct {
	Tools     Tools
	OCR       string   // Auto, Force or Never; "": Auto
	Languages []string // of OCR: "en", "vi", or tesseract's names; nil: both of these
	// Temp makes a folder for temporary files of one file, which remove removes. nil, or
	// where it fails: one in the system's folder for such files.
	Temp func(ctx context.Context) (dir string, remove func() error, err error)
	Time time.Duration // that one file may take; 0: DefaultTime
}

// DefaultTime is the time that one file may take: OCR takes some seconds a page.
const DefaultTime = 15 * time.Minute

// DefaultLanguages are the languages of OCR where none are named.
func DefaultLanguages() []string { return []string{"en", "vi"} }

// Parser is the parser of PDF. New makes one. It implements parse.Parser.
type Parser struct {
	opt Options
	// processes bounds how many programs run at once, of all files together.
	processes chan struct{}
	// files bounds how many files are read at once: each may use any of the processes.
	files chan struct{}
}

// New makes a parser.
func New(opt Options) *Parser {
	if opt.OCR == "" {
		opt.OCR = Auto
	}
	if opt.Languages == nil {
		opt.Languages = DefaultLanguages()
	}
	if opt.Time <= 0 {
		opt.Time = DefaultTime
	}
	atOnce := max(1, runtime.GOMAXPROCS(0))
	return &Parser{opt: opt, processes: make(chan struct{}, atOnce), files: make(chan struct{}, atOnce)}
}

// Info describes the format. Its version says too how scanned pages are read: where the
// settings, or what tesseract can read, change, files are read again.
func (p *Parser) Info() parse.Info {
	use, _ := p.languages()
	how := fmt.Sprintf("%s %q %v", p.opt.OCR, use, p.opt.Tools.Tesseract != "" && p.opt.Tools.PDFToPPM != "")
	return parse.Info{Format: doc.FormatPDF, Version: version<<20 | int(crc32.ChecksumIEEE([]byte(how))&(1<<20-1)), Name: "PDF",
		Extensions: []string{".pdf"}}
}

// Structure reads the rendition, which is Markdown.
func (p *Parser) Structure(_ context.Context, text []byte) (doc.Document, error) {
	return build.ReadRendition(text)
}

// Parse reads a file. Errors are of type *parse.Failed, or the context's.
func (p *Parser) Parse(ctx context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	if !bytes.Contains(src[:min(len(src), 1024)], []byte("%PDF-")) {
		return doc.Document{}, &parse.Failed{Code: parse.UnsupportedFormat,
			Reason: "it is no PDF, whatever its name says; save it anew, or give it the ending of what it is"}
	}
	if p.opt.Tools.PDFToText == "" {
		return doc.Document{}, &parse.Failed{Code: parse.InternalError, Missing: true,
			Reason: "pdftotext is not installed, which reads PDF; install it with: " + p.opt.Tools.installCommand()}
	}
	// The time counts from here: many files may wait for their turn.
	select {
	case p.files <- struct{}{}:
		defer func() { <-p.files }()
	case <-ctx.Done():
		return doc.Document{}, ctx.Err()
	}
	limited, cancel := context.WithTimeoutCause(ctx, p.opt.Time, child.ErrTime)
	defer cancel()
	p = p.parserWanted(parse.OCRFrom(ctx))
	c := &conversion{Parser: p, w: build.New()}
	d, err := c.runConversion(limited, src)
	switch {
	case ctx.Err() != nil:
		return doc.Document{}, ctx.Err()
	case err != nil && limited.Err() != nil:
		return doc.Document{}, &parse.Failed{Code: parse.Timeout,
			Reason: fmt.Sprintf("it took longer than %v; divide it, or raise pdf.timeout", p.opt.Time)}
	case err == nil:
		return d, nil
	}
	if durable.Exhausted(err) { // a full disk, no descriptors: nothing of the file's
		return doc.Document{}, err
	}
	if failed, ok := errors.AsType[*parse.Failed](err); ok {
		return doc.Document{}, failed
	}
	return doc.Document{}, &parse.Failed{Code: parse.InternalError, Reason: err.Error()}
}

// parserWanted is the parser of a document with its own OCR settings. Unknown modes and
// languages are not passed to a program.
func (p *Parser) parserWanted(how parse.OCR) *Parser {
	out := *p
	if slices.Contains(OCRModes(), how.Mode) {
		out.opt.OCR = how.Mode
	}
	languages := slices.DeleteFunc(slices.Clone(how.Languages), func(name string) bool { return !IsLanguage(name) })
	if len(languages) > 0 {
		out.opt.Languages = languages
	}
	return &out
}

// temporaryFolder makes a folder for temporary files.
func (o Options) temporaryFolder(ctx context.Context) (dir string, remove func() error, err error) {
	if o.Temp != nil {
		if dir, remove, err = o.Temp(ctx); err == nil || ctx.Err() != nil {
			return dir, remove, err
		}
	}
	dir, err = os.MkdirTemp("", "docent-pdf-")
	return dir, func() error { return os.RemoveAll(dir) }, err
}

// installCommand is the command that installs the programs.
func (t Tools) installCommand() string {
	if t.Install != "" {
		return t.Install
	}
	return "apt-get install poppler-utils tesseract-ocr"
}

// conversion is one file on its way.
type conversion struct {
	*Parser
	w     *build.Writer
	dir   string
	file  string
	pages []page
	about info
	// damaged says that poppler found faults in the file.
	damaged bool
	time    time.Duration // that a program may read the file
}

// Limits of the programs that read text.
const (
	textTime   = 3 * time.Minute // of a large file
	leastTime  = 30 * time.Second
	secondSize = 32 << 10 // bytes of a file for which a program has another second
	textMemory = 2 << 30
	textOutput = 1 << 30
)

// timeFor is how long a program may read a file of some bytes: a small file that takes minutes
// was made to.
func timeFor(size int) time.Duration {
	return min(textTime, leastTime+time.Duration(size/secondSize)*time.Second)
}

func (c *conversion) runConversion(ctx context.Context, src []byte) (d doc.Document, err error) {
	dir, remove, err := c.opt.temporaryFolder(ctx)
	if err != nil {
		return d, fmt.Errorf("make a folder for temporary files: %w", err)
	}
	defer func() { err = errors.Join(err, remove()) }()
	c.dir = dir
	c.file = filepath.Join(c.dir, "in.pdf")
	c.time = timeFor(len(src))
	if err := os.WriteFile(c.file, src, 0o600); err != nil {
		return d, fmt.Errorf("write a temporary file: %w", err)
	}
	if err := c.readText(ctx); err != nil {
		return d, err
	}
	if c.damaged && bytes.Contains(src, []byte("/Encrypt")) && !slices.ContainsFunc(c.pages, func(p page) bool { return p.letters > 0 }) {
		return d, &parse.Failed{Code: parse.PasswordProtected, Reason: unreadable}
	}
	l := c.readLooks(ctx)
	if err := c.recognize(ctx); err != nil {
		return d, err
	}
	if err := ctx.Err(); err != nil {
		return d, err
	}
	return c.writePages(ctx, src, l)
}

// start runs a program as soon as one may run.
func (p *Parser) start(ctx context.Context, prog child.Program, read func(io.Reader) error) (string, error) {
	select {
	case p.processes <- struct{}{}:
		defer func() { <-p.processes }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	prog.Confined = true
	prog.Env = append(slices.Clip(p.opt.Tools.Env), "OMP_THREAD_LIMIT=1") // pages are read side by side
	return child.Run(ctx, prog, read)
}

// readText reads the words of all pages.
func (c *conversion) readText(ctx context.Context) error {
	said, err := c.start(ctx, child.Program{Path: c.opt.Tools.PDFToText, Args: []string{"-bbox-layout", "-enc", "UTF-8", c.file, "-"},
		Dir:    c.dir,
		Limits: child.Limits{Time: c.time, Memory: textMemory, Output: textOutput}}, func(r io.Reader) (err error) {
		c.pages, c.about, err = readWords(r)
		return err
	})
	if failed := fileFailure(said, err, len(c.pages), c.time); failed != nil {
		return failed
	}
	if c.damaged = strings.Contains(said, "Syntax Error"); c.damaged {
		c.w.Warn("the file is damaged: what could be read of it is here (%s)", firstError(said))
	}
	return nil
}

const unreadable = "it is encrypted in a way that poppler cannot read; save it without encryption"

// fileFailure returns the fault of a file, read from the messages of pdftotext.
func fileFailure(said string, err error, pages int, limit time.Duration) error {
	bad := func(code parse.Code, reason string) error { return &parse.Failed{Code: code, Reason: reason} }
	switch {
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case strings.Contains(said, "Incorrect password"):
		return bad(parse.PasswordProtected, "it is protected by a password; save it without one")
	case strings.Contains(said, "security handler") || strings.Contains(said, "Unsupported version/revision"):
		return bad(parse.PasswordProtected, unreadable)
	case errors.Is(err, child.ErrTime):
		return bad(parse.Timeout, fmt.Sprintf("reading its text took longer than %v", limit))
	case errors.Is(err, child.ErrOutput), errors.Is(err, errTooLarge):
		return bad(parse.CorruptFile, fmt.Sprintf("it has too much text, or pretends to: over %d pages, %d words or %d MB", mostPages,
			mostWords, textOutput>>20))
	}
	exit, exited := errors.AsType[*child.ExitError](err)
	switch {
	case exited && exit.Code == 1 || err == nil && pages == 0:
		return bad(parse.CorruptFile, "it is damaged and cannot be read ("+firstError(said)+"); save it anew")
	case exited && pages == 0:
		return bad(parse.CorruptFile, "it is damaged: pdftotext broke down on it ("+exit.State+"); save it anew")
	case exited:
		return bad(parse.InternalError, exit.Error())
	}
	return err
}

var errorPlace = pattern.Lazy(`^[A-Z][a-z]+ [A-Z][a-z]+(?: \([0-9]+\))?: `)

// firstError is the first thing that poppler said, without its place in the file.
func firstError(said string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if first = errorPlace().ReplaceAllString(first, ""); first == "" {
		return "poppler finds no page"
	}
	return first
}

// readLooks reads fonts and the outline. A file that has none, or whose owner forbids
// to copy it, is read without.
func (c *conversion) readLooks(ctx context.Context) looks {
	var l looks
	if c.opt.Tools.PDFToHTML == "" {
		c.w.Warn("headings and code are told by the height of letters alone, for pdftohtml is not installed; install it with: %s",
			c.opt.Tools.installCommand())
		return l
	}
	said, err := c.start(ctx, child.Program{Path: c.opt.Tools.PDFToHTML,
		Args: []string{"-xml", "-i", "-stdout", "-zoom", fmt.Sprint(zoom), c.file}, Dir: c.dir,
		Limits: child.Limits{Time: c.time, Memory: textMemory, Output: textOutput}}, func(r io.Reader) (err error) {
		l, err = readLooks(r)
		return err
	})
	switch {
	case strings.Contains(said, "not allowed"):
		c.w.Warn("its owner restricts copying: headings are told by the height of letters, without its outline")
		return looks{}
	case err != nil:
		c.w.Warn("headings are told by the height of letters, since its fonts cannot be read: %v", err)
		return looks{}
	}
	for i := range c.pages {
		l.applyFonts(&c.pages[i])
	}
	return l
}

var noTitle = pattern.Lazy(`(?i)^(untitled|microsoft (word|powerpoint)|powerpoint|document ?[0-9]*$|slide ?[0-9]|title$|print$)|` +
	`\.(docx?|tex|dvi|indd|qxd|pdf|ps|fm|rtf|odt|pptx?|xlsx?|html?)$`)

// writePages lays the pages out and writes them.
func (c *conversion) writePages(ctx context.Context, src []byte, looks looks) (doc.Document, error) {
	raw := rawWords(c.pages)
	l := &layout{pages: c.pages, titles: map[string]bool{}}
	for _, e := range looks.outline {
		l.titles[comparableText(e.title)] = true
	}
	l.runLayout()
	title := spacing.Single(cleanWord(c.about.title))
	if !hasLetters(title, 3) || noTitle().MatchString(title) {
		title = l.largestTitleText()
	}
	c.w.Title(title)
	c.w.AddMetadata(cleanWord(c.about.subject))
	c.w.AddMetadata(cleanWord(c.about.keywords))
	c.w.AddMetadata(cleanWord(c.about.author))
	f := &flow{w: c.w, missing: l.markHeadings(looks.outline, title), known: knownWords(l.elements)}
	f.writeElements(l.elements)
	if c.w.Len() == 0 {
		c.w.Warn("no text was found in its %d pages", len(c.pages))
	}
	d, err := c.w.Document(ctx, src)
	d.Words = fidelity.CountRaw(slices.Values(raw), d.Text)
	return d, err
}

// rawWords are the words of pages as poppler and tesseract gave them, before this package
// looks for lines and columns. The texts are shared with the pages.
func rawWords(pages []page) (raw []string) {
	for _, p := range pages {
		for _, s := range p.segments {
			for _, w := range s.words {
				raw = append(raw, w.text)
			}
		}
	}
	return raw
}

// languages are those of OCR by tesseract's names: the ones that are wanted and there,
// and the ones that are wanted and not there.
func (p *Parser) languages() (use, missing []string) {
	for _, name := range p.opt.Languages {
		if known := tesseractName(name); p.opt.Tools.Trained == nil || slices.Contains(p.opt.Tools.Trained, known) {
			use = append(use, known)
		} else {
			missing = append(missing, known)
		}
	}
	return use, missing
}
