//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"docent/pipeline"
	"docent/store/parallel"
	"docent/tui"
	"docent/tui/tuitest"
)

// stumble is a program of its own: the app with a backend that panics in the place
// that the argument names. The product itself has no such option.
func stumble() {
	where := os.Args[1]
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	opt := tui.Options{Backend: &stumbler{Backend: &tuitest.Backend{}, where: where}, Version: "test", Question: "how do I trim a wick"}
	ready := make(chan struct{}) // closed when the first page was read; only then may Update panic
	opt.Backend.(*stumbler).read = ready
	switch where {
	case "update": // Update calls Tick
		opt.Tick = func(d time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
			select {
			case <-ready:
				panic("stumbled in Update")
			default:
				return tea.Tick(d, fn)
			}
		}
	case "loop": // in Bubble Tea's event loop, outside of the app's code
		opt.Program = append(opt.Program, tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "R" {
				panic("stumbled in the loop")
			}
			return msg
		}))
	}
	if err := tui.Run(ctx, opt); err != nil {
		fmt.Fprintln(os.Stderr, "ended:", err)
		os.Exit(1)
	}
}

// stumbler is a backend that panics.
type stumbler struct {
	*tuitest.Backend
	where string
	read  chan struct{}
	runs  int
}

func (b *stumbler) Page(ctx context.Context, set, path string) (tui.Page, error) {
	if path == "guides/wicks.md" { // the first page that the app reads
		p, err := b.Backend.Page(ctx, set, path)
		select {
		case <-b.read:
		default:
			close(b.read)
		}
		return p, err
	}
	switch b.where {
	case "command":
		panic("stumbled in a command")
	case "goroutine":
		parallel.Do(64, func(mine iter.Seq[int]) {
			for i := range mine {
				if i == 63 {
					panic("stumbled in a goroutine")
				}
			}
		})
	}
	return b.Backend.Page(ctx, set, path)
}

func (b *stumbler) NewSession(req pipeline.Request) *pipeline.Session {
	if req.Explain { // not a run: the reasons of one
		return b.Backend.NewSession(req)
	}
	if b.runs++; b.runs > 1 && b.where == "batch" {
		panic("stumbled in a batch of commands")
	}
	return b.Backend.NewSession(req)
}

// checkRestored checks that the terminal has the state from before the program.
func (p *pty80) checkRestored(before *term.State) {
	p.t.Helper()
	p.drain()
	after, err := term.GetState(p.tty.Fd())
	if err != nil {
		p.t.Fatal(err)
	}
	if !reflect.DeepEqual(before, after) {
		p.t.Errorf("the terminal's settings were %+v, they are %+v", before, after)
	}
	raw := p.written()
	if !strings.Contains(raw, "\x1b[?1049h") {
		p.t.Error("the app never took the alternate screen")
	}
	if modes := changedModes(raw); len(modes) > 0 {
		p.t.Errorf("the modes %q are left on", modes)
	}
	if on, off := strings.Count(raw, "\x1b[>1u")+strings.Count(raw, "\x1b[>0u"), strings.Count(raw, "\x1b[<u")+strings.Count(raw, "\x1b[<1u"); on != off {
		p.t.Errorf("the keyboard's protocol was pushed %d times and popped %d times", on, off)
	}
}

// state returns the current settings of the terminal.
func (p *pty80) state() *term.State {
	p.t.Helper()
	s, err := term.GetState(p.tty.Fd())
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// After a panic anywhere in the program the terminal is restored, and the reason is
// printed below the previous content of the screen.
func TestTheTerminalSurvivesAPanic(t *testing.T) {
	if underRace {
		t.Skip("Bubble Tea closes its reader while that reads when it ends in a hurry, and the detector's report of that breaks the screen")
	}
	t.Parallel()
	for where, keys := range map[string]string{
		"command":   "4jjjj", // to another page
		"goroutine": "4jjjj",
		"batch":     "R",
		"update":    "/a", // typing requests a tick
		"loop":      "R",  // Bubble Tea's own handling
	} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			p, before := startProgram(t, "stumble", "", t.TempDir(), where)
			p.until("Trim the wick before each lighting")
			if reflect.DeepEqual(before, p.state()) {
				t.Error("the app does not take the terminal's settings")
			}
			p.press(keys)
			err := p.ends()
			var ee *exec.ExitError
			if !errors.As(err, &ee) || ee.ExitCode() != 1 {
				t.Errorf("it ends with %v", err)
			}
			p.checkRestored(before)
			if s := p.screen(); strings.Contains(s, "Trim") || strings.Contains(s, "╰") {
				t.Errorf("the app is still on the screen:\n%s", s)
			}
			raw := p.written()
			after := raw[max(0, strings.LastIndex(raw, "\x1b[?1049l")):]
			if !strings.Contains(after, "stumbled in") {
				t.Errorf("what happened is not told on the screen that is left, but only %q", after)
			}
			if strings.Contains(strings.ReplaceAll(after, "\r\n", ""), "\n") {
				t.Errorf("lines are broken while the terminal is raw: %q", after)
			}
		})
	}
}

// The program gets random keys and then SIGTERM. Afterwards the terminal is restored.
func TestTheTerminalSurvivesRandomKeysAndSIGTERM(t *testing.T) {
	t.Parallel()
	home := lanternHome(t)
	for seed := range uint64(3) {
		p, before := startProgram(t, "docent", "", home, "how do I trim the wick")
		p.until("› Trim the wick")
		rng := rand.New(rand.NewPCG(seed, 7))
		keys := []string{"j", "k", "\r", "\x1b", "\t", "\x1b[Z", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", " ", "x", "s", "+", "-",
			"r", "f", "c", "R", "d", "y", "Y", "J", "K", "[", "]", "1", "4", "8", "9", "?", "/", "i", "g", "G", "灯", "\x15", "\x0f", "\x1bOP",
			"\x1b[200~pasted\ntext\x1b[201~", "\x1b[<0;10;10M", "\x1b[<65;10;10M", "\x1b[I", "\x1b[O", "\x1b[?1;2c", "\x1b"}
		for i := range 400 {
			p.press(keys[rng.IntN(len(keys))])
			if i%50 == 49 {
				w, h := uint16(1+rng.IntN(120)), uint16(1+rng.IntN(40))
				p.resize(w, h)
			}
		}
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		err := p.ends()
		var ee *exec.ExitError
		if err != nil && (!errors.As(err, &ee) || ee.ExitCode() != 143) {
			t.Errorf("SIGTERM ends the program with %v:\n%s", err, p.screen())
		}
		p.checkRestored(before)
	}
}
