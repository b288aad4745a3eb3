package locate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/servicetest"
	"docent/store"
)

// harbour is a home in which names are hard: the same page in two doc sets and in two
// folders, signs in names, and headings that occur twice.
func harbour(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{
		"wick.md":       "# Wick care\n\nTrim it.\n\n## Trim\n\nEvening.\n\n## Replace\n\nYearly.\n",
		"oil/whale.md":  "# Whale oil\n\nBurns.\n",
		"oil/colza.md":  "# Colza oil\n\nBurns.\n",
		"csharp.md":     "# C# guide\n\nText.\n\n## Setup\n\nText.\n",
		"twice.md":      "# Twice\n\n## Usage\n\nOne.\n\n## Usage\n\nTwo.\n\n### Usage\n\nThree.\n",
		"title/home.md": "# Wick Care\n\nThe same title in other letters.\n",
	})
	h.Add("Harbour@2", map[string]string{
		"oil/whale.md": "# Whale oil\n\nIn barrels.\n",
		"pilot.md":     "# The pilot\n\nBoards at dawn.\n",
		"labels.rst":   "Charts\n======\n\n.. _charts-label:\n\nThe basics\n----------\n\nDepths.\n\nGET /boats: List the boats\n--------------------------\n\nText.\n",
	})
	return h
}

func TestAPageIsFoundByTheNamesThatPeopleGiveIt(t *testing.T) {
	t.Parallel()
	h := harbour(t)
	for _, tt := range []struct {
		name   string
		within []string
		want   string
	}{
		{"Lantern@1/wick.md", nil, "Lantern@1 wick.md"},
		{"Lantern/wick.md", nil, "Lantern@1 wick.md"},
		{"Lantern/wick", nil, "Lantern@1 wick.md"},
		{"md_docs/Lantern@1/wick.md", nil, "Lantern@1 wick.md"}, // as a cited block has it
		{"wick", nil, "Lantern@1 wick.md"},
		{"Wick care", nil, "Lantern@1 wick.md"},
		{"The pilot", nil, "Harbour@2 pilot.md"},
		{"THE PILOT", nil, "Harbour@2 pilot.md"},
		{"oil/colza.md", nil, "Lantern@1 oil/colza.md"},
		{"oil/colza", nil, "Lantern@1 oil/colza.md"},
		{"oil/whale.md", []string{"Harbour"}, "Harbour@2 oil/whale.md"},
		{"Whale oil", []string{"Lantern@1"}, "Lantern@1 oil/whale.md"},
		{"C# guide", nil, "Lantern@1 csharp.md"},
	} {
		set, path, err := h.Locate.FindPage(t.Context(), tt.name, tt.within)
		if got := set.Ref.String() + " " + path; err != nil || got != tt.want {
			t.Errorf("%q in %v: %s, %v; want %s", tt.name, tt.within, got, err, tt.want)
		}
	}
}

func TestANameThatFitsNoPageSaysWhatToDo(t *testing.T) {
	t.Parallel()
	h := harbour(t)
	for _, tt := range []struct {
		name   string
		within []string
		says   []string
	}{
		{"wik", nil, []string{`there is no page "wik"`}},
		{"Wick caer", nil, []string{"did you mean", "Wick care"}},
		{"oil/whale.md", nil, []string{"is the name of 2 pages", "Lantern@1/oil/whale.md", "Harbour@2/oil/whale.md"}},
		{"Lantern", nil, []string{"Lantern@1 is a doc set and no page", "give Lantern@1/PAGE"}},
		{"Lantern/", nil, []string{"Lantern@1 is a doc set and no page"}},
		{"Lantern@9/wick.md", nil, []string{"Lantern@9"}},
		{"Nothing/wick.md", nil, []string{"Nothing"}},
		{"", nil, []string{"names no page", "docent sets"}},
		{"   ", nil, []string{"names no page"}},
		{"/etc/passwd", nil, []string{"is a path on this machine"}},
		{"../wick.md", nil, []string{"is a path on this machine"}},
		{"~/wick.md", nil, []string{"is a path on this machine"}},
		{"wick.md", []string{"Nothing"}, []string{"Nothing"}},
		{"pilot.md", []string{"Lantern"}, []string{`there is no page "pilot.md"`}},
	} {
		_, _, err := h.Locate.FindPage(t.Context(), tt.name, tt.within)
		servicetest.WantError(t, fmt.Sprintf("%q in %v", tt.name, tt.within), err, contract.CodeInvalidRequest, tt.says...)
	}
}

// A doc set that is named alone has its own error, for a door that lists its pages then.
func TestADocSetAloneIsAnErrorOfItsOwn(t *testing.T) {
	t.Parallel()
	h := harbour(t)
	_, _, err := h.Locate.FindPage(t.Context(), "Harbour@2", nil)
	alone, ok := errors.AsType[*locate.SetAloneError](err)
	if !ok || alone.Set.String() != "Harbour@2" {
		t.Fatalf("%v", err)
	}
	if e, ok := errors.AsType[*contract.Error](err); !ok || e.Remedy == nil {
		t.Errorf("it has no remedy: %+v", e)
	}
}

// Many pages of one name are counted, and the message lists only some of them; programs
// get all.
func TestManyPagesOfOneNameAreCounted(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	pages := map[string]string{}
	for i := range 15 {
		pages[fmt.Sprintf("f%02d/index.md", i)] = "# Start\n\nText.\n"
	}
	h.Add("Many@1", pages)
	_, _, err := h.Locate.FindPage(t.Context(), "Start", nil)
	servicetest.WantError(t, "Start", err, contract.CodeInvalidRequest, "is the name of 15 pages", "Many@1/f00/index.md", "and 5 more")
	if e, _ := errors.AsType[*contract.Error](err); e == nil || len(e.Details["candidates"].([]string)) != 15 {
		t.Errorf("the candidates are %+v", e)
	}
}

func TestAnEmptyHomeHasNoPage(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	for _, name := range []string{"wick", "Lantern/wick", "Lantern@1/wick"} {
		if _, _, err := h.Locate.FindPage(t.Context(), name, nil); servicetest.Code(err) != contract.CodeInvalidRequest {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPageAndSectionArePartedBehindTheName(t *testing.T) {
	t.Parallel()
	h := harbour(t)
	for _, tt := range []struct{ name, page, section string }{
		{"wick", "wick", ""},
		{"wick#trim", "wick", "#trim"},
		{"Lantern/wick.md#trim", "Lantern/wick.md", "#trim"},
		{"C# guide", "C# guide", ""},
		{"C# guide#setup", "C# guide", "#setup"},
		{"nothing#here#now", "nothing", "#here#now"},
		{"#trim", "", "#trim"},
		{"wick#", "wick", ""},
		{"x" + strings.Repeat("#y", 50), "x", "#" + strings.Repeat("y#", 49) + "y"},
	} {
		if page, section := h.Locate.PageAndSection(t.Context(), tt.name, nil); page != tt.page || section != tt.section {
			t.Errorf("%.30q: %.30q and %.30q, want %.30q and %.30q", tt.name, page, section, tt.page, tt.section)
		}
	}
}

func TestASectionIsFoundByTextLevelOrAnchor(t *testing.T) {
	t.Parallel()
	h := harbour(t)
	read := func(page string) *corpus.Page {
		t.Helper()
		p, err := h.Locate.Page(t.Context(), locate.ReadRequest{Page: page})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	wick, twice, labels := read("wick.md"), read("twice.md"), read("labels.rst")
	for _, tt := range []struct {
		page *corpus.Page
		want string
		line int
	}{
		{wick, "Trim", 5},
		{wick, "trim", 5},
		{wick, "#trim", 5},
		{wick, "## Trim", 5},
		{wick, "  ## Replace  ", 9},
		{wick, "REPLACE", 9},
		{twice, "### Usage", 11},
		{labels, "#charts-label", 3},
		{labels, "#the-basics", 3},
		{labels, "GET /boats", 7},
	} {
		s, err := locate.FindSection(tt.page, tt.want)
		if err != nil || s.Tree.StartLine != tt.line {
			t.Errorf("%q: %+v, %v; want line %d", tt.want, s, err, tt.line)
		}
	}
	for _, tt := range []struct {
		page *corpus.Page
		want string
		says []string
	}{
		{wick, "Trimm", []string{"Wick care has no section", "did you mean Trim?"}},
		{wick, "Nothing like it", []string{"Wick care has no section"}},
		{wick, "", []string{"has no section"}},
		{twice, "## Usage", []string{"has 2 sections", "line 3", "line 7", "by its anchor"}},
		{twice, "Usage", []string{"sections", "by its anchor"}},
	} {
		_, err := locate.FindSection(tt.page, tt.want)
		servicetest.WantError(t, tt.want, err, contract.CodeInvalidRequest, tt.says...)
	}
}

// A page whose file went after it was indexed is found by its name, and reading it says
// that the file is gone.
func TestAPageWhoseFileIsGone(t *testing.T) {
	t.Parallel()
	h := harbour(t)
	h.Delete("Harbour@2", "pilot.md")
	if _, path, err := h.Locate.FindPage(t.Context(), "The pilot", nil); err != nil || path != "pilot.md" {
		t.Errorf("it is found as %q, %v", path, err)
	}
	for what, read := range map[string]func(context.Context, locate.ReadRequest) (*corpus.Page, error){"Page": h.Locate.Page, "ShownPage": h.Locate.ShownPage} {
		if _, err := read(t.Context(), locate.ReadRequest{Page: "pilot.md"}); !errors.Is(err, corpus.ErrPageGone) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := read(t.Context(), locate.ReadRequest{Page: "nothing"}); servicetest.Code(err) != contract.CodeInvalidRequest {
			t.Errorf("%s of no page: %v", what, err)
		}
	}
}

func TestLookingEndsWithItsContext(t *testing.T) {
	t.Parallel()
	h := harbour(t)
	if set, _, err := h.Locate.FindPage(servicetest.Cancelled(t), "wick", nil); !errors.Is(err, context.Canceled) || set != (store.Set{}) && set.ID != 0 {
		t.Errorf("%+v, %v", set, err)
	}
}

// A page is proposed by the name of its file where its title has other words, also for a path with
// folders and an ending that are not its own, and in a form that a shell reads as one name.
func TestAPageIsProposedByItsFile(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Harbour@2", map[string]string{
		"guides/040_tide.md": "# Ebb and flow\n\nTwice a day.\n",
		"man/pilot.md":       "# pilot-boat(1)\n\nBoards at dawn.\n",
		"charts.md":          "# Charts\n\nDepths.\n",
	})
	for name, want := range map[string]string{
		"Harbour/tide":               "did you mean Harbour/Ebb and flow?",
		"Harbour/handbook/tide.html": "did you mean Harbour/Ebb and flow?",
		"Harbour/pilots":             "did you mean Harbour/man/pilot.md?",
		"Harbour/chart":              "did you mean Harbour/Charts?",
	} {
		_, _, err := h.Locate.FindPage(t.Context(), name, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", name, err, want)
			continue
		}
		_, proposed, _ := strings.Cut(strings.TrimSuffix(err.Error(), "?"), "did you mean ")
		if _, _, err := h.Locate.FindPage(t.Context(), proposed, nil); err != nil {
			t.Errorf("%s, which was proposed: %v", proposed, err)
		}
	}
}

// A person knows the file of a page, and not the folders above it.
func TestAPageIsFoundByTheNameOfItsFileAlone(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("Ferry@1", map[string]string{
		"guide/crew/night-watch.md": "# Keeping awake\n\nThe watch changes at four.\n",
		"guide/crew/ropes.md":       "# Ropes of the crew\n\nCoil them.\n",
		"deck/ropes.md":             "# Ropes of the deck\n\nTar them.\n",
		"guide/ropes-index.md":      "# Index\n\nNothing.\n",
		"bells.md":                  "# ropes\n\nA title comes before the name of a file.\n",
		"guide/bells.md":            "# Ring\n\nFour times.\n",
	})
	for name, want := range map[string]string{
		"night-watch": "guide/crew/night-watch.md", "Night-Watch.md": "guide/crew/night-watch.md",
		"Ferry/night-watch": "guide/crew/night-watch.md", "crew/night-watch": "guide/crew/night-watch.md",
		"ropes": "bells.md", "bells": "bells.md", "crew/ropes": "guide/crew/ropes.md",
	} {
		if _, path, err := h.Locate.FindPage(t.Context(), name, nil); err != nil || path != want {
			t.Errorf("%q: %s, %v; want %s", name, path, err, want)
		}
	}
	_, _, err := h.Locate.FindPage(t.Context(), "ropes.md", nil)
	servicetest.WantError(t, "ropes.md", err, contract.CodeInvalidRequest, "is the name of 2 pages", "Ferry@1/deck/ropes.md",
		"Ferry@1/guide/crew/ropes.md")
	h.Add("night-watch@2", map[string]string{"lamps.md": "# Lamps\n\nLight them.\n"})
	_, _, err = h.Locate.FindPage(t.Context(), "night-watch", nil)
	servicetest.WantError(t, "a doc set of that name", err, contract.CodeInvalidRequest, "night-watch@2 is a doc set and no page")
	if _, path, err := h.Locate.FindPage(t.Context(), "night-watch", []string{"Ferry"}); err != nil || path != "guide/crew/night-watch.md" {
		t.Errorf("among the pages of a doc set: %s, %v", path, err)
	}
	_, _, err = h.Locate.FindPage(t.Context(), "watch.md", nil)
	servicetest.WantError(t, "a part of a file's name", err, contract.CodeInvalidRequest, `there is no page "watch.md"`)
}

// A half-typed or misspelt name of a doc set leads to it.
func TestANameLikeADocSetProposesIt(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	h.Add("lantern-docs@1", map[string]string{"wick.md": "# Wick\n\nTrim it.\n"})
	h.Add("lantern-docs@2", map[string]string{"wick.md": "# Wick\n\nTrim it.\n"})
	h.Add("harbour@1", map[string]string{"pilot.md": "# Pilot\n\nHe boards.\n"})
	for name, want := range map[string]string{"Lantern": "did you mean lantern-docs@2?", "harbor": "did you mean harbour@1?"} {
		_, _, err := h.Locate.FindPage(t.Context(), name, nil)
		servicetest.WantError(t, name, err, contract.CodeInvalidRequest, `there is no page "`+name+`"; `+want)
	}
}
