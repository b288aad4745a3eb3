package fidelity

import (
	"bytes"
	"strings"

	"docent/pipeline/text/spacing"
)

// silentDirectives are the directives whose argument and content are not text of the page.
var silentDirectives = spacing.WordSet("toctree index meta contents currentmodule currentclass module highlight highlightlang role " +
	"default-role raw " +
	"include literalinclude image sectnum tabularcolumns program testsetup testcleanup graphviz digraph graph uml plot todo todolist " +
	"sectionauthor codeauthor moduleauthor automodule autoclass autofunction automethod autoattribute autodata autoexception " +
	"inheritance-diagram plantuml restructuredtext-test-directive date title target-notes header footer bibliography " +
	"youtube video audio mermaid productionlist doxygenclass doxygenfunction doxygenstruct doxygenfile doxygengroup " +
	"cmake-manual-description " +
	"change_seqno automodapi automodsumm minigallery gallery jinja")

// namedDirectives are those whose argument is a name for the build, and whose content is text.
var namedDirectives = spacing.WordSet("code code-block sourcecode highlight class cssclass container rst-class figure " +
	"literalblock parsed-literal " +
	"ipython ifconfig only tab-set grid card grid-item-card dropdown doctest testcode testoutput prompt autosummary math list-table " +
	"code-block-tabs tabs console-output")

// silentRoles are the roles that show something other than their content.
var silentRoles = spacing.WordSet("ref doc numref eq download any keyword cite footcite issue pr pull bpo gh raw")

// restText is a page of reStructuredText while it is read.
type restText struct {
	t   *tally
	src []byte
	at  int
	// quiet is the indentation of markup whose deeper lines are left out, or -1.
	quiet int
	// options is the indentation of a directive whose options may follow, or -1.
	options int
	texts   bool // text was read: fields are no metadata of the page any more
	names   int  // the indentation of a list of names, of which "~" hides the first parts, or -1
}

// scanRST takes the words of reStructuredText: without comments, targets, directives,
// their options, and roles.
func scanRST(t *tally, src []byte) {
	r := &restText{t: t, src: src, quiet: -1, options: -1, names: -1}
	for r.at < len(src) {
		end := bytes.IndexByte(src[r.at:], '\n')
		if end < 0 {
			end = len(src)
		} else {
			end += r.at
		}
		r.readLine(end)
		r.t.endWord()
		r.at = max(r.at, end+1)
	}
}

// readLine reads the line that ends before end.
func (r *restText) readLine(end int) {
	line := r.src[r.at:end]
	indent, length := indentOf(line)
	text := bytes.TrimRight(line[length:], " \r")
	if len(text) == 0 {
		r.options = -1
		return
	}
	if r.quiet >= 0 {
		if indent > r.quiet {
			return
		}
		r.quiet = -1
	}
	if r.options >= 0 {
		if indent > r.options && text[0] == ':' {
			return
		}
		r.options = -1
	}
	if r.names >= 0 && indent > r.names {
		if text[0] == '~' {
			text = text[bytes.LastIndexByte(text, '.')+1:]
		}
		r.t.addText(text)
		return
	}
	r.names = -1
	switch {
	case bytes.HasPrefix(text, []byte(".. ")):
		r.readExplicit(indent, bytes.TrimLeft(text[3:], " "), end)
	case string(text) == "..":
		r.quiet = indent
	case bytes.HasPrefix(text, []byte("__ ")): // the target of an anonymous link
	case text[0] == ':':
		r.readField(indent, text, end)
	default:
		r.texts = true
		r.addInline(end-(len(line)-length), end)
	}
}

// readExplicit reads explicit markup, behind its two dots: a target, a footnote, a
// substitution, a directive, or a comment.
func (r *restText) readExplicit(indent int, text []byte, end int) {
	for bytes.HasPrefix(text, []byte(".. ")) {
		text = bytes.TrimLeft(text[3:], " ")
	}
	switch {
	case len(text) == 0, text[0] == '_', text[0] == '|':
		r.quiet = indent
		return
	case text[0] == '[':
		if i := bytes.IndexByte(text, ']'); i >= 0 {
			r.addInline(end-len(text)+i+1, end)
			return
		}
	}
	i := bytes.Index(text, []byte("::"))
	if i < 0 || bytes.IndexByte(text[:i], ' ') >= 0 {
		r.quiet = indent
		return
	}
	name := strings.ToLower(string(text[:i]))
	if colon := strings.LastIndexByte(name, ':'); colon >= 0 {
		name = name[colon+1:]
	}
	if silentDirectives[name] {
		r.quiet = indent
		return
	}
	r.options = indent
	if name == "autosummary" {
		r.names = indent
	}
	if !namedDirectives[name] {
		r.texts = true
		r.addInline(end-len(text)+i+2, end)
	}
}

// readField reads a line that begins with a colon: a field with its name, or a role.
func (r *restText) readField(indent int, text []byte, end int) {
	i := bytes.IndexByte(text[1:], ':') + 1
	if i <= 1 || i+1 < len(text) && text[i+1] != ' ' {
		r.texts = true
		r.addInline(end-len(text), end)
		return
	}
	if !r.texts && indent == 0 {
		r.quiet = 0 // metadata of the page
		return
	}
	// ":param name: …": the name is shown, in a form of its own.
	r.addInline(end-len(text)+i+1, end)
}

// mostMarkup is the length of the longest inline markup that is looked for.
const mostMarkup = 1000

// addInline adds the text from one place to another with its inline markup, which may end
// in a later line.
func (r *restText) addInline(from, end int) {
	src := r.src
	for i := max(from, r.at); i < end; {
		switch c := src[i]; {
		case c == '\\' && i+1 < end && src[i+1] == ' ':
			i += 2
		case c == ':' && (i == 0 || !isWordByte(src[i-1])):
			name, after := roleAt(src, i)
			if after < 0 {
				r.t.endWord()
				i++
				continue
			}
			i, end = r.addRole(name, after, end)
		case c == '`' && i+1 < len(src) && src[i+1] == '`':
			close := markEnd(src, i+2, "``")
			if close < 0 {
				i += 2
				continue
			}
			r.t.addText(src[i+2 : close])
			i = close + 2
			end = r.extend(i, end)
		case c == '`':
			i, end = r.addRole("", i, end)
		case c == '|' && i+1 < end && !isBlank(src[i+1]) && src[i+1] != '|' && (i == 0 || !isWordByte(src[i-1])):
			close := bytes.IndexByte(src[i+1:min(end, i+100)], '|')
			if close <= 0 || isBlank(src[i+close]) {
				r.t.endWord()
				i++
				continue
			}
			r.t.endWord()
			i += close + 2
		case c == '[' && i+1 < end && src[i+1] == '#':
			close := bytes.IndexByte(src[i:min(end, i+100)], ']')
			i += max(close, 0) + 1
			r.t.endWord()
		default:
			next := i + 1
			for next < end && !isMarkupByte(src[next]) {
				next++
			}
			r.t.addText(src[i:next])
			i = next
		}
		r.at = i
	}
	r.at = end
}

func isWordByte(c byte) bool { return isLetterByte(c) || c >= '0' && c <= '9' || c >= 0x80 }

func isMarkupByte(c byte) bool { return c == '\\' || c == ':' || c == '`' || c == '|' || c == '[' }

// extend is the end of the line in which a place lies that is behind the end of another.
func (r *restText) extend(at, end int) int {
	if at <= end {
		return end
	}
	if i := bytes.IndexByte(r.src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(r.src)
}

// roleAt reads the name of a role, ":name:" before a backtick. after is the place of the
// backtick, -1 where there is no role.
func roleAt(src []byte, at int) (name string, after int) {
	i := at + 1
	for i < len(src) && i < at+60 && (isWordByte(src[i]) || strings.IndexByte("-_.+:", src[i]) >= 0) && src[i] != '`' {
		i++
	}
	if i >= len(src) || src[i] != '`' || i < at+3 || src[i-1] != ':' {
		return "", -1
	}
	name = string(src[at+1 : i-1])
	return name[strings.LastIndexByte(name, ':')+1:], i
}

// markEnd is the place of a mark that ends inline markup in the same paragraph, or -1.
func markEnd(src []byte, from int, mark string) int {
	part := src[from:min(len(src), from+mostMarkup)]
	if blank := bytes.Index(part, []byte("\n\n")); blank >= 0 {
		part = part[:blank]
	}
	if i := bytes.Index(part, []byte(mark)); i >= 0 {
		return from + i
	}
	return -1
}

// addRole adds what the text in backticks at a place shows, by its role, and returns the
// place behind it and the end of the line there.
func (r *restText) addRole(name string, at, end int) (int, int) {
	close := markEnd(r.src, at+1, "`")
	if close < 0 {
		return at + 1, end
	}
	text := r.src[at+1 : close]
	titled := false
	if open := bytes.LastIndexByte(text, '<'); open > 0 && len(text) > 0 && text[len(text)-1] == '>' {
		text, titled = text[:open], true
	}
	switch {
	case !titled && silentRoles[name]:
		text = nil
	case bytes.HasPrefix(text, []byte("~")):
		text = text[bytes.LastIndexByte(text, '.')+1:]
	case !titled && name == "" && bytes.HasPrefix(text, []byte("<")):
		text = nil
	}
	r.t.addText(text)
	return close + 1, r.extend(close+1, end)
}
