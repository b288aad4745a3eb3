package clustertest

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
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
		close(hit)             // before the process ends, which is waited for
		_ = cmd.Process.Kill() // it is there: it sent the request
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
