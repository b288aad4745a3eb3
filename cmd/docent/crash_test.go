package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"docent/pipeline/contract"
	"docent/store/sqlite"
)

// fleet is a doc set of generated pages that change at random.
type fleet struct {
	dir   string
	pages int
	rnd   *rand.Rand
	words []string // what each page says now
}

func newFleet(t *testing.T, pages int) *fleet {
	f := &fleet{dir: filepath.Join(t.TempDir(), "Fleet@1"), pages: pages, rnd: rand.New(rand.NewPCG(1, 2)), words: make([]string, pages)}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range pages {
		f.write(t, i)
	}
	return f
}

// write gives a page another text. Page 0 never changes.
func (f *fleet) write(t *testing.T, i int) {
	t.Helper()
	cargo := []string{"grain", "timber", "oranges", "whale oil", "salt", "porcelain"}
	var b bytes.Buffer
	f.words[i] = fmt.Sprintf("mark%dx%d", i, f.rnd.IntN(1<<30))
	if i == 0 {
		f.words[i] = "flagship"
	}
	fmt.Fprintf(&b, "# Ship %d\n\nIts mark is %s.\n", i, f.words[i])
	for s := range 3 + f.rnd.IntN(6) {
		fmt.Fprintf(&b, "\n## Voyage %d\n\nIt carried %s from harbour %d to harbour %d.\n\n- crew: %d\n- log: `log show --voyage %d`\n",
			s, cargo[f.rnd.IntN(len(cargo))], f.rnd.IntN(40), f.rnd.IntN(40), f.rnd.IntN(90), s)
	}
	if err := os.WriteFile(f.path(i), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (f *fleet) path(i int) string { return filepath.Join(f.dir, fmt.Sprintf("ship-%03d.md", i)) }

// change alters, deletes and makes pages.
func (f *fleet) change(t *testing.T) {
	t.Helper()
	for range 1 + f.rnd.IntN(60) {
		i := 1 + f.rnd.IntN(f.pages-1)
		if f.rnd.IntN(4) == 0 {
			if err := os.Remove(f.path(i)); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			f.words[i] = ""
			continue
		}
		f.write(t, i)
	}
}

// inHome runs the program and returns its standard output and exit code.
func inHome(t *testing.T, home string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("docent", append([]string{"--home", home}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		var ee *exec.ExitError
		if !errors.As(err, &ee) {
			t.Fatal(err)
		}
		t.Logf("docent %q: exit code %d: %s", args, ee.ExitCode(), errs.String())
		return out.String(), ee.ExitCode()
	}
	return out.String(), 0
}

// hits are the pages that a search finds, and the whole answer without times.
func hits(t *testing.T, home, query string) ([]contract.Result, any) {
	t.Helper()
	out, code := inHome(t, home, "search", "--json", "--threshold", "0", "--set", "Fleet", query)
	var answer struct{ Results []contract.Result }
	var whole any
	if err := errors.Join(json.Unmarshal([]byte(out), &answer), json.Unmarshal([]byte(out), &whole)); err != nil || code > 1 {
		t.Fatalf("search %q: exit code %d, %v: %s", query, code, err, out)
	}
	return answer.Results, withoutTimes(whole)
}

// staged returns the number of documents in the catalog that were never published.
func staged(t *testing.T, home string) (n int) {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(home, "catalog.db"), url.Values{"mode": {"ro"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), `SELECT count(*) FROM documents WHERE state = 0`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A writer that is killed at a random moment leaves a working home: the last complete
// index is searched. After the next update the home gives the same results as a
// fresh one.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	loops := 8
	if s := os.Getenv("DOCENT_CRASH_LOOPS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("DOCENT_CRASH_LOOPS: %v", err)
		}
		loops = n
	}
	f := newFleet(t, 300)
	home := filepath.Join(t.TempDir(), "home")
	if _, code := inHome(t, home, "add", f.dir); code != 0 {
		t.Fatalf("add: exit code %d", code)
	}
	// The kills are spread over the time that each kind of update takes: they hit the
	// staging of documents, the gap between the catalog's transaction and the switch of
	// the index, the folding in of vectors, and their training.
	kinds := [][]string{{"update", "Fleet"}, {"update", "--settle", "Fleet"}, {"update", "--rebuild", "Fleet"}}
	var updateTimes []time.Duration
	for _, args := range kinds {
		f.change(t)
		start := time.Now()
		if _, code := inHome(t, home, args...); code != 0 {
			t.Fatalf("%v: exit code %d", args, code)
		}
		updateTimes = append(updateTimes, time.Since(start))
	}

	killed := 0
	for loop := range loops {
		f.change(t)
		kind := loop % len(kinds)
		args := append([]string{"--home", home}, kinds[kind]...)
		// Sometimes a second writer starts in the damaged home, and is killed too.
		for range 1 + f.rnd.IntN(2) {
			cmd := exec.Command("docent", args...)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(f.rnd.Int64N(int64(updateTimes[kind]))))
			_ = cmd.Process.Kill()
			if cmd.Wait() != nil {
				killed++
			}
		}

		// It answers at once, of what was whole before or after.
		found, _ := hits(t, home, "flagship")
		if len(found) == 0 || found[0].FilePath != "ship-000.md" {
			t.Fatalf("loop %d: after the kill the flagship is not found: %v", loop, found)
		}
		all, _ := hits(t, home, "voyage harbour crew")
		for _, r := range all {
			if _, err := os.Stat(filepath.Join(f.dir, r.FilePath)); err != nil {
				t.Errorf("loop %d: after the kill a page is found that is not there: %v", loop, err)
			}
		}

		// The next update repairs the home. The folded-in vectors depend on its history
		// until they are settled.
		if out, code := inHome(t, home, "update", "--settle"); code != 0 {
			t.Fatalf("loop %d: update: exit code %d: %s", loop, code, out)
		}
		if out, code := inHome(t, home, "doctor"); code != 0 {
			t.Fatalf("loop %d: doctor: exit code %d: %s", loop, code, out)
		}
		if n := staged(t, home); n > 0 {
			t.Errorf("loop %d: %d documents of a killed update are left", loop, n)
		}
		fresh := filepath.Join(t.TempDir(), "fresh")
		if _, code := inHome(t, fresh, "add", f.dir); code != 0 {
			t.Fatalf("loop %d: add: exit code %d", loop, code)
		}
		some := f.words[1+f.rnd.IntN(f.pages-1)]
		for _, query := range []string{"voyage harbour crew", "whale oil porcelain", "flagship " + some} {
			found, got := hits(t, home, query)
			_, want := hits(t, fresh, query)
			if len(found) == 0 || !reflect.DeepEqual(got, want) {
				t.Fatalf("loop %d: %q finds\n%v\nin a fresh home\n%v", loop, query, got, want)
			}
		}
	}
	t.Logf("%d loops, %d writers killed, updates take %v", loops, killed, updateTimes)
	if killed == 0 {
		t.Error("no writer was killed in time: nothing was tried")
	}
}
