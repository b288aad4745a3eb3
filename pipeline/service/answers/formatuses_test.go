package answers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/ingest"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/phase/cite"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
)

// brought is what an update of the doc set did.
func (s *shelf) brought() ingest.Report {
	s.t.Helper()
	out, err := s.Library.Update(s.t.Context(), library.UpdateRequest{Sets: []string{"Lantern@1"}}, home.Watch{})
	if err != nil || len(out.Sets) != 1 {
		s.t.Fatalf("%+v, %v", out, err)
	}
	return out.Sets[0]
}

// fresh checks that the doc set is fresh, or that so many of its pages are changed.
func (s *shelf) fresh(when string, changed int) {
	s.t.Helper()
	got, changes, err := s.Library.Freshness(s.t.Context(), s.set)
	if err != nil || (got == library.Fresh) != (changed == 0) || changes != nil && (changes.Changed != changed || changes.New+changes.Gone > 0) {
		s.t.Errorf("%s: %s, %+v, %v; want %d pages changed", when, got, changes, err, changed)
	}
	states, err := s.Library.PageStates(s.t.Context(), "Lantern@1")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, p := range states {
		if p.State != library.PageFresh {
			changed--
		}
	}
	if changed != 0 {
		s.t.Errorf("%s: the pages are %+v", when, states)
	}
}

// A page that takes text from another file is changed where that file is: its answers
// say so, and an update reads it again.
func TestIncludedFileChanges(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.write("glass.notes", ".title Glass\nThe chimney is of glass.\n.include polish.inc\n")
	s.write("polish.inc", "Polish the chimney with chalk.\n")
	if rep := s.brought(); rep.Added != 1 || rep.Unread.String() != "" {
		t.Fatalf("added were %+v", rep)
	}
	s.fresh("after the update", 0)
	ask := func() string { return s.ask("polish the chimney", contract.Preferences{}).Final }
	block := ask()
	if !strings.Contains(block, "with chalk") {
		t.Fatalf("the answer is %s", block)
	}
	s.want("the block", s.verify(block), cite.StateVerified, "", "")

	s.write("polish.inc", "Polish the chimney with vinegar.\n")
	s.fresh("the included file has another size", 1)
	s.want("the included file changed", s.verify(block), cite.StateSourceChanged, cite.FindingChanged, "1 quoted line differ")
	if hit := s.ask("polish the chimney", contract.Preferences{}).Phases.Search.Results[0]; !hit.Changed {
		t.Errorf("the hit is %+v", hit)
	}
	if rep := s.brought(); rep.Changed != 1 || rep.Unchanged != 3 {
		t.Errorf("the update: %+v", rep)
	}
	s.fresh("after the second update", 0)
	fresh := ask()
	if !strings.Contains(fresh, "with vinegar") {
		t.Errorf("the answer is %s", fresh)
	}
	s.want("a fresh block", s.verify(fresh), cite.StateVerified, "", "")

	// Another time alone is noted, and nothing is read anew.
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(s.docs, "polish.inc"), later, later); err != nil {
		t.Fatal(err)
	}
	s.fresh("the included file was touched", 1)
	s.want("touched", s.verify(fresh), cite.StateVerified, "", "")
	before := s.parser.Converted.Load()
	if rep := s.brought(); rep.Touched() || s.parser.Converted.Load() != before {
		t.Errorf("the update after a touch: %+v, %d conversions", rep, s.parser.Converted.Load()-before)
	}
	s.fresh("after the third update", 0)

	// Gone and back.
	if err := os.Remove(filepath.Join(s.docs, "polish.inc")); err != nil {
		t.Fatal(err)
	}
	s.fresh("the included file is gone", 1)
	if rep := s.brought(); rep.Changed != 1 || !strings.Contains(strings.Join(rep.Warnings, "\n"), "glass.notes: it is not taken in: polish.inc") {
		t.Errorf("the update without the file: %+v", rep)
	}
	s.write("polish.inc", "Polish the chimney with ash.\n")
	s.fresh("the included file is back", 1)
	s.open(&parsetest.Notes{})
	if rep := s.brought(); rep.Changed != 1 {
		t.Errorf("the update with the file: %+v", rep)
	}
	if got := ask(); !strings.Contains(got, "with ash") {
		t.Errorf("the answer is %s", got)
	}
}

// A citation of a page whose text is not its source names the place in the source, and
// the block proves as any other.
func TestPlacesInTheSource(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	res := s.ask("trim the wick", contract.Preferences{Extent: contract.ExtentSections})
	const want = "**Section:** Wicks › Trim the wick · lines 5–13 · source lines 5–11 · pages 3–4 · https://lantern.example/wicks"
	if !strings.Contains(res.Final, want) {
		t.Errorf("the block lacks %q: %s", want, res.Final)
	}
	s.want("the block", s.verify(res.Final), cite.StateVerified, "", "")
	s.want("a block with another section", s.verify(strings.Replace(res.Final, " lines 5–13", " lines 5–130", 1)), cite.StateAltered, cite.FindingCitation, "not quoted")
	if c := res.Citations[0]; c.Source != (contract.SourcePlace{Lines: [2]int{5, 11}, Pages: [2]int{3, 4}}) {
		t.Errorf("the citation is %+v", c)
	}
	whole := s.ask("trim the wick", contract.Preferences{})
	if c := whole.Citations[0]; c.Source.Lines != [2]int{1, 13} || c.Source.Pages != [2]int{3, 4} {
		t.Errorf("the citation of the whole page is %+v", c)
	}
	if c := s.ask("whale oil", contract.Preferences{}).Citations[0]; c.FilePath != "oil.md" || c.Source != (contract.SourcePlace{}) {
		t.Errorf("the citation of Markdown is %+v", c)
	}
}

// What a file is, where its ending does not tell, is decided by its content, at every
// update anew.
func TestFormatByContent(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.write("robots.txt", "User-agent: *\nDisallow: /\n")
	s.write("hints.txt", ".title Hints\nKeep matches dry.\n")
	if rep := s.brought(); rep.Added != 1 || rep.Unread.String() != "1 .txt (no parser reads them)" {
		t.Fatalf("added were %+v", rep)
	}
	if p, err := s.Services.Home.Corpus.Page(t.Context(), s.set, "hints.txt"); err != nil || p.Doc.Title != "Hints" || p.Doc.Format != parsetest.NotesFormat {
		t.Errorf("the page is %+v, %v", p, err)
	}
	s.write("hints.txt", "no title any more: x=1\n")
	if rep := s.brought(); rep.Removed != 1 || rep.Unread.String() != "2 .txt (no parser reads them)" {
		t.Errorf("the update: %+v", rep)
	}
	st, err := s.Care.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range st.Sets {
		if set.Set == "Lantern@1" && set.Unread.Files != 2 {
			t.Errorf("the status of the doc set is %+v", set)
		}
	}
}
