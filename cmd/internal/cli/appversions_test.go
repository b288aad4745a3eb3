package cli

import (
	"testing"

	"docent/pipeline/home"
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
