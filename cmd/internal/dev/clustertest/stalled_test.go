package clustertest

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"docent/cmd/internal/dev/campaign/fleet"
)

// How many doc sets are added while nodes stand still, and for how long each of them does.
const (
	stalledRounds = 4
	stalledFor    = 2 * time.Second
)

// testStalled adds and updates doc sets while one node after the other stands still for seconds, as on a
// machine without memory or time: all passages are there on every node afterwards.
func (w *world) testStalled(t *testing.T) {
	if !w.long {
		t.Skip("make test-cluster PROCESSES=long runs it: the nodes stand still for a while")
	}
	m := w.newTeam(t, "stalled")
	for round := range stalledRounds {
		dir := filepath.Join(t.TempDir(), fmt.Sprintf("Fleet%d", round))
		f, err := fleet.New(dir, updatedPages, w.rnd)
		if err != nil {
			t.Fatal(err)
		}
		stop := m.stallNodes(t)
		for step, args := range [][]string{{"add", dir}, {"update", filepath.Base(dir)}} {
			d := m.docent(t, args...)
			if d.code != 0 && (d.code != 3 || !strings.Contains(d.err, "[store] index")) {
				t.Errorf("round %d, step %d: %v", round, step, d)
			}
			if d.code != 0 {
				t.Logf("round %d, step %d: %v", round, step, d)
			}
			alter(t, f)
		}
		stop()
		m.must(t, "update", filepath.Base(dir))
		if d := m.docent(t, "doctor"); d.code != 0 {
			t.Errorf("round %d: doctor says %s%s", round, d.out, d.err)
		}
	}
}

// stallNodes has one node after the other stand still, until stop.
func (m *team) stallNodes(t *testing.T) (stop func()) {
	t.Helper()
	end := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			pid := m.weaviate.Nodes[i%len(m.weaviate.Nodes)].PID()
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Error(err)
			}
			select {
			case <-end:
			case <-time.After(stalledFor):
			}
			if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
				t.Error(err)
			}
			select {
			case <-end:
				return
			case <-time.After(stalledFor / 4):
			}
		}
	})
	return func() {
		close(end)
		wg.Wait()
	}
}
