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
	if !strings.Contains(t, "::") && !strings.Contains(t, ";;") { // most lines, without a pattern
		return false
	}
	m := termLine().FindStringSubmatch(t)
	return m != nil && !strings.Contains(m[1], "::") && !strings.HasSuffix(m[1], ":") && len(m[1]) < 200
}

// writeList writes a list and the lists in it, and returns where it ends. The mark of an item
// says which of the open lists it belongs to: those of this block, or those around it.
func (p *page) writeList(ls []line, i, depth int) int {
	outer := p.outer
	var open []string // marks of the items that are open
	closeTo := func(n int) {
		for len(open) > n {
			p.w.Close()
			open = open[:len(open)-1]
		}
		p.outer = slices.Concat(outer, open)
	}
	defer func() {
		closeTo(0)
		p.outer = outer
	}()
	for i < len(ls) {
		mark, text, term := itemAt(ls[i].text)
		if n := len(open); n > 0 && open[n-1] == callout && mark != callout {
			if closeTo(n - 1); n == 1 {
				return i
			}
		}
		if mark == "" || slices.Contains(outer, mark) {
			return i
		}
		goesOn := slices.Contains(open, mark)
		if goesOn {
			closeTo(slices.Index(open, mark))
		}
		if len(open) >= maxDepth {
			closeTo(maxDepth - 1)
		}
		p.openItem(ls[i], mark, term, depth, goesOn)
		open = append(open, mark)
		p.outer = slices.Concat(outer, open)
		i = p.itemBody(ls, i, text, depth)
		// Blank lines may stand between items, and before what a list around this one goes
		// on with; anything else behind them is no part of it.
		for {
			next := skipBlank(ls, i)
			if next == len(ls) {
				return next
			}
			t := ls[next].text
			if t == "+" && next > i {
				if len(open)-(next-i) < 1 && len(outer) > 0 {
					return next
				}
				closeTo(max(1, len(open)-(next-i)))
				i = p.attached(ls, next, depth)
				continue
			}
			if m, _, _ := itemAt(t); m == "" && t[0] == ' ' && next > i { // indented: code of the item
				i = p.attached(ls, p.paragraph(ls, next, ahead{}, depth), depth)
				continue
			}
			i = next
			break
		}
		if m, _, _ := itemAt(ls[i].text); m == "" || headingLine().MatchString(ls[i].text) {
			return i
		}
		if _, _, n := p.heading(ls, i); n > 0 {
			return i
		}
	}
	return i
}

func skipBlank(ls []line, i int) int {
	for i < len(ls) && strings.TrimSpace(ls[i].text) == "" {
		i++
	}
	return i
}

// callout is the mark of the items that explain numbers in code. No other list stands in them.
const callout = "<"

// openItem opens the container of an item.
func (p *page) openItem(l line, mark, term string, depth int, goesOn bool) {
	p.placeLine(l)
	switch {
	case term != "":
		p.w.Definition(p.inline(p.expand(term)))
	case mark == "1" || mark == callout && !strings.HasPrefix(strings.TrimSpace(l.text), "<."):
		n, _ := strconv.Atoi(strings.Trim(strings.Fields(l.text)[0], "<.>"))
		p.w.Open(build.Number(n))
	case mark[0] == '.' || mark == callout || mark == "a":
		p.w.Open(build.Number(p.number(depth, mark, goesOn)))
	default:
		p.w.Open(build.Bullet)
	}
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
		case mark[0] == '<':
			mark = callout
		case mark[0] >= '0' && mark[0] <= '9':
			mark = "1"
		case mark[0] != '*' && mark[0] != '-' && mark[0] != '.' && mark != "•":
			mark = "a"
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
		run = append(run, line{text: text, num: ls[i].num})
	}
	i++
	if text == "" { // the text of a term may stand behind a blank line
		next := skipBlank(ls, i)
		if m, _, _ := itemAt(lineAt(ls, next)); next < len(ls) && m == "" && !isFence(ls[next].text) &&
			ls[next].text != "+" {
			if _, _, n := p.heading(ls, next); n == 0 {
				i = next
			}
		}
	}
	for i < len(ls) && strings.TrimSpace(ls[i].text) != "" && ls[i].text != "+" && !isFence(ls[i].text) &&
		!styleLine().MatchString(ls[i].text) {
		if m, _, _ := itemAt(ls[i].text); m != "" {
			break
		}
		if !isComment(ls[i].text) {
			run = append(run, ls[i])
		}
		i++
	}
	if len(run) > 0 {
		p.writeText(run, false)
	}
	return p.attached(ls, i, depth)
}

// attached writes the blocks that lines with a plus attach to an item, and returns where
// they end. An item of a list around ends them.
func (p *page) attached(ls []line, i, depth int) int {
	for i < len(ls) && ls[i].text == "+" {
		i++
		var a ahead
		for i < len(ls) && ls[i].text != "" && (p.readAttribute(ls[i].text, &a) || isComment(ls[i].text)) {
			i++
		}
		if i >= len(ls) || strings.TrimSpace(ls[i].text) == "" || ls[i].text == "+" {
			continue
		}
		if m, _, _ := itemAt(ls[i].text); m != "" && slices.Contains(p.outer, m) {
			break
		}
		i = max(i+1, p.writeBlock(ls, i, a, depth+1))
	}
	return i
}

func isComment(t string) bool { return strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "///") }

func lineAt(ls []line, i int) string {
	if i < len(ls) {
		return ls[i].text
	}
	return ""
}
