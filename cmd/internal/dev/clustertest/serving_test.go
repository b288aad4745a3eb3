package clustertest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docent/cmd/internal/dev/campaign/fleet"
	"docent/cmd/internal/dev/served"
)

// The pages of the doc set of serving, and the files that are handed in at first.
const (
	servedPages = 400
	handedIn    = 100
)

// serving is a home with two servers and two workers.
type serving struct {
	*team
	fleet   *fleet.Fleet
	servers []*served.Server
	notes   int // that were handed in
}

// testServing puts pages into a home by several processes at once, asks two servers while a node of
// the Weaviate is killed, and starts PostgreSQL again under load.
func (w *world) testServing(t *testing.T) {
	m := &serving{team: w.newTeam(t, "serving"), fleet: w.newFleet(t, servedPages)}
	m.startAll(t)
	steps := []struct {
		name string
		do   func(*testing.T)
	}{{"ingest", m.ingest}, {"a node is killed", m.killNode}, {"the database starts again", m.restartDatabase}}
	for _, s := range steps {
		if !t.Run(s.name, s.do) {
			break
		}
	}
}

// startAll starts all processes at the same moment, in a home that nothing was in.
func (m *serving) startAll(t *testing.T) {
	t.Helper()
	for range 2 {
		m.startWorker(t)
	}
	m.servers = make([]*served.Server, 2)
	var wg sync.WaitGroup
	for i := range m.servers {
		wg.Go(func() {
			var err error
			if m.servers[i], err = served.Start(t.Context(), m.bin, m.home, environment, "--workers", "0"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	t.Cleanup(func() {
		for _, s := range m.servers {
			if t.Failed() || crash.MatchString(s.Log()) {
				t.Errorf("a server says %s", s.Log())
			}
		}
	})
}

// startWorker starts a worker that works until the test ends.
func (m *team) startWorker(t *testing.T) {
	t.Helper()
	cmd := m.command(t.Context(), "worker")
	errs := &notes{}
	cmd.Stdout, cmd.Stderr = io.Discard, errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // it is killed with the test's context
		if t.Context().Err() == nil {
			t.Errorf("a worker ended: %s", errs)
		}
	}()
	t.Cleanup(func() {
		<-ended
		if t.Failed() || crash.MatchString(errs.String()) {
			t.Errorf("a worker says %s", errs)
		}
	})
}

// ingest adds a doc set while workers take in the files that are handed in at two servers. Then both
// servers find every page, and none twice.
func (m *serving) ingest(t *testing.T) {
	added := make(chan done, 1)
	go func() { added <- finish(t, m.command(t.Context(), "add", m.fleet.Dir)) }()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := g; i < handedIn; i += 4 {
				if status, body, err := handIn(m.servers[i%2], i); status != http.StatusCreated {
					t.Errorf("note %d: %d %s", i, status, textOr(body, err))
					return
				}
			}
		})
	}
	wg.Wait()
	if d := <-added; d.code != 0 {
		t.Fatal(d)
	}
	m.notes = handedIn
	for _, s := range m.servers {
		completed(t, s, m.notes)
		if pages := pagesOf(t, s); pages["Fleet"] != servedPages || pages["Uploads"] != handedIn {
			t.Errorf("the doc sets have %v pages", pages)
		}
	}
	for _, s := range m.servers {
		findAll(t, s, "Fleet", servedPages, func(i int) (mark, file string) { return m.fleet.Marks[i], filepath.Base(m.fleet.Path(i)) })
		findAll(t, s, "Uploads", handedIn, func(i int) (mark, file string) { return noteMark(i), noteName(i) })
	}
}

// each calls do with the numbers up to n, a number of them at a time.
func each(t *testing.T, atOnce, n int, do func(i int) error) {
	t.Helper()
	var wg sync.WaitGroup
	for g := range atOnce {
		wg.Go(func() {
			for i := g; i < n; i += atOnce {
				if err := do(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// load asks both servers for pages that do not change, and gives the times.
func (m *serving) load(t *testing.T, n int) (took []time.Duration) {
	t.Helper()
	var mu sync.Mutex
	each(t, 4, n, func(i int) error {
		page := changing + i%(servedPages-changing)
		begin := time.Now()
		err := findOnce(m.servers[i%2], m.fleet.Marks[page], "Fleet", filepath.Base(m.fleet.Path(page)))
		mu.Lock()
		defer mu.Unlock()
		took = append(took, time.Since(begin))
		return err
	})
	return took
}

// The first pages of the doc set change; load asks for the others.
const changing = 20

// change gives a page another text, and updates the doc set. Then each server finds the page by its
// new text, and never again by the text before.
func (m *serving) change(t *testing.T, page int) {
	t.Helper()
	was := m.fleet.Marks[page]
	if err := m.fleet.Write(page); err != nil {
		t.Fatal(err)
	}
	m.must(t, "update", "Fleet")
	for _, s := range m.servers {
		eventually(t, func() string {
			if found, err := holds(s, m.fleet.Marks[page], "Fleet"); !found || err != nil {
				return fmt.Sprintf("%s is not found, %v", m.fleet.Marks[page], err)
			}
			return ""
		})
		for range 4 {
			if stale, err := holds(s, was, "Fleet"); stale || err != nil {
				t.Errorf("%s is stale, or %v", was, err)
			}
		}
	}
}

// questions is how many questions are asked before a node is killed, while it is away, and after.
const questions = 120

// killNode kills a node while questions are asked, changes pages without it, and starts it again.
func (m *serving) killNode(t *testing.T) {
	t.Logf("before: %s", percentiles(m.load(t, questions)))
	node := m.weaviate.Nodes[0]
	loading := make(chan []time.Duration, 1)
	go func() { loading <- m.load(t, questions) }()
	if err := m.weaviate.Kill(node); err != nil {
		t.Fatal(err)
	}
	for page := 1; page <= 2; page++ {
		m.change(t, page)
	}
	t.Logf("one node of three is away: %s", percentiles(append(<-loading, m.load(t, questions)...)))
	go func() { loading <- m.load(t, questions) }()
	if err := m.weaviate.RunNode(node); err != nil {
		t.Fatal(err)
	}
	if err := m.weaviate.Await(node); err != nil {
		t.Fatal(err)
	}
	for page := 1; page <= 3; page++ {
		m.change(t, page)
	}
	<-loading
	t.Logf("after: %s", percentiles(m.load(t, questions)))
	if d := m.docent(t, "doctor"); d.code != 0 {
		t.Errorf("doctor: %s", d.out)
	}
	m.awaitNoLag(t)
}

// awaitNoLag waits until the metrics of a server say that every node has all updates.
func (m *serving) awaitNoLag(t *testing.T) {
	t.Helper()
	eventually(t, func() string {
		_, body, err := readBody(http.Get(m.servers[0].URL + "/metrics"))
		for i := range m.weaviate.Nodes {
			if !strings.Contains(body, fmt.Sprintf("\ndocent_weaviate_lag_seconds{node=\"weaviate-%d\"} 0\n", i)) {
				return fmt.Sprintf("node %d lags behind, or %v: %s", i, err, body)
			}
		}
		return ""
	})
}

// restarts is how often PostgreSQL is started again.
const restarts = 3

// restartDatabase ends PostgreSQL and starts it again, while questions are asked and files are handed
// in. No question fails, and every file that was taken becomes a page.
func (m *serving) restartDatabase(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	var asked, taken, refused atomic.Int64
	var wg sync.WaitGroup
	for g := range 3 {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				page := changing + (100*g+i)%(servedPages-changing)
				if err := findOnce(m.servers[i%2], m.fleet.Marks[page], "Fleet", filepath.Base(m.fleet.Path(page))); err != nil {
					t.Error(err)
					return
				}
				asked.Add(1)
			}
		})
	}
	wg.Go(func() {
		for i := m.notes; ctx.Err() == nil; {
			status, body, err := handIn(m.servers[i%2], i)
			switch {
			case status == http.StatusCreated, status == http.StatusConflict: // it was taken, and the answer was an error
				taken.Add(1)
				i++
			case status == http.StatusServiceUnavailable:
				refused.Add(1)
			default:
				t.Errorf("note %d: %d %s", i, status, textOr(body, err))
				return
			}
		}
	})
	for range restarts {
		m.postgres.StopServer(t)
		m.postgres.StartAgain(t)
		questions, files := asked.Load()+30, taken.Load()+5
		eventually(t, func() string {
			if t.Failed() || asked.Load() >= questions && taken.Load() >= files {
				return ""
			}
			return fmt.Sprintf("%d questions were answered, %d files taken", asked.Load(), taken.Load())
		})
	}
	end()
	wg.Wait()
	t.Logf("%d questions were answered, %d files taken, %d refused for the moment", asked.Load(), taken.Load(), refused.Load())
	before := m.notes
	m.notes += int(taken.Load())
	for _, s := range m.servers {
		completed(t, s, m.notes)
		findAll(t, s, "Uploads", m.notes-before, func(i int) (mark, file string) { return noteMark(before + i), noteName(before + i) })
	}
	if d := m.docent(t, "doctor"); d.code != 0 {
		t.Errorf("doctor: %s", d.out)
	}
}

// notes collects what a process says.
type notes struct {
	mu   sync.Mutex
	text []byte
}

// Write is io.Writer's.
func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.text = append(n.text, b...)
	return len(b), nil
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return string(n.text)
}

// killed kills a process and waits for its end.
func killed(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // it may have ended
	_ = cmd.Wait()         // it says that it was killed
}
