package wording

import (
	"testing"

	"docent/pipeline/service/versioning"
)

// What a section was called before does not repeat the page's heading either; that of
// another page is named whole.
func TestSectionLine(t *testing.T) {
	t.Parallel()
	at := func(path, section string) *versioning.SectionPlace {
		return &versioning.SectionPlace{Path: path, Section: section}
	}
	page := versioning.DiffPage{Before: &versioning.PageName{Path: "a.md"}, After: &versioning.PageName{Path: "a.md"}}
	for _, tt := range []struct {
		s    versioning.DiffSection
		want string
	}{
		{versioning.DiffSection{Status: "changed", Before: at("a.md", "Lamps > Trim"), After: at("a.md", "Lamps > Trim wicks")},
			"Trim wicks  changed, was Trim"},
		{versioning.DiffSection{Status: "moved", Before: at("b.md", "Lamps > Trim"), After: at("a.md", "Lamps > Trim")},
			"Trim  moved, from b.md: Lamps > Trim"},
		{versioning.DiffSection{Status: "moved", Before: at("a.md", "Lamps > Trim"), After: at("b.md", "Lamps > Trim")},
			"Trim  moved, to b.md: Lamps > Trim"},
		{versioning.DiffSection{Status: "added", After: at("a.md", "")}, "(before the first heading)  added"},
	} {
		if got := SectionLine(page, tt.s, "Lamps > "); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
