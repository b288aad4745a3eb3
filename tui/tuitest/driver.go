package tuitest

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"docent/pipeline"
	"docent/pipeline/text/sanitize"
	"docent/tui"
	"docent/tui/widget"
)

// Driver feeds a model as a program would: it runs the commands that Update
// returns and gives their messages back, in order, on the test's goroutine.
// Commands that must stay open go to goroutines after Async is set.
type Driver struct {
	T     testing.TB
	Model *tui.Model
	Async bool
	W, H  int

	// Watch, when set, gets how long each Update took and the View after it.
	Watch func(msg tea.Msg, update, view time.Duration)

	Seen  []tea.Msg // messages of Bubble Tea's own, such as the clipboard's
	Quit  bool
	queue []tea.Cmd
	back  chan tea.Msg
	open  int
}

// Now is the time of the tests.
var Now = time.Date(2026, 3, 4, 8, 0, 0, 0, time.UTC)

// Options are options for tests: a dark terminal, no clock.
func Options(b tui.Backend) tui.Options {
	dark := true
	return tui.Options{Backend: b, Version: "0.1", Dark: &dark,
		Now: func() time.Time { return Now },
		Tick: func(_ time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
			return func() tea.Msg { return fn(time.Time{}) }
		}}
}

// Start makes a model on a screen of w by h, opened and at rest.
func Start(t testing.TB, opt tui.Options, w, h int) *Driver {
	t.Helper()
	d := New(t, opt)
	d.Resize(w, h)
	d.Init()
	d.Settle()
	return d
}

// New makes a model that has not begun.
func New(t testing.TB, opt tui.Options) *Driver {
	return &Driver{T: t, Model: tui.New(opt), back: make(chan tea.Msg, 64)}
}

// Init begins it.
func (d *Driver) Init() { d.pushCommand(d.Model.Init()) }

// Resize makes the screen w by h.
func (d *Driver) Resize(w, h int) {
	d.W, d.H = w, h
	d.Send(tea.WindowSizeMsg{Width: w, Height: h})
}

func (d *Driver) pushCommand(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if !d.Async {
		d.queue = append(d.queue, cmd)
		return
	}
	d.open++
	go func() { d.back <- cmd() }()
}

// Send gives the model a message; what follows waits for Settle.
func (d *Driver) Send(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
		return
	case tea.BatchMsg:
		for _, c := range msg {
			d.pushCommand(c)
		}
		return
	case tea.QuitMsg:
		d.Quit = true
		return
	}
	if d.Watch != nil {
		d.pushCommand(d.timedUpdate(msg))
		return
	}
	d.Seen = append(d.Seen, msg)
	_, cmd := d.Model.Update(msg)
	d.pushCommand(cmd)
}

// timedUpdate is an Update and a View under the stopwatch. Messages are not kept:
// a measurement goes on for long.
func (d *Driver) timedUpdate(msg tea.Msg) tea.Cmd {
	start := time.Now()
	_, cmd := d.Model.Update(msg)
	updated := time.Now()
	d.Model.View()
	d.Watch(msg, updated.Sub(start), time.Since(updated))
	return cmd
}

// Settle runs commands until none is left.
func (d *Driver) Settle() {
	for len(d.queue) > 0 {
		cmd := d.queue[0]
		d.queue = d.queue[1:]
		d.Send(cmd())
	}
}

// Until takes messages of open commands until the screen satisfies ok.
func (d *Driver) Until(ok func(screen string) bool) {
	d.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for !ok(d.Screen()) {
		select {
		case msg := <-d.back:
			d.open--
			d.Send(msg)
		case <-ctx.Done():
			d.T.Fatalf("the screen never came to what was waited for:\n%s", d.Screen())
		}
	}
}

// Keys presses keys, each named as Bubble Tea names it, and settles.
func (d *Driver) Keys(names ...string) {
	for _, n := range names {
		d.Send(Key(n))
		if !d.Async {
			d.Settle()
		}
	}
}

// Burst presses keys that come in one read: nothing that one of them begins is done
// before the last was pressed.
func (d *Driver) Burst(names ...string) {
	for _, n := range names {
		d.Send(Key(n))
	}
	d.Settle()
}

// Type types a text.
func (d *Driver) Type(text string) {
	for _, r := range text {
		d.Send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if !d.Async {
		d.Settle()
	}
}

// Ask types a question and runs it.
func (d *Driver) Ask(q string) {
	d.Type(q)
	d.Keys("enter")
}

// codes are the keys that have a name.
var codes = map[string]rune{"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "f1": tea.KeyF1}

// IsKey reports whether a word is the name of a key, and not a text to type.
func IsKey(word string) bool {
	for _, mod := range []string{"ctrl+", "alt+", "shift+"} {
		if rest, ok := strings.CutPrefix(word, mod); ok {
			return IsKey(rest)
		}
	}
	_, named := codes[word]
	return named || word == "space" || len([]rune(word)) == 1
}

// Key is a key by its name.
func Key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	for {
		if rest, ok := strings.CutPrefix(name, "ctrl+"); ok {
			k.Mod, name = k.Mod|tea.ModCtrl, rest
		} else if rest, ok := strings.CutPrefix(name, "shift+"); ok {
			k.Mod, name = k.Mod|tea.ModShift, rest
		} else if rest, ok := strings.CutPrefix(name, "alt+"); ok {
			k.Mod, name = k.Mod|tea.ModAlt, rest
		} else {
			break
		}
	}
	if c, ok := codes[name]; ok {
		k.Code = c
		return k
	}
	if name == "space" {
		k.Code, k.Text = tea.KeySpace, " "
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod&(tea.ModCtrl|tea.ModAlt) == 0 {
		k.Text = name
	}
	return k
}

// Styled is the screen with its styles.
func (d *Driver) Styled() string { return d.Model.View().Content }

// Screen is the screen as text, checked to have the size that it must have.
func (d *Driver) Screen() string {
	d.T.Helper()
	s := d.Styled()
	if err := Size(s, d.W, d.H); err != "" {
		d.T.Fatalf("%s\n%s", err, ansi.Strip(s))
	}
	return ansi.Strip(s)
}

// Size is the fault of a frame that must have h lines of w columns, ""
// for nothing.
func Size(frame string, w, h int) string {
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		return "the frame has " + numberText(len(lines)) + " lines, not " + numberText(h)
	}
	for i, l := range lines {
		if n := widget.Width(l); n != w || ansi.StringWidth(l) > w {
			return "line " + numberText(i) + " has " + numberText(n) + " columns, not " + numberText(w) + ": " + ansi.Strip(l)
		}
	}
	return ""
}

func numberText(n int) string {
	if n < 0 {
		return "-" + numberText(-n)
	}
	if n < 10 {
		return string(rune('0' + n))
	}
	return numberText(n/10) + numberText(n%10)
}

var update = flag.Bool("update", false, "write the goldens anew")

// Golden compares a screen with testdata/name.golden. Spaces at the ends of
// lines do not count.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	lines := strings.Split(got, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got = strings.Join(lines, "\n") + "\n"
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run the test with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs (run with -update and look at the diff)\n--- got\n%s\n--- want\n%s", file, got, want)
	}
}

// Result is a whole run on the canned data.
func Result(t testing.TB, b *Backend, req pipeline.Request) pipeline.Result {
	t.Helper()
	res, err := b.NewSession(req).Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// View is a pane's view as text, checked to fit into w columns and h lines.
func View(t testing.TB, view string, w, h int) string {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) > h {
		t.Errorf("the view has %d lines, more than %d:\n%s", len(lines), h, ansi.Strip(view))
	}
	for _, l := range lines {
		if n := widget.Width(l); n > w {
			t.Errorf("a line has %d columns, more than %d: %s", n, w, ansi.Strip(l))
		}
	}
	text := ansi.Strip(view)
	if sanitize.Text(text) != text {
		t.Errorf("the view has characters that must not reach a terminal: %q", text)
	}
	return text
}
