package references

import (
	"strings"

	"docent/pipeline/knowledge/references/sentence"
	"docent/pipeline/question/wordlist"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// addPartOf makes the node of a block and returns its index, -1 for a block that is not a
// node.
func (r *reader) addPartOf(b doc.Block) int {
	switch {
	case b.Kind == doc.Procedure:
		return r.addPart(Part{Kind: Procedure, Place: b.Section, Line: b.Span.StartLine, Steps: r.countSteps(b)})
	case b.Kind == doc.Admonition && b.Warning:
		i := r.addPart(Part{Kind: Warning, Place: b.Section, Line: b.Span.StartLine, Severity: r.severityWord(b),
			Message: shortText(warningText(b.Text))})
		if i >= 0 && r.set.Ruleset != RulesetLinks {
			r.addRelation(Find{Type: WarnsAbout, Place: b.Section, Part: -1, Line: b.Span.StartLine, Score: .95, Rule: "warning.note",
				Own: i, Match: warningText(b.Text)})
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

// warningText is the text of a warning without the word in front of it.
func warningText(text string) string {
	text = spacing.Single(text)
	if at := warningWord().FindStringIndex(text); at != nil && at[1] < len(text) {
		return text[at[1]:]
	}
	return text
}

var (
	warningWord = wordlist.Rule("references/warning-word").Compile()
	severities  = wordlist.Rule("references/severity").Compile()
	numbered    = pattern.Lazy(`^(\s*)(?:\d{1,4}|[a-zA-Z#])[.)]\s`)
)

// firstLines are the lines of a span of the page's text, at most some.
func (r *reader) firstLines(s doc.Span, most int) []string {
	if s.Start < 0 || s.End > len(r.d.Text) || s.Start >= s.End {
		return nil
	}
	var out []string
	for l := range strings.SplitSeq(string(r.d.Text[s.Start:min(s.End, s.Start+sentence.MostBlock)]), "\n") {
		if len(out) == most {
			break
		}
		out = append(out, l)
	}
	return out
}

// severityWord is the word that a warning begins with.
func (r *reader) severityWord(b doc.Block) string {
	for _, l := range r.firstLines(b.Span, 2) {
		if m := severities().FindString(l); m != "" {
			return strings.ToLower(m)
		}
	}
	return "warning"
}

// countSteps counts the items of a procedure, without those of lists in them.
func (r *reader) countSteps(b doc.Block) int {
	n, indent, fence := 0, -1, false
	for _, l := range r.firstLines(b.Span, 5000) {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			fence = !fence
		}
		m := numbered().FindStringSubmatch(l)
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
