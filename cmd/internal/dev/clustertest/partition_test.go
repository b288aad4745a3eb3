package clustertest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/cmd/internal/dev/served"
	"docent/store/weaviate/weaviatetest"
)

// testPartition cuts one node of three from the two others while questions are asked, and changes pages
// before they are joined again. The two go on; the one refuses questions and changes; after the nodes are joined again
// nothing is lost, and the one gives nothing stale.
func (w *world) testPartition(t *testing.T) {
	if !w.long {
		t.Skip("make test-cluster PROCESSES=long runs it: the engine takes minutes to join nodes again")
	}
	apart := *w
	apart.weaviate = weaviatetest.StartWith(t, weaviatetest.Options{Nodes: 3, Apart: true})
	m := apart.newTeam(t, "parted")
	f := w.newFleet(t, updatedPages)
	m.must(t, "add", f.Dir)
	server := m.serve(t)
	alone := apart.weaviate.Nodes[2]
	minority := m.configure(t, t.TempDir(), "alone.toml", m.indexAt(alone.Address), m.catalog)
	m.must(t, "--config", minority, "search", "--threshold", "0", "flagship")

	stop := load(t, server, "flagship", "ship-000.md")
	if err := apart.weaviate.Part(alone); err != nil {
		t.Fatal(err)
	}
	began, was := time.Now(), f.Marks[1]
	alter(t, f)
	m.must(t, "update", "Fleet")
	t.Logf("an update with a node cut off takes %v", time.Since(began).Round(time.Millisecond))
	if err := findOnce(server, f.Marks[1], "Fleet", filepath.Base(f.Path(1))); err != nil {
		t.Errorf("the two nodes: %v", err)
	}
	for _, args := range [][]string{{"search", "--set", "Fleet", "flagship"}, {"update", "Fleet"}} {
		refused(t, m.docent(t, append([]string{"--config", minority}, args...)...), "[store] index")
	}
	if d := m.docent(t, "doctor"); d.code == 0 {
		t.Errorf("a node is cut off, and doctor says %s", d.out)
	}
	t.Logf("while a node was cut off: %s", percentiles(stop()))
	m.rejoin(t, alone)
	m.whole(t, f)
	// What the node missed comes to it from the others.
	at := func(mark string) string {
		return m.docent(t, "--config", minority, "search", "--threshold", "0", "--set", "Fleet", mark).out
	}
	eventually(t, func() string {
		if out := at(f.Marks[1]); !strings.Contains(out, f.Marks[1]) {
			return fmt.Sprintf("the node that was cut off does not find %s: %s", f.Marks[1], out)
		}
		return ""
	})
	if out := at(was); strings.Contains(out, was) {
		t.Errorf("the node that was cut off finds %s, which is no more: %s", was, out)
	}
}

// rejoin joins a node with the others again. After half a minute the nodes have forgotten each other, and
// the one that was alone is started again, as the manual says.
func (m *team) rejoin(t *testing.T, n *weaviatetest.Node) {
	t.Helper()
	if err := errors.Join(m.weaviate.Heal(n), m.weaviate.Kill(n), m.weaviate.RunNode(n), m.weaviate.Await(n)); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() string {
		if d := m.docent(t, "doctor"); d.code != 0 {
			return d.out
		}
		return ""
	})
}

// indexAt is the address of the team's indexes at other nodes.
func (m *team) indexAt(nodes string) string {
	_, behind, _ := strings.Cut(strings.TrimPrefix(overGraphQL(m.index), "weaviate://"), "/")
	return "weaviate://" + nodes + "/" + behind
}

// load asks a server for one page again and again until stop, which gives the times.
func load(t *testing.T, s *served.Server, mark, file string) (stop func() []time.Duration) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	var took []time.Duration
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			began := time.Now()
			if err := findOnce(s, mark, "Fleet", file); err != nil {
				t.Error(err)
			}
			took = append(took, time.Since(began))
		}
	})
	return func() []time.Duration {
		end()
		wg.Wait()
		return took
	}
}
