//go:build unix

// Package console runs a program in a pseudo terminal, sends keys to it and reads
// its screen. The commands that take screenshots and measure the app use it.
//
// It refuses to judge what it sees, and to know which program it runs.
//
// Terms: a step is the name of a key ("enter", "ctrl+o", "shift+tab"), "see:TEXT",
// which waits until TEXT is on the screen, "resize:80x24", or any other text, which
// is typed. The screen is at rest after a time without output.
package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// restTime is the time without output after which the screen is at rest. While it
// works, the program draws a frame every 33 ms.
const restTime = 300 * time.Millisecond

// Look is the default colours of a terminal.
type Look struct{ Fg, Bg color.RGBA }

// Dark and Light are a dark and a light terminal.
var (
	Dark  = Look{Fg: color.RGBA{0xca, 0xd3, 0xf5, 0xff}, Bg: color.RGBA{0x1e, 0x20, 0x30, 0xff}}
	Light = Look{Fg: color.RGBA{0x2b, 0x2f, 0x3f, 0xff}, Bg: color.RGBA{0xfb, 0xfb, 0xfa, 0xff}}
)

// Terminal is a terminal emulator with a program in its pseudo terminal.
type Terminal struct {
	cmd    *exec.Cmd
	tty    *os.File
	done   chan struct{}  // closed when the program has ended
	output chan time.Time // the time of an output that has not been received yet; at most one

	mu         sync.Mutex
	emu        *vt.Emulator
	lastOutput time.Time // zero before the first output
	cursor     bool
}

// Start runs a program in a terminal with w columns and h lines.
func Start(ctx context.Context, bin string, args []string, w, h int, l Look) (*Terminal, error) {
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Env = environment(os.Environ())
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		return nil, err
	}
	t := &Terminal{cmd: cmd, tty: tty, done: make(chan struct{}), output: make(chan time.Time, 1), emu: vt.NewEmulator(w, h), cursor: true}
	t.emu.SetDefaultForegroundColor(l.Fg)
	t.emu.SetDefaultBackgroundColor(l.Bg)
	t.emu.SetCallbacks(vt.Callbacks{CursorVisibility: func(on bool) { t.cursor = on }})
	go func() { _, _ = io.Copy(tty, t.emu) }() // the emulator's replies to queries
	go t.read()
	return t, nil
}

// environment returns the caller's environment without the variables that change
// the program's output.
func environment(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "DOCENT_") || strings.HasPrefix(name, "SSH_") ||
			slices.Contains([]string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TMUX", "TERM_PROGRAM", "DISPLAY", "WAYLAND_DISPLAY"}, name)
	})
	return append(env, "TERM=xterm-256color", "COLORTERM=truecolor")
}

// read feeds the program's output to the emulator until the program ends.
func (t *Terminal) read() {
	defer close(t.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := t.tty.Read(buf)
		if n > 0 {
			select {
			case t.output <- time.Now():
			default:
			}
			t.mu.Lock()
			Feed(t.emu, buf[:n])
			t.lastOutput = time.Now()
			t.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// Feed gives a program's output to an emulator, a control sequence at a time. The emulator panics when a
// program scrolls in a region that is larger than the screen, as it is for a moment after a resize while
// the program still draws for the size before; only that sequence is lost, and the program draws all anew.
func Feed(emu *vt.Emulator, output []byte) {
	for len(output) > 0 {
		n := bytes.IndexByte(output[1:], '\x1b') + 1
		if n == 0 {
			n = len(output)
		}
		feedSequence(emu, output[:n])
		output = output[n:]
	}
}

func feedSequence(emu *vt.Emulator, b []byte) {
	defer func() { _ = recover() }()
	_, _ = emu.Write(b)
}

// ErrEnded is the error of waiting for a program that has ended.
var ErrEnded = errors.New("the program has ended")

// Rest waits until there was output and the screen is at rest.
func (t *Terminal) Rest(ctx context.Context) error {
	return t.until(ctx, func() bool { return !t.lastOutput.IsZero() && time.Since(t.lastOutput) >= restTime })
}

// until waits until ok is true. It calls ok with the lock held.
func (t *Terminal) until(ctx context.Context, ok func() bool) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		t.mu.Lock()
		satisfied := ok()
		t.mu.Unlock()
		if satisfied {
			return nil
		}
		select {
		case <-tick.C:
		case <-t.done:
			return ErrEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Wait waits until the screen's text satisfies ok.
func (t *Terminal) Wait(ctx context.Context, ok func(text string) bool) error {
	return t.until(ctx, func() bool { return ok(t.emu.String()) })
}

// Type sends keys, named as in Keys, and does not wait.
func (t *Terminal) Type(names ...string) error {
	for _, n := range names {
		if _, err := io.WriteString(t.tty, keys(n)); err != nil {
			return err
		}
	}
	return nil
}

// Answer measures the time from a key to the next output of the program.
func (t *Terminal) Answer(ctx context.Context, key string) (time.Duration, error) {
	t.mu.Lock()
	t.lastOutput = time.Time{}
	t.mu.Unlock()
	for { // discard the output before the key
		select {
		case <-t.output:
			continue
		default:
		}
		break
	}
	start := time.Now()
	if err := t.Type(key); err != nil {
		return 0, err
	}
	select {
	case at := <-t.output:
		return at.Sub(start), nil
	case <-t.done:
		return 0, ErrEnded
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// PID is the id of the program's process.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// seeTimeout is the time limit of the step "see:".
const seeTimeout = 30 * time.Second

// Step performs one step and waits until the screen is at rest.
func (t *Terminal) Step(ctx context.Context, s string) error {
	if want, ok := strings.CutPrefix(s, "see:"); ok {
		ctx, cancel := context.WithTimeout(ctx, seeTimeout)
		defer cancel()
		if err := t.until(ctx, func() bool { return strings.Contains(t.emu.String(), want) }); err != nil {
			return fmt.Errorf("%q was not seen: %w", want, err)
		}
		return t.Rest(ctx)
	}
	if to, ok := strings.CutPrefix(s, "resize:"); ok {
		w, h, err := Size(to)
		if err != nil {
			return err
		}
		t.mu.Lock()
		t.emu.Resize(w, h)
		t.lastOutput = time.Now()
		t.mu.Unlock()
		if err := pty.Setsize(t.tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
			return err
		}
		return t.Rest(ctx)
	}
	t.mu.Lock()
	t.lastOutput = time.Now() // so that Rest waits for the effect of the key
	t.mu.Unlock()
	if _, err := io.WriteString(t.tty, keys(s)); err != nil {
		return err
	}
	return t.Rest(ctx)
}

// keys returns the bytes that a terminal sends for a named key, or the text itself.
func keys(s string) string {
	switch s {
	case "enter":
		return "\r"
	case "tab":
		return "\t"
	case "shift+tab":
		return "\x1b[Z"
	case "esc":
		return "\x1b"
	case "space":
		return " "
	case "backspace":
		return "\x7f"
	case "up":
		return "\x1b[A"
	case "down":
		return "\x1b[B"
	case "right":
		return "\x1b[C"
	case "left":
		return "\x1b[D"
	case "home":
		return "\x1b[H"
	case "end":
		return "\x1b[F"
	case "pgup":
		return "\x1b[5~"
	case "pgdown":
		return "\x1b[6~"
	case "delete":
		return "\x1b[3~"
	case "f1":
		return "\x1bOP"
	}
	if c, ok := strings.CutPrefix(s, "ctrl+"); ok && len(c) == 1 && c[0] >= 'a' && c[0] <= 'z' {
		return string(rune(c[0] - 'a' + 1))
	}
	return s
}

// Text is the screen as text.
func (t *Terminal) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(t.emu.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n")
}

// Grid is a screen at one moment.
type Grid struct {
	W, H   int
	Cells  []uv.Cell // line by line
	Cursor [2]int    // column, line; -1 when hidden
}

// Screen returns a copy of the screen.
func (t *Terminal) Screen() Grid {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := Grid{W: t.emu.Width(), H: t.emu.Height(), Cursor: [2]int{-1, -1}}
	g.Cells = make([]uv.Cell, g.W*g.H)
	for y := range g.H {
		for x := range g.W {
			if c := t.emu.CellAt(x, y); c != nil {
				g.Cells[y*g.W+x] = *c
			}
		}
	}
	if t.cursor {
		p := t.emu.CursorPosition()
		g.Cursor = [2]int{p.X, p.Y}
	}
	return g
}

// Close presses ctrl+c, and kills the program if it does not end within 5 s.
func (t *Terminal) Close() {
	_, _ = io.WriteString(t.tty, keys("ctrl+c"))
	select {
	case <-t.done:
	case <-time.After(5 * time.Second):
		_ = t.cmd.Process.Kill()
	}
	_ = t.cmd.Wait()
	_ = t.tty.Close()
	// The emulator's Close would race with the goroutine that copies its replies.
	_ = t.emu.InputPipe().(io.Closer).Close()
}

// Size parses a terminal size such as "100x30".
func Size(s string) (w, h int, err error) {
	if n, err := fmt.Sscanf(s, "%dx%d", &w, &h); err != nil || n != 2 || w < 1 || h < 1 || w > 1000 || h > 1000 {
		return 0, 0, fmt.Errorf("%q is not a size; one looks like 100x30", s)
	}
	return w, h, nil
}
