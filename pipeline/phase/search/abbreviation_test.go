package search_test

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// defining is a doc set that says what its abbreviations stand for.
func defining(t *testing.T) *corpustest.Home {
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{
		"claim.md":   "# Lamp volume claims\n\nA LampVolumeClaim (LVC) asks for oil.\n\n## Sizes\n\nAn LVC (LampVolumeClaim) has a size.\n",
		"gates.md":   "# Gates\n\n## Beta\n\nThe LVC gate opens at noon. LVC, LVC and again LVC.\n",
		"order.md":   "# Orders\n\nThe wick order (WO) is kept. Another wick order (WO) is not.\n\n## More\n\nThe wick order (WO) again.\n",
		"keeper.md":  "# Keepers\n\nKeepers write WO on the door.\n",
		"two.md":     "# Sails\n\nThe stay sail (SS) is set.\n\n## Ships\n\nThe steam ship (SS) sails.\n\n## Shelves\n\nThe store shelf (SS) holds.\n",
		"art.md":     "# Paint\n\nThe amber red tint (ART) is mixed. The amber red tint (ART) dries.\n\n## Dry\n\nAmber red tint (ART) is dry.\n",
		"another.md": "# Another\n\nNothing is said here.\n",
	})
	return h
}

func TestAbbreviations(t *testing.T) {
	t.Parallel()
	h := defining(t)
	for query, want := range map[string]string{
		"what is an LVC":                   "LVC=LampVolumeClaim",
		"LVCs":                             "lvc=LampVolumeClaim", // mended
		"what is an lvc":                   "lvc=LampVolumeClaim",
		"`LVC` size":                       "LVC=LampVolumeClaim",
		"how is the wick order kept":       "wick order=WO",
		"an LVC and a lamp volume claim":   "", // both stand there
		"what is SS":                       "", // of three meanings, each once
		"the art of painting":              "", // a word
		"ART":                              "ART=Amber red tint",
		"paint":                            "",
		"LVC LVC LVC wick order WO LVC gX": "LVC=LampVolumeClaim",
	} {
		out := find(t, h, contract.SearchInput{Query: []string{query}, Context: &contract.Context{Question: query}})
		var got []string
		for _, a := range out.Context.Abbreviations {
			got = append(got, fmt.Sprintf("%s=%s", a.Words, a.Also))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", query, s, want)
		}
	}
	// A question with the abbreviation finds the page that spells it out, and the other
	// way round.
	for query, want := range map[string]string{"wick order": "keeper.md", "lvc": "claim.md"} {
		out := find(t, h, contract.SearchInput{Query: []string{query}})
		if !strings.Contains(paths(out), want) {
			t.Errorf("%q finds %s", query, paths(out))
		}
	}
	out := find(t, h, contract.SearchInput{Query: []string{"LVC size"}})
	if notes := strings.Join(out.SearchStats.Notes, "\n"); !strings.Contains(notes, `LVC was also looked for as "LampVolumeClaim"`) {
		t.Errorf("notes: %q", notes)
	}
	// A stale list that was handed in is not handed on.
	out = find(t, h, contract.SearchInput{Query: []string{"paint"}, Context: &contract.Context{Question: "paint", Abbreviations: []contract.Abbreviation{{Words: "a", Also: "b"}}}})
	if len(out.Context.Abbreviations) > 0 {
		t.Errorf("%+v", out.Context.Abbreviations)
	}
}
