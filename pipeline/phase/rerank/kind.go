package rerank

import (
	"slices"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/store/analysis"
	"docent/store/doc"
)

// What kind of question it is says where in documentation its answer stands. The
// sets that the weights are learned from do not say the kind of their questions, so
// these traits of a heading have weights that were set by hand: each is added to the
// logit and stands in the explanation.
const (
	weightTitled    = 1.0  // the page is called like the term
	weightTop       = 0.8  // and the passage is the page's beginning
	weightHeaded    = 0.9  // the heading is the term, and explains it in prose
	weightDefines   = 2.0  // the passage has the sentence that defines it
	nominal         = 0.4  // of that sentence, where the heading stands for its subject
	weightEntries   = -1.0 // the passage is mostly rows, items or code: a reference
	weightDocuments = 1.2  // a row, an item or a heading begins with the name that is looked up
	weightParameter = 2.5  // the section documents the parameter that is looked up
	weightMessage   = 1.0  // the words of an error's message stand in a row
	weightBoth      = 0.8  // title or heading has both sides of a comparison
	weightMeasure   = 1.5  // a sentence states the requested measure of the question's subject
	weightLinks     = -1.5 // the passage is a list of links
)

// asking is what kind of question it is, with what its traits need.
type asking struct {
	is       string
	subjects []name
	written  []string        // subjects in lower case, for lookups
	sets     map[string]name // doc sets' own names
	// documented is the parameter that is asked for, where some section documents it by
	// this very name.
	documented string
	measured   measured
}

// newAsking reads the kind of a question.
func newAsking(a *analysis.Analyzer, in *contract.Context, results []contract.Result, weights map[string]float64) *asking {
	k := &asking{is: in.Kind, sets: map[string]name{}, measured: newMeasured(a, in, weights)}
	if in.Kind == "" {
		return k
	}
	for _, s := range in.Subjects[:min(len(in.Subjects), mostSides)] {
		k.written = append(k.written, strings.ToLower(strings.TrimLeft(strings.Trim(s, "`'\""), ".")))
		for _, text := range append([]string{s}, question.Rendered(s, in.Translations)...) {
			k.subjects = append(k.subjects, readNameOf(a, text))
		}
		for _, x := range in.Abbreviations {
			if strings.EqualFold(x.Words, s) {
				k.subjects = append(k.subjects, readNameOf(a, x.Also))
			}
		}
	}
	for _, r := range results {
		for _, h := range r.Headings {
			if p := h.Parameter; p != nil && p.Match == "exact" {
				k.documented = p.Name
			}
		}
		if _, ok := k.sets[r.DocSet]; !ok {
			set := r.DocSet
			if ref, err := doc.ParseRef(r.DocSet); err == nil {
				set = ref.Name
			}
			k.sets[r.DocSet] = append(readNameOf(a, strings.ReplaceAll(set, "_", " ")), "doc")
		}
	}
	return k
}

// trait is one reason to rank a heading higher or lower.
type trait struct {
	name          string
	weight, input float64
}

// traitsOfCandidate are those of one candidate with its features.
func (k *asking) traitsOfCandidate(a *analysis.Analyzer, r *contract.Result, h *contract.Heading, text string, f *vector) []trait {
	var out []trait
	text = passageBody(text)
	switch k.is {
	case contract.KindDefinition:
		out = k.definition(a, r, h, text)
	case contract.KindLookup:
		out = []trait{{"documents_name", weightDocuments, k.documents(h, text)}}
	case contract.KindError:
		if f[longestRun] >= 0.5 {
			out = []trait{{"has_message", weightMessage, f[longestRun]}}
		}
	case contract.KindComparison:
		out = []trait{{"names_both_sides", weightBoth, k.hasBothSides(a, r, h)}}
	}
	if s := k.parameter(h); s > 0 {
		out = append(out, trait{"documents_parameter", weightParameter, s})
	}
	if s := k.measured.statedShare(a, r, h, text); s > 0 {
		out = append(out, trait{"states_measure", weightMeasure, s})
	}
	if s := linkShare(text); s > 0 {
		out = append(out, trait{"list_of_links", weightLinks, s})
	}
	return out
}

// headedAs is what a heading counts that has the name of the parameter among others:
// "Probe-level timeoutSeconds".
const headedAs = 0.9

// plainName is what a parameter counts whose name is a word of prose: "threshold" may be
// meant otherwise, "maxPods" may not.
const plainName = 0.6

// parameter is how surely a section documents the parameter that is asked for.
func (k *asking) parameter(h *contract.Heading) float64 {
	switch {
	case h.Parameter != nil && !strings.ContainsFunc(h.Parameter.Name, func(r rune) bool { return !unicode.IsLower(r) }):
		return plainName * matchCertainty(h.Parameter.Match)
	case h.Parameter != nil:
		return matchCertainty(h.Parameter.Match)
	case k.documented != "" && slices.Contains(strings.Fields(h.Text), k.documented):
		return headedAs
	}
	return 0
}

// matchCertainty is how surely a parameter that was found is the one that is asked for.
func matchCertainty(match string) float64 {
	switch match {
	case "exact", "case", "dashes":
		return 1
	case "spelling":
		return 0.8
	}
	return 0.35 // the last part of a longer name
}

// definition are the traits of what defines a term.
func (k *asking) definition(a *analysis.Analyzer, r *contract.Result, h *contract.Heading, text string) []trait {
	set := k.sets[r.DocSet]
	title := readNameOf(a, bareHeading(r.PageTitle)).withoutSetName(set)
	own := readNameOf(a, bareHeading(strings.TrimLeft(h.Text, "# "))).withoutSetName(set)
	var titled, headed, said float64
	for _, s := range k.subjects {
		s = s.withoutSetName(set)
		titled = max(titled, nameLikeness(title, s))
		said = max(said, definitionStrength(a, text, s, set))
		if c := nameLikeness(own, s); c > 0 && beginsWithProse(text) {
			headed = max(headed, c)
			if beginsNominal(text) {
				said = max(said, nominal)
			}
		}
	}
	top := 0.0
	if h.Level <= 1 {
		top = titled
	}
	return []trait{{"titled_as_term", weightTitled, titled}, {"top_of_its_page", weightTop, top}, {"headed_as_term", weightHeaded, headed},
		{"defines_term", weightDefines, said},
		{"list_of_entries", weightEntries, entryShare(text)}}
}

// hasBothSides reports whether title and heading have two sides of a comparison.
func (k *asking) hasBothSides(a *analysis.Analyzer, r *contract.Result, h *contract.Heading) float64 {
	have := readNameOf(a, r.PageTitle+"\n"+strings.Join(h.Path, "\n")+"\n"+h.Text)
	n := 0
	for _, s := range k.subjects {
		if len(s) > 0 && !slices.ContainsFunc(s, func(w string) bool { return !slices.Contains(have, w) }) {
			n++
		}
	}
	if n < 2 {
		return 0
	}
	return 1
}

// documents is the share of the names that the passage documents: that its heading,
// a row of a table or an item begins with.
func (k *asking) documents(h *contract.Heading, text string) float64 {
	if len(k.written) == 0 {
		return 0
	}
	lower := strings.ToLower(text)
	own := strings.TrimLeft(strings.ToLower(h.Text), "# `*-.")
	n := 0.0
	for _, w := range k.written {
		if w != "" && (beginsWith(own, strings.TrimLeft(w, "-")) || hasEntry(lower, w)) {
			n++
		}
	}
	return n / float64(len(k.written))
}

// beginsWith reports whether a text begins with a name as a whole.
func beginsWith(text, name string) bool {
	rest, ok := strings.CutPrefix(text, name)
	return ok && name != "" && (rest == "" || !isNameByte(rest[0]))
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= 0x80
}

// entryMarks is how many bytes of markup may stand before the name of an entry.
const entryMarks = 48

// hasEntry reports whether a line of a text begins with a name, but for the markup of a
// row, an item or a heading.
func hasEntry(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + len(name)
		// No more of the line is looked at than may stand before the name.
		near := max(0, i-entryMarks-1)
		line := near + strings.LastIndexByte(text[near:i], '\n') + 1
		if i-line > entryMarks || at < len(text) && isNameByte(text[at]) {
			continue
		}
		if isMarkup(text[line:i]) {
			return true
		}
	}
}

// isMarkup reports whether the text before a name is only marks and tags. A dotted path
// before the name ("spec.") is part of the name.
func isMarkup(s string) bool {
	for s != "" {
		switch c := s[0]; {
		case c == '<':
			j := strings.IndexByte(s, '>')
			if j < 0 {
				return false
			}
			s = s[j:]
		case c == '.' || strings.IndexByte(" \t|-*+#`:>[\\\"'", c) >= 0:
		case '0' <= c && c <= '9' && len(s) > 1 && (s[1] == '.' || s[1] == ')' || '0' <= s[1] && s[1] <= '9'):
		default:
			return false
		}
		s = s[1:]
	}
	return true
}
