package parameters

import (
	"strings"
	"sync"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// readColons takes the parameters of definitions as several dialects of Markdown write them: a term on
// a line, and its text on the next one behind a colon (PHP Markdown Extra, Pandoc, MkDocs, Hugo). Each is one
// block.
func (r *reader) readColons(b doc.Block) {
	if r.d.Format != doc.FormatMarkdown || r.isFull() {
		return
	}
	src := r.spanText(b.Span)
	src = src[:min(len(src), mostList)]
	if !strings.Contains(src, "\n:") && !strings.Contains(src, "\n :") && !strings.Contains(src, "\n  :") {
		return
	}
	context := sync.OnceValue(func() bool { return announces(r.lead) || r.announced(b.Section) })
	all := colonItems(src, b.Span.StartLine, b.Span.EndLine)
	among := sync.OnceValue(func() bool { return areLabelled(all) || arePartsOf(r.d.Sections[b.Section].Text, all) })
	for _, it := range all {
		it.among = among
		if p, ok := it.parameter(context); ok && !r.isFull() {
			p.Form, p.Section = Item, b.Section
			r.addParameter(p)
		}
	}
}

// colonItems are the terms of a text with what is said of them.
func colonItems(src string, line, last int) []item {
	lines := strings.Split(src, "\n")
	var out []item
	var terms []string
	from := line // where the first of the terms stands
	for n, l := range lines {
		if !dialect.IsDefinition([]byte(l)) {
			begins := len(out) == 0 || n+1 < len(lines) && dialect.IsDefinition([]byte(lines[n+1])) || len(terms) > 0
			switch {
			case strings.TrimSpace(l) == "":
			case begins && len(terms) < mostTerms:
				if len(terms) == 0 {
					from = line + n
				}
				terms = append(terms, strings.TrimSpace(l))
			case len(out) > 0: // the text goes on
				out[len(out)-1].body += l + "\n"
			}
			continue
		}
		_, text, _ := strings.Cut(l, ":")
		switch {
		case len(terms) > 0:
			if k := len(out) - 1; k >= 0 {
				out[k].last = from - 1
			}
			out = append(out, colonItem(terms, strings.TrimSpace(text)))
			out[len(out)-1].first, out[len(out)-1].last = from, last
			terms = nil
		case len(out) > 0: // one more text of the same term
			out[len(out)-1].body += strings.TrimSpace(text) + "\n"
		}
	}
	return out
}

// colonItem is the item of a list that terms and their text would be: the terms in bold unless they are
// in code, and a type that the text begins with, as in "(`string`) The title" or "Integer. How many",
// behind them.
func colonItem(terms []string, text string) item {
	for i, t := range terms {
		if !isCoded(t) {
			terms[i] = "**" + plainText(t) + "**"
		}
	}
	it := item{head: terms[len(terms)-1], terms: terms[:len(terms)-1], required: requiring().MatchString(text)}
	text = strings.TrimSpace(withoutShortcodes(text))
	inside, rest, ok := strings.Cut(strings.TrimPrefix(text, "("), ") ")
	if ok = ok && text[0] == '('; !ok {
		inside, rest, ok = strings.Cut(text, ". ")
	}
	if ok && isKnownType(plainText(inside)) {
		it.head, text = it.head+" ("+inside+")", rest
	}
	it.body = text + "\n"
	return it
}

// requiring is a shortcode that says of a parameter that it is required.
var requiring = pattern.Lazy(`^\{\{[<%]\s*required\b`)
