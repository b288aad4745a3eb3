package pages

import (
	"slices"
	"testing"

	"docent/pipeline/service/home"
	"docent/store"
	"docent/store/doc"
)

// Of several versions the newest is listed first, by age and not by letters.
func TestNewestFirst(t *testing.T) {
	t.Parallel()
	var sets []store.Set
	for _, r := range []doc.Ref{{Name: "Lantern", Version: "1.10"}, {Name: "Beacon", Version: "2"}, {Name: "Lantern", Version: "1.9"}, {Name: "Lantern", Version: "latest"}} {
		sets = append(sets, store.Set{Ref: r})
	}
	var got []string
	for _, s := range home.NewestFirst(sets) {
		got = append(got, s.Ref.String())
	}
	if want := []string{"Beacon@2", "Lantern@latest", "Lantern@1.10", "Lantern@1.9"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if sets[0].Ref.Version != "1.10" {
		t.Error("the sets that were given are in another order")
	}
}
