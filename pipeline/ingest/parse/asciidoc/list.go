package asciidoc

import (
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/ingest/parse/build"
)

// isItem reports whether a line begins an item of a list.
func (p *page) isItem(ls []line, i int) bool {
	t := ls[i].text
	return itemLine().MatchString(t) || isTerm(t)
}

func isTerm(t string) bool {
	m := termLine().FindStringSubmatch(t)
	return m != nil && !strings.Contains(m[1], "::") && !strings.HasSuffix(m[1], ":") && len(m[1]) < 200
}

// writeList writes a list and the lists in it, and returns where it ends. The mark of an item
// says which of the open lists it belongs to.
func (p *page) writeList(ls []line, i, depth int) int {
	var open []string // marks of the items that are open
	closeTo := func(n int) {
		for len(open) > n {
			p.w.Close()
			open = open[:len(open)-1]
		}
	}
	defer func() { closeTo(0) }()
	for i < len(ls) {
		mark, text, term := itemAt(ls[i].text)
		if mark == "" {
			return i
		}
		goesOn := slices.Contains(open, mark)
		if goesOn {
			closeTo(slices.Index(open, mark))
		}
		if len(open) >= maxDepth {
			closeTo(maxDepth - 1)
		}
		p.placeLine(ls[i])
		switch {
		case term != "":
			p.w.Definition(p.inline(p.expand(term)))
		case mark == "1":
			n, _ := strconv.Atoi(strings.Trim(strings.Fields(ls[i].text)[0], "<.>"))
			p.w.Open(build.Number(n))
		case mark[0] == '.':
			p.w.Open(build.Number(p.number(depth, mark, goesOn)))
		default:
			p.w.Open(build.Bullet)
		}
		open = append(open, mark)
		i = p.itemBody(ls, i, text, depth)
		// Blank lines may stand between items; anything else behind them is no part of it.
		next := i
		for next < len(ls) && strings.TrimSpace(ls[next].text) == "" {
			next++
		}
		if next == len(ls) {
			return next
		}
		if m, _, _ := itemAt(ls[next].text); m == "" || headingLine().MatchString(ls[next].text) {
			return next
		}
		if _, _, n := p.heading(ls, next); n > 0 {
			return next
		}
		i = next
	}
	return i
}

// number is the number of an item that has none of its own.
func (p *page) number(depth int, mark string, goesOn bool) int {
	key := strconv.Itoa(depth) + mark
	if p.counts == nil {
		p.counts = map[string]int{}
	}
	if !goesOn {
		p.counts[key] = 0
	}
	p.counts[key]++
	return p.counts[key]
}

// itemAt reads the beginning of an item: its mark (or ""), its text, and of a definition
// the term.
func itemAt(t string) (mark, text, term string) {
	if m := itemLine().FindStringSubmatch(t); m != nil {
		switch mark = m[1]; {
		case mark[0] >= '0' && mark[0] <= '9' || mark[0] == '<' && mark != "<.>":
			mark = "1"
		case mark[0] != '*' && mark[0] != '-' && mark[0] != '.' && mark != "•" || mark == "<.>":
			mark = "."
		}
		return mark, m[2], ""
	}
	if isTerm(t) {
		m := termLine().FindStringSubmatch(t)
		return m[2], m[3], m[1]
	}
	return "", "", ""
}

// itemBody writes the text of an item and the blocks that a line with a plus attaches to
// it, and returns where it ends.
func (p *page) itemBody(ls []line, i int, text string, depth int) int {
	run := []line{}
	if text != "" {
		run = append(run, line{text, ls[i].num})
	}
	i++
	if text == "" { // the text of a term may stand behind a blank line
		next := i
		for next < len(ls) && strings.TrimSpace(ls[next].text) == "" {
			next++
		}
		if m, _, _ := itemAt(lineAt(ls, next)); next < len(ls) && m == "" && !fenceLine().MatchString(ls[next].text) &&
			ls[next].text != "+" {
			if _, _, n := p.heading(ls, next); n == 0 {
				i = next
			}
		}
	}
	for i < len(ls) && strings.TrimSpace(ls[i].text) != "" && ls[i].text != "+" && !fenceLine().MatchString(ls[i].text) &&
		!styleLine().MatchString(ls[i].text) {
		if m, _, _ := itemAt(ls[i].text); m != "" {
			break
		}
		run = append(run, ls[i])
		i++
	}
	if len(run) > 0 {
		p.writeText(run, false)
	}
	for i < len(ls) && ls[i].text == "+" {
		i++
		var a ahead
		for i < len(ls) && ls[i].text != "" && p.readAttribute(ls[i].text, &a) {
			i++
		}
		if i >= len(ls) || strings.TrimSpace(ls[i].text) == "" {
			break
		}
		i = max(i+1, p.writeBlock(ls, i, a, depth+1))
	}
	return i
}

func lineAt(ls []line, i int) string {
	if i < len(ls) {
		return ls[i].text
	}
	return ""
}
