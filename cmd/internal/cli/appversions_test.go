package cli

import (
	"testing"

	"docent/pipeline/service/home"
)

func TestSharedTitle(t *testing.T) {
	t.Parallel()
	at := func(section string) home.DiffSection {
		return home.DiffSection{After: &home.SectionPlace{Section: section}}
	}
	for _, tt := range []struct {
		sections []home.DiffSection
		want     string
	}{
		{nil, ""},
		{[]home.DiffSection{at("")}, ""},
		{[]home.DiffSection{at(""), at("Lamps"), at("Lamps > Trim"), at("Lamps > Oil > Rye")}, "Lamps > "},
		{[]home.DiffSection{at("Lamps > Trim"), {Before: &home.SectionPlace{Section: "Oil"}, After: &home.SectionPlace{Section: "Lamps"}}}, ""},
	} {
		if got := sharedTitle(tt.sections); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.sections, got, tt.want)
		}
	}
}

// What a section was called before does not repeat the page's heading either; that of
// another page is named whole.
func TestSectionLine(t *testing.T) {
	t.Parallel()
	at := func(path, section string) *home.SectionPlace { return &home.SectionPlace{Path: path, Section: section} }
	page := home.DiffPage{Before: &home.PageName{Path: "a.md"}, After: &home.PageName{Path: "a.md"}}
	for _, tt := range []struct {
		s    home.DiffSection
		want string
	}{
		{home.DiffSection{Status: "changed", Before: at("a.md", "Lamps > Trim"), After: at("a.md", "Lamps > Trim wicks")}, "Trim wicks  changed, was Trim"},
		{home.DiffSection{Status: "moved", Before: at("b.md", "Lamps > Trim"), After: at("a.md", "Lamps > Trim")}, "Trim  moved, from b.md: Lamps > Trim"},
		{home.DiffSection{Status: "moved", Before: at("a.md", "Lamps > Trim"), After: at("b.md", "Lamps > Trim")}, "Trim  moved, to b.md: Lamps > Trim"},
		{home.DiffSection{Status: "added", After: at("a.md", "")}, "(before the first heading)  added"},
	} {
		if got := sectionLine(page, tt.s, "Lamps > "); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
