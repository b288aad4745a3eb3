//go:build unix

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/backend"
	"docent/cmd/internal/dev/console"
	"docent/cmd/internal/dev/served"
	"docent/tui"
	"docent/tui/page"
	"docent/tui/pane/preview"
	"docent/tui/style"
	"docent/tui/titles"
	"docent/tui/tuitest"
)

// What the figures should be.
const (
	aimFrame  = 16 * time.Millisecond // a key to its frame, at the 95th percentile
	aimPage   = 50 * time.Millisecond // a page's first screen, every page
	aimMemory = 150                   // MB, after an hour's keys
)

// manyHits is how many hits are listed where keys are measured.
const manyHits = 50

// appKeys holds the flags of measuring the app, its home and its questions.
type appKeys struct {
	keys int

	bin, home string
	questions []string
}

func (a *appKeys) flags() {
	flag.IntVar(&a.keys, "keys", 6000, "app: keys pressed in the real program before its memory is measured")
}

// measureApp measures the terminal app and prints each figure with its aim: from a key to
// its frame with many hits listed, in the model and in the real program; from a page's
// file to its first screen, for every page; and the memory of the real program after as
// many keys as a person presses in an hour.
func (b *bench) measureApp(ctx context.Context) (err error) {
	a := &b.app
	a.bin = b.bin
	home, remove, err := b.openHome(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	a.home = home
	questions, err := b.readQuestions(b.queries)
	if err != nil {
		return err
	}
	// Only those that can be typed on one line.
	a.questions = slices.DeleteFunc(questions, func(q string) bool { return q == "" || strings.ContainsAny(q, "\n\r\t\x1b") })
	question, err := a.inTheModel()
	if err != nil {
		return err
	}
	if err := a.pages(ctx); err != nil {
		return err
	}
	if err := a.inTheProgram(ctx, question); err != nil {
		return err
	}
	return a.memory(ctx)
}

// reportAim prints times and whether a value of them, "p95" or "max", meets an aim.
func (d durations) reportAim(name, what string, aim time.Duration) {
	slices.Sort(d)
	value := d.ms(.95)
	if what == "max" {
		value = d.ms(1)
	}
	verdict := "met"
	if value > aim.Seconds()*1000 {
		verdict = "MISSED"
	}
	d.report(name, fmt.Sprintf("  aim: %s < %v, %s", what, aim, verdict))
}

var kept = regexp.MustCompile(`\d+ of (\d+) sections? kept`)

// hits is how many hits a screen lists, -1 when it lists none.
func hits(screen string) int {
	m := kept.FindStringSubmatch(screen)
	if m == nil {
		return -1
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// moves are the keys that are measured, over and over: through the list, the
// preview, the phases, the reader.
var moves = strings.Fields("j j j j J J j k K j j j pgdown pgup G g 1 2 3 5 6 7 8 9 G g 4 tab j j tab tab tab j enter j j pgdown G g esc ? " +
	"j pgdown esc x x + -")

// inTheModel measures keys in the model with nothing around it, over the real
// index. It gives the question that lists many hits.
func (a *appKeys) inTheModel() (string, error) {
	back := backend.New(app.Options{Home: a.home})
	defer func() { _ = back.Close() }()
	d := tuitest.New(nil, tuitest.Options(back))
	d.Resize(160, 45)
	d.Init()
	d.Settle()
	var ask durations
	question, most := "", 0
	for i, q := range a.questions {
		if i >= 100 {
			break
		}
		typeQuestion(d, q)
		start := time.Now()
		d.Keys("enter")
		ask = append(ask, time.Since(start))
		if n := hits(d.Styled()); n > most {
			question, most = q, n
		}
	}
	if most < manyHits {
		return "", fmt.Errorf("no question lists %d hits, only %d", manyHits, most)
	}
	ask.report("model: a question to its last frame", "")
	typeQuestion(d, question)
	d.Keys("enter")
	fmt.Printf("%d hits are listed for %q, on 160x45\n", hits(d.Styled()), question)
	var turns, frames, settled durations
	d.Watch = func(_ tea.Msg, update, view time.Duration) { turns = append(turns, update+view) }
	for range 60 {
		for _, k := range moves {
			turns = turns[:0]
			start := time.Now()
			d.Keys(k)
			settled = append(settled, time.Since(start))
			frames = append(frames, turns[0]) // the first is the key's own
		}
	}
	frames.reportAim("model: key to frame", "p95", aimFrame)
	settled.report("model: key to all that follows it", "")
	if err := goingTo(d, back); err != nil {
		return "", err
	}
	return question, nil
}

// typing reports whether the keyboard is in the question line, by the first words of the
// footer there.
func typing(screen string) bool {
	return strings.Contains(screen, "enter run") || strings.Contains(screen, "enter go on") || strings.Contains(screen, "enter ask")
}

// towardsTyping is the next key on the way to the question line, by the screen: from
// inside of anything escape leads back, and where questions can be asked a slash does.
func towardsTyping(screen string) string {
	if strings.Contains(screen, "/ ask") {
		return "/"
	}
	return "esc"
}

// typeQuestion types a question into the question line.
func typeQuestion(d *tuitest.Driver, question string) {
	for range 5 {
		screen := ansi.Strip(d.Styled())
		if typing(screen) {
			break
		}
		d.Keys(towardsTyping(screen))
	}
	d.Keys("ctrl+u")
	d.Type(question)
}

// names are typed into the launcher, letter by letter.
var names = []string{"liveness probe", "pod lifecycle", "dplmt", "kubectl apply set", "secrets"}

// goingTo measures typing into the launcher: the longest turn of the event loop that a
// key brings about, and the time until its finds are on the screen.
func goingTo(d *tuitest.Driver, back tui.Backend) error {
	d.Keys("esc", "esc", "esc")
	var reads durations
	for range 5 {
		start := time.Now()
		pages, err := back.Titles(context.Background())
		if err != nil {
			return err
		}
		titles.NewIndex(pages)
		reads = append(reads, time.Since(start))
	}
	reads.report("launcher: reading the names of all pages", "")
	var turns, longest, settled durations
	d.Watch = func(_ tea.Msg, update, view time.Duration) { turns = append(turns, update+view) }
	for range 20 {
		for _, name := range names {
			d.Keys("ctrl+k")
			for _, r := range name {
				turns = turns[:0]
				start := time.Now()
				d.Type(string(r))
				settled = append(settled, time.Since(start))
				longest = append(longest, slices.Max(turns))
			}
			d.Keys("esc")
		}
	}
	longest.reportAim("launcher: longest turn of a typed key", "p95", aimFrame)
	settled.report("launcher: typed key to finds and page beside", "")
	return nil
}

// opened is a page and how long its opening took.
type opened struct {
	path string
	took time.Duration
}

// pages opens every page of the documentation in the preview: read, parsed, cut
// into pieces, its first screen rendered and drawn. The slowest are opened
// again, with nothing remembered of them, and the best time counts: the machine
// is shared.
func (a *appKeys) pages(ctx context.Context) error {
	paths, ref, err := allPages(ctx, app.Options{Home: a.home})
	if err != nil {
		return err
	}
	all, err := a.open(ctx, ref, paths)
	if err != nil {
		return err
	}
	slowest := func(a, b opened) int { return int(b.took - a.took) }
	slices.SortStableFunc(all, slowest)
	again := all[:min(12, len(all))]
	for len(again) < min(200, len(all)) && all[len(again)].took > aimPage {
		again = all[:len(again)+1]
	}
	for range 5 {
		for i := range again {
			o, err := a.open(ctx, ref, []string{again[i].path})
			if err != nil {
				return err
			}
			again[i].took = min(again[i].took, o[0].took)
		}
	}
	slices.SortStableFunc(all, slowest)
	took := make(durations, len(all))
	for i, o := range all {
		took[i] = o.took
	}
	took.reportAim("opening a page, to its first screen", "max", aimPage)
	for _, o := range all[:min(4, len(all))] {
		fmt.Printf("    %8.2f ms  %s\n", float64(o.took.Microseconds())/1000, o.path)
	}
	return nil
}

// warm is a page that is opened before the measured ones, so that the work that is done
// once for all pages is not measured.
const warm = "test.md"

// open opens pages one after the other in a home that was just opened.
func (a *appKeys) open(ctx context.Context, ref string, paths []string) ([]opened, error) {
	back := backend.New(app.Options{Home: a.home})
	defer func() { _ = back.Close() }()
	if _, err := back.Ready(ctx, func(int, int, string) {}); err != nil {
		return nil, err
	}
	pane := preview.New(style.New(true, false))
	pane.SetSize(100, 40)
	var all []opened
	for i, path := range append([]string{warm}, paths...) {
		t := page.Target{DocSet: ref, FilePath: path}
		start := time.Now()
		pg, err := back.Page(ctx, ref, path)
		if i == 0 {
			if err == nil {
				show(pane, t, pg)
			}
			continue // a documentation without that page is measured cold
		}
		if err != nil {
			return nil, err
		}
		show(pane, t, pg)
		all = append(all, opened{path, time.Since(start)})
	}
	return all, nil
}

// show shows a page, all that is seen of it rendered.
func show(pane *preview.Pane, t page.Target, pg tui.Page) {
	pane.SetTarget(t)
	pane.SetPage(t.ID(), page.PreparePage(pg))
	for cmd := pane.Render(); cmd != nil; {
		cmd = pane.Update(cmd())
	}
	pane.View()
}

// allPages lists the pages of the documentation.
func allPages(ctx context.Context, opt app.Options) ([]string, string, error) {
	a, err := app.Open(ctx, opt)
	if err != nil {
		return nil, "", err
	}
	defer a.Close()
	sets, err := a.Home.Corpus.Sets(ctx)
	if err != nil {
		return nil, "", err
	}
	sets = outsideHome(opt.Home, sets)
	if len(sets) == 0 {
		return nil, "", errors.New("the home has no doc set but its own")
	}
	set := sets[0]
	files, _, err := markdownFiles(set.Root)
	if err != nil {
		return nil, "", err
	}
	var out []string
	for _, file := range files {
		rel, err := filepath.Rel(set.Root, file)
		if err != nil {
			return nil, "", err
		}
		if _, err := a.Home.Corpus.Page(ctx, set, filepath.ToSlash(rel)); err == nil {
			out = append(out, filepath.ToSlash(rel))
		}
	}
	return out, set.Ref.String(), nil
}

// start begins the real program and waits until it is open.
func (a *appKeys) start(ctx context.Context) (*console.Terminal, error) {
	t, err := console.Start(ctx, a.bin, []string{"--home", a.home}, 160, 45, console.Dark)
	if err != nil {
		return nil, err
	}
	if err := t.Step(ctx, "see:pages"); err != nil {
		return nil, errors.Join(err, errors.New(t.Text()))
	}
	return t, nil
}

// ask asks in the real program, and waits for the answer.
func ask(ctx context.Context, t *console.Terminal, question string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	wait := func(ok func(string) bool) error {
		if err := t.Wait(ctx, ok); err != nil {
			return fmt.Errorf("%q: %w\n%s", question, err, t.Text())
		}
		return nil
	}
	for n := 0; ; n++ {
		short, cancel := context.WithTimeout(ctx, 250*time.Millisecond)
		err := t.Wait(short, typing)
		cancel()
		if err == nil {
			break
		}
		if n > 20 {
			return fmt.Errorf("the question line was not found: %w\n%s", err, t.Text())
		}
		if err := t.Type(towardsTyping(t.Text())); err != nil {
			return err
		}
	}
	if err := t.Type("ctrl+u", question, "enter"); err != nil {
		return err
	}
	// The keyboard goes to the hits when they are there.
	return wait(func(s string) bool { return !typing(s) || strings.Contains(s, "✗ phase") })
}

// inTheProgram measures keys in the real program, from the key's byte to the
// first byte of what it draws.
func (a *appKeys) inTheProgram(ctx context.Context, question string) error {
	t, err := a.start(ctx)
	if err != nil {
		return err
	}
	defer t.Close()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	if err := ask(ctx, t, question); err != nil {
		return err
	}
	if err := t.Rest(ctx); err != nil {
		return err
	}
	var took durations
	if err := t.Step(ctx, "4"); err != nil { // the hits: an answer that fits the screen does not move
		return err
	}
	for i := range 100 {
		d, err := t.Answer(ctx, []string{"j", "k"}[i%2])
		if err != nil {
			return fmt.Errorf("key %d: %w\n%s", i, err, t.Text())
		}
		took = append(took, d)
		time.Sleep(time.Duration(47+len(took)%13) * time.Millisecond) // not in step with the program's own beat
	}
	took.reportAim("program: key to what it draws", "p95", aimFrame)
	return nil
}

// hourKeys are what follows a question in the hour that is played.
var hourKeys = strings.Fields("j j J J j enter j pgdown G esc 1 2 5 6 9 G 4 x + r r - k s s c f ? G esc d esc " +
	"resize:120x40 j j pgdown resize:160x45 G g y")

// memory plays an hour of keys and measures the program's memory.
func (a *appKeys) memory(ctx context.Context) error {
	t, err := a.start(ctx)
	if err != nil {
		return err
	}
	defer t.Close()
	begin := time.Now()
	used := func() served.Used { return served.UsedBy(t.PID()) }
	atStart, middle := used(), served.Used{}
	keys, asked := 0, 0
	for ; keys < a.keys; asked++ {
		q := a.questions[asked*7%len(a.questions)]
		if err := ask(ctx, t, q); err != nil {
			return err
		}
		keys += len([]rune(q)) + 2
		for _, k := range hourKeys {
			keys++
			if strings.HasPrefix(k, "resize:") {
				err = t.Step(ctx, k)
			} else {
				err = t.Type(k)
			}
			if err != nil {
				return err
			}
		}
		if middle.RSS == 0 && keys > a.keys/2 {
			middle = used()
		}
	}
	if err := t.Rest(ctx); err != nil {
		return err
	}
	now, verdict := used(), "met"
	if now.RSS>>20 > aimMemory {
		verdict = "MISSED"
	}
	fmt.Printf("program: memory after %d questions, %d keys     %d MB, at its peak %d MB "+
		"(%d MB at the start, %d MB halfway, %v)  aim: < %d MB, %s\n",
		asked, keys, now.RSS>>20, now.PeakRSS>>20, atStart.RSS>>20, middle.RSS>>20, time.Since(begin).Round(time.Second), aimMemory,
		verdict)
	return nil
}
