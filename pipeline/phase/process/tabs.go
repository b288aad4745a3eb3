package process

import (
	"slices"
	"strings"

	"docent/store/doc"
)

// Pages on an interface show the same example in a dozen of languages, one block of code after
// another, for the tabs of a site. The first of them says what there is to say, and so does the
// one whose language the question names; the others would fill the block.

// leastTabs is the fewest blocks of code without text between them that are one example: a
// command with its output are two.
const leastTabs = 3

// markTabs marks the code that shows the example before it in another language, and the tags
// before it, unless the question names the language.
func markTabs(p *page, question string) {
	asked := strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return strings.ContainsRune(" \t\n,.?!:;()\"'", r) })
	for i := 0; i < len(p.units); i++ {
		tabs := tabsFrom(p, i)
		if len(tabs) < leastTabs {
			continue
		}
		for k := p.blocks[p.units[i].block].end; k < p.blocks[p.units[tabs[len(tabs)-1]].block].end; k++ {
			words := fenceWords(p, p.blocks[p.units[k].block].first)
			p.units[k].intro, p.units[k].colon = -1, false // a tag leads to its own tab
			p.units[k].tab = !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(asked, w) })
		}
		i = tabs[len(tabs)-1]
	}
}

// tabsFrom are the first units of blocks of code from unit i on, each in another language than
// those before it and with nothing but tags between.
func tabsFrom(p *page, i int) (tabs []int) {
	var languages []string
	for at := i; at < len(p.units) && p.units[at].section == p.units[i].section; {
		b := p.blocks[p.units[at].block]
		if isTag(p, at) && len(tabs) > 0 {
			at = b.end
			continue
		}
		words := fenceWords(p, at)
		if at != b.first || len(words) == 0 || slices.Contains(languages, words[0]) || namesFile(words) {
			break
		}
		languages, tabs, at = append(languages, words[0]), append(tabs, at), b.end
	}
	return tabs
}

// fenceWords are the words behind the fence that opens a block of code, in lower case, the language first.
func fenceWords(p *page, i int) []string {
	u := p.units[i]
	if u.kind != doc.Code {
		return nil
	}
	line := strings.TrimSpace(p.linesText(u.first, u.first))
	words := strings.TrimLeft(line, "`~")
	if len(line)-len(words) < 3 {
		return nil
	}
	return strings.Fields(strings.ToLower(strings.Trim(words, "{}")))
}

// namesFile reports whether the words behind a fence name the file whose text the block is.
func namesFile(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.Contains(w, "title") || strings.Contains(w, "filename") || strings.Contains(strings.TrimPrefix(w, "."), ".")
	})
}

// isTag reports whether a unit is a tag in a line, such as the end of a tab.
func isTag(p *page, i int) bool {
	u := p.units[i]
	for line := u.first; line <= u.last; line++ {
		text := strings.TrimSpace(p.linesText(line, line))
		if text == "" {
			continue
		}
		if !strings.HasPrefix(text, "<") || !strings.HasSuffix(text, ">") || strings.Contains(text, "</") && text[1] != '/' {
			return false
		}
	}
	return true
}
