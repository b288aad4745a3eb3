package rerank

import (
	"math"
	"testing"

	"docent/pipeline/contract"
	"docent/store/analysis"
)

// gainsOf are the features of a passage for a question; every term has the idf 2 but "list",
// which is common.
func gainsOf(t *testing.T, question, heading, body string) vector {
	t.Helper()
	a := analysis.New()
	l := &lens{ids: map[string]int{}}
	v := l.readText(a, question)
	w := readWordings(a, l, &contract.Context{Question: question})
	l.idf = make([]float64, len(l.ids))
	for term, id := range l.ids {
		l.idf[id] = 2
		if term == "list" {
			l.idf[id] = .1
		}
	}
	l.bare = l.idf
	v.weighTerms(l.idf)
	w.weigh(l)
	l.wanted = analysis.NewWanted(l.ids)
	own, passage := l.textOfString(a, heading), l.textOfString(a, body)
	var f vector
	f[headingCover], f[ownCover] = l.coverageOfVariant(v, own), l.coverageOfVariant(v, own)
	f[textCover], f[anyCover] = l.coverageOfVariant(v, passage), l.coverageOfVariant(v, own, passage)
	f[pageCover], f[window] = f[anyCover], l.densestWindow(v, passage)
	w.addGains(&f, own, own, passage, []text{own, passage})
	return f
}

func TestGains(t *testing.T) {
	t.Parallel()
	f := gainsOf(t, "undo a release", "Revert", "A release can be taken back.")
	if math.Abs(f[headingGain]-.4) > 1e-9 || math.Abs(f[anyGain]-.4) > 1e-9 {
		t.Errorf("the heading gains %v and both %v, want .8 of half the question", f[headingGain], f[anyGain])
	}
	if f[textGain] != 0 {
		t.Errorf("the text gains %v, want 0: it has the question's other word itself", f[textGain])
	}
	f = gainsOf(t, "undo a release", "Undo", "A release is undone.")
	for _, k := range []feature{headingGain, ownGain, anyGain, pageGain} {
		if f[k] != 0 {
			t.Errorf("%s is %v where the text has the question's own words", featureNames()[k], f[k])
		}
	}
	if f := gainsOf(t, "`undo` a release", "Revert", "A release."); f[headingGain] != 0 {
		t.Errorf("code has other words: %v", f[headingGain])
	}
}

// What two words of the question say together counts for both, and no more than they do.
func TestGainsOfNeeds(t *testing.T) {
	t.Parallel()
	f := gainsOf(t, "lanterns on the same machine", "Anti-affinity", "")
	if f[headingGain] < .2 || f[headingGain] > .6 {
		t.Errorf("the heading gains %v for two of three words", f[headingGain])
	}
	if alone := gainsOf(t, "lanterns on a machine", "Anti-affinity", ""); alone[headingGain] >= f[headingGain] {
		t.Errorf("one word alone gains %v, both %v", alone[headingGain], f[headingGain])
	}
	if f := gainsOf(t, "the same machine", "Same machine, anti-affinity", ""); f[headingGain] != 0 {
		t.Errorf("a heading with the words themselves gains %v", f[headingGain])
	}
}

// A common wording says little.
func TestGainsOfCommonWords(t *testing.T) {
	t.Parallel()
	rare, common := gainsOf(t, "show all builds", "Display", ""), gainsOf(t, "show all builds", "List", "")
	if !(rare[headingGain] > 5*common[headingGain]) || common[headingGain] <= 0 {
		t.Errorf("a rare wording gains %v, a common one %v", rare[headingGain], common[headingGain])
	}
}

// Words that stand far apart are no window.
func TestWindowGain(t *testing.T) {
	t.Parallel()
	far := "revert "
	for range 60 {
		far += "lantern "
	}
	near, apart := gainsOf(t, "undo a countdown", "", "revert the timer"), gainsOf(t, "undo a countdown", "", far+"timer")
	if !(near[windowGain] > apart[windowGain]) || apart[windowGain] <= 0 {
		t.Errorf("near %v, apart %v", near[windowGain], apart[windowGain])
	}
}
