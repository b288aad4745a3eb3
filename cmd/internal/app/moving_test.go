package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/service/graph"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/service/library"
	"docent/pipeline/service/locate"
	"docent/store/postgrestest"
	"docent/store/weaviate/weaviatetest"
)

// The tests of moves share one Weaviate.
func TestMoves(t *testing.T) {
	c := weaviatetest.Start(t, 1)
	for name, run := range map[string]func(*testing.T, *weaviatetest.Cluster){
		"there and back": testMoveStores, "the indexes alone": testMoveOfTheIndexesAlone,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(t, c)
		})
	}
}

// A home goes to servers and back. A move that was ended goes on; stores of another home stay.
func testMoveStores(t *testing.T, c *weaviatetest.Cluster) {
	dir, docs := t.TempDir(), filepath.Join(t.TempDir(), "Lantern@1")
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	page := "# Trimming the wick\n\nTrim the wick once a week with sharp scissors, and turn it low before you light it.\n"
	if err := os.WriteFile(filepath.Join(docs, "wick.md"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := Options{Home: dir}
	a, err := Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{docs}}, a.Home.Parsers, home.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Library.Add(t.Context(), plan, home.Watch{}); err != nil {
		t.Fatal(err)
	}
	oil := filepath.Join(t.TempDir(), "oil.md")
	if err := os.WriteFile(oil, []byte("# Filling the tank\n\nFill the tank with whale oil to the mark, and wipe the rim with a cloth.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Intake.AddFiles(t.Context(), intake.AddFilesRequest{Paths: []string{oil}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	to := StorePlaces{c.URL("moved", 1), postgrestest.Start(t)}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := MoveStores(ended, opt, to, 5, home.Watch{}); err == nil {
		t.Fatal("it was ended, and says nothing")
	}
	move := func(opt Options, to StorePlaces) {
		t.Helper()
		m, err := MoveStores(t.Context(), opt, to, 5, home.Watch{})
		if err != nil || !m.Whole() || m.Asked != 2 || m.Same != 2 {
			t.Fatalf("%+v, %v", m, err)
		}
	}
	if _, err := MoveStores(t.Context(), opt, to, -1, home.Watch{}); err == nil || !strings.Contains(err.Error(), "-1 questions") {
		t.Errorf("less than no questions: %v", err)
	}
	move(opt, to)
	there := Options{Home: dir, Index: &to.Index, Catalog: &to.Catalog}
	if _, err := MoveStores(t.Context(), there, to, 5, home.Watch{}); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("moved to where they are: %v", err)
	}
	// The document went along: another machine with an empty folder has it, and the first one gets it
	// back from there.
	readOil(t, Options{Home: t.TempDir(), Index: &to.Index, Catalog: &to.Catalog})
	for _, name := range []string{"uploads", home.StatesFolder} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	move(there, StorePlaces{})
	readOil(t, opt)
	if _, err := MoveStores(t.Context(), Options{Home: t.TempDir()}, to, 5, home.Watch{}); err == nil ||
		!strings.Contains(err.Error(), "another home") {
		t.Errorf("another home moves over it: %v", err)
	}
	for _, wrong := range []StorePlaces{{"http://x", ""}, {to.Index, "mysql://x/y"}, {"", to.Catalog}} {
		if _, err := MoveStores(t.Context(), opt, wrong, 5, home.Watch{}); err == nil {
			t.Errorf("%v is taken", wrong)
		}
	}
}

// A move of the indexes alone said that they were damaged, and left a reference graph in the folder that
// only the new index took for its own: at the old one it was made again.
func testMoveOfTheIndexesAlone(t *testing.T, c *weaviatetest.Cluster) {
	dir, docs := t.TempDir(), filepath.Join(t.TempDir(), "Lantern@1")
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, page := range map[string]string{
		"wick.md": "# Trimming the wick\n\nTrim the wick once a week. Then [fill the tank](oil.md).\n",
		"oil.md":  "# Filling the tank\n\nFill the tank with whale oil to the mark, and wipe the rim with a cloth.\n",
	} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var said []string
	opt := Options{Home: dir, Say: func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }}
	use := func(opt Options, do func(a *App)) {
		t.Helper()
		a, err := Open(t.Context(), opt)
		if err != nil {
			t.Fatal(err)
		}
		do(a)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	use(opt, func(a *App) {
		plan, err := library.Discover(t.Context(), library.AddRequest{Paths: []string{docs}}, a.Home.Parsers, home.Watch{})
		if err == nil {
			_, err = a.Library.Add(t.Context(), plan, home.Watch{})
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	to := StorePlaces{Index: c.URL("alone", 1)}
	if m, err := MoveStores(t.Context(), opt, to, 5, home.Watch{}); err != nil || !m.Whole() || m.Same != m.Asked {
		t.Fatalf("%+v, %v", m, err)
	}
	place, _, _ := strings.Cut(to.Index, "?")
	want := "Lantern@1 has no index in " + place + "; it is built from the pages"
	if all := strings.Join(said, "\n"); all != want {
		t.Errorf("the move says %q, want %q", all, want)
	}
	said = nil
	moved := opt
	moved.Index = &to.Index
	for name, at := range map[string]Options{"old": opt, "new": moved} {
		use(at, func(a *App) {
			view, err := a.Graph.References(t.Context(), graph.ReferencesRequest{ReadRequest: locate.ReadRequest{Page: "Lantern@1/oil.md"}})
			if err != nil || len(view.To) == 0 {
				t.Errorf("the %s place: %+v, %v", name, view, err)
			}
			found, err := a.Care.Doctor(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found.Findings {
				if strings.Contains(f.Text, "older than the index") || !f.OK {
					t.Errorf("doctor at the %s place: %+v", name, f)
				}
			}
		})
	}
	if len(said) > 0 {
		t.Errorf("afterwards it is said: %q", said)
	}
}

// readOil reads the page of the document that was handed in.
func readOil(t *testing.T, opt Options) {
	t.Helper()
	a, err := Open(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	list, err := a.Intake.Documents(t.Context(), intake.DocumentsRequest{})
	if err != nil || len(list.Documents) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	p, err := a.Pages.Read(t.Context(), locate.ReadRequest{Page: list.Documents[0].Page})
	if err != nil || !strings.Contains(p.Content, "whale oil") || p.Changed {
		t.Errorf("%+v, %v", p, err)
	}
}
