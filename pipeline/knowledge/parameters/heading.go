package parameters

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/store/doc"
)

// mostBelow is how many blocks of a section are looked at.
const mostBelow = 20

// readHeading takes a section that documents one parameter: its heading is a flag, a name in code
// or a constant, a type or a default stands behind it or below it, or the text says of the name
// that it is a parameter.
func (r *reader) readHeading(i int) {
	b := r.d.Blocks[i]
	s := r.d.Sections[b.Section]
	if len(s.Text) > 300 || r.isFull() || r.readFunction(i) {
		return
	}
	head, typ, typed := cutType(cleanLine(s.Text, false))
	head, value, ok := cutDefault(head)
	typed = typed || ok
	blocks := r.d.Blocks[i+1 : min(len(r.d.Blocks), i+1+mostBelow)]
	declared, declaredType := declaredBelow(head, blocks)
	if declared != "" {
		head, typ, typed, blocks = declared, declaredType, true, blocks[1:]
	}
	constants := constantsOf(head)
	if constants != "" {
		head = constants
	}
	coded := b.Code != "" && len(strings.Join(strings.Fields(b.Code), "")) >= len(strings.Join(strings.Fields(head), ""))
	if names := namesWithNoun(head, b.Code); names != "" {
		head, coded, typed = names, true, true
	}
	name, ok := readNames(head)
	told := !ok && b.Code != "" // "Setting the batch size with `serial`": the text says what it is
	if told {
		name, ok = readNames(strings.TrimSpace(b.Code))
	}
	if !ok || len(name.aliases) > 0 && !isFlagName(name.name) && !coded && constants == "" || name.isCommandLine() {
		return
	}
	p := Parameter{Name: name.name, Aliases: name.aliases, Type: name.typ, Default: value, Form: Heading, Section: b.Section,
		First: s.Span.StartLine, Last: s.Span.EndLine}
	if p.Type == "" {
		p.Type = typ
	}
	text := r.readBelow(&p, blocks, b.Section)
	stated := text.stated || typed && (coded || !isClass(p.Name))
	if isClass(p.Name) && !coded && strings.ContainsAny(p.Type[:min(len(p.Type), 1)], ":(") {
		stated = false // the word for a type is itself a term of a list of definitions
	}
	if told && (p.Type != "" || !isSaidToBe(p.Name, text.words)) || !told && !stated &&
		!r.isLikely(p.Name, s, coded, constants != "") && !isSaidToBe(p.Name, text.words) {
		return
	}
	p.Description = strings.Join(text.words, " ")
	p.fillFromText(p.Description)
	if !stated && p.Description == "" {
		return
	}
	r.addParameter(p)
}

// readFunction takes a section that documents a function: its heading declares that, in code or as names in code are
// written.
func (r *reader) readFunction(i int) bool {
	b := r.d.Blocks[i]
	s := r.d.Sections[b.Section]
	name, ok := declaredName(cleanLine(s.Text, false))
	if !ok || b.Code == "" && isClass(name.name) {
		return false
	}
	p := Parameter{Name: name.name, Type: name.typ, Form: Heading, Section: b.Section, First: s.Span.StartLine, Last: s.Span.EndLine}
	text := r.readBelow(&p, r.d.Blocks[i+1:min(len(r.d.Blocks), i+1+mostBelow)], b.Section)
	p.Description = strings.Join(text.words, " ")
	if p.Description != "" {
		r.addParameter(p)
	}
	return p.Description != ""
}

// isCommandLine reports whether the words are rather a program with its arguments than a name with
// its type: "docker-compose up", "-f push --force origin".
func (n naming) isCommandLine() bool {
	words := strings.Fields(n.typ)
	if len(words) > 1 && slices.ContainsFunc(words[1:], isFlagName) { // "-n NAME --name NAME" is no command
		return strings.ToLower(words[0]) == words[0] && !slices.Contains(words, "--"+words[0])
	}
	program := strings.Contains(n.name, "-") && !isFlagName(n.name) && !strings.ContainsAny(n.name, "_.$@[]:/")
	return program && len(words) > 0 && !isKnownType(words[0]) && strings.Trim(n.typ, "abcdefghijklmnopqrstuvwxyz- ") == ""
}

// isLikely reports whether the heading of a section alone makes it one of a parameter.
func (r *reader) isLikely(name string, s doc.Section, coded, constant bool) bool {
	announced := func() bool { return s.Parent >= 0 && r.announced(s.Parent) }
	switch {
	case isFlagName(name):
		return true
	case isClass(name) || isFileName(name):
		return false
	case coded:
		return looksLikeCodeName(name) || announced()
	case constant: // the names of errors and of signals look the same
		return announced() || !r.listsOthers(s.Parent)
	}
	return false
}

// listsOthers reports whether the heading above a section, or the page's title, says that names
// below it are no parameters.
func (r *reader) listsOthers(parent int) bool {
	return parent >= 0 && (otherColumn().MatchString(strings.ToLower(r.d.Sections[parent].Text)) ||
		otherColumn().MatchString(strings.ToLower(r.d.Title)))
}

// constantsOf gives the names of a heading that consists of constants, with a comma between them:
// "TF_CLI_ARGS and TF_CLI_ARGS_name". "" for other headings.
func constantsOf(head string) string {
	words := strings.Fields(head)
	switch {
	case len(words) == 1 && isConstantName(words[0]):
		return words[0]
	case len(words) == 3 && isConstantName(words[0]) && len(words[1]) <= 4 && isConstantName(words[2]):
		return words[0] + ", " + words[2]
	}
	return ""
}

// namesWithNoun gives the names in code of a heading that says what they are: "The `edition`
// field". "" for other headings.
func namesWithNoun(head, code string) string {
	names := strings.Split(code, "\n")
	for _, n := range names {
		if n == "" || strings.Contains(n, " ") || !isParameterName(n) || isFileName(n) {
			return ""
		}
	}
	words := strings.FieldsFunc(head, func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
	others, noun := 0, false
	for _, w := range words {
		switch {
		case slices.Contains(names, w):
		case nounWord.Has(strings.ToLower(w)), len(names) > 1 && announces(w):
			noun = true
		default:
			others++
		}
	}
	if !noun || others > len(names) {
		return ""
	}
	return strings.Join(names, ", ")
}

// isSaidToBe reports whether the first sentence of a section says that its heading names a
// parameter: "The `lto` setting controls …", "This is an environment variable".
func isSaidToBe(name string, words []string) bool {
	if len(words) == 0 || len(name) < 3 || isClass(name) || isFileName(name) {
		return false
	}
	text := words[0][:min(len(words[0]), 200)]
	sentence, _, _ := strings.Cut(text, ". ")
	short := len(strings.Fields(sentence)) <= 8 && name == strings.ToUpper(name)
	before := ""
	for w := range strings.FieldsSeq(text) {
		w = strings.Trim(w, "`'\",.:;()")
		if nounWord.Has(strings.ToLower(w)) && (before == name || short && strings.Contains(sentence, w)) {
			return true
		}
		before = w
	}
	return false
}

// below is what the blocks of a section say of its parameter.
type below struct {
	stated bool // a type, a default, or that it is required
	words  []string
}

// readBelow reads the blocks below a heading, up to the next one.
func (r *reader) readBelow(p *Parameter, blocks []doc.Block, section int) below {
	var out below
	size := 0
	for i, x := range blocks {
		if x.Section != section || x.Kind == doc.HeadingRow {
			break
		}
		switch x.Kind {
		case doc.Paragraph, doc.List, doc.Quote:
			if i == 0 && p.readTypesAlone(x) {
				out.stated = true
				continue
			}
		case doc.Meta:
			out.stated = i < mostBeforeAttributes && p.readAttributes(r.spanText(x.Span)) || out.stated
			continue
		case doc.Admonition: // of notes that one which says that it goes, or the only words
			if len(out.words) > 0 && !deprecating().MatchString(x.Text[:min(len(x.Text), mostMarkup)]) {
				continue
			}
		default:
			continue
		}
		said := i <= mostBeforeAttributes && x.Kind == doc.List && x.Code != "" && isStatingWord(x.Text)
		for l := range strings.SplitSeq(x.Text[:min(len(x.Text), mostMarkup)], "\n") {
			l = strings.TrimSpace(l)
			said = p.readStatement(l) || p.readNamesStated(l) || said
		}
		out.stated = out.stated || said
		text := cleanLine(withoutNoteTitle(x), false)
		if r.d.Format == doc.FormatMarkdown && dialect.IsDefinition([]byte(text)) { // the heading is the term
			text = strings.TrimSpace(text[1:])
		}
		if said || x.Kind == doc.List || size > MostDescription || passing().MatchString(text) || text == strings.TrimSpace(x.Code) {
			continue
		}
		out.words = append(out.words, text)
		size += len(text)
	}
	return out
}

// withoutNoteTitle is the beginning of a block's text, of a note without its title.
func withoutNoteTitle(b doc.Block) string {
	text := b.Text[:min(len(b.Text), mostMarkup)]
	if title, rest, ok := strings.Cut(text, "\n"); ok && b.Kind == doc.Admonition && len(strings.Fields(title)) <= 3 &&
		!strings.ContainsAny(title, ".:;,") {
		return rest
	}
	return text
}

// isClass reports whether a name is written as names of classes are.
func isClass(s string) bool {
	r, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	return unicode.IsUpper(r) && unicode.IsLower(next) && !strings.Contains(s, ".")
}
