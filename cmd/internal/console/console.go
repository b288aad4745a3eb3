//go:build unix

package main

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

// look is the colours of a terminal.
type look struct{ fg, bg color.RGBA }

var (
	darkTerminal  = look{fg: color.RGBA{0xca, 0xd3, 0xf5, 0xff}, bg: color.RGBA{0x1e, 0x20, 0x30, 0xff}}
	lightTerminal = look{fg: color.RGBA{0x2b, 0x2f, 0x3f, 0xff}, bg: color.RGBA{0xfb, 0xfb, 0xfa, 0xff}}
)

// terminal is a virtual terminal on a program's pseudo terminal.
type terminal struct {
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{} // the program has ended

	mu     sync.Mutex
	emu    *vt.Emulator
	wrote  time.Time // zero before the first output
	cursor bool
}

func start(ctx context.Context, bin string, args []string, w, h int, l look) (*terminal, error) {
	cmd := exec.CommandContext(ctx, bin, args...)
	cmd.Env = environment(os.Environ())
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)})
	if err != nil {
		return nil, err
	}
	t := &terminal{cmd: cmd, tty: tty, done: make(chan struct{}), emu: vt.NewEmulator(w, h), cursor: true}
	t.emu.SetDefaultForegroundColor(l.fg)
	t.emu.SetDefaultBackgroundColor(l.bg)
	t.emu.SetCallbacks(vt.Callbacks{CursorVisibility: func(on bool) { t.cursor = on }})
	go func() { _, _ = io.Copy(tty, t.emu) }() // the terminal's answers
	go t.read()
	return t, nil
}

// environment is the caller's without what would change the picture.
func environment(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "DOCENT_") || strings.HasPrefix(name, "SSH_") ||
			slices.Contains([]string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TMUX", "TERM_PROGRAM", "DISPLAY", "WAYLAND_DISPLAY"}, name)
	})
	return append(env, "TERM=xterm-256color", "COLORTERM=truecolor")
}

func (t *terminal) read() {
	defer close(t.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := t.tty.Read(buf)
		if n > 0 {
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

var errEnded = errors.New("the program has ended")

// rest waits until the program has written something and then was still.
func (t *terminal) rest(ctx context.Context) error {
	return t.until(ctx, func() bool { return !t.wrote.IsZero() && time.Since(t.wrote) >= atRest })
}

// until waits for ok, which is called with the lock held.
func (t *terminal) until(ctx context.Context, ok func() bool) error {
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
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// seeTimeout bounds what "see:" waits for.
const seeTimeout = 30 * time.Second

func (t *terminal) step(ctx context.Context, s string) error {
	if want, ok := strings.CutPrefix(s, "see:"); ok {
		ctx, cancel := context.WithTimeout(ctx, seeTimeout)
		defer cancel()
		if err := t.until(ctx, func() bool { return strings.Contains(t.emu.String(), want) }); err != nil {
			return fmt.Errorf("%q was not seen: %w", want, err)
		}
		return t.rest(ctx)
	}
	if to, ok := strings.CutPrefix(s, "resize:"); ok {
		w, h, err := size(to)
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
		return t.rest(ctx)
	}
	t.mu.Lock()
	t.wrote = time.Now() // what the key does comes after it
	t.mu.Unlock()
	if _, err := io.WriteString(t.tty, keys(s)); err != nil {
		return err
	}
	return t.rest(ctx)
}

// keys is what a terminal sends for a step: a named key, or the text itself.
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

// text is the screen as text.
func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(t.emu.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n")
}

// grid is a screen at one moment.
type grid struct {
	w, h   int
	cells  []uv.Cell // line by line
	cursor [2]int    // column, line; -1 when hidden
}

func (t *terminal) screen() grid {
	t.mu.Lock()
	defer t.mu.Unlock()
	g := grid{w: t.emu.Width(), h: t.emu.Height(), cursor: [2]int{-1, -1}}
	g.cells = make([]uv.Cell, g.w*g.h)
	for y := range g.h {
		for x := range g.w {
			if c := t.emu.CellAt(x, y); c != nil {
				g.cells[y*g.w+x] = *c
			}
		}
	}
	if t.cursor {
		p := t.emu.CursorPosition()
		g.cursor = [2]int{p.X, p.Y}
	}
	return g
}

// close asks the program to quit, and ends it when it does not.
func (t *terminal) close() {
	_, _ = io.WriteString(t.tty, keys("ctrl+c"))
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
