package undertaking

import (
	"testing"
)

// The message names the doc sets that were done, those that were not, and the command for the rest.
func TestSummaryNamesTheRest(t *testing.T) {
	t.Parallel()
	many := []string{"a@1", "b@1", "c@1", "d@1", "e@1", "f@1", "g@1"}
	for want, u := range map[string]Work{
		"nothing was added":                                                      {Kind: Adding},
		"a@1 was added; nothing is left to do":                                   {Kind: Adding, Done: many[:1]},
		"a@1 was added":                                                          {Kind: Adding, Done: many[:1], More: true},
		"a@1 was not added; the same command adds it":                            {Kind: Adding, Undone: many[:1]},
		"a@1 was added; b@1 was not added; the same command adds the rest":       {Kind: Adding, Done: many[:1], Undone: many[1:2]},
		"a@1 and b@1 were not forgotten; the same command forgets the rest":      {Kind: Forgetting, Undone: many[:2]},
		"a@1, b@1, c@1, d@1, e@1 and 2 more were rebuilt; nothing is left to do": {Kind: Rebuilding, Done: many},
		"a@1 is registered and has no pages yet (docent update reads them)":      {Kind: Adding, Bare: many[:1]},
		"a@1 was updated; b@1 was not updated; what was not updated answers as before, docent update goes on": {Kind: Updating,
			Done: many[:1], Undone: many[1:2]},
	} {
		if got := u.Summary(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
