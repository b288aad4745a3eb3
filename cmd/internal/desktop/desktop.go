// Package desktop reaches the user's desktop from the terminal: the clipboard and tmux's
// buffer, an editor at a line of a file, a browser on a URL, a pager.
//
// It refuses to use a shell, to choose an editor that is not configured, and to open a
// URL that is not http or https: a path and a URL come from documents and are data. OSC
// 52, the terminal's own way to the clipboard, is not its business.
package desktop

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Editor is an editor's program and its arguments.
type Editor struct{ command []string }

// NewEditor reads VISUAL, and EDITOR where that is empty; ok is false when
// neither names a program.
func NewEditor(env func(string) string) (e Editor, ok bool) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := splitCommand(env(name)); len(words) > 0 {
			return Editor{words}, true
		}
	}
	return Editor{}, false
}

// splitCommand takes a command apart at spaces; quotes keep a part together.
func splitCommand(s string) []string {
	var out []string
	var word strings.Builder
	quote, in := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, in = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if in {
				out = append(out, word.String())
				word.Reset()
				in = false
			}
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if in {
		out = append(out, word.String())
	}
	return out
}

// Command is the command that opens a file at a line, from 1. The editor is not ended
// with ctx: the user's changes would be lost.
func (e Editor) Command(path string, line int) (*exec.Cmd, error) {
	program, err := exec.LookPath(e.command[0])
	if err != nil {
		return nil, fmt.Errorf("%s, which VISUAL or EDITOR names: %w", e.command[0], errors.Unwrap(err))
	}
	return exec.Command(program, e.lineArguments(path, line)...), nil
}

// lineArguments are the arguments: editors name a line in four ways. One that is not
// known gets the file alone.
func (e Editor) lineArguments(path string, line int) []string {
	args := append([]string(nil), e.command[1:]...)
	n := strconv.Itoa(max(1, line))
	name := strings.ToLower(filepath.Base(e.command[0]))
	switch strings.TrimSuffix(strings.TrimSuffix(name, ".exe"), ".cmd") {
	case "vi", "vim", "nvim", "gvim", "mvim", "view", "nano", "pico", "emacs", "emacsclient", "mg", "jed", "joe", "ne", "micro", "kak",
		"gedit", "vis", "ex":
		return append(args, "+"+n, path)
	case "hx", "helix", "subl", "sublime_text", "zed", "zeditor":
		return append(args, path+":"+n)
	case "code", "code-insiders", "codium", "vscodium", "cursor", "windsurf":
		return append(args, "--goto", path+":"+n)
	case "kate", "mate", "idea", "goland":
		return append(args, "--line", n, path)
	}
	return append(args, path)
}

// Browser is the program that opens a URL in a browser.
type Browser struct{ command []string }

// NewBrowser finds the program of an operating system (as runtime.GOOS names it); ok is
// false without one. Without a display it finds none: a text browser would open in this
// terminal, over the app.
func NewBrowser(goos string, env func(string) string) (b Browser, ok bool) {
	var commands [][]string
	switch goos {
	case "darwin":
		commands = [][]string{{"open"}}
	case "windows":
		commands = [][]string{{"rundll32", "url.dll,FileProtocolHandler"}}
	default:
		commands = [][]string{{"wslview"}}
		if env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "" {
			commands = append(commands, []string{"xdg-open"})
		}
	}
	for _, c := range commands {
		if program, err := exec.LookPath(c[0]); err == nil {
			return Browser{append([]string{program}, c[1:]...)}, true
		}
	}
	return Browser{}, false
}

// failTime is how long the program may take to fail. Some run until the browser is
// closed.
const failTime = 2 * time.Second

// Open opens a URL.
func (b Browser) Open(ctx context.Context, target string) error {
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is no http or https URL", target)
	}
	cmd := exec.Command(b.command[0], append(b.command[1:len(b.command):len(b.command)], u.String())...)
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }() // it ends with the program
	select {
	case err := <-done:
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(b.command[0]), err)
		}
	case <-time.After(failTime):
	case <-ctx.Done():
	}
	return nil
}
