package lsa

import "fmt"

// Drift counts what happened to a corpus since its model was trained, so that
// Due can say when to train again. The zero value is for a model just trained;
// it may be kept as JSON.
type Drift struct {
	Folded  int     `json:"folded"`  // passages that came since
	Removed int     `json:"removed"` // passages that went
	Unknown float64 `json:"unknown"` // weight of the terms of those that came, as far as the model does not know them
	Total   float64 `json:"total"`   // weight of all their terms
}

// When a model is too old. Measured on med, cranfield, cisi, cacm and scifact, by
// training on a part of each and folding in the rest:
//
// Where the part was spread over the corpus, so that later passages were like earlier
// ones, New stayed within .01 of zero. A model of two thirds of the corpus lost .01 to
// .03 of the nDCG@10 of LSA alone and nothing once fused with word search; one of half of
// it lost about twice that.
//
// Where the part was the first of the corpus and later passages spoke of other
// things, New rose to between .03 and .09 in the sets that lost .04 to .2 (med,
// cacm), and stayed below .02 in those that lost no more than by chance.
//
// The passages of a page of documentation have new words in common: of each twelfth page of the
// Kubernetes and of the Django documentation New is .13 and .06, of a folder about something else
// .12 and .25, and of Django's pages among those of Kubernetes .32. The threshold lies above pages
// like the others.
const (
	maxChanged = 0.3
	maxNew     = 0.15
	minFolded  = 50 // passages: below that New is noise
)

// CountFolded counts a passage that came after training.
func (d *Drift) CountFolded(m *Model, terms []Term) {
	d.Folded++
	if m == nil {
		return
	}
	for _, t := range mergeTerms(terms) {
		w := localWeight(countLevel(t.count))
		if i := m.findTerm(t.Text); i >= 0 {
			w = float64(w * m.weightOfTerm(i))
		} else {
			d.Unknown += w
		}
		d.Total += w
	}
}

// Remove counts a passage that went.
func (d *Drift) Remove() { d.Removed++ }

// Changed is the share of passages that came or went, of those trained on.
func (d Drift) Changed(m *Model) float64 {
	return float64(d.Folded+d.Removed) / float64(max(1, m.Passages()))
}

// New is the share of the weight of the passages that came which the model does
// not know, less the share that was to be expected of passages like those it was
// trained on: 0 where the corpus only grew, more where it turned to something
// else.
func (d Drift) New(m *Model) float64 {
	if m == nil || d.Total <= 0 {
		return 0
	}
	return d.Unknown/d.Total - m.expected
}

// ReasonDue says why the model should be trained again, "" while it need not. A nil
// model is due when enough passages came to learn from.
func (d Drift) ReasonDue(m *Model) string {
	switch {
	case m == nil && d.Folded-d.Removed >= minPassages:
		return fmt.Sprintf("there is no model yet, and %d passages came", d.Folded)
	case m == nil:
		return ""
	case d.Changed(m) > maxChanged:
		return fmt.Sprintf("%d passages came and %d went since it was trained on %d", d.Folded, d.Removed, m.Passages())
	case d.Folded >= minFolded && d.New(m) > maxNew:
		return fmt.Sprintf("%.1f %% of what the %d new passages say is new to it", 100*d.New(m), d.Folded)
	}
	return ""
}
