package search_test

import (
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
)

// keeping is a page about a subject; pages of different subjects have one pattern.
func keeping(title, subject, end string) string {
	return "# " + title + "\n\nThe " + subject + " of the harbour is cleaned by its keeper in the first week of every month, and " +
		"again after a storm from the west. Before the cleaning the keeper reads the book of the harbour and notes the state of the glass, " +
		"the brass and the rope. " + end + "\n"
}

// Versions of a page that stand as folders in one doc set are one page: the newest answers,
// or the one that is asked for.
func TestVersionsInFoldersFold(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	pages := map[string]string{
		"chapters/1/intro.md":       "# Introduction\n\nThe cormorant dries its wings on the outer pile.\n",
		"chapters/2/intro.md":       "# Introduction\n\nA cormorant dives for a minute and comes up elsewhere.\n",
		"releases/v1.2/index.md":    "# News\n\nThe foghorn is louder.\n",
		"releases/v1.3/index.md":    "# News\n\nThe foghorn is quieter again.\n",
		"guide/tide.md":             keeping("Tide table", "tide table", "It hangs at the door."),
		"guide/v1.0/tide.md":        keeping("Tide table", "tide table", "It hung at the window."),
		"guide/latest/barnacles.md": keeping("Barnacles", "hull", "Barnacles are scraped off."),
		"guide/v2/barnacles.md":     keeping("Barnacles", "hull", "Barnacles are burnt off."),
		"dev/buoys.md":              "# Buoys\n\nDevelopers of buoys build them out of cork and of old nets in the shed.\n",
		"buoys.md":                  "# Buoys\n\nA buoy is red on the left and green on the right of whoever comes home.\n",
		"api/v2/gulls.md":           "# Gulls\n\nList the gulls with a cursor.\n",
		"api/v1/gulls.md":           "# Gulls\n\nGulls come page by page.\n",
	}
	for _, v := range []string{"1.9", "1.10", "1.10-beta"} {
		pages["docs/"+v+"/lamp.md"] = keeping("Lamps", "lamp", "Of "+v+".")
	}
	for folder, v := range map[string]string{"docs": "the next one", "versioned_docs/version-3.0": "three", "versioned_docs/version-2.0": "two"} {
		pages[folder+"/anchor.md"] = keeping("Anchors", "anchor", "This is "+v+".")
	}
	h.Add("Shore@1", pages)
	for question, want := range map[string][]string{
		"lamp":                  {"docs/1.10/lamp.md +docs/1.10-beta/lamp.md +docs/1.9/lamp.md"},
		"lamp in version 1.9":   {"docs/1.9/lamp.md +docs/1.10-beta/lamp.md +docs/1.10/lamp.md"},
		"gulls in v1 and v2":    {"api/v1/gulls.md", "api/v2/gulls.md"},
		"anchor":                {"docs/anchor.md +versioned_docs/version-2.0/anchor.md +versioned_docs/version-3.0/anchor.md"},
		"barnacles":             {"guide/latest/barnacles.md +guide/v2/barnacles.md"},
		"barnacles v2":          {"guide/v2/barnacles.md +guide/latest/barnacles.md"},
		"gulls":                 {"api/v2/gulls.md +api/v1/gulls.md"},
		"tide table":            {"guide/tide.md +guide/v1.0/tide.md"},
		"cormorant":             {"chapters/1/intro.md", "chapters/2/intro.md"},
		"foghorn":               {"releases/v1.2/index.md", "releases/v1.3/index.md"},
		"buoy":                  {"buoys.md", "dev/buoys.md"},
		"what about the anchor": {"docs/anchor.md +versioned_docs/version-2.0/anchor.md +versioned_docs/version-3.0/anchor.md"},
	} {
		out := find(t, h, contract.SearchInput{Query: []string{question}})
		got := withCopies(out)
		if !containsAll(got, want) {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
		if strings.Contains(strings.Join(want, ""), "+") && !strings.Contains(strings.Join(out.SearchStats.Notes, ""), "another folder") {
			t.Errorf("%s: the notes are %q", question, out.SearchStats.Notes)
		}
	}
}

// A copy of a page in another folder is shown once, also where its doc set is named; pages
// of one pattern that are about different things are not copies.
func TestCopiesInOneDocSetFold(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Shore@1", map[string]string{
		"guide/lamp.md":    keeping("Lamps", "lamp", "Lamps burn oil."),
		"handbook/lamp.md": keeping("Lamps", "lamp", "Lamps burn whale oil."),
		"ref/bell.md":      keeping("The bell", "bell", "Bells burn nothing."),
		"ref/horn.md":      keeping("The horn", "horn", "Horns burn nothing."),
	})
	for _, set := range []string{"", "Shore"} {
		in := contract.SearchInput{Query: []string{"what does the keeper burn oil for"}, DocSets: set}
		got := withCopies(find(t, h, in))
		if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "lamp.md +") }) || len(got) != 3 {
			t.Errorf("in %q: %q", set, got)
		}
		for range 3 {
			if again := withCopies(find(t, h, in)); !slices.Equal(again, got) {
				t.Fatalf("another order: %q and %q", got, again)
			}
		}
	}
}

// Pages of one folder are pages of their own, though a generator gave them one title and most of
// their words, as it does for the commands of a program: one of 32 was found, and 31 were called
// nearly the same in another folder. A file that was copied next to itself is a copy.
func TestPagesOfOneFolderAreNoCopies(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Shore@1", map[string]string{
		"man/lamp.md":      keeping("Keeper", "lamp", "Lamps burn oil."),
		"man/bell.md":      keeping("Keeper", "bell", "Bells burn nothing."),
		"man/bell-copy.md": keeping("Keeper", "bell", "Bells burn nothing."),
	})
	out := find(t, h, contract.SearchInput{Query: []string{"what does the keeper burn"}, DocSets: "Shore"})
	if notes := strings.Join(out.SearchStats.Notes, "; "); !strings.Contains(notes, "1 page nearly the same in the same folder") {
		t.Errorf("the notes are %q", notes)
	}
	got := withCopies(out)
	slices.Sort(got)
	if len(got) != 2 || !strings.HasPrefix(got[0], "man/bell") || !strings.Contains(got[0], " +man/bell") || got[1] != "man/lamp.md" {
		t.Errorf("found are %q", got)
	}
}

// A copy of a page that the answer does not have is not spoken of.
func TestCopiesOfOtherPagesAreNotNoted(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("Shore@1", map[string]string{
		"ref/bell.md":      keeping("The bell", "bell", "A bell is heard in fog: rung bells carry a mile."),
		"guide/lamp.md":    "# Lamps\n\n" + strings.Repeat("Trim a lamp. ", 40) + "Its bell is small.\n",
		"handbook/lamp.md": "# Lamps\n\n" + strings.Repeat("Trim a lamp. ", 40) + "Its bell is little.\n",
	})
	for limit, noted := range map[int]bool{1: false, 10: true} {
		out, _, err := searcher(h).Search(ctx, contract.SearchInput{Query: []string{"bell"}}, contract.SearchOptions{Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(out.SearchStats.Notes, "; "); strings.Contains(got, "1 page nearly the same in another folder") != noted {
			t.Errorf("%d pages %q: the notes are %q", limit, withCopies(out), got)
		}
	}
}

// withCopies are the paths found, in their order, each with those of its copies.
func withCopies(out contract.SearchOutput) []string {
	var got []string
	for _, r := range out.Results {
		got = append(got, strings.Join(append([]string{r.FilePath}, r.Copies...), " +"))
	}
	return got
}

func containsAll(got, want []string) bool {
	return !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(got, w) })
}
