package undertaking

import (
	"testing"
	"time"
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

// A source whose fetch was interrupted is named. The doc sets that were there before were named
// as not added, though the command was not about them.
func TestSourcesThatWereInterrupted(t *testing.T) {
	t.Parallel()
	yesterday, today := time.Unix(1000, 0), time.Unix(2000, 0)
	for want, now := range map[string]map[string]time.Time{
		"npm:zod and npm:vite were not added; the same command adds the rest":                  {"old@1": yesterday},
		"zod@3 was added; npm:zod and npm:vite were not added; the same command adds the rest": {"old@1": yesterday, "zod@3": today},
		"npm:zod and npm:vite were not added; zod@3 is registered and has no pages yet (docent update reads them); " +
			"the same command adds the rest": {"old@1": yesterday, "zod@3": {}},
	} {
		u := Work{Kind: Adding, asked: []string{"npm:zod", "npm:vite"}, before: map[string]time.Time{"old@1": yesterday}}
		u.judge(now)
		if got := u.Summary(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	u := Work{Kind: Adding, asked: []string{"npm:zod", "npm:vite"}, before: map[string]time.Time{"old@1": yesterday}}
	u.NoteFetched("npm:zod")
	u.judge(map[string]time.Time{"old@1": yesterday, "zod@3": today})
	if got := u.Summary(); got != "zod@3 was added; npm:vite was not added; the same command adds the rest" {
		t.Error(got)
	}
}
