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
			"Trim  moved, from b.md: Lamps › Trim"},
		{versioning.DiffSection{Status: "moved", Before: at("a.md", "Lamps > Trim"), After: at("b.md", "Lamps > Trim")},
			"Trim  moved, to b.md: Lamps › Trim"},
		{versioning.DiffSection{Status: "added", After: at("a.md", "")}, "(before the first heading)  added"},
	} {
		if got := SectionLine(page, tt.s, "Lamps > "); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// A page has its title, and the path behind it.
func TestPageLine(t *testing.T) {
	t.Parallel()
	named := func(path, title string) *versioning.PageName { return &versioning.PageName{Path: path, Title: title} }
	for _, tt := range []struct {
		before, after *versioning.PageName
		want          string
	}{
		{nil, named("a.md", "Lamps"), "Lamps (a.md)"},
		{named("a.md", "Lamps"), nil, "Lamps (a.md)"},
		{named("a.md", "Lamp"), named("a.md", "Lamps"), "Lamps (a.md)"},
		{named("a.md", "Lamps"), named("b.md", "Lamps"), "Lamps (a.md → b.md)"},
		{named("a.md", "Lamps"), named("b.md", "Light"), "Lamps (a.md) → Light (b.md)"},
		{nil, named("a.md", ""), "a.md"},
	} {
		if got := PageLine(versioning.DiffPage{Before: tt.before, After: tt.after}); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
