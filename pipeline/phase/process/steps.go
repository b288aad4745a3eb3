package process

import (
	"strconv"
	"strings"

	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// Pages that were converted from the web number their steps by paragraphs: a number,
// and below it the step with its code.

var stepNumber = pattern.Lazy(`^(?:[Ss]tep )?(\d{1,2})[.):]?$`)

// step is the number that a unit consists of, or 0.
func (p *page) step(u unit) int {
	if u.kind != doc.Paragraph || u.first != u.last {
		return 0
	}
	m := stepNumber().FindStringSubmatch(strings.Trim(strings.TrimSpace(p.linesText(u.first, u.last)), "*_"))
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// joinSteps makes one procedure of each run of paragraphs that are numbered from 1 within
// a section, with the blocks between them. The last step includes the paragraph below its
// number, and code with its introduction.
func (p *page) joinSteps() {
	units := p.units[:0:0]
	for i := 0; i < len(p.units); i++ {
		end, steps := i+1, 1
		if p.step(p.units[i]) == 1 {
			for j := i + 1; j < len(p.units) && p.units[j].section == p.units[i].section; j++ {
				if p.step(p.units[j]) == steps+1 {
					steps++
					end = p.lastStep(j)
				}
			}
		}
		u := p.units[i]
		if steps > 1 {
			u.kind, u.last = doc.Procedure, p.units[end-1].last
			for _, part := range p.units[i:end] {
				u.warning = u.warning || part.warning
			}
			i = end - 1
		}
		units = append(units, u)
	}
	p.units = units
}

// lastStep is the end of the step whose number is unit i.
func (p *page) lastStep(i int) int {
	end := i + 1
	for ; end < len(p.units) && p.units[end].section == p.units[i].section; end++ {
		code := end+1 < len(p.units) && p.units[end+1].section == p.units[i].section && p.units[end+1].kind == doc.Code
		if k := p.units[end].kind; k != doc.Code && (k != doc.Paragraph || end > i+1 && !code) {
			break
		}
	}
	return end
}

// stepItems cuts a procedure at the numbers that joinSteps found.
func (p *page) stepItems(u unit) []unit {
	var parts []unit
	for line := u.first; line <= u.last; line++ {
		if p.step(unit{first: line, last: line, kind: doc.Paragraph}) != len(parts)+1 {
			continue
		}
		if n := len(parts); n > 0 {
			parts[n-1], _ = p.newSplitter().withoutBlankLines(parts[n-1].first, line-1)
		}
		parts = append(parts, unit{first: line, last: u.last})
	}
	if len(parts) < 2 || parts[0].first != u.first {
		return nil
	}
	return parts
}
