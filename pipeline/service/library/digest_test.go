package library

import (
	"strings"
	"testing"
)

// A part of the list says how many doc sets there are: an agent that reads the first line alone took two for all.
func TestAPartOfTheDocSets(t *testing.T) {
	t.Parallel()
	part := setsDigest{DocSets: []digestSet{{Set: "Lantern@1"}, {Set: "Wicks@2"}}, NextCursor: "2", all: 11}
	if got := part.ToolText(); !strings.HasPrefix(got, "2 of 11 doc sets\nLantern@1: ") {
		t.Errorf("it says %q", got)
	}
	part.all = 2
	if got := part.ToolText(); !strings.HasPrefix(got, "2 doc sets\n") {
		t.Errorf("of all it says %q", got)
	}
}
