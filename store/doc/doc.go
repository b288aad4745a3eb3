// Package doc holds the types that all other packages share: doc sets, documents,
// renditions, sections, blocks, chunks, spans and links.
//
// It imports the standard library alone. It refuses to parse, to store and to read
// files.
//
// Terms. A doc set is a named and versioned folder of documentation. A document
// is one file of it, a page. The source is the file's bytes, the rendition is
// the page as text. A section is a heading with its text, up to the next heading
// of any level. A block is a part of a section that must never be cut: a
// paragraph, a list, a table, a code block, an admonition. A chunk (passage) is a
// run of whole blocks of one section: the unit that is indexed and ranked.
package doc

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Layout says how a doc set lies on disk.
type Layout string

const (
	// LayoutTitled is NAME@VERSION/Page Title/docContent.md next to docTOC.md.
	LayoutTitled Layout = "titled"
	// LayoutTree is any folder of pages; a page is named by its path in the folder.
	LayoutTree Layout = "tree"
	// LayoutUploads is as LayoutTree, of files that were handed in one by one: each is a
	// page, also plain text that does not look like documentation.
	LayoutUploads Layout = "uploads"
	// LayoutText is a folder of plain .txt files whose first line is the title.
	// Judged collections are written in this layout for evaluation.
	LayoutText Layout = "text"
)

// ContentFile and TOCFile are the file names of LayoutTitled.
const (
	ContentFile = "docContent.md"
	TOCFile     = "docTOC.md"
)

// Span is a place in a page's text: bytes [Start, End), lines counted from 1,
// both ends included. An empty span has EndLine < StartLine.
type Span struct {
	Start     int `json:"start"`
	End       int `json:"end"`
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
}

// Lines is the number of lines that the span touches.
func (s Span) Lines() int { return max(0, s.EndLine-s.StartLine+1) }

// Format is the form that a source is written in.
type Format string

// The formats that have a parser.
const (
	FormatMarkdown  Format = "markdown" // MDX too
	FormatText      Format = "text"
	FormatMan       Format = "man"
	FormatProse     Format = "prose" // plain text that people wrote
	FormatHTML      Format = "html"
	FormatJSON      Format = "json" // OpenAPI in YAML too
	FormatRST       Format = "rst"
	FormatDITA      Format = "dita" // topics and maps
	FormatPDF       Format = "pdf"
	FormatDOCX      Format = "docx"
	FormatEPUB      Format = "epub"
	FormatCode      Format = "code" // source code in any language
	FormatAsciiDoc  Format = "asciidoc"
	FormatTexinfo   Format = "texinfo"
	FormatInfo      Format = "info" // what makeinfo makes of Texinfo
	FormatDocBook   Format = "docbook"
	FormatNotebook  Format = "notebook" // of Jupyter
	FormatMediaWiki Format = "mediawiki"
	FormatOrg       Format = "org"  // of Emacs
	FormatPOD       Format = "pod"  // of Perl
	FormatYAML      Format = "yaml" // settings with comments
	FormatODT       Format = "odt"
	FormatPPTX      Format = "pptx"
	FormatXLSX      Format = "xlsx"
	FormatRTF       Format = "rtf"
	FormatPO        Format = "po" // gettext's translations of pages
)

// Location is the place in a source of one line of its rendition. Zero fields
// are unknown.
type Location struct {
	Line    int    `json:"line,omitempty"`    // from 1
	Page    int    `json:"page,omitempty"`    // from 1, of a source that has pages
	Element string `json:"element,omitempty"` // id of the element
}

// Rendition is the text of a page that was made from its source. The text is indexed,
// shown, extracted and cited; places in a document (spans, lines) are places in it.
type Rendition struct {
	Source []byte // the bytes on disk
	Text   []byte // Markdown (see Plain); Source itself, not a copy, where the format is Markdown
	Parser int    // version of the format's parser that made Text
	Plain  bool   // Text is not Markdown and is shown unchanged
	// Map has the place of each line of Text in the source; nil: line n of the
	// text is line n of the source.
	Map []Location
}

// Verbatim reports whether the text is the source itself.
func (r Rendition) Verbatim() bool {
	return len(r.Text) == len(r.Source) && (len(r.Text) == 0 || &r.Text[0] == &r.Source[0])
}

// TextSHA256 is the hash of the text, hex; "" where the text is the source.
func (r Rendition) TextSHA256() string {
	if r.Verbatim() {
		return ""
	}
	sum := sha256.Sum256(r.Text)
	return hex.EncodeToString(sum[:])
}

// Location is the place in the source of a line of the text, counted from 1; the
// zero Location for a line outside of a mapped text.
func (r Rendition) Location(line int) Location {
	switch {
	case r.Map == nil:
		return Location{Line: line}
	case line < 1 || line > len(r.Map):
		return Location{}
	}
	return r.Map[line-1]
}

// Document is one parsed page.
type Document struct {
	Rendition
	Path  string // inside the doc set, with slashes
	Title string // from the text or the path, by the layout
	H1    string // plain text of the first level-1 heading, "" if none; may differ from Title
	About string // what the page's metadata says of it, for search: description, keywords, other names
	URL   string // where the page was taken from, "" if unknown
	// Permalink is what the page says of its place on its web site, see PageURL.
	Permalink string
	// SitePath is where the site's rules publish the page, from a slash on; "" where that follows from Path.
	SitePath string `json:"-"`
	Format   Format
	Sections []Section
	Blocks   []Block
	Links    []Link
	Lines    int    // of the text, as CountLines
	Bytes    int    // of the source, BOM included
	SHA256   string // hex, of the source's bytes
	Warnings []string
	Words    WordCount `json:",omitzero"`
	Uses     []Use     // other files than the source that the text was taken from, by path
	Metadata Metadata
	Names    []Name `json:"-"` // that an index of names has at places of the page
}

// Name is a name that an index of names has at a place of a page.
type Name struct {
	Text   string
	Kind   string // function, class, setting …, in the words of the index
	Anchor string // as the index writes it
}

// Metadata are what a topic says of itself, in the words of the domain specification.
type Metadata struct {
	TopicType string   `json:"topic_type,omitempty"` // task, concept, reference …
	TopicID   string   `json:"topic_id,omitempty"`
	TopicRev  string   `json:"topic_rev,omitempty"`
	Prereqs   []string `json:"prereqs,omitempty"` // prerequisites, a paragraph or item each
}

// Use is another file of the doc set that a page's text was taken from, or a list of
// them.
type Use struct {
	Path    string   `json:"path,omitempty"`    // inside the doc set, with slashes
	Endings []string `json:"endings,omitempty"` // of a list: the files that have them
	// Contents is set where what the files of a list hold counts, and not their paths alone. Hundreds
	// of files that thousands of pages depend on are one use then.
	Contents bool   `json:"contents,omitempty"`
	SHA256   string `json:"sha256,omitempty"` // hex; "": there is no such file
	Bytes    int64  `json:"bytes,omitempty"`  // of all files of a list with Contents
	ModTime  int64  `json:"mtime,omitempty"`  // nanoseconds since 1970; of a list with Contents a hash of sizes and times
}

// Section is a heading with its text, up to the next heading of any level. Text
// before the first heading is the preamble: section 0, with Level 0 and Text "".
// A page that begins with a heading has no preamble.
type Section struct {
	Index  int
	Level  int      // 1-6; 0 for the preamble
	Text   string   // plain text of the heading
	Anchor string   // slug, unique in its page; "" for the preamble
	Path   []string // headings from the outermost to this one, this one included; nil for the preamble
	Parent int      // index of the enclosing section, -1 if none
	Span   Span     // heading included, up to the next heading of any level
	Tree   Span     // heading included, up to the next heading of the same or a higher level
	Source bool     // true when the heading stands in the text; false for one taken from elsewhere
}

// Heading is the section's heading as spec 1 prints it: "## Create Skills".
func (s Section) Heading() string {
	if s.Level == 0 {
		return s.Text
	}
	return strings.Repeat("#", s.Level) + " " + s.Text
}

// BlockKind says what a block is.
type BlockKind string

// The kinds of blocks.
const (
	Paragraph  BlockKind = "paragraph"
	List       BlockKind = "list"      // bulleted or numbered, nested lists included
	Procedure  BlockKind = "procedure" // a numbered list, with the code and notes between its steps
	Table      BlockKind = "table"
	Code       BlockKind = "code"
	Quote      BlockKind = "quote"
	Admonition BlockKind = "admonition" // note, tip, warning, caution ..., in any of the dialects
	HTML       BlockKind = "html"
	Rule       BlockKind = "rule"
	HeadingRow BlockKind = "heading" // the heading's own line(s)
	Meta       BlockKind = "meta"    // front matter, source line, link definitions, imports: not searched, not prose
)

// Block is a part of a section that is never cut.
type Block struct {
	Kind    BlockKind
	Section int // index into Document.Sections
	Span    Span
	Text    string // plain text: markup, link targets and tags removed; code excluded
	Code    string // contents of fenced, indented and inline code
	Lang    string // of a fenced code block
	Warning bool   // an admonition that warns (warning, caution, danger, important)
	// Marks map Text to the page's text, so that a long paragraph can be cut at
	// sentences. They ascend in all fields. Only paragraphs have them.
	Marks []Mark
}

// Mark says that byte Text of a block's text is byte Source of the page's text, on
// line Line. From there to the next mark both are the same.
type Mark struct {
	Text, Source, Line int
}

// Link is a link of a page.
type Link struct {
	Text    string
	Target  string // as written
	Section int
	Line    int
}

// TOCEntry is one line of a page's table of contents (docTOC.md).
type TOCEntry struct {
	Level  int
	Number string // "2.1." as written, "" if none
	Text   string
	URL    string // with its anchor, "" if none
	Line   int    // in the TOC file
}

// Chunk is a run of whole blocks of one section.
type Chunk struct {
	Index   int // in its page
	Section int
	Span    Span
	Text    string // plain text of the blocks, no heading path
	Code    string
	Kind    BlockKind // the kind of its only block, Paragraph for several
	Prev    int       // neighbour's index, -1 if none
	Next    int
}

// CountLines counts lines as an editor does: a last line without a newline is a
// line, and a newline at the end does not begin another one.
func CountLines(src []byte) int {
	if len(src) == 0 {
		return 0
	}
	n := 0
	for _, b := range src {
		if b == '\n' {
			n++
		}
	}
	if src[len(src)-1] != '\n' {
		n++
	}
	return n
}
