package rerank

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/question/why"
	"docent/pipeline/text/sanitize"
	"docent/tui/style"
	"docent/tui/widget"
)

// reasonHeight is the number of lines of the reasons: none on a low screen.
func (p *Pane) reasonHeight() int {
	if p.h < 10 || len(p.entries) == 0 || !p.on {
		return 0
	}
	if p.figures {
		return min(14, p.h/2)
	}
	return min(4, p.h*2/5)
}

// reasonLines say why the section under the cursor has its match: in one sentence, and
// with the figures as well where they are wanted.
func (p *Pane) reasonLines(n int) []string {
	st := p.st
	page, h, ok := p.Selected()
	title := "why"
	if ok {
		title = "why " + sanitize.Line(strings.TrimLeft(h.Text, "# "))
	}
	head := st.Frame.Render("─ ") + st.Strong.Render(widget.Cut(title, max(1, p.w-4))) + " "
	out := []string{head + st.Frame.Render(strings.Repeat("─", max(0, p.w-widget.Width(head))))}
	if !ok {
		return out
	}
	say := why.Sentence(page, h)
	switch {
	case h.Explain == nil && !p.why:
		say = "being looked up …"
	case h.Explain == nil || len(h.Explain.Rerank) == 0:
		say = "this section was not ranked"
	}
	for _, l := range widget.Wrap(say, max(1, p.w-2)) {
		out = append(out, " "+widget.Cut(l, max(1, p.w-2)))
	}
	if h.Explain == nil || len(h.Explain.Rerank) == 0 {
		return out[:min(n, len(out))]
	}
	if !p.figures {
		return append(out[:min(n-1, len(out))], " "+st.Dim.Render("e shows the figures"))
	}
	return append(out, p.figureLines(h.Explain.Rerank, n-len(out))...)
}

// figureLines are the figures: what each measure adds to the match, the heaviest first.
func (p *Pane) figureLines(all []contract.ExplainPart, rows int) []string {
	st := p.st
	parts, bias, sum := joinedFeatures(all)
	most := 0.0
	for _, x := range parts {
		most = max(most, math.Abs(x.Value))
	}
	match := 1 / (1 + math.Exp(-sum))
	out := []string{" " + st.Dim.Render(widget.Cut(
		fmt.Sprintf("match %.2f, from a sum of %+.2f: %+.2f and each measure × its weight", match,
			sum, bias), max(1, p.w-2)))}
	rows--
	cols := max(1, p.w/64)
	width := p.w / cols
	var cells []string
	for i, x := range parts {
		if i == rows*cols-1 && len(parts) > rows*cols {
			cells = append(cells, st.Dim.Render(fmt.Sprintf("… %d more", len(parts)-i)))
			break
		}
		cells = append(cells, cellText(st, x, most, width))
	}
	for r := range max(0, rows) {
		var b strings.Builder
		b.WriteByte(' ')
		for c := range cols {
			if i := c*rows + r; i < len(cells) {
				b.WriteString(widget.Fit(widget.Cut(cells[i], width-2), width-1))
			}
		}
		out = append(out, b.String())
	}
	return out
}

func cellText(st *style.Styles, x contract.ExplainPart, most float64, width int) string {
	vs, sign := st.Good, "+"
	if x.Value < 0 {
		vs, sign = st.Bad, "−"
	}
	bar := ""
	if width >= 58 {
		bar = " " + st.Accent.Render(widget.ScoreBar(math.Abs(x.Value)/max(most, 1e-9), 6))
	}
	return vs.Render(fmt.Sprintf("%s%.2f", sign, math.Abs(x.Value))) + bar + " " + measureName(x.Name) +
		st.Dim.Render(fmt.Sprintf("  %.2f × %.2f", x.Input, x.Weight))
}

// measures are the ranking's measures in words.
var measures = map[string]string{
	"heading_cover": "words in title and headings", "text_cover": "words in the text", "any_cover": "words in either",
	"title_cover": "words in the title", "own_cover": "words in its heading", "page_cover": "words on the page",
	"rarest": "has the rarest word", "noun_title": "subject in the title",
	"heading_fit": "heading is about this alone", "title_fit": "title is about this alone",
	"exact_heading": "heading is the question", "exact_title": "title is the question",
	"phrase_heading": "phrases in headings", "phrase_text": "phrases in the text", "near": "words close together",
	"window": "words within 30 words", "longest_run": "longest phrase", "identifier": "a name as written",
	"identifier_heading": "a name in the headings", "relative_score": "search score beside the best", "absolute_score": "search score",
	"first_rank": "place in the search", "page_best": "best section of its page", "page_support": "hits on its page",
	"lexical_top": "score of the question's words", "feedback": "words of the best hits", "expanded": "both scores together",
	"semantic": "likeness in meaning", "semantic_top": "likeness beside the best", "shallow": "near the top of its page",
	"length": "length", "like_heading": "worded like its heading", "like_title": "worded like the title",
	"is_heading": "question is its heading", "steps": "has steps or code", "absent": "words that no page has",
	"grams_top": "spelled like its text", "words_top": "small words too, in its text", "tiny": "hardly any text",
	"heading_gain": "other words for the same, in title and headings", "own_gain": "other words, in its heading",
	"text_gain": "other words, in the text", "any_gain": "other words, in either", "window_gain": "other words within 30 words",
	"page_gain":      "other words, on the page",
	"documents_name": "documents that name", "documents_parameter": "documents that parameter", "has_message": "has the message",
	"names_both_sides": "names both sides",
	"list_of_links":    "is a list of links", "titled_as_term": "title is the term", "top_of_its_page": "top of its page",
	"headed_as_term": "heading is the term", "defines_term": "defines the term", "model": "a model's judgement",
	"model_cosine": "a model's likeness in meaning",
}

func measureName(name string) string {
	if words, ok := measures[name]; ok {
		return words
	}
	if base, ok := strings.CutSuffix(name, "_of_page"); ok {
		return measureName(base) + ", best on its page"
	}
	return strings.ReplaceAll(sanitize.Line(name), "_", " ")
}

// joinedFeatures are the features, the heaviest first. A feature may be there twice: once
// as it is, and once times the length of the question. The two are joined to one
// with the weight at this length.
func joinedFeatures(all []contract.ExplainPart) (parts []contract.ExplainPart, bias, sum float64) {
	const long = "_if_long"
	for _, x := range all {
		sum += x.Value
		if x.Name == "bias" {
			bias = x.Value
			continue
		}
		name := strings.TrimSuffix(x.Name, long)
		i := slices.IndexFunc(parts, func(o contract.ExplainPart) bool { return o.Name == name })
		if i < 0 {
			i = len(parts)
			parts = append(parts, contract.ExplainPart{Name: name})
		}
		parts[i].Value += x.Value
		if name == x.Name {
			parts[i].Input = x.Input
		}
	}
	for i := range parts {
		if parts[i].Input != 0 {
			parts[i].Weight = parts[i].Value / parts[i].Input
		}
	}
	slices.SortStableFunc(parts, func(a, b contract.ExplainPart) int {
		return cmp.Compare(math.Abs(b.Value), math.Abs(a.Value))
	})
	return parts, bias, sum
}
