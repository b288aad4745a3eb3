package hits

import (
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/tui/style"
)

// A section under the threshold that stands in the answer, because there was room for it, has the
// mark of that whatever page it is of; its details said that it was not in the answer.
func TestASectionUnderTheThresholdInTheAnswer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row         Row
		mark, means string
	}{
		"not copied":          {Row{Dropped: true}, "↓", "under the threshold"},
		"copied":              {Row{Dropped: true, Copied: true}, "!", "copied although it is under the threshold"},
		"of the page kept":    {Row{Page: contract.Result{BelowThreshold: true}, Copied: true}, "!", "copied although it is under the threshold"},
		"above the threshold": {Row{Copied: true}, "●", "copied"},
	} {
		if got := tt.row.Mark(); got != tt.mark || tt.row.MarkMeans() != tt.means {
			t.Errorf("%s: %q, %q; want %q, %q", name, got, tt.row.MarkMeans(), tt.mark, tt.means)
		}
		p := New(style.New(true, true))
		p.w = 100
		p.rows = []Row{tt.row}
		if said := strings.Contains(strings.Join(p.detailLines(), "\n"), "not in the answer"); said != (tt.mark == "↓") {
			t.Errorf("%s: its details say that it is not in the answer: %v", name, said)
		}
	}
}

// The frame of an answer under the threshold counts the rows that are marked: there may be room for more than
// those that are kept.
func TestTheBestAreCountedAsMarked(t *testing.T) {
	t.Parallel()
	p := New(style.New(true, true))
	p.SetSize(78, 24)
	p.rows = []Row{{Page: contract.Result{BelowThreshold: true}}, {Dropped: true, Copied: true}, {Dropped: true}}
	if got := p.Info(); !strings.Contains(got, "the best 2 of 3") {
		t.Errorf("the frame says %q", got)
	}
}
