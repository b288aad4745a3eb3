package html

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/fidelity"
	"docent/pipeline/text/pattern"
	"docent/store/doc"
)

// Sites put the same lines around each of their pages: a motto above the heading, "Was this
// page helpful?" and a notice of copyright below the text. Where no tag and no class says so,
// a comparison of pages does: what at least half of the pages of a doc set begin or end with
// belongs to the site.

// Bounds of comparing the pages of a doc set.
const (
	leastCompared = 8    // pages; of fewer, that a line is common says little
	mostCompared  = 24   // pages, taken at even distances
	mostAround    = 4    // blocks that are compared at either end of a page
	mostAroundOne = 1000 // bytes of such a block
)

// around are the texts that the pages of a doc set begin and end with, as textOf writes them.
type around struct{ above, below map[string]bool }

// surveyAround compares pages of a doc set.
func surveyAround(files parse.Files) any {
	list := files.List(extensions[:]...)
	if len(list) < leastCompared {
		return (*around)(nil)
	}
	compared := min(len(list), mostCompared)
	above, below := map[string]int{}, map[string]int{}
	for i := range compared {
		o, err := files.Open(list[i*len(list)/compared])
		if err != nil {
			continue
		}
		s := readSource(o.Data)
		t := growTree(s.text)
		if t.tooMuch {
			continue
		}
		h := readHead(t)
		measure(t.root)
		main := content(t.root, h.generator)
		top, _ := heading(t.root, main, h.title)
		all := leavesOf(main)
		countTexts(above, leavesAbove(all, top))
		countTexts(below, leavesBelow(all))
	}
	return &around{above: commonTexts(above, compared), below: commonTexts(below, compared)}
}

// countTexts counts a page for each text that one of some blocks of it has.
func countTexts(pages map[string]int, of []leaf) {
	seen := map[string]bool{}
	for _, l := range of {
		if text := l.textOf(); text != "" && !seen[text] {
			seen[text] = true
			pages[text]++
		}
	}
}

// commonTexts are the texts that at least half of the compared pages have.
func commonTexts(pages map[string]int, compared int) map[string]bool {
	common := map[string]bool{}
	for text, n := range pages {
		if 2*n >= compared {
			common[text] = true
		}
	}
	return common
}

// leaf is a block of a page that has no other block to be compared in it: an element, or words
// between two elements.
type leaf struct {
	nodes   []*node
	heading bool
	empty   bool // a rule, or another element without words
}

// leavesOf are the blocks of a page in order.
func leavesOf(main *node) []leaf {
	var all []leaf
	var run []*node
	flush := func() {
		for _, n := range run {
			if n.size > 0 {
				all = append(all, leaf{nodes: run})
				break
			}
		}
		run = nil
	}
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		for c := range n.children() {
			switch {
			case c.out:
			case c.isText() || !isBlock(c) && !c.blocks:
				run = append(run, c)
			case c.blocks && depth < mostDepth && c.isTag(atom.Div, atom.Section, atom.Article, atom.Main, atom.Center, atom.Form):
				flush()
				walk(c, depth+1)
				flush()
			default:
				flush()
				all = append(all, leaf{nodes: []*node{c}, heading: headingLevel(c) > 0 || c.head != nil, empty: c.size == 0})
			}
		}
	}
	walk(main, 0)
	flush()
	return all
}

// mostDepth bounds how many elements that only group others are gone into.
const mostDepth = 100

var (
	year   = pattern.Lazy(`\b(?:19|20)[0-9]{2}\b`)
	number = pattern.Lazy(`[0-9]+`)
)

// textOf is the text by which a block is compared: in small letters, and with 0 for each number
// where it has a date, which differs from page to page. "" where it is not compared.
func (l leaf) textOf() string {
	if l.heading || l.empty || len(l.nodes) == 1 && l.nodes[0].isTag(atom.Pre, atom.Xmp, atom.Listing) {
		return ""
	}
	var b strings.Builder
	for _, n := range l.nodes {
		b.WriteString(n.firstWords(mostAroundOne + 1))
		if b.WriteByte(' '); b.Len() > mostAroundOne {
			return ""
		}
	}
	text := strings.ToLower(strings.Join(strings.Fields(b.String()), " "))
	if year().MatchString(text) {
		text = number().ReplaceAllString(text, "0")
	}
	if strings.IndexFunc(text, unicode.IsLetter) < 0 {
		return ""
	}
	return text
}

// leavesAbove are the first blocks of a page that stand above its heading: none where the page has
// no heading among its blocks.
func leavesAbove(all []leaf, top *node) []leaf {
	for i, l := range all {
		if l.heading {
			if len(l.nodes) == 1 && top != nil && inside(top, l.nodes[0]) {
				return all[:min(i, mostAround)]
			}
			break
		}
	}
	return nil
}

// leavesBelow are the last blocks of a page, as far as its last heading: without the first
// block of the section, since a section whose only block is like those of other pages says so.
func leavesBelow(all []leaf) []leaf {
	start, words := len(all), 0
	for start > 0 && !all[start-1].heading && words < mostAround {
		if start--; !all[start].empty {
			words++
		}
	}
	if start == 0 || all[start-1].heading {
		for start < len(all) && all[start].empty {
			start++
		}
		start = min(start+1, len(all))
	}
	return all[start:]
}

// leaveOutSite takes the blocks of the site out of a page, and gives their words.
func leaveOutSite(main, top *node, opt parse.Options) string {
	if opt.Survey == nil {
		return ""
	}
	site, _ := opt.Survey("blocks around pages of HTML", surveyAround).(*around)
	if site == nil || len(site.above)+len(site.below) == 0 {
		return ""
	}
	all := leavesOf(main)
	var words strings.Builder
	leaveOut := func(l leaf) {
		for _, n := range l.nodes {
			words.WriteString(n.firstWords(mostAroundOne) + "\n")
			n.out = true
		}
	}
	for _, l := range leavesAbove(all, top) {
		if site.above[l.textOf()] {
			leaveOut(l)
		}
	}
	below := leavesBelow(all)
	end := true // all blocks behind are left out
	for i := len(below) - 1; i >= 0; i-- {
		switch l := below[i]; {
		case site.below[l.textOf()], l.empty && end && words.Len() > 0:
			leaveOut(l)
		default:
			end = false
		}
	}
	return words.String()
}

// countWithout counts the words of a source without those that were left out as the site's.
func countWithout(site string, src, text []byte) doc.WordCount {
	count := fidelity.CountWords(doc.FormatHTML, src, text)
	count.Source = max(count.Source-fidelity.CountOwn([]byte(site)).Source, count.Arrived)
	return count
}
