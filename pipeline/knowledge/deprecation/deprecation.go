// Package deprecation reads from a page whether it, or one of its sections, says of itself
// that it is deprecated, and in which line.
//
// Much documentation tells of deprecated things in passing: an option in a table, a rule
// for deprecations, a changelog. What counts here is a page or section that is deprecated
// as a whole: by its front matter, its heading, a badge or shortcode, or a paragraph that
// begins so. "Deprecated since version 3.2: the argument x …" is about the argument, and
// does not count unless the section is called x. Code, tables and lists never count.
//
// The patterns know English.
//
// It refuses to say what takes the place of what: the reference graph knows that.
package deprecation

import (
	"docent/pipeline/question/wordlist"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/shorten"
	"strings"
)

// Notice is the line that says so.
type Notice struct {
	// Line is counted from 0, from the beginning of the text that was read.
	Line  int
	Text  string // the line without markup
	Since string // the version from which on, "" if it is not said
	// By is what the front matter says takes its place, "" for others.
	By string
}

// mostMatter is how many lines of front matter are looked at.
const mostMatter = 200

// Matter reads the beginning of a page: its front matter, if it has any.
func Matter(head string) (Notice, bool) {
	lines := strings.Split(head, "\n")
	fence := strings.TrimSpace(strings.TrimPrefix(lines[0], "\ufeff"))
	if fence != "---" && fence != "+++" {
		return Notice{}, false
	}
	var found Notice
	ok, by := false, ""
	for i, l := range lines[1:min(len(lines), mostMatter)] {
		if strings.TrimSpace(l) == fence {
			found.By = by
			return found, ok
		}
		key, value, is := strings.Cut(l, ":")
		if fence == "+++" {
			key, value, is = strings.Cut(l, "=")
		}
		if !is || key == "" || key[0] == ' ' || key[0] == '\t' {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		said := false
		switch strings.ToLower(strings.ReplaceAll(strings.TrimSpace(key), "-", "_")) {
		case "deprecated":
			lower := strings.ToLower(value)
			said = value != "" && lower != "false" && lower != "no" && lower != "null" && lower != "~" && lower != "0" &&
				value[0] != '[' && value[0] != '{'
		case "status", "state", "lifecycle":
			said = strings.EqualFold(value, "deprecated")
		case "superseded_by", "replaced_by", "deprecated_by":
			if value != "" && !strings.HasPrefix(value, "[]") {
				by, said = value, true
			}
		case "deprecated_since", "deprecated_in":
			if found.Since = value; value != "" {
				said = true
			}
		}
		if said && !ok {
			found.Line, found.Text, ok = i+1, strings.TrimSpace(l), true
		}
	}
	return Notice{}, false // it does not end
}

// mayMention reports whether a text has anything that Section looks for. It is quick.
func mayMention(text string) bool {
	return wordlist.Rule("deprecation/quick").Inside(text) != ""
}

// Heading reads a heading: "azureFile (deprecated)".
func Heading(heading string) bool {
	return mayMention(heading) && inHeading().MatchString(heading)
}

var (
	inHeading = wordlist.Rule("deprecation/in-heading").Compile()
	// The state of a feature in the shortcodes of Hugo, and badges of components.
	shortcode = wordlist.Rule("deprecation/shortcode").Compile()
	badge     = wordlist.Rule("deprecation/badge").Compile()
	component = pattern.Lazy(`^<Deprecated\b`)
	// A directive or a note that is called so: "::: deprecated", "!!! deprecated".
	titled = wordlist.Rule("deprecation/titled").Compile()
	// A paragraph that begins with it, and what it says behind that.
	begins = wordlist.Rule("deprecation/begins").Compile()
	this   = wordlist.Rule("deprecation/this").Compile()
	named  = wordlist.Rule("deprecation/named").Compile()
	about  = wordlist.Rule("deprecation/about").Compile()
	since  = wordlist.Rule("deprecation/since").Compile()
	marks  = strings.NewReplacer("**", "", "__", "", "`", "", "*", "", "⚠️", "", "⚠", "", "🚫", "", "❗", "")
	state  = pattern.Lazy(`\bfor_k8s_version="v?([\w.]+)"`)
)

// mostLines is how many lines of a section are looked at: further down other things are
// talked about.
const mostLines = 60

// Section reads a section's own text, from its heading on. title is the heading; text
// before the first heading has the page's title.
func Section(title, text string) (Notice, bool) {
	if !mayMention(text) {
		return Notice{}, false
	}
	r := reader{title: comparableWords(title)}
	for i, l := range strings.Split(text, "\n") {
		if i >= mostLines {
			break
		}
		if i == 0 && strings.HasPrefix(strings.TrimSpace(l), "#") {
			if Heading(l) {
				return deprecationNotice(i, plainHeading(l)), true
			}
			continue
		}
		if n, ok := r.readLine(i, strings.TrimRight(l, "\r \t")); ok {
			return n, true
		}
	}
	if r.held != nil {
		return *r.held, true
	}
	return Notice{}, false
}

// plainHeading is a heading without its marks and its anchor.
func plainHeading(l string) string {
	l = strings.Trim(strings.TrimSpace(l), "# ")
	if i := strings.LastIndex(l, "{#"); i > 0 && strings.HasSuffix(l, "}") {
		l = strings.TrimSpace(l[:i])
	}
	return marks.Replace(l)
}

// reader goes through the lines of a section.
type reader struct {
	title string // of the section, see names
	fence string // of the code that the line stands in
	table int    // depth of HTML tables and lists
	block bool   // the line goes on with a paragraph
	// held is a "Deprecated:" alone on its line. It counts unless a list follows.
	held *Notice
}

// readLine reads a line.
func (r *reader) readLine(i int, l string) (Notice, bool) {
	trimmed := strings.TrimSpace(l)
	if r.fence != "" {
		if strings.HasPrefix(trimmed, r.fence) {
			r.fence = ""
		}
		return Notice{}, false
	}
	if f := strings.TrimLeft(trimmed, "> "); strings.HasPrefix(f, "```") || strings.HasPrefix(f, "~~~") {
		r.fence, r.block = f[:3], false
		return Notice{}, false
	}
	lower := strings.ToLower(trimmed)
	r.table += countOpened(lower, "table") + countOpened(lower, "ul") + countOpened(lower, "ol") + countOpened(lower, "dl")
	bare := strings.TrimSpace(strings.TrimLeft(trimmed, ">"))
	goesOn := r.block && !strings.HasPrefix(trimmed, "<") && !strings.HasPrefix(trimmed, "{{") && !strings.HasPrefix(trimmed, ":::")
	r.block = bare != "" && !strings.HasPrefix(bare, "[!") && !strings.HasPrefix(bare, ":::") && !strings.HasPrefix(bare, "{{") &&
		!strings.HasPrefix(bare, "<")
	if r.held != nil && bare != "" {
		held := r.held
		r.held = nil
		if !isItem(bare) {
			return *held, true
		}
	}
	if goesOn || bare == "" || r.table > 0 || isItem(bare) || strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t") ||
		strings.HasPrefix(l, "  ") || strings.HasPrefix(bare, "|") || !mayMention(l) {
		return Notice{}, false
	}
	switch {
	case shortcode().MatchString(bare), badge().MatchString(bare), component().MatchString(bare), titled().MatchString(trimmed):
		return deprecationNotice(i, bare), true
	}
	plain := strings.TrimSpace(marks.Replace(bare))
	if m := begins().FindStringSubmatch(plain); m != nil {
		rest := strings.TrimSpace(m[3])
		n := deprecationNotice(i, plain)
		switch {
		case rest == "":
			r.held = &n
			return Notice{}, false
		case m[1] == "", about().MatchString(rest), r.isTitle(rest):
			return n, true
		}
		return Notice{}, false
	}
	if this().MatchString(plain) || r.isTitle(plain) {
		return deprecationNotice(i, plain), true
	}
	return Notice{}, false
}

// isTitle reports whether a sentence calls the section's subject deprecated.
func (r *reader) isTitle(sentence string) bool {
	m := named().FindStringSubmatch(sentence)
	return m != nil && r.title != "" && len(comparableWords(m[1])) > 1 &&
		(comparableWords(m[1]) == r.title || strings.HasPrefix(r.title, comparableWords(m[1])+" ") ||
			strings.HasSuffix(comparableWords(m[1]), " "+r.title))
}

// comparableWords is a title as it is compared: its words.
func comparableWords(s string) string {
	return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" `#*_\"'()[]{},:;", r) }),
		" "))
}

// isItem reports whether a line begins an item of a list.
func isItem(l string) bool {
	if strings.HasPrefix(l, "- ") || strings.HasPrefix(l, "+ ") || strings.HasPrefix(l, "* ") {
		return true
	}
	digits := strings.TrimLeft(l, "0123456789")
	return len(digits) < len(l) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") "))
}

// countOpened counts how many elements of a name a line opens and does not close.
func countOpened(lower, name string) int {
	if !strings.Contains(lower, name) {
		return 0
	}
	return strings.Count(lower, "<"+name+">") + strings.Count(lower, "<"+name+" ") - strings.Count(lower, "</"+name+">")
}

// mostText is the most of a line that a notice has, in bytes.
const mostText = 300

func deprecationNotice(line int, text string) Notice {
	n := Notice{Line: line, Text: text}
	if m := since().FindStringSubmatch(text); m != nil {
		n.Since = strings.TrimRight(m[1], ".")
	} else if m := state().FindStringSubmatch(text); m != nil {
		n.Since = m[1]
	}
	n.Text = shorten.Bytes(text, mostText)
	return n
}
