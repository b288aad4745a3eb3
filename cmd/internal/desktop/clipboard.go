package desktop

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// clipboardTime bounds a clipboard program that waits for a missing display.
const clipboardTime = 2 * time.Second

// clipboards are the clipboard programs, in the order in which they are tried.
var clipboards = [][]string{
	{"pbcopy"},
	{"wl-copy"},
	{"xclip", "-selection", "clipboard", "-in"},
	{"xsel", "--clipboard", "--input"},
	{"clip.exe"},
	{"clip"},
}

// ErrNoClipboard means that this machine has no clipboard program that works.
var ErrNoClipboard = errors.New("no clipboard program was found")

// Copy copies by the first program that takes the text and names it.
func Copy(ctx context.Context, text string) (how string, err error) {
	err = ErrNoClipboard
	for _, t := range clipboards {
		if _, lerr := exec.LookPath(t[0]); lerr != nil {
			continue
		}
		if rerr := pipeToProgram(ctx, text, t[0], t[1:]...); rerr != nil {
			err = rerr
			continue
		}
		return t[0], nil
	}
	return "", err
}

// CopyInTmux puts the text into tmux's buffer and, with -w, into the clipboard of the
// terminal around it.
func CopyInTmux(ctx context.Context, text string) error {
	return pipeToProgram(ctx, text, "tmux", "load-buffer", "-w", "-")
}

func pipeToProgram(ctx context.Context, text, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, clipboardTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = strings.NewReader(text)
	cmd.WaitDelay = 100 * time.Millisecond // xclip stays behind to hand the text out
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
