package cite

import (
	"fmt"
	"strings"

	"docent/pipeline/contract"
	"docent/store/doc"
)

// sectionLines checks the Section lines of a part: each names lines that the part
// quotes, and a heading that stands in the page above them. lines are the verdicts on
// the part's content.
func (v *verifier) sectionLines(c citation, pg *page, lines []Line) ([]Finding, error) {
	if len(c.section) == 0 {
		return nil, nil
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
		default:
			wrong, err := v.wrongHeading(c, pg, path, span[1])
			if err != nil {
				return nil, err
			}
			if wrong != "" {
				fault(i, wrong)
			}
		}
		if ok && !sameAddress(line, c.url) {
			fault(i, "the Section line has another address than the Source line")
		}
	}
	return out, nil
}

// outline is what the parser of a page reads in it: the letters of its title, and of each
// heading with the first line at which it stands.
type outline struct {
	title    string
	headings map[string]int
}

// wrongHeading says which part of a heading path is not the page's, "" where all are. The
// page's text is asked first, and its parser where the text does not tell.
func (v *verifier) wrongHeading(c citation, pg *page, path []string, last int) (string, error) {
	if !headingStands(path[0], append([]string{c.path}, pg.text...)) {
		o, err := v.outlineOf(pg)
		if err != nil {
			return "", err
		}
		if o.title != doc.LettersOf(path[0]) {
			return "the Section line names another page: " + printable(path[0]), nil
		}
	}
	for _, heading := range path[1:] {
		if headingStands(heading, pg.text[:last]) {
			continue
		}
		o, err := v.outlineOf(pg)
		if err != nil {
			return "", err
		}
		if line := o.headings[doc.LettersOf(heading)]; line == 0 || line > last {
			return "the Section line names a heading that does not stand above its lines: " + printable(heading), nil
		}
	}
	return "", nil
}

// outlineOf asks the source for a page's outline, once; it is empty where the source has
// none.
func (v *verifier) outlineOf(pg *page) (*outline, error) {
	if pg.outline != nil {
		return pg.outline, nil
	}
	pg.outline = &outline{headings: map[string]int{}}
	from, can := v.src.(Outlines)
	if !can {
		return pg.outline, nil
	}
	title, sections, err := from.Outline(v.ctx, pg.ref, pg.path)
	if err != nil {
		return nil, fmt.Errorf("reading the headings of %s of %s to verify them: %w", pg.path, pg.ref, err)
	}
	pg.outline.title = doc.LettersOf(title)
	for _, s := range sections {
		if key := doc.LettersOf(s.Text); pg.outline.headings[key] == 0 {
			pg.outline.headings[key] = s.Span.StartLine
		}
	}
	return pg.outline, nil
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
	want := doc.LettersOf(heading)
	if want == "" {
		return true
	}
	for i, line := range text {
		if strings.Contains(doc.LettersOf(line), want) {
			return true
		}
		// A heading of several lines.
		if i > 0 && strings.Contains(doc.LettersOf(text[i-1]+line), want) {
			return true
		}
	}
	return false
}
