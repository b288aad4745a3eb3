package process

import (
	"strings"
	"testing"
)

// A sentence that announces subsections has them with it.
func TestASentenceAnnouncesSubsections(t *testing.T) {
	t.Parallel()
	page := manual(10) + "## Life of a gasket\n\nThe life of a gasket has these stages:\n\n### Fitting\n\nGrease it.\n\nOil the bolts.\n\n" +
		"### Wear\n\nIt hardens.\n\n" + manual(10)
	ex := kept15(extraction("life of a gasket", page), map[string]float64{"Life of a gasket": .9})
	text := run(t, builtin(0), ex, bySections(0)).Contents["a"]
	for _, want := range []string{"these stages:\n\n### Fitting\n\nGrease it.", "### Wear\n\nIt hardens."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there:\n%s", want, text)
		}
	}
}
