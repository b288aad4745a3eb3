package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store/durable"
	"docent/store/lock"
)

// running is a program that was started, with its standard error so far.
type running struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	errs bytes.Buffer
}

func (r *running) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.errs.Write(b)
}

func (r *running) stderr() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.errs.String()
}

// start starts the program.
func start(t *testing.T, home string, args ...string) *running {
	t.Helper()
	r := &running{cmd: exec.Command("docent", append([]string{"--home", home}, args...)...)}
	r.cmd.Stderr = r
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// limit is the time limit of waiting for a condition, such as a text on the screen: a test of the
// app that takes two seconds took ninety among six busy processes on two cores.
// Tests never wait for time to pass.
const limit = 4 * time.Minute

// poll calls ok until it is true. It returns false after the time limit.
func poll(ok func() bool) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return false
}

// until waits for an effect of other processes.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	if !poll(ok) {
		t.Fatalf("in vain: %s", what)
	}
}

// Two processes update two doc sets at the same time: only publishing needs the
// home's lock. A third process that updates one of these doc sets waits. Readers see
// the last published state.
func TestTwoUpdatesAtOnce(t *testing.T) {
	t.Parallel()
	docs, home := t.TempDir(), homeWithManual(t)
	page := func(set string, text string) {
		dir := filepath.Join(docs, set)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range 8 { // a search gives the headings of all of them
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.md", i)), []byte("# Page "+fmt.Sprint(i)+"\n\nOf "+text+".\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	page("Whales@1", "spermaceti")
	page("Ships@1", "bowsprits")
	if _, code := inHome(t, home, "add", docs); code != 0 {
		t.Fatalf("add: exit code %d", code)
	}
	page("Whales@1", "ambergris")
	page("Ships@1", "mizzenmasts")
	found := func(words string) bool {
		out, code := inHome(t, home, "search", "--json", words)
		ships, whales := strings.Contains(out, `"doc_set":"Ships@1"`), strings.Contains(out, `"doc_set":"Whales@1"`)
		if ships != whales {
			t.Errorf("%s: in Ships %t, in Whales %t", words, ships, whales)
		}
		return code == 0 && ships
	}

	held, err := lock.Acquire(t.Context(), filepath.Join(home, "lock"), "a test", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	whales, ships := start(t, home, "update", "Whales"), []*running{start(t, home, "update", "Ships"), start(t, home, "update", "Ships")}
	waits := func(r *running, who string) bool { return strings.Contains(r.stderr(), "("+who+") to finish writing") }
	until(t, "an update of each doc set waits to publish", func() bool {
		return waits(whales, "a test") && (waits(ships[0], "a test") || waits(ships[1], "a test"))
	})
	until(t, "a third update waits for its doc set", func() bool { return waits(ships[0], "update") || waits(ships[1], "update") })
	if !found("spermaceti bowsprits") || found("ambergris mizzenmasts") {
		t.Error("while two updates are under way the answers are not those of before")
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	tooLate := false // on a busy machine the questions take longer than an update waits for the lock
	for _, r := range append(ships, whales) {
		if err := r.cmd.Wait(); r.cmd.ProcessState.ExitCode() == 3 {
			tooLate = true
		} else if err != nil {
			t.Errorf("%v: %s", err, r.stderr())
		}
	}
	if tooLate {
		if out, code := inHome(t, home, "update"); code != 0 {
			t.Errorf("update: exit code %d: %s", code, out)
		}
	}
	if found("spermaceti bowsprits") || !found("ambergris mizzenmasts") {
		t.Error("after two updates the answers are not those of the pages")
	}
	if out, code := inHome(t, home, "doctor"); code != 0 {
		t.Errorf("doctor: exit code %d: %s", code, out)
	}
}

// At every moment of an update, a reader in another process finds the old or the new
// version of each page.
func TestReadersSeeNoLess(t *testing.T) {
	t.Parallel()
	dir, home := filepath.Join(t.TempDir(), "Whales@1"), homeWithManual(t)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.md", i)), fmt.Appendf(nil, "# Page %d\n\nOf spermaceti, the first time.\n", i), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, code := inHome(t, home, "add", dir); code != 0 {
		t.Fatalf("add: exit code %d", code)
	}
	pages := func() int {
		out, err := exec.Command("docent", "--home", home, "search", "--json", "--set", "Whales", "--limit", "50", "--threshold", "0", "spermaceti").Output()
		if err != nil {
			t.Error(err)
		}
		return strings.Count(string(out), `"file_path":`)
	}
	before := pages()
	if before < 10 {
		t.Fatalf("%d pages are found before", before)
	}
	rounds := 3
	if inLongForm() {
		rounds = 6
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() {
		defer close(done)
		for round := range rounds {
			for i := range 40 {
				// The file is replaced as a whole: a partial page would not be found.
				if err := durable.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.md", i)), fmt.Appendf(nil, "# Page %d\n\nOf spermaceti, again, %d.\n", i, round)); err != nil {
					t.Error(err)
				}
			}
			out, err := exec.Command("docent", "--home", home, "update").CombinedOutput()
			if err != nil {
				t.Errorf("update: %v: %s", err, out)
			}
		}
	})
	looked := 0
	for more := true; more; looked++ {
		select {
		case <-done:
			more = false
		default:
		}
		if n := pages(); n != before {
			t.Errorf("%d pages are found, not %d", n, before)
		}
	}
	t.Logf("looked %d times", looked)
}
