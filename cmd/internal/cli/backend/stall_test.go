package backend_test

import (
	"context"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/backend"
	"docent/cmd/internal/config"
	"docent/pipeline/ingest"
	"docent/pipeline/service/home"
	"docent/store"
	"docent/tui/tuitest"
)

// stall is what no Update and no View may take: a person feels it.
const stall = 100 * time.Millisecond

// mostSittings is how often the sitting is held on a busy machine.
const mostSittings = 8

// heavyDocs are pages that are hard to show: many headings, long tables, long
// code, one endless line, wide and combining characters.
func heavyDocs(t *testing.T, dir string) {
	t.Helper()
	repeat := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, strings.ReplaceAll(line, "%", "%[1]d"), i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"headings.md":  "# Lamp headings\n\n" + repeat(2500, "## Lamp %\n\nThe lamp of harbour % burns *oil*.\n\n"),
		"table.md":     "# Lamp table\n\n| lamp | oil | harbour |\n| --- | --- | --- |\n" + repeat(4000, "| lamp % | `oil %` | the **harbour** % |\n"),
		"code.md":      "# Lamp code\n\n```go\n" + repeat(6000, "func lamp%() error { return nil } // harbour\n") + "```\n",
		"list.md":      "# Lamp list\n\n" + repeat(5000, "- lamp % of the [harbour](harbour-%.md)\n"),
		"line.md":      "# Lamp line\n\n" + repeat(30000, "lamp % ") + "\n",
		"wide.md":      "# 灯 lamp\n\n" + repeat(1500, "## 灯笼 % लैंप 👩‍🔧\n\n港口的灯笼 % 要加油,दीपक को मस्तूल पर टाँगें। e\u0301\u0301\n\n"),
		"reference.md": "# Lamp reference\n\n" + repeat(800, "[lamp%]: lamp-%.md\n") + repeat(800, "See [lamp %][lamp%].\n\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		text := fmt.Sprintf("# Lamp of harbour %d\n\nIt burns oil.\n\n## Refill the lamp %d\n\n1. Pour oil.\n2. Wait.\n", i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("harbour-%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// foundNothing reports whether a run's list of hits is shown and empty. The text of a shown
// page may have the same words.
func foundNothing(screen string) bool {
	return strings.Contains(screen, "nothing was found") && strings.Contains(screen, "1 Queries") && !strings.Contains(screen, "sections kept")
}

// stallHome is a home with the manual and the heavy pages.
func stallHome(t *testing.T) app.Options {
	t.Helper()
	dir := t.TempDir()
	docs := filepath.Join(dir, "docs")
	if err := os.Mkdir(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	heavyDocs(t, docs)
	ctx := context.Background()
	opt := app.Options{Home: filepath.Join(dir, "home"), Manual: os.DirFS("../../../docent/manual"), Engine: config.EngineBuiltin}
	a, err := app.Open(ctx, opt)
	if err != nil {
		t.Fatal(err)
	}
	found, err := ingest.Discover(docs)
	if err != nil {
		t.Fatal(err)
	}
	err = a.Home.Write(ctx, "test", func(w *home.Writer) error {
		set := store.Set{Ref: found[0].Ref, Root: found[0].Root, Layout: found[0].Layout, Domain: "tech_docs"}
		sets, err := w.Add(ctx, []store.Set{set})
		if err != nil {
			return err
		}
		_, err = w.Update(ctx, sets[0], true)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return opt
}

// sitting is what a person does, one key a word; a word of several letters that
// is no key is typed.
const sitting = `lamp space heading enter j j j j j j j j j j j j j j j j j j j j G g pgdown pgdown J J J J K
1 2 3 4 5 6 7 8 9 G g 4 enter j j j G pgup pgup g esc G enter esc
resize:200x60 j j j j G g 9 G 4 resize:40x10 j j G resize:120x40
x j x s + + - f c R r r d j space enter ? G esc
/ lamp space table enter tab G g tab esc tab j enter G g q
/ lamp space code enter enter G pgup ctrl+u g q
/ 灯笼 enter j enter G g q
/ lamp space line enter enter G g q 9 G g
/ lamp space list enter enter G g q c f y Y R
/ lamp space reference enter j j enter G g q light dark`

// play gives the app one word of the sitting.
func play(d *tuitest.Driver, word string) {
	var w, h int
	switch {
	case word == "light" || word == "dark":
		d.Send(tea.BackgroundColorMsg{Color: map[string]color.Gray{"light": {Y: 0xff}, "dark": {Y: 0}}[word]})
		d.Settle()
	case strings.HasPrefix(word, "resize:"):
		_, _ = fmt.Sscanf(word, "resize:%dx%d", &w, &h)
		d.Resize(w, h)
		d.Settle()
	case tuitest.IsKey(word):
		d.Keys(word)
	default:
		d.Type(word)
	}
}

// The app never freezes: over a real index, on pages that are hard to show, no
// Update and no View takes as long as a person would feel. The same sitting is
// held until the best time of each turn is short enough, since the machine is shared: at
// most mostSittings times.
func TestNoStall(t *testing.T) {
	if testing.Short() {
		t.Skip("a race detector's times say nothing")
	}
	opt := stallHome(t)
	words := strings.Fields(sitting)
	type turn struct {
		word         string
		msg          string
		update, view time.Duration
	}
	var best []turn
	slow := func(n turn) bool { return n.update > stall || n.view > stall }
	for round := range mostSittings {
		if round >= 1 && !slices.ContainsFunc(best, slow) {
			break
		}
		b := backend.New(opt)
		o := tuitest.Options(b)
		o.Dark = nil
		d := tuitest.New(t, o)
		var turns []turn
		word := "start"
		d.Watch = func(msg tea.Msg, update, view time.Duration) {
			turns = append(turns, turn{word, fmt.Sprintf("%T", msg), update, view})
		}
		d.Resize(100, 30)
		d.Init()
		d.Settle()
		for i, w := range words {
			word = fmt.Sprintf("word %d, %s", i, w)
			play(d, w)
			if round == 0 && w == "enter" && foundNothing(d.Screen()) {
				t.Errorf("%s: nothing was found, so that little is measured:\n%s", word, d.Screen())
			}
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if best == nil {
			best = turns
			continue
		}
		if len(turns) != len(best) {
			t.Fatalf("the same sitting has %d turns, it had %d", len(turns), len(best))
		}
		for i, n := range turns {
			best[i].update, best[i].view = min(best[i].update, n.update), min(best[i].view, n.view)
		}
	}
	var slowest turn
	for _, n := range best {
		if slow(n) {
			t.Errorf("%s: Update of %s took %v, View %v", n.word, n.msg, n.update, n.view)
		}
		if n.update+n.view > slowest.update+slowest.view {
			slowest = n
		}
	}
	if len(best) < len(words) {
		t.Errorf("only %d turns were measured", len(best))
	}
	t.Logf("%d turns; the slowest is %s: Update of %s %v, View %v", len(best), slowest.word, slowest.msg, slowest.update, slowest.view)
}
