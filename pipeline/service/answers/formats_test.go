package answers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/phase/cite"
	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
	"docent/store"
	"docent/store/doc"
	"docent/tui/page"
)

// shelf is a home with a doc set in a format whose text is not its source.
type shelf struct {
	*servicetest.Home
	t       *testing.T
	dir     string // of the home
	docs    string
	parser  *parsetest.Notes
	set     store.Set
	parsers *parse.Registry
}

// notes are pages of parsetest's format, and one of Markdown.
func notes() map[string]string {
	files := map[string]string{
		"wicks.notes": ".title Wicks\n.url https://lantern.example/wicks\n.page 3\nA wick draws oil.\n" +
			".h trim Trim the wick\n.page 4\nTrim the wick to six millimetres every evening.\n.code\nlantern trim --length 6\n.end\nA long wick smokes.\n" +
			".h replace Replace the wick\nReplace a wick that is shorter than a thumb.\n",
		"oil.md": "# Oil\n\nFill the lantern with whale oil. See [wicks](wicks.notes).\n",
	}
	var long strings.Builder
	long.WriteString(".title Signals\nHow the harbour talks.\n")
	for i := range 700 {
		fmt.Fprintf(&long, ".h s%d Signal %d\nSignal number %d is given with %d flashes.\nIt is never given twice.\n", i, i, i, i)
	}
	long.WriteString(".h fog The fog horn\nThe fog horn sounds thrice before the pilot boards.\n")
	files["signals.notes"] = long.String()
	return files
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	s := &shelf{t: t, dir: filepath.Join(t.TempDir(), "home"), docs: filepath.Join(t.TempDir(), "Lantern@1")}
	for path, text := range notes() {
		s.write(path, text)
	}
	s.open(&parsetest.Notes{})
	found, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{s.docs}}, s.parsers, home.Watch{})
	if err != nil || len(found.Sets) != 1 || found.Sets[0].Pages != 3 {
		t.Fatalf("found is %+v, %v; want one doc set of 3 pages", found, err)
	}
	if _, err := s.Library.Add(t.Context(), found, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	s.find()
	return s
}

func (s *shelf) find() {
	s.t.Helper()
	sets, err := s.Services.Home.Corpus.Resolve(s.t.Context(), []string{"Lantern@1"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.set = sets[0]
}

func (s *shelf) write(path, text string) {
	s.t.Helper()
	if err := errors.Join(os.MkdirAll(s.docs, 0o700), os.WriteFile(filepath.Join(s.docs, path), []byte(text), 0o600)); err != nil {
		s.t.Fatal(err)
	}
}

// open opens the home with a parser of notes.
func (s *shelf) open(p *parsetest.Notes) {
	s.t.Helper()
	if s.Home != nil {
		s.Close()
	}
	parsers, err := formats.AllParsers()
	if err == nil {
		err = parsers.Register(p)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.Home = servicetest.Open(s.t, servicetest.Options{Dir: s.dir, Parsers: parsers})
	s.parser, s.parsers = p, parsers
	if s.set.ID != 0 {
		s.find()
	}
}

func (s *shelf) update() {
	s.t.Helper()
	if _, err := s.Library.Update(s.t.Context(), library.UpdateRequest{Sets: []string{"Lantern@1"}}, home.Watch{}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) ask(question string, w contract.Preferences) pipeline.Result {
	s.t.Helper()
	res, err := s.Answers.Pipelines.Ask.Run(s.t.Context(), pipeline.Request{Question: question, DocSets: []string{"Lantern@1"}, MaxDocs: 1, Preferences: w}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return res
}

func (s *shelf) verify(block string) cite.Report {
	s.t.Helper()
	b, err := cite.ParseBlock(block)
	if err != nil {
		s.t.Fatal(err)
	}
	rep, err := cite.Verify(s.t.Context(), b, s.Answers.Proofs())
	if err != nil {
		s.t.Fatal(err)
	}
	return rep
}

// want checks a report's state and that it has this finding, or "".
func (s *shelf) want(what string, rep cite.Report, state, finding, message string) {
	s.t.Helper()
	ok := finding == "" && len(rep.Findings) == 0 || slices.ContainsFunc(rep.Findings, func(f cite.Finding) bool {
		return f.Kind == finding && strings.Contains(f.Message, message)
	})
	if rep.State != state || !ok {
		s.t.Errorf("%s: %s, want %s with the finding %q %q", what, rep, state, finding, message)
	}
}

func (s *shelf) blobs() int {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "blobs", "*", "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	return len(files)
}

// A page in a format whose text is not its source passes through everything:
// found, shown, extracted, cited and verified is its text.
func TestAnotherFormat(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	res := s.ask("trim the wick", contract.Preferences{})
	hit := res.Phases.Search.Results[0]
	if hit.FilePath != "wicks.notes" || hit.PageTitle != "Wicks" || hit.URL != "https://lantern.example/wicks" || hit.Headings[0].Text != "## Trim the wick" ||
		!strings.Contains(hit.Headings[0].Snippet, "six millimetres") {
		t.Errorf("the first hit is %+v", hit)
	}
	d := res.Phases.Extract.Documents[0]
	text := res.Phases.Extract.Contents[d.ContentKey()]
	if d.Format != parsetest.NotesFormat || d.Changed || !strings.HasPrefix(text, "# Wicks\n") || !strings.Contains(text, "```sh\nlantern trim --length 6\n```\n") || strings.Contains(text, ".h ") {
		t.Errorf("extracted was %+v: %s", d, text)
	}
	if !strings.Contains(res.Final, text) || !strings.Contains(res.Final, "wicks.notes") {
		t.Errorf("the block lacks the text: %s", res.Final)
	}
	s.want("the block", s.verify(res.Final), cite.StateVerified, "", "")
	s.want("an altered block", s.verify(strings.Replace(res.Final, "six millimetres", "nine millimetres", 1)), cite.StateAltered, cite.FindingAltered, "")

	// Phase 3 reads the text by the format's rule and marks what it leaves out.
	long := s.ask("When does the fog horn sound?", contract.Preferences{})
	if p := long.Phases.Process; p == nil || p.Action != contract.ActionCompressed || p.LineCount > contract.ProcessLimit || !strings.Contains(long.Final, "sounds thrice") {
		t.Fatalf("the long page was not compressed: %+v", p)
	}
	s.want("the compressed block", s.verify(long.Final), cite.StateVerified, "", "")

	// Read and shown is the text; its lines lead to the source.
	ctx := t.Context()
	p, err := s.Services.Home.Corpus.Page(ctx, s.set, "wicks.notes")
	if err != nil || string(p.Doc.Text) != text || p.Changed || len(p.Chunks) == 0 {
		t.Fatalf("the page is %+v, %v", p, err)
	}
	shown, err := s.Services.Home.Corpus.ReadShown(ctx, s.set, "wicks.notes")
	if err != nil {
		t.Fatal(err)
	}
	prepared := page.PreparePage(page.Page{Doc: &shown.Doc, Source: shown.Doc.Text})
	if i := prepared.Section(contract.Heading{Text: "## Trim the wick"}); i == 0 {
		t.Error("the section is not shown")
	}
	line := 1 + strings.Count(text[:strings.Index(text, "lantern trim")], "\n")
	if at, err := s.Services.Home.Corpus.Location(ctx, "Lantern@1", "wicks.notes", line); err != nil || at != (doc.Location{Line: 9, Page: 4, Element: "trim"}) {
		t.Errorf("line %d stands at %+v, %v", line, at, err)
	}
	if at, err := s.Services.Home.Corpus.Location(ctx, "Lantern@1", "oil.md", 3); err != nil || at != (doc.Location{Line: 3}) {
		t.Errorf("a line of Markdown stands at %+v, %v", at, err)
	}
}

// Pages are converted once. What became of the kept texts does not show.
func TestTextsAreKept(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	s := newShelf(t)
	before := s.ask("trim the wick", contract.Preferences{}).Final
	if n := s.parser.Converted.Load(); n != 2 || s.blobs() != 2 {
		t.Errorf("converted %d times, %d are kept; want 2", n, s.blobs())
	}
	s.open(&parsetest.Notes{})
	if got := s.ask("trim the wick", contract.Preferences{}).Final; got != before || s.parser.Converted.Load() != 0 {
		t.Errorf("opened again: converted %d times: %s", s.parser.Converted.Load(), got)
	}
	files, err := filepath.Glob(filepath.Join(s.dir, "blobs", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := os.WriteFile(f, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.open(&parsetest.Notes{})
	if got := s.ask("trim the wick", contract.Preferences{}).Final; got != before {
		t.Errorf("from damaged blobs: %s", got)
	}
	s.want("from damaged blobs", s.verify(before), cite.StateVerified, "", "")
	// Forgetting the doc set sweeps them.
	if _, err := s.Library.Remove(t.Context(), library.RemoveRequest{Sets: []string{"Lantern@1"}}); err != nil || s.blobs() != 0 {
		t.Errorf("%d blobs are left, %v", s.blobs(), err)
	}
}

func TestSourceOfAnotherFormatChanges(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	s := newShelf(t)
	block := s.ask("trim the wick", contract.Preferences{}).Final
	s.write("wicks.notes", strings.Replace(notes()["wicks.notes"], "six", "nine", 1))
	s.want("a changed source", s.verify(block), cite.StateSourceChanged, cite.FindingChanged, "1 quoted line differ")
	if hit := s.ask("trim the wick", contract.Preferences{}).Phases.Search.Results[0]; !hit.Changed || !strings.Contains(hit.Headings[0].Snippet, "nine") {
		t.Errorf("the hit in a changed page is %+v", hit)
	}
	s.update()
	if n := s.blobs(); n != 2 {
		t.Errorf("%d blobs after the update, want 2", n)
	}
	s.want("a fresh block", s.verify(s.ask("trim the wick", contract.Preferences{}).Final), cite.StateVerified, "", "")
}

// Another version of the parser may make another text of the same source: an earlier
// citation is not called altered, and the message gives the reason.
func TestAnotherVersionOfTheParser(t *testing.T) {
	t.Parallel()
	servicetest.NeedsCatalogFile(t)
	s := newShelf(t)
	block := s.ask("trim the wick", contract.Preferences{}).Final
	const again = "made again by version 2 of the notes parser (version 1 when it was indexed)"

	s.open(&parsetest.Notes{Version: 2})
	s.want("the same text", s.verify(block), cite.StateVerified, cite.FindingConverted, again+"; it is the same text")

	alter := func(line string) string {
		return strings.Replace(line, "A long wick smokes.", "*A long wick smokes.*", 1)
	}
	s.open(&parsetest.Notes{Version: 3, Alter: alter})
	rep := s.verify(block)
	s.want("another text", rep, cite.StateUnverified, cite.FindingConverted, "1 quoted line differ from the new text")
	if rep.Altered != 0 || rep.Unverified != 1 {
		t.Errorf("%d lines altered, %d unverified: %s", rep.Altered, rep.Unverified, rep)
	}
	res := s.ask("trim the wick", contract.Preferences{})
	if hit := res.Phases.Search.Results[0]; !hit.Changed || !strings.Contains(res.Final, "*A long wick smokes.*") {
		t.Errorf("before the update: %+v", hit)
	}
	s.update()
	fresh := s.ask("trim the wick", contract.Preferences{})
	if fresh.Phases.Search.Results[0].Changed {
		t.Error("the page is changed after the update")
	}
	s.want("after the update", s.verify(fresh.Final), cite.StateVerified, "", "")
	if n := s.blobs(); n != 2 {
		t.Errorf("%d blobs after the update, want those of version 3 alone", n)
	}
	// The same version may not make another text; where it does, that is said.
	if err := os.RemoveAll(filepath.Join(s.dir, "blobs")); err != nil {
		t.Fatal(err)
	}
	s.open(&parsetest.Notes{Version: 3})
	s.want("a parser that is not deterministic", s.verify(fresh.Final), cite.StateUnverified, cite.FindingConverted, "made another text of the same source")
}

// A page that its parser cannot read is left out, and the others are there.
func TestUnreadablePageOfAnotherFormat(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.write("wicks.notes", ".panic\n")
	_, err := s.Services.Home.Corpus.Page(context.Background(), s.set, "wicks.notes")
	if err == nil || !strings.Contains(err.Error(), "wicks.notes of Lantern@1: the parser of Notes (version 1) panicked") {
		t.Errorf("a page whose parser panics: %v", err)
	}
	if res := s.ask("fog horn", contract.Preferences{}); !strings.Contains(res.Final, "sounds thrice") {
		t.Errorf("the other pages: %s", res.Final)
	}
}
