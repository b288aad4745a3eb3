package search_test

import (
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// limpets is a page about limpets; of another version some sentences are others.
func limpets(version string) string {
	return "# Limpets\n\n" +
		"The limpet clings to the rock of the harbour wall and grazes on thin films of algae when the tide is high. " +
		"It returns to its own scar before the water falls and waits there until the sea comes back to it. " +
		"Keepers count the limpets of the wall each spring and write the number into the book of the harbour. " + version + "\n"
}

// answers are the doc sets and paths found, each with the doc sets that it is in too.
func answers(out contract.SearchOutput) []string {
	var got []string
	for _, r := range out.Results {
		s := r.DocSet + "/" + r.FilePath
		if len(r.Also) > 0 {
			s += " also " + strings.Join(r.Also, ",")
		}
		got = append(got, s)
	}
	return got
}

// Of versions and copies of one page the newest answers, and says where it stands too.
// A doc set that is named answers for itself.
func TestNearlyTheSamePagesFold(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	other := "# Whelks\n\nWhelks hunt below the tide line and leave the wall alone. They are no limpets, which anybody can see who looks at the shells of both for a while.\n"
	for _, ref := range []string{"Shore@1.9", "Shore@1.10", "shore_0.9@latest"} {
		h.Add(ref, map[string]string{"limpets.md": limpets("Version " + ref), "new/" + ref + ".md": other + "\nOf " + ref + ".\n"})
	}
	h.Add("Copies@2", map[string]string{"found/elsewhere.md": limpets("A copy."), "own.md": "# Own limpets\n\nLimpets of our own wall are painted red by the keepers so that everybody knows them at once.\n"})
	got := answers(find(t, h, contract.SearchInput{Query: []string{"limpet"}}))
	if len(got) != 3 || !slices.Contains(got, "Shore@1.10/limpets.md also Copies@2,Shore@1.9,shore_0.9@latest") && !slices.Contains(got, "Copies@2/found/elsewhere.md also Shore@1.10,Shore@1.9,shore_0.9@latest") {
		t.Errorf("found are %q", got)
	}
	out := find(t, h, contract.SearchInput{Query: []string{"limpet"}})
	if len(out.SearchStats.Notes) != 1 || !strings.Contains(out.SearchStats.Notes[0], "nearly the same") {
		t.Errorf("it is not said: %q", out.SearchStats.Notes)
	}
	got = answers(find(t, h, contract.SearchInput{Query: []string{"limpet"}, DocSets: "Shore@1.9,Shore@1.10"}))
	if !slices.Contains(got, "Shore@1.9/limpets.md") || !slices.Contains(got, "Shore@1.10/limpets.md") {
		t.Errorf("of doc sets that are named: %q", got)
	}
	for range 3 {
		if again := answers(find(t, h, contract.SearchInput{Query: []string{"limpet"}, DocSets: "Shore@1.9,Shore@1.10"})); !slices.Equal(got, again) {
			t.Fatalf("another order: %q and %q", got, again)
		}
	}
}

// A page that has nothing but links, or says that it moved, is marked; a short one that
// says something is not.
func TestStubs(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Shore@1", map[string]string{
		"moved.md": "# Limpets\n\nThis page has moved to [Limpets of the harbour wall and how they are counted](wall.md).\n",
		"links.md": "# See also limpets\n\n- [Limpets](a.md)\n- [Whelks and mussels](b.md)\n",
		"wall.md":  limpets(""),
		"word.md":  "# Scars of limpets\n\nThe homes of [limpets](wall.md).\n",
		"code.md":  "# Counting limpets\n\n```sh\nwall count --kind limpet --from north --to south --every spring --write book --keeper first\n```\n",
	})
	for _, r := range find(t, h, contract.SearchInput{Query: []string{"limpets"}}).Results {
		if want := r.FilePath == "moved.md" || r.FilePath == "links.md"; r.Stub != want {
			t.Errorf("%s: stub %v", r.FilePath, r.Stub)
		}
	}
}
