package enrich

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"docent/llm/prompt"
	"docent/pipeline/contract/model"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/question/wordlist"
	"docent/pipeline/text/spacing"
)

// A model is asked about relations only where the patterns of the reference graph find
// none, the section names another page or section, and its words suggest that it is more
// than a name. It chooses among the places that are named, so that every relation leads
// to one that is there.

// Target is a place of the doc set that a section may refer to.
type Target struct {
	Title       string
	Path        string // of the page
	SectionPath string // "": the page
}

// Targets finds the places that sections name. It is safe for concurrent use.
type Targets struct {
	by map[string][]Target // by the first word of the title
}

// mostNamesakes is how many places may have one title: a heading that more pages have
// names none of them.
const mostNamesakes = 1

// NewTargets takes the titles of a doc set.
func NewTargets(all []Target) *Targets {
	count := map[string]int{}
	for _, t := range all {
		count[strings.Join(wordsOfText(t.Title), " ")]++
	}
	out := &Targets{by: map[string][]Target{}}
	for _, t := range all {
		words := wordsOfText(t.Title)
		// One word is also just a word.
		if len(words) < 2 || len(words) > 8 || count[strings.Join(words, " ")] > mostNamesakes {
			continue
		}
		out.by[words[0]] = append(out.by[words[0]], t)
	}
	return out
}

func wordsOfText(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// mostTargets is how many places a model chooses among.
const mostTargets = 12

// In are the places that a text names, in their order.
func (t *Targets) In(text, ownPath string) []Target {
	words := wordsOfText(text)
	var out []Target
	for i, w := range words {
		for _, x := range t.by[w] {
			title := wordsOfText(x.Title)
			if x.Path == ownPath || i+len(title) > len(words) || !slices.Equal(words[i:i+len(title)], title) || slices.Contains(out, x) {
				continue
			}
			if out = append(out, x); len(out) == mostTargets {
				return out
			}
		}
	}
	return out
}

// suggesting are words of sentences that relate what they stand in to something.
var suggesting = wordlist.Rule("enrich/suggests").Compile()

// relations is a model's answer about a section.
type relations struct {
	Relations []struct {
		Place int    `json:"place"`
		Type  string `json:"edge_type"`
		Match string `json:"match_text"`
	} `json:"relations"`

	places int
	text   string // of the section, its blanks single
}

// Check refuses a place that is not there, another type, and words that the section does
// not have.
func (r *relations) Check() error {
	if len(r.Relations) > mostRelations {
		return rejectedAnswer("relations", TooLarge, "it has %d, at most %d are taken", len(r.Relations), mostRelations)
	}
	for i, x := range r.Relations {
		at := fmt.Sprintf("relations[%d]", i)
		switch {
		case x.Place < 1 || x.Place > r.places:
			return rejectedAnswer(at+".place", Value, "there are places 1 to %d, not %d", r.places, x.Place)
		case !slices.Contains(relationTypes(), references.Type(x.Type)):
			return rejectedAnswer(at+".edge_type", Value, "%.40q is no type of a relation", x.Type)
		case len(x.Match) < 3 || !strings.Contains(r.text, spacing.Single(x.Match)):
			return rejectedAnswer(at+".match_text", Value, "the section does not say that")
		}
	}
	return nil
}

const (
	mostRelations  = 5
	relationTokens = 500
)

func relationTypes() []references.Type {
	return []references.Type{references.References, references.Requires, references.RelatedTo, references.Supersedes}
}

// AskedBy names what relations are found by: a model and a prompt.
func AskedBy(modelName string) string { return modelName + "/" + string(prompt.Relate) }

// Suggests reports whether a span may have relations to places that it names, and gives
// these.
func (p *Page) Suggests(s Span, targets *Targets) []Target {
	if s.Section == Whole || p.proseLength(s) < 60 || !suggesting().MatchString(p.proseText(s)) {
		return nil
	}
	return targets.In(p.proseText(s), p.d.Path)
}

// proseText is the text of a span without code.
func (p *Page) proseText(s Span) string {
	var b strings.Builder
	for x := range p.eachBlock(s.Section) {
		if isProse(x) && b.Len() < mostText {
			b.WriteString(x.Text[:min(len(x.Text), mostText)])
			b.WriteByte('\n')
		}
	}
	return strings.ToValidUTF8(b.String(), "")
}

// Relate asks a model which of the places a span refers to. The counts take in an answer
// that is refused; the error is the model's or its server's, and ErrStopped where it
// cannot be reached.
func (p *Page) Relate(ctx context.Context, s Span, source model.Source, places []Target, counts *Counts) ([]ModelEdge, error) {
	m, err := source(ctx)
	if err != nil {
		if errors.Is(err, model.ErrNone) || isServerFault(err) {
			return nil, ErrStopped
		}
		return nil, err
	}
	names := make([]string, len(places))
	for i, t := range places {
		names[i] = t.Title
	}
	text := p.proseText(s)
	if room := m.PromptRoom(relationTokens); len(text) > room {
		text = strings.ToValidUTF8(text[:room], "")
	}
	inner, done, err := model.LimitBudget(ctx, m.Budget)
	if err != nil {
		return nil, err
	}
	answer := relations{places: len(places), text: spacing.Single(text)}
	err = m.AskJSON(inner, prompt.Relate, map[string]any{"Text": text, "Places": names}, relationTokens, &answer)
	done(err)
	counts.Asked++
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case isServerFault(err):
		return nil, ErrStopped
	case err != nil:
		reason := NoAnswer
		if r, ok := errors.AsType[*Rejected](err); ok {
			reason = r.Reason
		} else if _, ok := errors.AsType[*model.BadAnswer](err); ok {
			reason = NotJSON
		}
		counts.countRejection(reason, 1)
		return nil, nil
	}
	trace := sha256.Sum256([]byte(m.Engine + "\x00" + string(prompt.Relate) + "\x00" + s.ID + "\x00" + s.Hash))
	var out []ModelEdge
	for _, x := range answer.Relations {
		t := places[x.Place-1]
		out = append(out, ModelEdge{Type: x.Type, Score: references.AssistedScore, Path: t.Path, Section: t.SectionPath,
			Match: shortText(x.Match), Trace: hex.EncodeToString(trace[:])[:16], Model: m.Engine})
	}
	return out, nil
}
