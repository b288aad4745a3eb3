// Package faithful checks a summary that a model wrote of a section against the section. A
// summary is faithful if
//
//   - each of its code blocks is one of the section's, byte by byte;
//   - each number, flag, identifier, path and address in it occurs in the section,
//     except for the numbers of a list's items;
//   - each of its headings is one of the section's, in their order;
//   - it has none of this program's own lines, no rule, indented code or HTML that
//     the section does not have, and no control characters.
//
// No check can show whether the sentences of a summary are true. The package refuses to
// ask models, and to compare lengths.
package faithful

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/text/pattern"
)

// minLetters is the fewest letters of a summary that says anything.
const minLetters = 12

func onlyLetters(r rune) rune {
	if unicode.IsLetter(r) {
		return r
	}
	return -1
}

// WithoutFence removes the fence that some models put around a whole answer.
func WithoutFence(text string) string {
	for _, open := range []string{"```markdown\n", "```md\n"} {
		if rest, ok := strings.CutPrefix(text, open); ok {
			if rest, ok = strings.CutSuffix(strings.TrimRight(rest, " \n"), "\n```"); ok {
				return rest
			}
		}
	}
	return text
}

// Check checks a summary against its section. The error names what the section
// does not have.
func Check(text, section string) error {
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
