//go:build unix

// Package console runs a program in a real pseudo terminal, types into it and
// sees what it draws: for pictures of the app, and for measuring it.
//
// It refuses to judge what it sees, and to know which program it runs.
//
// Terms. A step is a key's name ("enter", "ctrl+o", "shift+tab"), "see:TEXT",
// which waits until TEXT is on the screen, "resize:80x24", or else text to
// type. The screen is at rest when nothing was written for a while.
package console

import (
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

// atRest is how long nothing is written before the screen counts as still: the
// program draws a frame every 33 ms while something is under way.
const atRest = 300 * time.Millisecond

// Look is the colours of a terminal.
type Look struct{ Fg, Bg color.RGBA }

var (
	Dark  = Look{Fg: color.RGBA{0xca, 0xd3, 0xf5, 0xff}, Bg: color.RGBA{0x1e, 0x20, 0x30, 0xff}}
	Light = Look{Fg: color.RGBA{0x2b, 0x2f, 0x3f, 0xff}, Bg: color.RGBA{0xfb, 0xfb, 0xfa, 0xff}}
)

// Terminal is a virtual terminal on a program's pseudo terminal.
type Terminal struct {
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{}  // the program has ended
	news chan time.Time // when it last wrote; holds one

	mu     sync.Mutex
	emu    *vt.Emulator
	wrote  time.Time // zero before the first output
	cursor bool
}

// Start runs a program in a terminal of w by h.
func Start(ctx context.Context, bin string, args []string, w, h int, l Look) (*Terminal, error) {
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Env = Environment(os.Environ())
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		return nil, err
	}
	t := &Terminal{cmd: cmd, tty: tty, done: make(chan struct{}), news: make(chan time.Time, 1), emu: vt.NewEmulator(w, h), cursor: true}
	t.emu.SetDefaultForegroundColor(l.Fg)
	t.emu.SetDefaultBackgroundColor(l.Bg)
	t.emu.SetCallbacks(vt.Callbacks{CursorVisibility: func(on bool) { t.cursor = on }})
	go func() { _, _ = io.Copy(tty, t.emu) }() // the terminal's answers
	go t.read()
	return t, nil
}

// Environment is the caller's without what would change the picture.
func Environment(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "DOCENT_") || strings.HasPrefix(name, "SSH_") ||
			slices.Contains([]string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TMUX", "TERM_PROGRAM", "DISPLAY", "WAYLAND_DISPLAY"}, name)
	})
	return append(env, "TERM=xterm-256color", "COLORTERM=truecolor")
}

func (t *Terminal) read() {
	defer close(t.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := t.tty.Read(buf)
		if n > 0 {
			select {
			case t.news <- time.Now():
			default:
			}
			t.mu.Lock()
			_, _ = t.emu.Write(buf[:n])
			t.wrote = time.Now()
			t.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// ErrEnded says that the program has ended while something was waited for.
var ErrEnded = errors.New("the program has ended")

// Rest waits until the program has written something and then was still.
func (t *Terminal) Rest(ctx context.Context) error {
	return t.until(ctx, func() bool { return !t.wrote.IsZero() && time.Since(t.wrote) >= atRest })
}

// until waits for ok, which is called with the lock held.
func (t *Terminal) until(ctx context.Context, ok func() bool) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		t.mu.Lock()
		yes := ok()
		t.mu.Unlock()
		if yes {
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

// Type sends keys, as Keys names them, and waits for nothing.
func (t *Terminal) Type(names ...string) error {
	for _, n := range names {
		if _, err := io.WriteString(t.tty, Keys(n)); err != nil {
			return err
		}
	}
	return nil
}

// Answer is how long after a key the program wrote something.
func (t *Terminal) Answer(ctx context.Context, key string) (time.Duration, error) {
	t.mu.Lock()
	t.wrote = time.Time{}
	t.mu.Unlock()
	for { // an output that is still under way is not the answer
		select {
		case <-t.news:
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
	case at := <-t.news:
		return at.Sub(start), nil
	case <-t.done:
		return 0, ErrEnded
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// PID is the program's process.
func (t *Terminal) PID() int { return t.cmd.Process.Pid }

// seeTimeout bounds what "see:" waits for.
const seeTimeout = 30 * time.Second

// Step does one step and waits until the screen is at rest.
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
		t.wrote = time.Now()
		t.mu.Unlock()
		if err := pty.Setsize(t.tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
			return err
		}
		return t.Rest(ctx)
	}
	t.mu.Lock()
	t.wrote = time.Now() // what the key does comes after it
	t.mu.Unlock()
	if _, err := io.WriteString(t.tty, Keys(s)); err != nil {
		return err
	}
	return t.Rest(ctx)
}

// Keys is what a terminal sends for a step: a named key, or the text itself.
func Keys(s string) string {
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

// Screen is the screen now.
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

// Close asks the program to quit, and ends it when it does not.
func (t *Terminal) Close() {
	_, _ = io.WriteString(t.tty, Keys("ctrl+c"))
	select {
	case <-t.done:
	case <-time.After(5 * time.Second):
		_ = t.cmd.Process.Kill()
	}
	_ = t.cmd.Wait()
	_ = t.tty.Close()
	// The emulator's own Close would race with the copying of its answers.
	_ = t.emu.InputPipe().(io.Closer).Close()
}

// Size reads "100x30".
func Size(s string) (w, h int, err error) {
	if n, err := fmt.Sscanf(s, "%dx%d", &w, &h); err != nil || n != 2 || w < 1 || h < 1 || w > 1000 || h > 1000 {
		return 0, 0, fmt.Errorf("%q is not a size; one looks like 100x30", s)
	}
	return w, h, nil
}
