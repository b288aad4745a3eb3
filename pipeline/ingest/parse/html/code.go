package html

import (
	"strings"

	"golang.org/x/net/html/atom"

	"docent/pipeline/text/spacing"
)

// writeCode writes a block of code.
func (r *renderer) writeCode(n *node) {
	r.noteName(n)
	text, moved := codeText(n)
	if strings.TrimSpace(text) == "" {
		return
	}
	line := n.line
	if strings.HasPrefix(text, "\n") { // the one that follows the tag
		text, line = text[1:], line+1
	}
	// Blank lines at the beginning are left out, the places go on behind them.
	for {
		first, rest, ok := strings.Cut(text, "\n")
		if !ok || strings.TrimSpace(first) != "" {
			break
		}
		text, line = rest, line+1
	}
	if r.setLine(line); moved {
		r.w.At(r.w.Place())
	}
	r.w.WriteCode(language(n), text)
	r.textWritten()
}

// codeText is the text of code, unchanged. Elements for lines, which some programs write
// without line ends, become lines; moved reports whether there are any.
func codeText(n *node) (text string, moved bool) {
	var b strings.Builder
	n.walkTree(func(c *node) bool {
		switch {
		case c.out:
			return false
		case c.isText():
			b.WriteString(c.text)
		case c.tag == atom.Br:
			b.WriteByte('\n')
			moved = true
		case c != n && isBlock(c) || c.hasClass("token-line") || c.tag == atom.Code && c.parent == n:
			if s := b.String(); s != "" && s[len(s)-1] != '\n' {
				b.WriteByte('\n')
				moved = true
			}
		}
		return true
	})
	return b.String(), moved
}

// language is the language of code by its own class, that of an element in it or around
// it.
func language(n *node) string {
	if l := languageOf(n); l != "" {
		return l
	}
	if c := n.findFirst(func(c *node) bool { return c.tag == atom.Code }); c != nil {
		if l := languageOf(c); l != "" {
			return l
		}
	}
	for p, i := n.parent, 0; p != nil && i < 4; p, i = p.parent, i+1 {
		if l := languageOf(p); l != "" {
			return l
		}
	}
	return ""
}

func languageOf(n *node) string {
	for _, key := range [...]string{"data-lang", "data-language", "data-syntax"} {
		if l := plainLanguage(n.attribute(key)); l != "" {
			return l
		}
	}
	class := n.attribute("class")
	if class == "" {
		return ""
	}
	if _, after, ok := strings.Cut(class, "brush:"); ok { // brush: js; toolbar: false
		after, _, _ = strings.Cut(strings.TrimSpace(after), ";")
		lang, _, _ := strings.Cut(strings.TrimSpace(after), " ")
		return plainLanguage(lang)
	}
	generic := false // a word before it says that a language follows
	for c := range strings.FieldsSeq(class) {
		for _, prefix := range [...]string{"language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "src-", "brush-"} {
			if rest, ok := strings.CutPrefix(c, prefix); ok {
				if l := plainLanguage(rest); l != "" {
					return l
				}
			}
		}
		if generic && n.isTag(atom.Pre, atom.Code) || c == "rust" && n.tag == atom.Pre {
			if l := plainLanguage(c); l != "" {
				return l
			}
		}
		generic = c == "sourceCode" || c == "hljs" || c == "src" || c == "prettyprint" || c == "programlisting" || c == "brush"
	}
	return ""
}

// plainLanguage is the name of a language, "" for words that mean no language.
func plainLanguage(s string) string {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "default", "none", "text", "plain", "plaintext", "txt", "nohighlight", "notranslate", "guess", "undefined", "linenums", "rouge",
		"line-numbers", "code", "hljs", "src":
		return ""
	case "python3", "py", "pycon", "pycon3", "ipython3":
		return "python"
	}
	return s
}

// declaration writes a declaration that is not marked as code: laid out as a table, it
// is one line.
func (r *renderer) declaration(n *node) {
	r.noteName(n)
	if !n.blocks {
		r.writeCode(n)
		return
	}
	text := spacing.Single(n.firstWords(4000))
	for _, fix := range [...][2]string{{" (", "("}, {"( ", "("}, {" )", ")"}, {" ,", ","}, {"* ", "*"}} {
		text = strings.ReplaceAll(text, fix[0], fix[1])
	}
	r.setLine(n.line)
	r.w.WriteCode("", text)
	r.textWritten()
}
