package questionset

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// mostCommon is the number of sections that have all nuggets of a question above which
// they are too common to prove an answer.
const mostCommon = 12

// Finding is what a check says of a question.
type Finding struct {
	ID, Text string
	Fault    bool // false: a remark
}

// Check compares questions with the documentation: places are there, each nugget has an
// alternative in the text of a section that answers. It remarks nuggets that stand
// in many sections, and that the question has itself.
func (l *Library) Check(ctx context.Context, s Set, questions []Question) ([]Finding, error) {
	all, err := l.sections(ctx, s)
	if err != nil {
		return nil, err
	}
	folded := make([]string, len(all))
	for i, one := range all {
		folded[i] = foldText(one.text)
	}
	var out []Finding
	for _, q := range questions {
		for _, f := range checkQuestion(q, all, folded) {
			f.ID = q.ID
			out = append(out, f)
		}
	}
	return out, nil
}

func checkQuestion(q Question, all []section, folded []string) (out []Finding) {
	if !q.Answerable() {
		return nil
	}
	for n, p := range q.places() {
		i := slices.IndexFunc(all, func(one section) bool { return one.is(p) })
		if i < 0 {
			out = append(out, Finding{Text: fmt.Sprintf("there is no section %s#%s %q", p.Doc, p.Anchor, p.Section), Fault: true})
			continue
		}
		for _, group := range q.Nuggets {
			for k, text := range group {
				if strings.Contains(folded[i], foldText(text)) {
					break
				}
				if k == len(group)-1 {
					out = append(out, Finding{Text: fmt.Sprintf("%q is not in %s#%s", group[0], p.Doc, p.Anchor), Fault: n == 0})
				}
			}
		}
	}
	if n := sectionsWith(q, folded); n > mostCommon {
		out = append(out, Finding{Text: fmt.Sprintf("its nuggets stand in %d sections", n)})
	}
	asked := foldText(q.Query)
	for _, group := range q.Nuggets {
		if slices.ContainsFunc(group, func(text string) bool { return strings.Contains(asked, foldText(text)) }) {
			out = append(out, Finding{Text: fmt.Sprintf("the question has the nugget %q itself", group[0])})
		}
	}
	return out
}

// sectionsWith counts the sections that have all nuggets of a question.
func sectionsWith(q Question, folded []string) (n int) {
	for _, text := range folded {
		if hasNuggets(q, text) {
			n++
		}
	}
	return n
}

// hasNuggets reports whether a folded text has an alternative of each nugget.
func hasNuggets(q Question, folded string) bool {
	return !slices.ContainsFunc(q.Nuggets, func(group []string) bool {
		return !slices.ContainsFunc(group, func(alternative string) bool { return strings.Contains(folded, foldText(alternative)) })
	})
}

// Show writes the questions that the documentation answers for a second reader: the
// section, the question, and after them the nuggets and other sections that have them.
func (l *Library) Show(ctx context.Context, s Set, questions []Question, to io.Writer) error {
	all, err := l.sections(ctx, s)
	if err != nil {
		return err
	}
	for _, q := range questions {
		if !q.Answerable() {
			continue
		}
		var own section
		var others []string
		for _, one := range all {
			switch {
			case one.is(q.Place):
				own = one
			case hasNuggets(q, foldText(one.text)) && len(others) < mostCommon:
				others = append(others, one.Doc+"#"+one.Anchor)
			}
		}
		_, err := fmt.Fprintf(to, "##### %s %s#%s (%s)\n%s\n\nQUESTION (%s, %s): %s\nNUGGETS %q\nOTHERS %s\n\n", q.ID, q.Doc, q.Anchor,
			strings.Join(own.path, " > "), strings.TrimSpace(own.text), q.Kind, q.Lang, q.Query, q.Nuggets, strings.Join(others, " "))
		if err != nil {
			return err
		}
	}
	return nil
}

// Counts are of the questions of a doc set.
type Counts struct {
	Answerable, Far, Near int
	NotEnglish            int
	Wordless              int // in English, without a content word of the headings of their place
	English               int // answerable and in English
	Second                int // checked by a second reader
	Kinds                 map[string]int
}

// CountQuestions counts questions by kind and language.
func CountQuestions(questions []Question) Counts {
	c := Counts{Kinds: map[string]int{}}
	for _, q := range questions {
		switch {
		case q.Kind == KindFar:
			c.Far++
		case q.Kind == KindNear:
			c.Near++
		default:
			c.Answerable++
		}
		c.Kinds[q.Kind]++
		if q.Lang != languages[0] {
			c.NotEnglish++
		} else if q.Answerable() {
			c.English++
			if q.inOtherWords() {
				c.Wordless++
			}
		}
		if q.ReadBySecond != "" {
			c.Second++
		}
	}
	return c
}

// inOtherWords reports whether a question that the documentation answers is in English and
// has no content word of the heading of its section.
func (q Question) inOtherWords() bool {
	return q.Answerable() && q.Lang == languages[0] && !sharesWord(q.Query, q.Section)
}

// sharesWord reports whether a question has a content word of a heading: one of four
// letters or more whose first four letters begin a word of the question.
func sharesWord(question, heading string) bool {
	words := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	asked := words(question)
	return slices.ContainsFunc(words(heading), func(w string) bool {
		r := []rune(w)
		return len(r) >= 4 && !slices.Contains(emptyWords, w) &&
			slices.ContainsFunc(asked, func(a string) bool { return strings.HasPrefix(a, string(r[:4])) })
	})
}

// emptyWords are words of headings that say nothing of their subject.
var emptyWords = []string{"with", "from", "into", "your", "this", "that", "what", "when", "which", "does", "have", "using", "about", "other",
	"more", "most", "some", "there", "than", "then", "them", "they", "over", "between"}
