package questionset

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The sections that are drawn have enough text to ask about, and not too much to read.
const (
	fewestWords = 25
	mostLines   = 150
	// usualNumber is that of the sections that are drawn for a doc set. A page's share is
	// of it, so that a section has the same number in every draw.
	usualNumber = 60
)

// draw gives n sections of a doc set in the order of a hash of the seed and the place,
// so that a section keeps its rank whatever else changes. No page has more than its
// share of them.
func draw(s Set, all []section, n int, seed string) []section {
	pages := map[string]int{}
	var fit []section
	for _, one := range all {
		words, lines := len(strings.Fields(one.text)), one.lines[1]-one.lines[0]+1
		if s.drawsFrom(one.Doc) && words >= fewestWords && lines <= mostLines {
			fit = append(fit, one)
			pages[one.Doc]++
		}
	}
	rank := func(one section) string {
		return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join([]string{seed, s.Name, one.Doc, one.Section, one.Anchor}, "\x00"))))
	}
	slices.SortFunc(fit, func(a, b section) int { return cmp.Compare(rank(a), rank(b)) })
	share := max(3, 2*usualNumber/max(1, len(pages)))
	var out []section
	taken := map[string]int{}
	for _, one := range fit {
		if taken[one.Doc] < share && len(out) < n {
			taken[one.Doc]++
			out = append(out, one)
		}
	}
	return out
}

// Draw writes n sections of a doc set, numbered from 1, for a writer of questions.
func (l *Library) Draw(ctx context.Context, s Set, n int, seed string, to io.Writer) error {
	all, err := l.sections(ctx, s)
	if err != nil {
		return err
	}
	for i, one := range draw(s, all, n, seed) {
		_, err := fmt.Fprintf(to, "##### %d %s#%s (%s), lines %d to %d\n%s\n\n", i+1, one.Doc, one.Anchor, strings.Join(one.path, " > "),
			one.lines[0], one.lines[1], strings.TrimSpace(one.text))
		if err != nil {
			return err
		}
	}
	return nil
}

// Take turns a writer's draft into the file of questions of a doc set in dir. Each line of
// a draft has tab-separated fields: the number of the drawn section (or "-", or
// PAGE#ANCHOR), the kind, the language, the question, the nuggets (" && " between facts,
// " || " between alternatives) and other sections that answer (a number or PAGE#ANCHOR
// each, separated by blanks). With more, its questions follow those of the file: the numbers
// of a draw change with the parsers, so that an old draft is not taken again.
func (l *Library) Take(ctx context.Context, s Set, draft, dir, seed string, more bool) (int, error) {
	all, err := l.sections(ctx, s)
	if err != nil {
		return 0, err
	}
	raw, err := os.ReadFile(draft)
	if err != nil {
		return 0, err
	}
	t := taker{all: all, drawn: draw(s, all, len(all), seed)}
	var out []Question
	if more {
		if out, err = ReadQuestions(dir, s.Name); err != nil {
			return 0, err
		}
	}
	for n, line := range strings.Split(string(raw), "\n") {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		q, err := t.question(strings.Split(line, "\t"))
		if err == nil {
			q.ID = fmt.Sprintf("%s-%d", s.Name, len(out)+1)
			err = q.checkForm()
		}
		if err != nil {
			return 0, fmt.Errorf("%s, line %d: %w", draft, n+1, err)
		}
		out = append(out, q)
	}
	return len(out), writeQuestions(filepath.Join(dir, s.Name+".jsonl"), out)
}

type taker struct{ all, drawn []section }

func (t taker) question(fields []string) (q Question, err error) {
	if len(fields) < 4 || len(fields) > 6 {
		return q, fmt.Errorf("%d fields, it must have 4 to 6", len(fields))
	}
	q.Kind, q.Lang, q.Query = fields[1], fields[2], strings.TrimSpace(fields[3])
	if fields[0] != "-" {
		if q.Place, err = t.place(fields[0]); err != nil {
			return q, err
		}
	}
	if len(fields) > 4 && fields[4] != "" {
		for _, group := range strings.Split(fields[4], " && ") {
			var alternatives []string
			for _, text := range strings.Split(group, " || ") {
				alternatives = append(alternatives, strings.TrimSpace(text))
			}
			q.Nuggets = append(q.Nuggets, alternatives)
		}
	}
	if len(fields) > 5 {
		for _, name := range strings.Fields(fields[5]) {
			p, err := t.place(name)
			if err != nil {
				return q, err
			}
			q.Also = append(q.Also, p)
		}
	}
	return q, nil
}

// place finds a section by its number in the draw, or by PAGE#ANCHOR.
func (t taker) place(name string) (Place, error) {
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(t.drawn) {
		return t.drawn[n-1].Place, nil
	}
	page, anchor, _ := strings.Cut(name, "#")
	for _, one := range t.all {
		if one.Doc == page && one.Anchor == anchor {
			return one.Place, nil
		}
	}
	return Place{}, fmt.Errorf("there is no section %q", name)
}
