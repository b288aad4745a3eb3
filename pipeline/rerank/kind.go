package rerank

import (
	"strings"

	"docent/pipeline/contract"
	"docent/store/analysis"
	"docent/store/doc"
)

// What kind of question it is says where in documentation its answer stands. The
// sets that the weights are learned from do not say the kind of their questions, so
// these traits of a heading have weights that were set by hand: each is added to the
// logit and stands in the explanation.
const (
	weightTitled  = 1.0 // the page is called like the term
	weightTop     = 0.8 // and the passage is the page's beginning
	weightHeaded  = 0.9 // the heading is the term, and explains it in prose
	weightDefines = 1.6 // the passage has the sentence that defines it
	nominal       = 0.6 // of that sentence, where the heading stands for its subject
)

// asking is what kind of question it is, with what its traits need.
type asking struct {
	is       string
	subjects []name
	sets     map[string]name // doc sets' own names
}

// newAsking reads the kind of a question.
func newAsking(a *analysis.Analyzer, in *contract.Context, results []contract.Result) *asking {
	if in.Kind == "" || len(in.Subjects) == 0 {
		return nil
	}
	k := &asking{is: in.Kind, sets: map[string]name{}}
	for _, s := range in.Subjects {
		k.subjects = append(k.subjects, nameOf(a, s))
	}
	for _, r := range results {
		if _, ok := k.sets[r.DocSet]; !ok {
			set := r.DocSet
			if ref, err := doc.ParseRef(r.DocSet); err == nil {
				set = ref.Name
			}
			k.sets[r.DocSet] = append(nameOf(a, strings.ReplaceAll(set, "_", " ")), "doc")
		}
	}
	return k
}

// trait is one reason to rank a heading higher or lower.
type trait struct {
	name          string
	weight, input float64
}

// traits are those of one candidate.
func (k *asking) traits(a *analysis.Analyzer, r *contract.Result, h *contract.Heading, text string) []trait {
	if k == nil {
		return nil
	}
	var out []trait
	if k.is == contract.KindDefinition {
		out = k.definition(a, r, h, text)
	}
	return out
}

// definition are the traits of what defines a term.
func (k *asking) definition(a *analysis.Analyzer, r *contract.Result, h *contract.Heading, text string) []trait {
	set := k.sets[r.DocSet]
	title := nameOf(a, bare(r.PageTitle)).without(set)
	own := nameOf(a, bare(strings.TrimLeft(h.Text, "# "))).without(set)
	var titled, headed, said float64
	for _, s := range k.subjects {
		s = s.without(set)
		titled = max(titled, called(title, s))
		said = max(said, defines(a, text, s, set))
		if c := called(own, s); c > 0 && beginsWithProse(text) {
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
	return []trait{{"titled_as_term", weightTitled, titled}, {"top_of_its_page", weightTop, top}, {"headed_as_term", weightHeaded, headed}, {"defines_term", weightDefines, said}}
}
