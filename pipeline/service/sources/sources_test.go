package sources

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestRecipesOfTheHomeAreListed(t *testing.T) {
	t.Parallel()
	svc := New(fstest.MapFS{
		"lantern.toml": {Data: []byte("name = \"lantern\"\nabout = \"Lantern, lamps\"\nkind = \"git\"\nsource = \"ssh://git@example.org/lantern\"\ntag = \"v{version}\"\n")},
		"bad.toml":     {Data: []byte("wick = 1\n")},
	})
	answer, err := svc.List(t.Context(), Request{Words: []string{"lamps"}})
	if err != nil || answer.Total != 1 || len(answer.Faults) != 1 {
		t.Fatalf("%+v, %v", answer, err)
	}
	if got := answer.Sources[0]; got.Name != "lantern" || !got.Own || !got.Versions {
		t.Errorf("the recipe is %+v", got)
	}
	if all, _ := svc.List(t.Context(), Request{}); all.Total < 150 {
		t.Errorf("there are %d recipes", all.Total)
	}
	if none, _ := svc.List(t.Context(), Request{Words: []string{"lantren"}}); none.Sources == nil || !slices.Contains(none.Near, "lantern") {
		t.Errorf("a wrong name is answered with %+v", none)
	}
}
