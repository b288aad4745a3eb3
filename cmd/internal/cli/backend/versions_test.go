package backend

import (
	"testing"

	"docent/pipeline/service/versioning"
)

func TestSharedTitle(t *testing.T) {
	t.Parallel()
	at := func(section string) versioning.DiffSection {
		return versioning.DiffSection{After: &versioning.SectionPlace{Section: section}}
	}
	for _, tt := range []struct {
		sections []versioning.DiffSection
		want     string
	}{
		{nil, ""},
		{[]versioning.DiffSection{at("")}, ""},
		{[]versioning.DiffSection{at(""), at("Lamps"), at("Lamps > Trim"), at("Lamps > Oil > Rye")}, "Lamps > "},
		{[]versioning.DiffSection{at("Lamps > Trim"), {Before: &versioning.SectionPlace{Section: "Oil"},
			After: &versioning.SectionPlace{Section: "Lamps"}}}, ""},
	} {
		if got := sharedTitle(tt.sections); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.sections, got, tt.want)
		}
	}
}
