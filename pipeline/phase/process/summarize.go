package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/question"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
)

// A model may replace the text of a section, below its heading, by a summary between
// two lines that mark it (contract.SummaryLines). docent verify reports it as
// unverified. A summary is used only if
//
//   - each of its code blocks is one of the section's, byte by byte;
//   - each number, flag, identifier, path and address in it occurs in the section,
//     except for the numbers of a list's items;
//   - each of its headings is one of the section's, in their order;
//   - it has none of this program's own lines, no rule, indented code or HTML that
//     the section does not have, and no control characters;
//   - it is shorter.
//
// Otherwise the section's own text is used. No check can show whether the sentences of a
// summary are true.

const (
	minSummarized = 8  // lines of a section that is summarized
	maxSummaries  = 8  // sections of an answer
	summaryBudget = 6  // times the time limit of a phase
	summaryPart   = 3  // a summary has at most a third of the section's words
	minWords      = 40 // the limit on a summary's words is at least this
	maxWords      = 220
	tokensPerWord = 3
	minLetters    = 12
)

// writeSummaries has the model summarize the best sections that are kept whole.
func (m *Model) writeSummaries(ctx context.Context, c *contract.Context, pages []*page) (contract.Trace, error) {
	var all []place
	for i, p := range pages {
		for k := range p.sections {
			if first, last := p.bodyUnits(k); first >= 0 && p.units[last].last-p.units[first].first+1 >= minSummarized {
				all = append(all, place{i, k})
			}
		}
	}
	score := func(at place) int { return pages[at.page].sections[at.section].score }
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(score(b), score(a)) })
	all = all[:min(maxSummaries, len(all))]
	if len(all) == 0 {
		return contract.Trace{}, nil
	}
	asked := ""
	if c != nil {
		asked = question.Shorten(c.Question, maxAsked)
	}
	var failed []contract.Degraded
	asking := false
	trace, _, err := m.Source.MultiplyBudget(summaryBudget).TryModel(ctx, contract.PhaseProcess,
		func(ctx context.Context, writer model.Model) error {
			asking = true
			written := 0
			for i, at := range all {
				p := pages[at.page]
				first, last := p.bodyUnits(at.section)
				from, to := p.units[first].first, p.units[last].last
				contract.ReportProgress(ctx, contract.Progress{Text: fmt.Sprintf("summarizing lines %d–%d of %s", from, to, p.key), Done: i,
					Total: len(all), Engine: writer.Engine})
				text, err := summarize(ctx, writer, asked, p.linesText(from, to))
				if err != nil && ctx.Err() != nil {
					err = writer.LateError()
				}
				if err != nil {
					failed = append(failed, contract.Degraded{Phase: contract.PhaseProcess, Wanted: writer.Engine,
						Used: fmt.Sprintf("the source's own text for lines %d–%d of %s", from, to, p.key), Reason: err.Error()})
					if ctx.Err() != nil {
						break
					}
					continue
				}
				begin, end := contract.SummaryLines(from, to)
				s := summary{last: last, from: from, to: to, text: begin + "\n" + text + "\n" + end + p.lineEnding(to)}
				whole := p.linesText(from, to)
				if doc.CountLines([]byte(s.text)) > to-from+1 || tokenQuarters(s.text) > tokenQuarters(whole) {
					failed = append(failed, contract.Degraded{Phase: contract.PhaseProcess, Wanted: writer.Engine,
						Used:   fmt.Sprintf("the source's own text for lines %d–%d of %s", from, to, p.key),
						Reason: "the summary is no shorter"})
					continue
				}
				if p.summaries == nil {
					p.summaries = map[int]summary{}
				}
				p.summaries[first] = s
				written++
			}
			if written == 0 {
				return model.ErrNone // failed says why
			}
			return nil
		})
	trace.Degraded = append(trace.Degraded, failed...)
	if !asking && len(trace.Degraded) == 0 && err == nil {
		trace.Degraded = append(trace.Degraded, contract.Degraded{Phase: contract.PhaseProcess, Wanted: "a summary by a model",
			Used: "the source's own text", Reason: "there is no model for text",
			Remedy: contract.RunDocent("models").To("says what is there")})
	}
	return trace, err
}

// bodyUnits are the first and last unit of a section below its heading; -1 if the section
// is not kept whole or is only a heading.
func (p *page) bodyUnits(k int) (first, last int) {
	s := p.sections[k]
	first, last = s.first, s.end-1
	if s.heading == first {
		first++
	}
	if first > last {
		return -1, -1
	}
	for i := first; i <= last; i++ {
		if !p.isKept(i) || p.units[i].top {
			return -1, -1
		}
	}
	return first, last
}

// summarize asks for a summary of a section and checks it.
func summarize(ctx context.Context, m model.Model, asked, section string) (string, error) {
	if len(section) > m.PromptRoom(maxWords*tokensPerWord) {
		return "", fmt.Errorf("the section is too long for %s", m.Name)
	}
	words := min(maxWords, max(minWords, len(strings.Fields(section))/summaryPart))
	text, err := m.AskProse(ctx, prompt.Summarize, map[string]any{"Question": asked, "Text": section, "Words": words},
		words*tokensPerWord+len(section)/3) // its code may be copied whole
	if err != nil {
		return "", err
	}
	text = removeFence(strings.Trim(text, "\n"))
	if err := isFaithfulSummary(text, section); err != nil {
		return "", fmt.Errorf("the summary of %s is not used: %w", m.Name, err)
	}
	return text, nil
}

func onlyLetters(r rune) rune {
	if unicode.IsLetter(r) {
		return r
	}
	return -1
}

// removeFence removes the fence that some models put around a whole answer.
func removeFence(text string) string {
	for _, open := range []string{"```markdown\n", "```md\n"} {
		if rest, ok := strings.CutPrefix(text, open); ok {
			if rest, ok = strings.CutSuffix(strings.TrimRight(rest, " \n"), "\n```"); ok {
				return rest
			}
		}
	}
	return text
}

// isFaithfulSummary checks a summary against its section. The error names what the section
// does not have.
func isFaithfulSummary(text, section string) error {
	if letters := strings.Map(onlyLetters, text); len([]rune(letters)) < minLetters {
		return errors.New("it says nothing")
	}
	blocks, prose, headings, open := splitMarkdown(text)
	ours, rest, heads, _ := splitMarkdown(section)
	if open {
		return errors.New("it has a code block without an end, which all that follows would belong to")
	}
	for _, b := range blocks {
		if !slices.Contains(ours, b) {
			first, _, _ := strings.Cut(b, "\n")
			return fmt.Errorf("a code block of it is not the source's: %.60q", first)
		}
	}
	next := 0
	for _, h := range headings {
		i := slices.Index(heads[next:], h)
		if i < 0 {
			return fmt.Errorf("the heading %.60q does not stand there in the source", h)
		}
		next += i + 1
	}
	for line := range strings.SplitSeq(text, "\n") {
		if contract.OwnLine(line) {
			return fmt.Errorf("it has a line of this program's own: %.60q", line)
		}
		if strings.ContainsFunc(line, func(r rune) bool {
			return r == unicode.ReplacementChar || unicode.IsControl(r) && r != '\t' || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
		}) {
			return errors.New("it has characters that are no text")
		}
	}
	if err := checkShape(prose, section); err != nil {
		return err
	}
	known := map[string]bool{}
	own := rest + "\n" + strings.Join(ours, "\n")
	for _, t := range summaryFacts(own) {
		known[t] = true
	}
	for _, w := range textWords(own) {
		known[w] = true
		if name, _, ok := strings.Cut(w, "="); ok { // --port of --port=8080
			known[name] = true
		}
	}
	for _, t := range summaryFacts(numbering().ReplaceAllString(prose, "")) {
		if !known[t] {
			return fmt.Errorf("%.60q does not stand in the source", t)
		}
	}
	return nil
}

// checkShape checks the prose of a summary for markup that the section does not have: a
// rule, an underlined heading, indented code, HTML.
func checkShape(prose, section string) error {
	lines := map[string]bool{}
	for line := range strings.SplitSeq(section, "\n") {
		lines[strings.TrimSpace(line)] = true
	}
	for line := range strings.SplitSeq(prose, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || lines[trimmed]:
		case strings.Trim(trimmed, "-= \t") == "":
			return fmt.Errorf("it has a rule, or a heading's, that the source has not: %.60q", line)
		case fenceOf(strings.TrimLeft(trimmed, "> \t")) != "":
			return fmt.Errorf("it has a code block in a quotation: %.60q", line)
		case (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")) && !item().MatchString(trimmed):
			return fmt.Errorf("an indented line of it is not the source's: %.60q", trimmed)
		}
	}
	for _, tag := range tags().FindAllString(prose, -1) {
		if !strings.Contains(section, tag) {
			return fmt.Errorf("%.60q does not stand in the source", tag)
		}
	}
	return nil
}

// splitMarkdown splits Markdown into the contents of its fenced code blocks, the
// other text (info strings included) and its headings. open says that the last
// fence is not closed.
func splitMarkdown(text string) (blocks []string, prose string, headings []string, open bool) {
	var out, block []string
	fence, indent := "", 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		trimmed := strings.TrimLeft(line, " \t")
		mark := fenceOf(trimmed)
		switch {
		case fence == "" && mark != "":
			fence, block, indent = mark, nil, len(line)-len(trimmed)
			out = append(out, strings.TrimLeft(trimmed, mark[:1]))
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimRight(strings.TrimLeft(trimmed, fence[:1]), " \t") == "":
			blocks, fence = append(blocks, strings.Join(block, "\n")), ""
		case fence != "":
			// The lines of a block in a list lose its indentation.
			n := 0
			for n < indent && n < len(line) && (line[n] == ' ' || line[n] == '\t') {
				n++
			}
			block = append(block, line[n:])
		case heading().MatchString(trimmed):
			headings = append(headings, strings.TrimSpace(strings.TrimLeft(trimmed, "> \t")))
			out = append(out, line)
		default:
			out = append(out, line)
		}
	}
	if fence != "" { // not closed: all of the rest is code
		blocks = append(blocks, strings.Join(block, "\n"))
	}
	return blocks, strings.Join(out, "\n"), headings, fence != ""
}

// fenceOf is the fence at the beginning of a line: three or more backticks or tildes.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

var (
	numbers   = pattern.Lazy(`\pN[\pN.,:/×x%-]*`)
	addresses = pattern.Lazy(`[a-z][a-z0-9+.-]*://[^\s<>()"'` + "`" + `\]]+`)
	spans     = pattern.Lazy("`+([^`]+)`+")
	calls     = pattern.Lazy(`[\pL\pN_.]+\(\)`)
	heading   = pattern.Lazy(`^[> \t]*#+[ \t]`)
	item      = pattern.Lazy(`^(?:[-*+]|\d{1,9}[.)])[ \t]`)
	// numbering is the number of a list's item; the section need not have it.
	numbering = pattern.Lazy(`(?m)^[> \t]*\d{1,2}[.)][ \t]`)
	tags      = pattern.Lazy(`</?[a-zA-Z][a-zA-Z0-9-]*(?:\s[^<>]*)?/?>`)
)

// summaryFacts are the parts of a summary that must occur in the section: numbers, inline
// code, flags, identifiers, paths, addresses, and words in capitals.
func summaryFacts(text string) []string {
	var out []string
	put := func(s string) {
		// Punctuation alone, such as a bullet or a table's rule, is no fact.
		if s = strings.Trim(s, ".,:;!?\"'()[]{}*_`"); strings.Trim(s, "-=|:+*#>~_.") != "" {
			out = append(out, s)
		}
	}
	for _, m := range numbers().FindAllString(text, -1) {
		put(strings.TrimRight(m, ".,:/x-"))
	}
	for _, m := range addresses().FindAllString(text, -1) {
		put(m)
	}
	for _, m := range spans().FindAllStringSubmatch(text, -1) {
		for _, w := range strings.Fields(m[1]) {
			put(w)
		}
	}
	for _, m := range calls().FindAllString(text, -1) {
		put(m)
	}
	for _, w := range textWords(text) {
		upper := len([]rune(w)) > 1 && strings.ToUpper(w) == w && strings.ToLower(w) != w
		if upper || question.LooksLikeCode(w) && !strings.Contains(w, "**") {
			put(w)
		}
	}
	return out
}

// textWords are a text's words as written, without punctuation around them.
func textWords(text string) []string {
	out := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Han, r) || strings.ContainsRune("，。；：！？、（）「」《》“”‘’|<>\"'`,;()[]{}", r)
	})
	for i, w := range out {
		out[i] = strings.Trim(w, ".,:;!?*_")
	}
	return out
}
