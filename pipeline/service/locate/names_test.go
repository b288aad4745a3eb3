package locate_test

import (
	"context"
	"testing"

	"docent/pipeline/service/servicetest"
	"docent/store/doc"
)

// A question that names no doc set is about the newest version of each.
func TestOfADocSetTheNewestVersionIsImplied(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	for _, name := range []string{"Lantern@2", "Lantern@10", "Oil@1"} {
		h.Add(name, map[string]string{"a.md": "# " + name + "\n\nText.\n"})
	}
	names := h.Locate.SetNames()
	if all, err := names.Sets(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("%+v, %v", all, err)
	}
	implying, ok := names.(interface {
		Implied(context.Context, string) ([]doc.Ref, error)
	})
	if !ok {
		t.Fatal("nothing is implied")
	}
	refs, err := implying.Implied(t.Context(), "how long is a wick")
	if err != nil || len(refs) != 2 || refs[0].String() != "Lantern@10" || refs[1].String() != "Oil@1" {
		t.Errorf("%v, %v", refs, err)
	}
}
