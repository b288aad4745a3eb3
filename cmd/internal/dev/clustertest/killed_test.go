package clustertest

import (
	"bufio"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"docent/cmd/internal/dev/campaign/fleet"
)

// filesOfRound is how many files are handed in before each kill of a worker.
const filesOfRound = 4

// testKilledWorkers kills workers in the middle of their jobs: when they have said that they began one,
// or at a request to the Weaviate. No file is lost, and none becomes two pages.
func (w *world) testKilledWorkers(t *testing.T) {
	m := w.newTeam(t, "killed")
	s := m.serve(t)
	g := newGate(t, w.weaviate.Nodes[0].Address)
	through := m.configure(t, t.TempDir(), "gate.toml", g.address(m), m.catalog)
	for round := range w.kills {
		for i := range filesOfRound {
			if status, body, err := handIn(s, round*filesOfRound+i); status != http.StatusCreated {
				t.Fatalf("%d %s", status, textOr(body, err))
			}
		}
		if round%2 == 0 {
			m.killAtLine(t, 1+w.rnd.IntN(filesOfRound))
		} else {
			m.killAtRequest(t, g, 1+w.rnd.IntN(4), round%4 == 1, "--config", through, "worker")
		}
	}
	m.must(t, "worker", "--once")
	all := w.kills * filesOfRound
	completed(t, s, all)
	if pages := pagesOf(t, s); pages["Uploads"] != all {
		t.Errorf("%d files have %d pages", all, pages["Uploads"])
	}
	findAll(t, s, "Uploads", all, func(i int) (mark, file string) { return noteMark(i), noteName(i) })
	if d := m.docent(t, "doctor"); d.code != 0 {
		t.Errorf("doctor: %s", d.out)
	}
}

// killAtLine starts a worker and kills it at the line that says that it begins the last of so many files.
func (m *team) killAtLine(t *testing.T, files int) {
	t.Helper()
	cmd := m.command(t.Context(), "--json", "worker")
	errs := &notes{}
	cmd.Stderr = errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer killed(cmd)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"PROCESSING"`) {
			files--
		}
		if files == 0 {
			return
		}
	}
	t.Fatalf("the worker ended: %s", errs)
}

// killAtRequest starts the program, whose Weaviate is behind a gate, and kills it at a changing
// request. It reports whether the program came to that request.
func (m *team) killAtRequest(t *testing.T, g *gate, at int, early bool, args ...string) (reached bool, d done) {
	t.Helper()
	cmd := m.command(t.Context(), args...)
	hit := make(chan struct{})
	g.set(at, early, func() {
		_ = cmd.Process.Kill() // it is there: it sent the request
		close(hit)
	})
	d = finish(t, cmd)
	g.set(0, false, nil)
	select {
	case <-hit:
		return true, d
	default:
		return false, d
	}
}

// The doc set of updates, and how many of them are killed.
const (
	updatedPages = 60
	killedTimes  = 20
)

// testUpdates updates a doc set by two processes at once, and kills updates at each kind of moment.
func (w *world) testUpdates(t *testing.T) {
	m := w.newTeam(t, "updates")
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	for range 3 {
		alter(t, f)
		both := make(chan done, 2)
		for range 2 {
			go func() { both <- finish(t, m.command(t.Context(), "update", "Fleet")) }()
		}
		for range 2 {
			if d := <-both; d.code != 0 {
				t.Errorf("two at once: %v", d)
			}
		}
		m.whole(t, f)
	}
	g := newGate(t, w.weaviate.Nodes[1].Address)
	through := m.configure(t, t.TempDir(), "gate.toml", g.address(m), m.catalog)
	alter(t, f)
	g.set(0, false, nil)
	m.must(t, "--config", through, "update", "Fleet")
	writes := g.count()
	t.Logf("an update makes %d changing requests", writes)
	for i := range killedTimes {
		alter(t, f)
		at := 1 + i*writes/killedTimes
		reached, d := m.killAtRequest(t, g, at, i%2 == 0, "--config", through, "update", "Fleet")
		if !reached && d.code != 0 {
			t.Errorf("an update that was not killed: %v", d)
		}
		if files := m.files(t, "flagship"); !strings.HasSuffix(files[0], filepath.Base(f.Path(0))) {
			t.Errorf("killed at request %d of %d: the flagship is not found: %v", at, writes, files)
		}
		m.must(t, "update", "Fleet")
		m.whole(t, f)
	}
}

// alter changes pages of a doc set, and one of them surely.
func alter(t *testing.T, f *fleet.Fleet) {
	t.Helper()
	if err := f.Change(); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(1); err != nil {
		t.Fatal(err)
	}
}

// files searches the doc set of updates, and gives the files in their order.
func (m *team) files(t *testing.T, question string) []string {
	t.Helper()
	d := m.must(t, "search", "--json", "--threshold", "0", "--set", "Fleet", question)
	var files []string
	for rest := d.out; ; {
		_, behind, found := strings.Cut(rest, `"file_path":"`)
		if !found {
			return append(files, "") // no file at the end of the list
		}
		name, after, _ := strings.Cut(behind, `"`)
		files, rest = append(files, name), after
	}
}

// whole requires that doctor finds nothing, and that the doc set has the pages of its folder.
func (m *team) whole(t *testing.T, f *fleet.Fleet) {
	t.Helper()
	if d := m.docent(t, "doctor"); d.code != 0 {
		t.Errorf("doctor says %s%s", d.out, d.err)
	}
	last := len(f.Marks) - 1
	for f.Marks[last] == "" {
		last--
	}
	for _, i := range []int{0, 1, last} {
		if files := m.files(t, f.Marks[i]); files[0] != filepath.Base(f.Path(i)) {
			t.Errorf("%s of page %d finds %v", f.Marks[i], i, files)
		}
	}
}
