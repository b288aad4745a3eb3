package cite

import (
	"strings"
	"unicode"

	"docent/pipeline/contract"
)

// sectionLines checks the Section lines of a part: each names lines that the part
// quotes, and a heading that stands in the page above them. lines are the verdicts on
// the part's content.
func (v *verifier) sectionLines(c citation, pg *page, lines []Line) []Finding {
	if len(c.section) == 0 {
		return nil
	}
	quotes := make(map[int]bool, len(lines))
	for _, l := range lines {
		if l.Verdict == Verbatim {
			quotes[l.SourceLine] = true
		}
	}
	var out []Finding
	fault := func(i int, message string) {
		out = append(out, Finding{Kind: FindingCitation, Line: v.textLine(c.at + 3 + i), Message: message})
	}
	for i, line := range c.section {
		path, span, ok := contract.ParseSectionLine(line)
		switch {
		case !ok:
			fault(i, "the Section line does not have the form of one")
		case span[1] > len(pg.text) || !quotes[span[0]] || !quotes[span[1]]:
			fault(i, "the Section line names lines that are not quoted above")
		case !headingStands(path[0], append([]string{c.path}, pg.text...)):
			fault(i, "the Section line names another page: "+printable(path[0]))
		default:
			for _, heading := range path[1:] {
				if !headingStands(heading, pg.text[:span[1]]) {
					fault(i, "the Section line names a heading that does not stand above its lines: "+printable(heading))
					break
				}
			}
		}
		if ok && !sameAddress(line, c.url) {
			fault(i, "the Section line has another address than the Source line")
		}
	}
	return out
}

// sameAddress reports whether the address in a Section line, if it has one, is the Source
// line's with another anchor.
func sameAddress(line, source string) bool {
	own := contract.SectionURL(line)
	if own == "" {
		return true
	}
	page := func(url string) string {
		url, _, _ = strings.Cut(url, "#")
		return url
	}
	return page(own) == page(source)
}

// headingStands reports whether a line has the letters and digits of a heading: markup
// and blanks may differ.
func headingStands(heading string, text []string) bool {
	want := letters(heading)
	if want == "" {
		return true
	}
	for i, line := range text {
		if strings.Contains(letters(line), want) {
			return true
		}
		// A heading of several lines.
		if i > 0 && strings.Contains(letters(text[i-1]+line), want) {
			return true
		}
	}
	return false
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
