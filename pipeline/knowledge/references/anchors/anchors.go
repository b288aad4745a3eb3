// Package anchors finds the names by which a page's places are linked to, and which are no
// headings': ids of elements, labels, titles of components, tabs; and the files that a page
// includes.
//
// It refuses to say where a link leads: that is the reference graph's.
package anchors

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/ingest/parse/pod"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

var (
	named    = pattern.Lazy(`(?:\s|^)(?:id|name|ID|xml:id)\s*=\s*["']([^"'<>\s]{1,200})["']`)
	titled   = pattern.Lazy(`(?:<[A-Z]\w*\b[^<>]{0,300}?\s|^\s*)(?:title|label)=["']([^"'<>]{1,200})["']`)
	field    = pattern.Lazy(`<(Param|Response)Field\s[^<>]{0,300}?\b(?:path|query|body|header|name)=["']([^"'<>]{1,200})["']`)
	quoted   = pattern.Lazy(`^\s*>[>\s]*#{1,6}\s+(.{1,300})`)
	item     = pattern.Lazy(`^(?:\s*(?:[-*+]|\d{1,9}[.)])\s+#{1,6}|\s+#{2,6})\s+(.{1,300})`)
	footnote = pattern.Lazy(`^ {0,3}\[\^([^\]\s]{1,200})\]:`)
	heading  = pattern.Lazy(`(?i)<h[1-6](?:\s[^<>]{0,300})?>(.{1,300}?)</h[1-6]>`)
	summary  = pattern.Lazy(`<summary[^<>]{0,300}>(.{1,300}?)</summary>`)
	tag      = pattern.Lazy(`<[^<>]{0,300}>`)
	braced   = pattern.Lazy(`\{:?\s?#([^\s{}"']{1,200})[^{}]{0,100}\}`)
	labelled = pattern.Lazy("^\\s*(?:[-*+]\\s+)?\\.\\. _`?([^:`]{1,200})`?:\\s*$")
	// placeInText is a place within a text of reStructuredText.
	mystInclude = pattern.Lazy("^\\s*[`~:]{3,}\\{include\\}\\s+(\\S{1,300})")
	placeInText = pattern.Lazy("(?:^|[\\s\\-:/'\"<(\\[{])_`([^`]{1,200})`")

	bracket = pattern.Lazy(`\[\[\[?([^\],\s\[]{1,200})[^\]]{0,200}\]\]|` +
		`\[[\w.%]{0,40}#([^\],.%\s]{1,200})[^\]]{0,200}\]|\banchor:([^\s\[\]]{1,200})\[|` +
		`^\[(?:[^\]]{0,100},\s*)?id=["']?([^"',\s\]]{1,200})`)
	// Labels of MyST, (name)=, the names of its directives, :name: name and :label: name, of
	// cells of notebooks, #| label: name, and of the figures that these make, name: fig-name.
	mystLabel = pattern.Lazy(`^\s*\(([^()\s][^()\n]{0,200})\)=\s*$|` +
		`^\s*(?::(?:name|label):|#\|\s*label:)\s+(\S{1,200})\s*$|^\s+name:\s+((?:fig|tbl|tab)[-:_]\S{1,200})\s*$|` +
		"^\\s*[`~:]{3,}\\{figure-md\\}\\s+(\\S{1,200})\\s*$")
	rule      = pattern.Lazy(`^r\[([a-zA-Z0-9_.-]{1,200})\]\s*$`) // of the Rust reference
	generated = pattern.Lazy(`^::: (\w+(?:\.\w+)+|mkdocs-(?:click|typer\d?))\s*$`)
	asIs      = pattern.Lazy(`^\s*#\|\s*(?:output|results):\s*["']?asis\b|\{[^{}]{0,200}\bresults\s*=\s*["']asis`)
	shortcode = pattern.Lazy(`\{\{[<%]\s*([\w-]{1,60})\s[^{}]{0,300}?\bid="([^"\s]{1,200})"`)
	hugoTabs  = pattern.Lazy(`\{\{[<%]\s*(tabs?)\b(?:[^{}]{0,200}?\bname="([^"]{1,200})")?`)
	include   = pattern.Lazy(`\{\{<\s*include\s+(?:file=|path=)?([^"'<>\s]{1,300})\s*>\}\}|` +
		`\{\{[<%]\s*(?:include|readfile|snippet|partial|includes|import)\s+(?:file=|path=)?"([^"]{1,300})"|` +
		`\{\{[<%]\s*docs/shared\s(?:[^{}]{0,200}?\s)?lookup="([^"]{1,300})"|` +
		`^\s*\{%-?\s*(?:include|render)\s+['"]?([^'"\s%]{1,300})|` +
		`\{\{#include\s+([^\s}:]{1,300})|^\s*(?:--8<--|;--8<--)\s*"([^"]{1,300})"|` +
		`<!--\s*@include:\s*([^\s{]{1,300})|<Snippet\s+file="([^"]{1,300})"|` +
		`^import\s[^'"]{1,200}\sfrom\s+['"]([^'"]{1,300}\.mdx?)['"]`)
	script = pattern.Lazy(`^export\s+(?:default\s+)?(?:async\s+)?(?:const|let|function|class)\s+[A-Z]|` +
		`^import\s+\{?\s*[A-Z][^'"]{1,200}\sfrom\s+['"](?:\.{1,2}/|/|@site/|~/|@/|src/)[^'"]{1,300}['"]|` +
		`<(?:redoc|swagger-ui|rapi-doc|elements-api)\b|\{\{[<%]\s*[\w-]{0,60}(?:-table|-list|reference|swagger|openapi|redoc)\b`)
	directive = pattern.Lazy(`^\s*\.\. ([a-zA-Z][\w:.+-]{0,80})::(?:\s|$)`)
)

// Anchor is a name of a place in a section, by its number.
type Anchor struct {
	Name  string
	Place int
	Line  int // of the source
}

// LabelScheme stands before the labels by which the pages of a doc set refer to each other.
const LabelScheme = "label:"

const (
	mostLine   = 64 << 10 // bytes of a line that are looked at
	mostTarget = 500      // bytes of an included file's name
	mostItem   = 500      // bytes of an item of POD
)

// mostMatter is the most lines at the top of a page in which the keys of its front matter are looked for.
const mostMatter = 60

// mostAnchors is the most names of places of a page that are kept.
const mostAnchors = 20_000

// mostIncludes is the most files that a page is known to include.
const mostIncludes = 400

// finder finds the names of the places of a page.
type finder struct {
	d        doc.Document
	at       placer
	line     int
	seen     map[string]bool
	out      []Anchor
	includes []string
	topic    string // of DITA: the first id
	tabs     string // the name of the tabs that are open
	tab      int
	fence    bool
	term     []byte // the line before, where that may be a term of a list of definitions
}

// FindAnchors gives the names of places that are no headings': elements with an id, labels, and
// titles of components; and the files whose text a page includes, "" for a program's.
func FindAnchors(d doc.Document) ([]Anchor, []string) {
	switch d.Format {
	case doc.FormatNotebook: // its text is Markdown; in the file it stands within JSON
		d.Format, d.Source, d.Map = doc.FormatMarkdown, d.Text, nil
	case doc.FormatMarkdown, doc.FormatHTML, doc.FormatDITA, doc.FormatDocBook, doc.FormatRST, doc.FormatAsciiDoc,
		doc.FormatPOD, doc.FormatMediaWiki:
	case doc.FormatPO: // its other places are those of the page that it translates
		return nil, []string{""}
	default:
		return nil, nil
	}
	f := &finder{d: d, at: placer{d: d}, seen: map[string]bool{}}
	for _, s := range d.Sections {
		f.seen[s.Anchor] = true
	}
	for src := d.Source; len(src) > 0; {
		raw, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		f.line++
		f.readLine(raw[:min(len(raw), mostLine)])
	}
	return f.out, f.includes
}

func (f *finder) takeName(name string) { f.takeAt(name, f.at.sectionOf(f.line)) }

func (f *finder) takeAt(name string, place int) {
	if name != "" && !f.seen[name] && len(f.out) < mostAnchors {
		f.seen[name] = true
		f.out = append(f.out, Anchor{Name: name, Place: place, Line: f.line})
	}
}

// readLine looks for names in a line.
func (f *finder) readLine(raw []byte) {
	switch f.d.Format {
	case doc.FormatRST:
		if bytes.Contains(raw, []byte(".. _")) {
			if m := labelled().FindSubmatch(raw); m != nil {
				f.takeAt(labelID(string(m[1])), f.at.sectionAfter(f.line))
			}
		} else if bytes.Contains(raw, []byte("::")) {
			if m := directive().FindSubmatch(raw); m != nil && makesPlaces(string(m[1])) {
				f.includes = addInclude(f.includes, "")
			}
		}
		if bytes.Contains(raw, []byte("_`")) {
			for _, m := range placeInText().FindAllSubmatch(raw, -1) {
				f.takeName(labelID(string(m[1])))
			}
		}
		return
	case doc.FormatPOD:
		if item, ok := bytes.CutPrefix(raw, []byte("=item ")); ok {
			for _, name := range pod.ItemIDs(string(item[:min(len(item), mostItem)])) {
				f.takeName(name)
			}
		}
		return
	case doc.FormatAsciiDoc:
		if bytes.IndexByte(raw, '[') >= 0 {
			if file, ok := bytes.CutPrefix(raw, []byte("include::")); ok {
				file, _, _ = bytes.Cut(file, []byte("["))
				name := path.Base(string(file)) // the folder may be an attribute
				if strings.Contains(name, "{") {
					name = ""
				}
				f.includes = addInclude(f.includes, name)
			}
			for _, m := range bracket().FindAllSubmatch(raw, -1) {
				name := string(bytes.Join(m[1:], nil))
				if strings.Contains(name, "{") { // another one in each page that includes this one
					f.includes = addInclude(f.includes, "")
				}
				f.takeName(name)
			}
		}
		return
	}
	if f.d.Format == doc.FormatMarkdown {
		f.readTerm(raw)
		f.readItem(raw)
		f.readLabel(raw)
		f.readGenerated(raw)
		f.readFootnote(raw)
		f.readBuilderPlaces(raw)
	}
	has := signsOfLine(raw)
	if f.d.Format == doc.FormatMarkdown && has == 0 && !bytes.HasPrefix(raw, []byte("export ")) &&
		!bytes.HasPrefix(raw, []byte("import ")) {
		return
	}
	if has&equals != 0 && (containsAny(raw, nameWords) || bytes.HasPrefix(raw, []byte("id")) || bytes.HasPrefix(raw, []byte("name"))) {
		for _, m := range named().FindAllSubmatch(raw, -1) {
			name := string(m[1])
			if f.d.Format == doc.FormatDITA {
				if f.topic == "" {
					f.topic = name
				}
				f.takeName(f.topic + "__" + name)
			}
			f.takeName(name)
		}
	}
	if f.d.Format == doc.FormatMarkdown {
		f.readMarkdownNames(raw[:min(len(raw), 4096)])
	}
	if has&brace == 0 {
		return
	}
	if bytes.Contains(raw, []byte("{#")) || bytes.Contains(raw, []byte("{:")) || bytes.Contains(raw, []byte("{ #")) {
		for _, m := range braced().FindAllSubmatch(raw, -1) {
			f.takeName(string(m[1]))
		}
	}
}

// readMarkdownNames looks for what sites made of Markdown name places by that are no headings here:
// headings in quotes and of HTML, titles of components, tabs.
func (f *finder) readMarkdownNames(raw []byte) {
	trimmed := bytes.TrimSpace(raw)
	if bytes.HasPrefix(trimmed, []byte("```")) || bytes.HasPrefix(trimmed, []byte("~~~")) {
		f.fence = !f.fence
	}
	if len(trimmed) == 0 || f.fence {
		return
	}
	if bytes.Contains(raw, []byte("title=")) || bytes.Contains(raw, []byte("label=")) {
		for _, m := range titled().FindAllSubmatch(raw, -1) {
			f.takeName(markdown.HeadingSlug(string(m[1])))
		}
	}
	if bytes.Contains(raw, []byte("Field ")) {
		for _, m := range field().FindAllSubmatch(raw, -1) {
			f.takeName(strings.ToLower(string(m[1])) + "-" + markdown.HeadingSlug(string(m[2])))
		}
	}
	if trimmed[0] == '>' && bytes.IndexByte(raw, '#') >= 0 {
		if m := quoted().FindSubmatch(raw); m != nil {
			f.takeName(markdown.HeadingSlug(string(m[1])))
		}
	}
	if bytes.Contains(raw, []byte("</summary>")) { // GitBook and Mintlify link to what is folded away
		for _, m := range summary().FindAllSubmatch(raw, -1) {
			f.takeName(markdown.HeadingSlug(strings.TrimSpace(string(tag().ReplaceAll(m[1], nil)))))
		}
	}
	if bytes.Contains(raw, []byte("</h")) {
		for _, m := range heading().FindAllSubmatch(raw, -1) {
			f.takeName(markdown.HeadingSlug(strings.TrimSpace(string(tag().ReplaceAll(m[1], nil)))))
		}
	}
	if bytes.Contains(raw, []byte("{{")) {
		f.nameHugoTabs(raw)
		for _, m := range shortcode().FindAllSubmatch(raw, -1) { // a term of a glossary: {{% def id="wick" %}} is #def-wick
			f.takeName(string(m[1]) + "-" + string(m[2]))
		}
	}
	f.readInclude(raw)
}

// mostSameTerms is how many terms of the same words get a name each.
const mostSameTerms = 50

// readTerm names the terms of lists of definitions, as Goldmark does for Hugo: the line before one
// that begins with a colon. The second term of the same words is called words-1.
func (f *finder) readTerm(raw []byte) {
	term := f.term
	f.term = nil
	switch {
	case f.fence || len(bytes.TrimSpace(raw)) == 0:
	case !bytes.HasPrefix(raw, []byte(": ")):
		f.term = raw[:min(len(raw), 300)]
	case len(term) > 0:
		name := markdown.HeadingSlug(string(bytes.TrimSpace(term)))
		for n := 0; n < mostSameTerms; n++ {
			numbered := name
			if n > 0 {
				numbered += "-" + strconv.Itoa(n)
			}
			if !f.seen[numbered] {
				f.takeName(numbered)
				break
			}
		}
	}
}

// readFootnote names a footnote as kramdown, Python-Markdown and Goldmark do.
func (f *finder) readFootnote(raw []byte) {
	if f.fence || !bytes.Contains(raw[:min(len(raw), 5)], []byte("[^")) {
		return
	}
	if m := footnote().FindSubmatch(raw); m != nil {
		f.takeName("fn:" + string(m[1]))
		f.takeName("fnref:" + string(m[1]))
	}
}

// readItem names the heading that stands in an item of a list: so are glossaries written.
func (f *finder) readItem(raw []byte) {
	if f.fence || !bytes.Contains(raw[:min(len(raw), 30)], []byte(" #")) {
		return
	}
	if m := item().FindSubmatch(raw); m != nil {
		f.takeName(markdown.HeadingSlug(string(bytes.TrimRight(m[1], "# \t\r"))))
	}
}

// readGenerated reads the directives of MkDocs that document code: they make a place for the object
// that they name, and more for all that it has. The cells of a page may write Markdown too.
func (f *finder) readGenerated(raw []byte) {
	switch {
	case bytes.Contains(raw, []byte("asis")) && asIs().Match(raw), bytes.HasPrefix(raw, []byte("listing:")) && f.line < mostMatter:
		f.includes = addInclude(f.includes, "") // Quarto's lists of pages come from a template
	case bytes.Contains(raw, []byte("{include}")):
		if m := mystInclude().FindSubmatch(raw); m != nil {
			f.includes = addInclude(f.includes, string(m[1]))
		}
	}
	if f.fence || !bytes.HasPrefix(raw, []byte("::: ")) {
		return
	}
	if m := generated().FindSubmatch(raw); m != nil {
		f.takeName(string(m[1]))
		f.includes = addInclude(f.includes, "")
	}
}

// readLabel reads a label of MyST. It is taken as a label, by which the pages of the doc set
// refer to it, and as the id that Sphinx makes of it.
func (f *finder) readLabel(raw []byte) {
	if bytes.HasPrefix(raw, []byte("r[")) {
		if m := rule().FindSubmatch(raw); m != nil {
			f.takeAt(LabelScheme+strings.ToLower(string(m[1])), f.at.sectionAfter(f.line))
			f.takeAt("r-"+string(m[1]), f.at.sectionAfter(f.line))
		}
		return
	}
	if len(raw) == 0 || !bytes.HasSuffix(bytes.TrimSpace(raw), []byte(")=")) && !containsAny(raw, labelWords) {
		return
	}
	m := mystLabel().FindSubmatch(raw)
	if m == nil {
		return
	}
	at := f.at.sectionOf(f.line)
	if len(m[1]) > 0 {
		at = f.at.sectionAfter(f.line)
	}
	name := string(bytes.Join(m[1:], nil))
	f.takeAt(LabelScheme+strings.ToLower(name), at)
	f.takeAt(labelID(name), at)
}

// nameHugoTabs names the tabs of Hugo's Docsy by the name of them all and their number.
func (f *finder) nameHugoTabs(raw []byte) {
	for _, m := range hugoTabs().FindAllSubmatch(raw, -1) {
		if string(m[1]) == "tabs" {
			f.tabs, f.tab = string(m[2]), 0
		} else if f.tabs != "" {
			f.takeName(markdown.HeadingSlug(f.tabs) + "-" + strconv.Itoa(f.tab))
			f.tab++
		}
	}
}

// labelWords stand in lines that may give a label.
var labelWords = [][]byte{[]byte("name:"), []byte("label:"), []byte("{figure-md}")}

// signs are those of which a line has one that names a place.
type signs uint8

const (
	equals signs = 1 << iota
	angle
	brace
	tick
)

// signsOfLine are the signs of a line. Most lines have none, and are looked at once.
func signsOfLine(raw []byte) signs {
	var out signs
	for _, c := range raw {
		switch c {
		case '=':
			out |= equals
		case '<', '>':
			out |= angle
		case '{':
			out |= brace
		case '`', '~':
			out |= tick
		}
	}
	return out
}

func containsAny(raw []byte, words [][]byte) bool {
	for _, w := range words {
		if bytes.Contains(raw, w) {
			return true
		}
	}
	return false
}

// Words without which a line names no place, or takes nothing in: they are looked for
// before patterns.
var (
	nameWords = [][]byte{[]byte(" id"), []byte("\tid"), []byte(" name"), []byte("\tname"), []byte(" ID"), []byte("\tID"),
		[]byte("xml:id")}
	includeWords = [][]byte{[]byte("nclude"), []byte("8<--"), []byte("nippet"), []byte("readfile"), []byte("partial"), []byte("render"),
		[]byte("import"), []byte("docs/shared")}
	scriptWords = [][]byte{[]byte("-table"), []byte("-list"), []byte("reference"), []byte("swagger"), []byte("openapi"), []byte("redoc"),
		[]byte("rapi-doc"), []byte("elements-api")}
)

// readInclude looks for what a line takes in: another file, or what a program makes.
func (f *finder) readInclude(raw []byte) {
	module := bytes.HasPrefix(raw, []byte("import ")) || bytes.HasPrefix(raw, []byte("export "))
	if !module && bytes.IndexByte(raw, '<') < 0 && bytes.IndexByte(raw, '{') < 0 {
		return
	}
	marked := raw[0] == '<' || bytes.Contains(raw, []byte("{{")) || bytes.Contains(raw, []byte("{%")) ||
		bytes.Contains(raw, []byte("8<--")) || bytes.Contains(raw, []byte("<!--"))
	switch {
	case !module && !marked:
	case bytes.HasPrefix(raw, []byte("{{%")) && bytes.HasSuffix(bytes.TrimSpace(raw), []byte("/%}}")):
		f.includes = addInclude(f.includes, "") // a shortcode of the site's own that writes Markdown
	case containsAny(raw, includeWords) && include().Match(raw):
		m := include().FindSubmatch(raw)
		f.includes = addInclude(f.includes, string(bytes.Join(m[1:], nil)))
	case (module || containsAny(raw, scriptWords)) && script().Match(raw):
		f.includes = addInclude(f.includes, "")
	}
}

func addInclude(all []string, file string) []string {
	if len(file) > mostTarget || len(all) >= mostIncludes || slices.Contains(all, file) {
		return all
	}
	return append(all, file)
}

// labelID is the name that a label of reStructuredText becomes.
func labelID(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		} else {
			dash = true
		}
	}
	return b.String()
}

// placer finds the section of a line of the source. Lines are asked for in their order.
type placer struct {
	d    doc.Document
	next int // section
	row  int // of the map
}

// sectionOf is the section in which a line of the source stands.
func (p *placer) sectionOf(line int) int {
	if p.d.Map != nil {
		for p.row+1 < len(p.d.Map) && (p.d.Map[p.row+1].Line == 0 || p.d.Map[p.row+1].Line <= line) {
			p.row++
		}
		line = p.row + 1
	}
	for p.next+1 < len(p.d.Sections) && p.d.Sections[p.next+1].Span.StartLine <= line {
		p.next++
	}
	return p.next
}

// sectionAfter is the section in which the line behind a label stands: two lines on, behind the
// blank one, and the title's.
func (p *placer) sectionAfter(line int) int { return p.sectionOf(line + 2) }
