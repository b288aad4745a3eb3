// Package legible rewrites Markdown of documentation for people who read it: shortcodes,
// macros, includes and tables in HTML become what they say. The reader of the app, the
// dashboard, the text for agents and rendered answers show the same words.
//
// The result is Markdown again. It refuses to be cited: lines are not those of the page, and
// a block that can be verified is never made of it. It reads no files, and renders nothing.
//
// Terms. A macro is MDN's {{name("argument")}}. A rule is the line r[name] of the Rust
// reference, which names what follows. An omission is a line of an answer that stands for
// lines that were left out.
package legible

import (
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
)

// Markdown is Markdown as it is read. Tables in HTML become Markdown's.
func Markdown(text string) string { return rewrite(text, true) }

// ForBrowser is Markdown as it is read where HTML is shown too: whole tables in HTML stay,
// cut ones become Markdown's.
func ForBrowser(text string) string { return rewrite(text, false) }

func rewrite(text string, tables bool) string {
	if lines := Lines([]byte(text)); lines != nil {
		text = strings.Join(lines, "")
	}
	found := false
	for _, sign := range rewrittenSigns() {
		found = found || strings.Contains(text, sign)
	}
	if !found {
		return text
	}
	text = string(dialect.ExpandShortcodes([]byte(text)))
	w := writer{lines: strings.SplitAfter(text, "\n"), tables: tables, myst: dialect.UsesMyST([]byte(text))}
	for w.at < len(w.lines) {
		w.writeNext()
	}
	return w.out.String()
}

// rewrittenSigns are signs of which a text has one that is rewritten.
func rewrittenSigns() []string {
	return []string{"{{", "<", "r[", "[… line", "{#", "{ #", "{: #", "{ id=", "```{", ":::{", "}`", ")=\n",
		" tab=", " title=", " filename=", "{% link", "{% post_url", "endraw"}
}

// writer rewrites lines.
type writer struct {
	lines  []string
	at     int
	tables bool // every table becomes Markdown's
	fence  dialect.Fence
	out    strings.Builder
	head   string // the header and the delimiter of the table that is open, else ""
	last   string // the line before, as it is written
	myst   bool   // the text is Markdown of Sphinx

	pre      int // the last line that closes preformatted text
	preKnown bool

	directives []openDirective
}

// ruleLine is a line of the Rust reference that has nothing but the name of a rule.
var ruleLine = pattern.Lazy(`^r\[[a-zA-Z0-9_.-]{1,200}\]\s*$`)

// headingAnchor is a heading with an anchor of its own behind it.
var headingAnchor = pattern.Lazy(
	`^(#{1,6} [^{]{1,500}?)\s*%?\{:?\s*(?:#[^{}\s]{1,200}|id=["'][^"'{}]{1,200}["'])[^{}]{0,200}\}%?\s*$`)

// rawText is text between tags of Liquid that keep it from being read as tags, and rawLine a line with one
// of these tags alone. They are never shown.
var (
	rawText = pattern.Lazy(`\{%-?\s*raw\s*-?%\}(.*?)\{%-?\s*endraw\s*-?%\}`)
	rawLine = pattern.Lazy(`^\s*\{%-?\s*(?:end)?raw\s*-?%\}\s*$`)
)

// delimiterRow is the second line of a table.
var delimiterRow = pattern.Lazy(`^\s{0,3}\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$`)

// omission is the line that stands for lines that were left out.
var omission = pattern.Lazy(`^\[… lines? [0-9]+(–[0-9]+)? omitted …\]$`)

// isOmission reports whether a line stands for lines that were left out.
func isOmission(line string) bool { return omission().MatchString(strings.TrimSpace(line)) }

// writeNext rewrites the next line, or the table that begins there.
func (w *writer) writeNext() {
	line := w.lines[w.at]
	if w.myst && !w.fence.IsOpen() && w.writeDirective(line) {
		w.head = ""
		return
	}
	inside := w.fence.IsOpen()
	if w.fence.Step([]byte(strings.TrimSuffix(line, "\n"))) {
		if w.head = ""; !inside {
			w.writeCodeLabel(line)
		}
		w.write(expandIncludes(line))
		w.at++
		return
	}
	if isOmission(line) {
		w.writeOmission()
		return
	}
	if n := tableLines(w.lines[w.at:]); n > 0 {
		region := w.lines[w.at : w.at+n]
		w.at += n
		if w.tables || !isWholeTable(region) {
			w.writeTable(region)
			return
		}
		for _, l := range region {
			w.write(expandMacros(l, ""))
		}
		return
	}
	if w.tables && strings.Contains(line, "<") && beginsMarkup(line) {
		n := max(1, w.markupLines())
		region := w.lines[w.at : w.at+n]
		w.at += n
		w.writeMarkup(region)
		return
	}
	w.at++
	if w.myst {
		said, shown := w.mystWords(line)
		if line = said; !shown {
			return
		}
	}
	if strings.Contains(line, "raw") {
		if line = rawText().ReplaceAllString(line, "$1"); rawLine().MatchString(line) {
			return
		}
	}
	said, _ := dialect.ExpandSiteLinks([]byte(line))
	line = withoutLooks(string(said))
	w.noteTable(line)
	if m := headingAnchor().FindStringSubmatch(line); m != nil {
		line = m[1] + "\n"
	}
	switch {
	case !strings.Contains(line, "{{") && !strings.HasPrefix(line, "r["):
		w.write(line)
	case ruleLine().MatchString(line):
	default:
		w.writeWords(line)
	}
}

// writeWords writes a line with its macros expanded. A line that says nothing without them is
// left out.
func (w *writer) writeWords(line string) {
	said := expandMacros(blockShortcode(line), "`")
	if strings.TrimSpace(said) == "" && strings.TrimSpace(line) != "" {
		if w.last != "\n" {
			w.write("\n")
		}
		return
	}
	w.write(said)
}

// codeLabel is what the line above code says of it: the tab or the file that it is shown as.
var codeLabel = pattern.Lazy("^(\\s*)(?:`{3,}|~{3,})[^`]*?\\s(?:tab|title|filename)=(?:\"([^\"]{1,200})\"|'([^']{1,200})')")

// labelSigns are escaped in a label, which is a text and no markup.
var labelSigns = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`")

// writeCodeLabel writes the label of the code that a line begins, as a paragraph above it: a program
// that shows code leaves out what stands behind its language.
func (w *writer) writeCodeLabel(line string) {
	if !strings.Contains(line, "=") {
		return
	}
	m := codeLabel().FindStringSubmatch(line)
	if m == nil {
		return
	}
	if w.last != "" && w.last != "\n" {
		w.write(strings.Repeat("\n", 2-trailingBreaks(w.last)))
	}
	w.write(m[1] + "**" + labelSigns.Replace(m[2]+m[3]) + "**\n\n")
}

func (w *writer) write(line string) {
	w.out.WriteString(line)
	if w.last = line; strings.TrimSpace(line) == "" {
		w.last = "\n"
	}
}

// writeOmission writes an omission as a paragraph of its own. A table that goes on behind it
// gets its header again.
func (w *writer) writeOmission() {
	if w.last != "" && w.last != "\n" {
		w.write(strings.Repeat("\n", 2-trailingBreaks(w.last)))
	}
	w.write(strings.TrimSpace(w.lines[w.at]) + "\n")
	w.at++
	if w.at < len(w.lines) && strings.TrimSpace(w.lines[w.at]) != "" {
		w.write("\n")
		if isRow(w.lines[w.at]) && !w.beginsTable(w.at) {
			w.write(w.head)
		}
	}
}

func trailingBreaks(line string) int {
	if strings.HasSuffix(line, "\n") {
		return 1
	}
	return 0
}

// noteTable keeps the header of a table until the table ends.
func (w *writer) noteTable(line string) {
	switch {
	case !isRow(line):
		w.head = ""
	case w.at >= 2 && delimiterRow().MatchString(line) && isRow(w.lines[w.at-2]):
		w.head = ensureBreak(w.lines[w.at-2]) + ensureBreak(line)
	}
}

func (w *writer) beginsTable(at int) bool {
	return at+1 < len(w.lines) && delimiterRow().MatchString(w.lines[at+1])
}

func isRow(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "|") }

func ensureBreak(line string) string { return strings.TrimSuffix(line, "\n") + "\n" }

// citationLine is a line of a block below a part of it.
var citationLine = pattern.Lazy(`^\*\*(Source|Path|Document Set|Section):\*\* `)

// Block is an AOP-FINAL block as a person reads it: without the lines that are for programs,
// each line of a citation on its own, and without the metadata at the top of each page.
func Block(block string) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
	if n := len(lines); n > 0 && strings.HasPrefix(lines[n-1], "=== END-AOP-FINAL") {
		lines = lines[:n-1]
	}
	if len(lines) > 2 && strings.HasPrefix(lines[0], "=== AOP-FINAL") {
		lines = lines[2:]
	}
	for len(lines) > 0 {
		cited := slices.IndexFunc(lines, citationLine().MatchString)
		if cited < 0 {
			cited = len(lines)
		}
		page := strings.TrimLeft(strings.Join(lines[:cited], "\n"), "\n")
		b.WriteString("\n" + WithoutFrontMatter(page) + "\n")
		for lines = lines[cited:]; len(lines) > 0 && citationLine().MatchString(lines[0]); lines = lines[1:] {
			b.WriteString("- " + lines[0] + "\n")
		}
	}
	return Markdown(strings.Trim(b.String(), "\n") + "\n")
}
