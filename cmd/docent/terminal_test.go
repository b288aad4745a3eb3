//go:build unix

package main

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"docent/cmd/internal/dev/console"
)

// pty80 is a pseudo terminal of 80 columns and 24 lines with a program in it, and a
// terminal emulator that interprets the program's output.
type pty80 struct {
	t       *testing.T
	keys    *os.File // the terminal's side: keys are written, output is read
	tty     *os.File // the program's side
	cmd     *exec.Cmd
	done    chan error    // the error of the ended program
	changed chan struct{} // a signal after output; at most one
	copied  chan string   // texts copied by OSC 52

	mu  sync.Mutex
	emu *vt.Emulator
	raw bytes.Buffer // all output
}

// plainEnv returns this process's environment without the variables that change the
// app's look and its clipboard. PATH contains only the program under test.
func plainEnv(t *testing.T, home string) []string {
	t.Helper()
	bin, err := exec.LookPath("docent")
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "PAGER", "DOCENT_PAGER", "LESS", "TMUX", "TMUX_PANE", "SSH_CONNECTION", "SSH_TTY", "DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "COLORTERM", "TERM", "PATH", "DOCENT_HOME":
			continue
		}
		env = append(env, v)
	}
	return append(env, "TERM=xterm-256color", "PATH="+filepath.Dir(bin), "DOCENT_HOME="+home)
}

// startPTY runs docent in a new terminal.
func startPTY(t *testing.T, home string, args ...string) *pty80 {
	t.Helper()
	return startPTYIn(t, "", home, args...)
}

// startPTYIn is startPTY with a working folder.
func startPTYIn(t *testing.T, dir, home string, args ...string) *pty80 {
	t.Helper()
	p, _ := startProgram(t, "docent", dir, home, args...)
	return p
}

// startProgram runs one of the test's programs in a terminal of its own, in a
// folder; the terminal's settings before are given too.
func startProgram(t *testing.T, program, dir, home string, args ...string) (*pty80, *term.State) {
	t.Helper()
	keys, tty, err := pty.Open()
	if err != nil {
		t.Skipf("there are no pseudo terminals here: %v", err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	p := &pty80{t: t, keys: keys, tty: tty, emu: vt.NewEmulator(80, 24), done: make(chan error, 1), changed: make(chan struct{}, 1), copied: make(chan string, 8)}
	p.emu.RegisterOscHandler(52, func(data []byte) bool {
		_, text, _ := strings.Cut(strings.TrimPrefix(string(data), "52;"), ";")
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Errorf("OSC 52 carries %q: %v", data, err)
		}
		p.copied <- string(raw)
		return true
	})
	before, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(program, args...)
	p.cmd.Env, p.cmd.Dir = plainEnv(t, home), dir
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = tty, tty, tty
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(keys, p.emu) }() // the emulator's replies to queries
	go p.draw()
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = tty.Close()
		_ = keys.Close()
		_ = p.emu.InputPipe().(io.Closer).Close()
	})
	return p, before
}

// draw feeds the program's output to the emulator until the terminal is closed.
func (p *pty80) draw() {
	buf := make([]byte, 32<<10)
	for {
		n, err := p.keys.Read(buf)
		p.mu.Lock()
		p.raw.Write(buf[:n])
		console.Feed(p.emu, buf[:n])
		p.mu.Unlock()
		select {
		case p.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// screen is the text on the screen.
func (p *pty80) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.emu.String()
}

// written is all output of the program, with its control sequences.
func (p *pty80) written() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.raw.String()
}

// quiet is how long nothing may be written for a drawing to be whole, patience how long
// that is waited for on a screen that moves by itself.
const (
	quiet    = 40 * time.Millisecond
	patience = time.Second
)

// glimpse waits until a text is on the screen, if only for a moment.
func (p *pty80) glimpse(part string) {
	p.t.Helper()
	p.see(false, part)
}

// until waits until a text is on the screen and the drawing that brought it is whole: a
// frame may come in several reads, and the screen between two of them is partly the
// earlier frame.
func (p *pty80) until(part string) {
	p.t.Helper()
	p.see(true, part)
}

// untilOne is until for the first of several texts that comes.
func (p *pty80) untilOne(parts ...string) {
	p.t.Helper()
	p.see(true, parts...)
}

func (p *pty80) see(whole bool, parts ...string) {
	p.t.Helper()
	shown := func() bool {
		s := p.screen()
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
	}
	end := time.After(limit)
	for {
		if shown() {
			if !whole {
				return
			}
			if p.settle(); shown() {
				return
			}
			continue
		}
		select {
		case <-p.changed:
		case err := <-p.done:
			p.done <- err // for ends
			p.drain()
			if !shown() {
				p.t.Fatalf("the program ended (%v) before %q was seen:\n%s", err, parts, p.screen())
			}
			return
		case <-end:
			p.t.Fatalf("%q was never seen:\n%s", parts, p.screen())
		}
	}
}

// settle waits until the program writes nothing for a moment.
func (p *pty80) settle() {
	end := time.After(patience)
	for {
		select {
		case <-p.changed:
		case <-time.After(quiet):
			return
		case <-end:
			return
		}
	}
}

// resize changes the size of the terminal and notifies the program.
func (p *pty80) resize(w, h uint16) {
	p.t.Helper()
	p.mu.Lock()
	p.emu.Resize(int(w), int(h))
	p.mu.Unlock()
	if err := pty.Setsize(p.keys, &pty.Winsize{Cols: w, Rows: h}); err != nil {
		p.t.Fatal(err)
	}
}

// press sends keys.
func (p *pty80) press(keys string) {
	p.t.Helper()
	if _, err := io.WriteString(p.keys, keys); err != nil {
		p.t.Fatal(err)
	}
}

// ends waits for the end of the program and returns its error.
func (p *pty80) ends() error {
	p.t.Helper()
	select {
	case err := <-p.done:
		return err
	case <-time.After(limit):
		p.t.Fatalf("the program does not end:\n%s", p.screen())
		return nil
	}
}

// lanternHome makes a home with a small doc set.
func lanternHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	docs := filepath.Join(dir, "Lantern@2.1", "Wicks")
	if err := os.MkdirAll(docs, 0o700); err != nil {
		t.Fatal(err)
	}
	page := "# Wicks\n\n> **Source**: https://lantern.example/wicks\n\n## Trim the wick\n\n1. Let the lantern cool.\n2. Cut the wick level.\n\n## 更换灯芯\n\n旧灯芯太短的时候就要更换。\n"
	if err := os.WriteFile(filepath.Join(docs, "docContent.md"), []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	copyHome(t, home, preparedHome(t))
	if out, code := inHome(t, home, "add", filepath.Join(dir, "Lantern@2.1")); code != 0 {
		t.Fatalf("add: exit code %d: %s", code, out)
	}
	return home
}

var privateMode = regexp.MustCompile("\x1b\\[\\?([0-9;]+)([hl])")

// changedModes returns the terminal's private modes that are not at their defaults
// after the output raw. By default the cursor (25) and line wrapping (7) are on, and
// all others are off.
func changedModes(raw string) []string {
	defaults := map[string]bool{"25": true, "7": true}
	on := maps.Clone(defaults)
	for _, m := range privateMode.FindAllStringSubmatch(raw, -1) {
		for mode := range strings.SplitSeq(m[1], ";") {
			on[mode] = m[2] == "h"
		}
	}
	var changed []string
	for mode, is := range on {
		if is != defaults[mode] {
			changed = append(changed, mode)
		}
	}
	return changed
}

// The program in a pseudo terminal, from the first frame to the last: ask, read,
// copy, quit. Afterwards the terminal is restored.
func TestAppInAPseudoTerminal(t *testing.T) {
	t.Parallel()
	home := lanternHome(t)
	block, code := inHome(t, home, "ask", "--sections", "how do I trim the wick") // as the app begins
	if code != 0 {
		t.Fatalf("ask: exit code %d", code)
	}

	p, before := startProgram(t, "docent", "", home)
	p.until("1 doc set")
	p.press("how do I trim the wick\r")
	p.until("› Trim the wick")
	p.until("Cut the wick level.")
	p.press("y")
	p.until("copied ")
	select {
	case got := <-p.copied:
		if strings.TrimRight(got, "\n") != strings.TrimRight(block, "\n") {
			t.Errorf("OSC 52 carries\n%q\nask prints\n%q", got, block)
		}
	case <-time.After(limit):
		t.Fatal("nothing was copied by OSC 52")
	}
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Errorf("ctrl+c ends the program with %v", err)
	}
	p.checkRestored(before)
	if s := p.screen(); strings.Contains(s, "Trim") {
		t.Errorf("the app is still on the screen:\n%s", s)
	}
}

// drain waits until all output of an ended program has been read: it writes a mark
// into the terminal and waits for it. Only replies of the terminal to the program's
// last queries may follow the mark.
func (p *pty80) drain() {
	p.t.Helper()
	const mark = "\r\n$ (quiet)"
	if _, err := p.tty.WriteString(mark); err != nil {
		p.t.Fatal(err)
	}
	end := time.After(limit)
	for {
		raw := p.written()
		if strings.Contains(raw, mark) {
			return
		}
		select {
		case <-p.changed:
		case <-end:
			p.t.Fatalf("the terminal does not come to rest; it ends with %q", raw[max(0, len(raw)-300):])
		}
	}
}

// A question on the command line is asked at once. A signal ends the app like ctrl+c
// and the terminal is restored.
func TestAppEndsBySignal(t *testing.T) {
	t.Parallel()
	p := startPTY(t, lanternHome(t), "how do I trim the wick")
	p.until("› Trim the wick")
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err := p.ends()
	var ee *exec.ExitError
	if errors.As(err, &ee) && ee.ExitCode() != 130 || err != nil && !errors.As(err, &ee) {
		t.Errorf("an interrupt ends the program with %v", err)
	}
	p.drain()
	if modes := changedModes(p.written()); len(modes) > 0 {
		t.Errorf("the modes %q are left on", modes)
	}
}

// No escape sequence of a page reaches the terminal, neither from the rendering of
// `docent read` nor from the coloured output of the other commands.
func TestTextOnATerminalIsClean(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "docs"), 0o700); err != nil {
		t.Fatal(err)
	}
	// As it is, and written as character references, which a renderer takes back; twice
	// too. Links lead to the web alone.
	evil := "\x1b]52;c;ZXZpbA==\x07\x1b]0;owned\x07\x1b[2J\u009b31m&#27;]52;c;x&#7;&#x1b;[2J&amp;#27;]0;y&amp;#7;&#x202e;\U000e0041\u2028\u061c&#x61c;"
	links := "[a](javascript:alert(1)) [b](file:///etc/passwd) [c](ssh://host) <javascript:alert(2)>"
	if err := os.WriteFile(filepath.Join(dir, "docs", "page.md"), []byte("# Wicks"+evil+"\n\nCut"+evil+" it level. `"+evil+"` "+links+"\n\n| "+evil+" |\n| - |\n| x |\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(dir, "home")
	if _, code := inHome(t, home, "add", filepath.Join(dir, "docs"), "--name", "docs"); code != 0 {
		t.Fatal("add failed")
	}
	for _, args := range [][]string{{"ask", "wicks"}, {"search", "wicks"}, {"search", "--explain", "wicks"}, {"read", "docs/page"}, {"--no-color", "read", "docs/page"},
		{"read", "docs/page", "--toc"}, {"sets"}, {"read", "docs/page", "--section", "Wick"}} {
		p := startPTY(t, home, args...)
		_ = p.ends()
		p.drain()
		raw := p.written()
		if !strings.Contains(raw, "ick") && args[0] != "sets" {
			t.Errorf("docent %q prints %q", args, raw)
		}
		for _, bad := range []string{"\x1b]52", "\x1b]0;", "\x1b[2J", "\u009b", "52;c;x\x07", "\x1b]8;id=", ";javascript:", ";file:", ";ssh:",
			"\u202e", "\U000e0041", "\u2028", "\u061c"} {
			if strings.Contains(raw, bad) {
				t.Errorf("docent %q lets %q through to the terminal: %q", args, bad, raw)
			}
		}
	}
}

// In tmux the block arrives in tmux's buffer for every setting of set-clipboard: by
// OSC 52 if tmux accepts that, and else by load-buffer. By default tmux drops OSC 52
// silently.
func TestCopyInTmux(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("there is no tmux: the copy over tmux was not tried")
	}
	home := lanternHome(t)
	block, code := inHome(t, home, "ask", "--sections", "how do I trim the wick") // as the app begins
	if code != 0 {
		t.Fatalf("ask: exit code %d", code)
	}
	for _, tt := range []struct {
		name, setting string
		found         bool   // the program finds tmux on its path
		says          string // in the status line
	}{
		{"OSC 52", "on", false, "tmux may not have copied the answer"},
		{"load-buffer", "off", true, "(terminal, tmux"},
		{"the default", "external", true, "(terminal, tmux"},
		{"both", "on", true, "(terminal, tmux"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := startTmux(t, tmux, home, tt.found)
			m.run("set-option", "-s", "set-clipboard", tt.setting)
			m.run("respawn-window", "-k", "docent")
			m.until("1 doc set")
			m.run("send-keys", "-l", "how do I trim the wick")
			m.run("send-keys", "Enter")
			m.until("› Trim the wick")
			if got, err := m.try("show-buffer"); err == nil {
				t.Fatalf("tmux's buffer has %q before the copy", got)
			}
			m.run("send-keys", "y")
			screen := m.until(tt.says)
			if !tt.found && !strings.Contains(screen, "! tmux may not") {
				t.Errorf("that tmux was not found is not said:\n%s", screen)
			}
			// The status line may be drawn before tmux has handled OSC 52.
			m.untilOK("save-buffer", "-")
			if got := m.run("save-buffer", "-"); strings.TrimRight(got, "\n") != strings.TrimRight(block, "\n") {
				t.Errorf("tmux's buffer has\n%q\nask prints\n%q", got, block)
			}
			m.run("send-keys", "q")
			m.untilDead()
		})
	}
}

// GNU screen drops OSC 52, but passes on wrapped sequences. The complete block
// arrives at the outer terminal.
func TestCopyInScreen(t *testing.T) {
	t.Parallel()
	screen, err := exec.LookPath("screen")
	if err != nil {
		t.Skip("there is no GNU screen: the copy through it was not tried")
	}
	env, err := exec.LookPath("env")
	if err != nil {
		t.Skip("there is no env")
	}
	home := lanternHome(t)
	block, code := inHome(t, home, "ask", "--sections", "how do I trim the wick") // as the app begins
	if code != 0 {
		t.Fatalf("ask: exit code %d", code)
	}
	sockets, err := os.MkdirTemp("", "docent") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(sockets) })
	p, _ := startProgram(t, env, "", home, "SCREENDIR="+sockets, "LC_ALL=C.UTF-8", screen, "-c", os.DevNull, "-U", "docent")
	p.until("1 doc set")
	p.press("how do I trim the wick\r")
	p.until("› Trim the wick")
	p.press("y")
	p.until("(terminal")
	select {
	case got := <-p.copied:
		if strings.TrimRight(got, "\n") != strings.TrimRight(block, "\n") {
			t.Errorf("the terminal got\n%q\nask prints\n%q", got, block)
		}
	case <-time.After(limit):
		t.Error("nothing arrived at the terminal")
	}
	p.press("q")
	_ = p.ends()
}

// tmuxServer is a tmux server of a test.
type tmuxServer struct {
	t           *testing.T
	bin, socket string
	env         []string
}

// startTmux starts a server with one window. found puts tmux on the window's PATH.
func startTmux(t *testing.T, bin, home string, found bool) *tmuxServer {
	t.Helper()
	folder, err := os.MkdirTemp("", "docent") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	m := &tmuxServer{t: t, bin: bin, socket: filepath.Join(folder, "tmux"), env: plainEnv(t, home)}
	if found {
		for i, v := range m.env {
			if path, ok := strings.CutPrefix(v, "PATH="); ok {
				m.env[i] = "PATH=" + path + string(filepath.ListSeparator) + filepath.Dir(bin)
			}
		}
	}
	t.Cleanup(func() {
		_, _ = m.try("kill-server")
		_ = os.RemoveAll(folder)
	})
	// The first window only keeps the server running.
	if out, err := m.try("-u", "new-session", "-d", "-x", "80", "-y", "24", "exec /bin/cat"); err != nil {
		t.Skipf("tmux does not start: %v: %s", err, out)
	}
	m.run("set-option", "-g", "remain-on-exit", "on")
	return m
}

// try runs a tmux command.
func (m *tmuxServer) try(args ...string) (string, error) {
	cmd := exec.Command(m.bin, append([]string{"-S", m.socket, "-f", os.DevNull}, args...)...)
	cmd.Env = m.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run is try, and requires success.
func (m *tmuxServer) run(args ...string) string {
	m.t.Helper()
	out, err := m.try(args...)
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return out
}

// until waits until a text is in the window, and returns the window's text.
func (m *tmuxServer) until(part string) string {
	m.t.Helper()
	var screen string
	if !poll(func() bool { screen = m.run("capture-pane", "-p"); return strings.Contains(screen, part) }) {
		m.t.Fatalf("%q was never seen:\n%s", part, screen)
	}
	return screen
}

// untilDead waits for the window's program to end. It does not wait for tmux's
// message about that: tmux sometimes does not write it.
func (m *tmuxServer) untilDead() {
	m.t.Helper()
	if !poll(func() bool { return strings.TrimSpace(m.run("list-panes", "-F", "#{pane_dead}")) == "1" }) {
		m.t.Fatalf("the program does not end:\n%s", m.run("capture-pane", "-p"))
	}
}

// untilOK waits for a command of tmux to succeed.
func (m *tmuxServer) untilOK(args ...string) {
	m.t.Helper()
	var out string
	var err error
	if !poll(func() bool { out, err = m.try(args...); return err == nil }) {
		m.t.Fatalf("tmux %q never succeeds: %s", args, out)
	}
}
