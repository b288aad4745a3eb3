package search

import (
	"testing"

	"docent/pipeline/contract"
)

func TestClosest(t *testing.T) {
	t.Parallel()
	place := func(set, match string) contract.ParameterPlace {
		return contract.ParameterPlace{DocSet: set, Documented: contract.Documented{Match: match}}
	}
	got := closest([]contract.ParameterPlace{place("A@1", "exact"), place("A@1", "exact"), place("B@1", "dashes"), place("A@1", "dashes"), place("B@1", "component")})
	if len(got) != 3 || got[0].DocSet != "A@1" || got[2].DocSet != "B@1" || got[2].Match != "dashes" {
		t.Errorf("%+v", got)
	}
}
