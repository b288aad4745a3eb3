package desktop

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// Pager is a program that shows a long text screen by screen.
type Pager struct {
	command []string
	env     []string // added to the environment
}

// defaultPager is used where no pager is named. With -F it ends where one screen is
// enough, with -R colours are colours, with -X the text stays when it is left: git's
// choice too.
const (
	defaultPager = "less"
	lessFlags    = "FRX"
)

// NewPager reads DOCENT_PAGER, PAGER where that is not set, or else takes less. ok is
// false where none is wanted (an empty name, cat, a terminal that cannot move its
// cursor) or the default one is not there.
func NewPager(look func(string) (string, bool)) (p Pager, ok bool) {
	if t, _ := look("TERM"); t == "dumb" {
		return Pager{}, false
	}
	named := false
	for _, name := range []string{"DOCENT_PAGER", "PAGER"} {
		var value string
		if value, named = look(name); named {
			p.command = splitCommand(value)
			break
		}
	}
	if !named {
		if _, err := exec.LookPath(defaultPager); err != nil {
			return Pager{}, false
		}
		p.command = []string{defaultPager}
	}
	if len(p.command) == 0 || len(p.command) == 1 && p.command[0] == "cat" {
		return Pager{}, false
	}
	if _, set := look("LESS"); !set {
		p.env = []string{"LESS=" + lessFlags}
	}
	return p, true
}

// ErrTerminated means that this program received SIGTERM while the pager ran.
var ErrTerminated = errors.New("terminated")

// Show runs the pager on a text until it is left. Leaving it early is not an error,
// whatever the pager's exit code is. ctrl+c is for the pager; SIGTERM ends it. started is
// false where the pager could not be run.
func (p Pager) Show(text string) (started bool, err error) {
	program, err := exec.LookPath(p.command[0])
	if err != nil {
		return false, fmt.Errorf("%s: %w", p.command[0], errors.Unwrap(err))
	}
	cmd := exec.Command(program, p.command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(text), os.Stdout, os.Stderr
	cmd.Env = append(cmd.Environ(), p.env...)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return false, fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	select {
	case <-done:
		return true, nil
	case s := <-signals:
		if cmd.Process.Signal(s) != nil { // Windows knows no other signal
			_ = cmd.Process.Kill()
		}
		<-done
		return true, ErrTerminated
	}
}
