// Package clipboard puts text into the machine's own clipboard and into tmux's
// buffer, by the programs that are there for it. It refuses to be a library for
// terminals: OSC 52 is the app's business.
package clipboard

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// timeout is for a clipboard program that waits for a display that is not there.
const timeout = 2 * time.Second

// tools are the clipboard programs, in the order in which they are tried.
var tools = [][]string{
	{"pbcopy"},
	{"wl-copy"},
	{"xclip", "-selection", "clipboard", "-in"},
	{"xsel", "--clipboard", "--input"},
	{"clip.exe"},
	{"clip"},
}

// ErrNone means that this machine has no clipboard program that works.
var ErrNone = errors.New("no clipboard program was found")

// Native copies by the first program that takes the text and names it.
func Native(ctx context.Context, text string) (how string, err error) {
	err = ErrNone
	for _, t := range tools {
		if _, lerr := exec.LookPath(t[0]); lerr != nil {
			continue
		}
		if rerr := run(ctx, text, t[0], t[1:]...); rerr != nil {
			err = rerr
			continue
		}
		return t[0], nil
	}
	return "", err
}

// Tmux puts the text into tmux's buffer and, with -w, into the clipboard of the
// terminal around it.
func Tmux(ctx context.Context, text string) error {
	return run(ctx, text, "tmux", "load-buffer", "-w", "-")
}

func run(ctx context.Context, text, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = strings.NewReader(text)
	cmd.WaitDelay = 100 * time.Millisecond // xclip stays behind to hand the text out
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
