//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// followed is a line of docent watch --json.
type followed struct {
	Set                     string
	Added, Changed, Removed int
	Lag                     int64 `json:"index_lag_ms"`
}

// watching is a docent watch that goes on.
type watching struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string
}

func startWatch(t *testing.T, r runner, args ...string) *watching {
	t.Helper()
	w := &watching{t: t, cmd: r.command(t, "", args...), lines: make(chan string, 100)}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := w.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for s := bufio.NewScanner(said); s.Scan(); {
		if strings.Contains(s.Text(), "; ctrl+c ends") {
			break
		}
	}
	go func() {
		defer close(w.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			w.lines <- s.Text()
		}
	}()
	return w
}

// next is the next update.
func (w *watching) next() followed {
	w.t.Helper()
	var f followed
	select {
	case line, ok := <-w.lines:
		if err := json.Unmarshal([]byte(line), &f); !ok || err != nil {
			w.t.Fatalf("it wrote %q (%v)", line, err)
		}
	case <-time.After(limit):
		w.t.Fatal("no update was told")
	}
	return f
}

// A change is found without an update by hand: a page that is written, a thousand at
// once, a removed one, and the pages of a doc set that is added later.
func TestWatch(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"watched", "polled"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			r := runner{home: t.TempDir()}
			docs := filepath.Join(t.TempDir(), "lantern")
			page := func(name, text string) {
				t.Helper()
				path := filepath.Join(docs, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			page("wicks.md", "# Wicks\n\nTrim the wick.\n")
			r.run(t, 0, "", "add", docs)
			args := []string{"watch", "--json"}
			if way == "polled" {
				args = append(args, "--poll")
			}
			w := startWatch(t, r, args...)

			// The page may be written before the first look at the folder.
			page("oil.md", "# Oil\n\nFill in zorkmid oil.\n")
			if f := w.next(); f.Set != "lantern@latest" || f.Added != 1 {
				t.Errorf("a new page: %+v", f)
			}
			if out, _ := r.run(t, 0, "", "search", "zorkmid"); !strings.Contains(out, "oil.md") {
				t.Errorf("it is not found:\n%s", out)
			}
			for i := range 300 {
				page(filepath.Join("parts", string(rune('a'+i%20)), string(rune('a'+i/20))+".md"), "# Part\n\nText.\n")
			}
			added, lag := 0, int64(0)
			for added < 300 {
				f := w.next()
				added, lag = added+f.Added, max(lag, f.Lag)
			}
			if added != 300 || lag == 0 {
				t.Errorf("%d pages were added, the lag is %d", added, lag)
			}
			if err := os.Remove(filepath.Join(docs, "wicks.md")); err != nil {
				t.Fatal(err)
			}
			if f := w.next(); f.Removed != 1 {
				t.Errorf("a page that is gone: %+v", f)
			}
			if out, _ := r.run(t, 0, "", "sets", "--json", "--set", "lantern"); !strings.Contains(out, `"freshness":"fresh"`) || !strings.Contains(out, `"index_lag_ms":`) {
				t.Errorf("sets: %s", out)
			}

			docs = filepath.Join(t.TempDir(), "harbour")
			page("piers.md", "# Piers\n\nThere are two.\n")
			r.run(t, 0, "", "add", docs)
			for range 40 { // until the list is looked at
				page("piers.md", "# Piers\n\nThere are three"+time.Now().String()+".\n")
				select {
				case line := <-w.lines:
					if !strings.Contains(line, `"harbour@latest"`) {
						t.Errorf("another update: %s", line)
					}
				case <-time.After(500 * time.Millisecond):
					continue
				}
				break
			}
			if err := w.cmd.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			for range w.lines { // the rest
			}
			if err := w.cmd.Wait(); w.cmd.ProcessState.ExitCode() != 130 {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// While the app is open, a page that is written is in the next answer, and the app says
// what it did.
func TestAppFollowsTheFiles(t *testing.T) {
	t.Parallel()
	r := runner{home: t.TempDir()}
	docs := filepath.Join(t.TempDir(), "lantern")
	if err := os.MkdirAll(docs, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("wicks.md", "# Wicks\n\nTrim the wick.\n")
	r.run(t, 0, "", "add", docs)
	p := startPTY(t, r.home)
	p.until("lantern@latest")
	write("oil.md", "# Oil\n\nFill in zorkmid oil.\n")
	p.until("lantern@latest: 2 pages (1 added")
	p.press("zorkmid oil\r")
	p.until("  Fill in zorkmid oil.")
	p.press("\x03")
	if err := p.ends(); err != nil {
		t.Error(err)
	}
}
