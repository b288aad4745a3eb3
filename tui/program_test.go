package tui_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image/color"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/vt"

	"docent/pipeline"
	"docent/tui"
	"docent/tui/tuitest"
)

// terminal is a virtual terminal that a whole program runs in: it draws what
// the program writes, and answers its questions.
type terminal struct {
	t       *testing.T
	emu     *vt.Emulator
	mu      sync.Mutex
	changed chan struct{}
	copied  chan string
	keys    *io.PipeWriter
	done    chan error
}

// Write takes the program's output. Without a tty the program writes bare line
// feeds.
func (v *terminal) Write(p []byte) (int, error) {
	v.mu.Lock()
	_, err := v.emu.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n")))
	v.mu.Unlock()
	select {
	case v.changed <- struct{}{}:
	default:
	}
	return len(p), err
}

func start(t *testing.T, opt tui.Options, w, h int) *terminal {
	t.Helper()
	in, keys := io.Pipe()
	v := &terminal{t: t, emu: vt.NewEmulator(w, h), changed: make(chan struct{}, 1), copied: make(chan string, 4), keys: keys,
		done: make(chan error, 1)}
	v.emu.SetBackgroundColor(color.White)
	v.emu.RegisterOscHandler(52, func(data []byte) bool {
		_, text, _ := strings.Cut(strings.TrimPrefix(string(data), "52;"), ";")
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Errorf("OSC 52 carries %q: %v", data, err)
		}
		v.copied <- string(raw)
		return true
	})
	go io.Copy(keys, v.emu) // the terminal's answers
	profile := colorprofile.TrueColor
	opt.Profile, opt.Tick = &profile, nil
	opt.Program = []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(v), tea.WithWindowSize(w, h), tea.WithoutSignals(),
		tea.WithEnvironment([]string{"TERM=xterm-256color"})}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { v.done <- tui.Run(ctx, opt) }()
	t.Cleanup(func() {
		cancel()
		in.Close()
	})
	return v
}

func (v *terminal) screen() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.emu.String()
}

func (v *terminal) press(keys string) {
	v.t.Helper()
	if _, err := io.WriteString(v.keys, keys); err != nil {
		v.t.Fatal(err)
	}
}

// until waits for the screen to show something.
func (v *terminal) until(part string) string {
	v.t.Helper()
	limit := time.After(30 * time.Second)
	for {
		s := v.screen()
		if strings.Contains(s, part) {
			return s
		}
		select {
		case <-v.changed:
		case err := <-v.done:
			v.t.Fatalf("the program ended (%v) before %q was seen:\n%s", err, part, s)
		case <-limit:
			v.t.Fatalf("%q was never seen:\n%s", part, s)
		}
	}
}

// The whole program in a terminal: ask, look, copy, quit. What it copies by OSC
// 52 is the block, and the screen is the model's frame, cell by cell.
func TestProgramInATerminal(t *testing.T) {
	t.Parallel()
	opt := tuitest.Options(&tuitest.Backend{})
	opt.Dark = nil // the terminal is asked
	v := start(t, opt, 110, 30)
	v.until("3 doc sets · 118 pages")
	v.press("how do I trim a wick\r")
	v.until("│  ## Trim a wick")
	v.until("│    # cut straight") // rendered
	screen := v.screen()
	for i, line := range strings.Split(strings.TrimRight(screen, "\n"), "\n") {
		line = strings.TrimRight(line, " \r")
		if i >= 6 && i <= 26 && !strings.HasSuffix(line, "│") {
			t.Errorf("line %d has lost its frame: %q", i, line)
		}
	}
	v.mu.Lock()
	fg := v.emu.CellAt(1, 0).Style.Fg
	v.mu.Unlock()
	if r, g, b, _ := fg.RGBA(); r>>8 != 0x1e || g>>8 != 0x56 || b>>8 != 0xb3 {
		t.Errorf("the terminal is light, but the title is %v", fg)
	}
	v.press("y")
	v.until("copied the answer, 125 lines of 3 pages (terminal)")
	select {
	case got := <-v.copied:
		if want := tuitest.Result(t, &tuitest.Backend{}, pipeline.Request{Question: question}).Final; got != want {
			t.Errorf("the terminal's clipboard has\n%q\nwant\n%q", got, want)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was copied by OSC 52")
	}
	v.press("q")
	select {
	case err := <-v.done:
		if err != nil {
			t.Errorf("the program ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("q does not end the program")
	}
}

// A context that ends ends the program, and says so.
func TestProgramEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	opt := tuitest.Options(&tuitest.Backend{})
	in, _ := io.Pipe()
	opt.Program = []tea.ProgramOption{tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithWindowSize(80, 24), tea.WithoutSignals()}
	done := make(chan error, 1)
	go func() { done <- tui.Run(ctx, opt) }()
	cancel()
	select {
	case err := <-done:
		if err != context.Canceled {
			t.Errorf("Run returned %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("the program goes on")
	}
}
