package references

import (
	"strings"

	"docent/store/doc"
)

// part makes the node that a block is, and gives its index, -1 for none.
func (r *reader) part(b doc.Block) int {
	switch {
	case b.Kind == doc.Procedure:
		return r.addPart(Part{Kind: Procedure, Place: b.Section, Line: b.Span.StartLine, Steps: r.steps(b)})
	case b.Kind == doc.Admonition && b.Warning:
		i := r.addPart(Part{Kind: Warning, Place: b.Section, Line: b.Span.StartLine, Severity: r.severity(b), Message: short(message(b.Text), mostText)})
		if i >= 0 && r.set.Ruleset != RulesetLinks {
			r.find(Find{Type: WarnsAbout, Place: b.Section, Part: -1, Line: b.Span.StartLine, Score: .95, Rule: "warning.note", Own: i, Match: message(b.Text)})
		}
		return i
	}
	return -1
}

func (r *reader) addPart(p Part) int {
	if len(r.page.Parts) >= mostParts {
		return -1
	}
	r.page.Parts = append(r.page.Parts, p)
	return len(r.page.Parts) - 1
}

// message is the text of a warning without the word in front of it.
func message(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if at := warningWord.get().FindStringIndex(text); at != nil && at[1] < len(text) {
		return text[at[1]:]
	}
	return text
}

var (
	warningWord = lazy(`(?i)^(?:⚠️?\s*)?(?:warning|caution|danger|important|attention)\s*[:!]\s*`)
	severities  = lazy(`(?i)\b(warning|caution|danger|important|attention|deprecated)\b`)
	numbered    = lazy(`^(\s*)(?:\d{1,4}|[a-zA-Z#])[.)]\s`)
)

// lines are the lines of a span of the page's text, at most some.
func (r *reader) lines(s doc.Span, most int) []string {
	if s.Start < 0 || s.End > len(r.d.Text) || s.Start >= s.End {
		return nil
	}
	var out []string
	for l := range strings.SplitSeq(string(r.d.Text[s.Start:min(s.End, s.Start+mostBlock)]), "\n") {
		if len(out) == most {
			break
		}
		out = append(out, l)
	}
	return out
}

// severity is the word that a warning begins with.
func (r *reader) severity(b doc.Block) string {
	for _, l := range r.lines(b.Span, 2) {
		if m := severities.get().FindString(l); m != "" {
			return strings.ToLower(m)
		}
	}
	return "warning"
}

// steps counts the items of a procedure, without those of lists in them.
func (r *reader) steps(b doc.Block) int {
	n, indent, fence := 0, -1, false
	for _, l := range r.lines(b.Span, 5000) {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fence = !fence
		}
		m := numbered.get().FindStringSubmatch(l)
		if fence || m == nil {
			continue
		}
		if indent < 0 {
			indent = len(m[1])
		}
		if len(m[1]) <= indent {
			n++
		}
	}
	return max(1, n)
}

// Columns of tables of parameters, by their headings in lower case.
var (
	nameColumn     = lazy(`^(?:(?:parameter|option|flag|setting|field|property|argument|variable|key|attribute|environment variable|name|prop|config|directive)s?(?: names?)?|cli flag|env(?:ironment)?(?: var(?:iable)?)?)$`)
	typeColumn     = lazy(`^(?:data )?types?$`)
	defaultColumn  = lazy(`^defaults?(?: values?)?$`)
	requiredColumn = lazy(`^(?:required|mandatory)\??$`)
	parameterName  = lazy(`^[-\w./$<>{}@=*\[\]:, |]{2,80}$`)
)

// table takes the parameters of a table whose first column names some.
func (r *reader) table(b doc.Block) {
	rows := strings.Split(b.Text, "\n")
	if len(rows) < 2 || len(b.Text) > mostBlock {
		return
	}
	head := strings.Split(strings.ToLower(rows[0]), "\t")
	if !nameColumn.get().MatchString(strings.TrimSpace(head[0])) {
		return
	}
	typ, def, req := column(head, typeColumn), column(head, defaultColumn), column(head, requiredColumn)
	for i, row := range rows[1:] {
		cells := strings.Split(row, "\t")
		name := strings.TrimSpace(cells[0])
		if !parameterName.get().MatchString(name) || !isName(name) && typ < 0 && def < 0 {
			continue
		}
		line := b.Span.StartLine + 2 + i
		r.addPart(Part{Kind: Parameter, Place: b.Section, Line: min(line, b.Span.EndLine), Name: name, Type: short(cell(cells, typ), 80), Default: short(cell(cells, def), 80),
			Required: strings.HasPrefix(strings.ToLower(cell(cells, req)), "y") || strings.EqualFold(cell(cells, req), "true") || strings.EqualFold(cell(cells, req), "required")})
	}
}

func column(head []string, is *pattern) int {
	for i, h := range head {
		if i > 0 && is.get().MatchString(strings.TrimSpace(h)) {
			return i
		}
	}
	return -1
}

func cell(cells []string, i int) string {
	if i < 0 || i >= len(cells) {
		return ""
	}
	return strings.TrimSpace(cells[i])
}
