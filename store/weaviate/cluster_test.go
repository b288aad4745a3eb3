package weaviate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docent/store"
	"docent/store/address"
	"docent/store/analysis"
	"docent/store/bm25f"
	"docent/store/storetest"
	"docent/store/weaviate/recent"
	"docent/store/weaviate/weaviatetest"
	"docent/store/wordsearch"
)

// roundOf gives the documents of a round: all of them have its number.
func roundOf(round int64, documents int) (change storetest.Change) {
	for i := range int64(documents) {
		if round > 0 {
			change.Delete = append(change.Delete, (round-1)*int64(documents)+i+1)
		}
		p := store.Passage{}
		p.Fields[store.Title] = fmt.Sprintf("Pods of round%d", round)
		p.Fields[store.Body] = "a pod with a volume"
		change.Add = append(change.Add, storetest.Document{ID: round*int64(documents) + i + 1, Passages: []store.Passage{p}})
	}
	return change
}

// seen searches the current generation and says of which round its documents are.
func seen(ctx context.Context, x Indexes, set int64, documents int) (round int64, err error) {
	r, err := x.OpenIndex(ctx, set)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	q := store.Query{Weight: 1}
	for _, t := range analysis.New().Terms("pod volume") {
		q.Terms = append(q.Terms, store.WeightedTerm{Term: t, Weight: 1})
	}
	s, err := wordsearch.Searcher{Indexes: []wordsearch.Index{r}, Params: bm25f.Defaults()}.Search(ctx, q)
	if err != nil {
		return 0, err
	}
	hits, err := s.BestHits(ctx, 0, nil)
	if err != nil {
		return 0, err
	}
	if len(hits) != documents {
		return 0, fmt.Errorf("%d hits of %d documents", len(hits), documents)
	}
	round = (hits[0].Doc - 1) / int64(documents)
	for _, h := range hits {
		if (h.Doc-1)/int64(documents) != round {
			return 0, fmt.Errorf("hits of rounds %d and %d", round, (h.Doc-1)/int64(documents))
		}
	}
	return round, nil
}

// publications are the times at which rounds were published, from round 1 on.
type publications struct {
	mu    sync.Mutex
	times []time.Time
}

func (p *publications) addGeneration() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.times = append(p.times, time.Now())
}

// lastBefore is the last round that was published before a time. A later question sees it or a newer one.
func (p *publications) lastBefore(at time.Time) (round int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, t := range p.times {
		if t.Before(at) {
			round++
		}
	}
	return round
}

// askAnew asks as processes that were just started do: the node that came back first, which has none of the
// passages of the last rounds yet, or some.
func askAnew(t *testing.T, at address.Weaviate, documents int) {
	t.Helper()
	for range 5 {
		x := Open(at)
		if round, err := seen(t.Context(), x, 1, documents); err != nil || round != 3 {
			t.Errorf("a process that starts gets round %d and not 3: %v", round, err)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

// One node of three is killed and comes back, under a load of questions and changes: no question
// fails, each sees one whole generation, and none an older one than was published a quarter of a second before it.
func TestANodeIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("three nodes take a while")
	}
	c := weaviatetest.Start(t, 3)
	at, err := address.ParseWeaviate(c.URL("killed", 3))
	if err != nil {
		t.Fatal(err)
	}
	x := Open(at)
	t.Cleanup(func() { _ = x.Close() })
	const documents = 40
	mine := conformingWords{conforming{x, 1}}
	if err := mine.Publish(t.Context(), roundOf(0, documents)); err != nil {
		t.Fatal(err)
	}
	var published publications
	var asked, saw [3]atomic.Int64 // by each reader: questions, and the round of the last answer
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for reader := range asked {
		wg.Go(func() {
			other := Open(at) // as another server
			defer func() { _ = other.Close() }()
			for {
				select {
				case <-stop:
					return
				default:
				}
				least := published.lastBefore(time.Now().Add(-recent.Usable)) // a state counts as the current one for so long
				round, err := seen(t.Context(), other, 1, documents)
				if err == nil && round < least {
					err = fmt.Errorf("it sees round %d, and round %d was published", round, least)
				}
				if err != nil {
					t.Error(err)
					return
				}
				asked[reader].Add(1)
				saw[reader].Store(round)
			}
		})
	}
	change := func(round int64) {
		if err := mine.Publish(t.Context(), roundOf(round, documents)); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		published.addGeneration()
		for reader := range saw {
			for saw[reader].Load() < round && !t.Failed() {
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	err = errors.Join(c.Kill(c.Nodes[0]))
	for round := range int64(3) {
		change(round + 1)
	}
	if err := errors.Join(err, c.RunNode(c.Nodes[0]), c.Await(c.Nodes[0])); err != nil {
		t.Error(err)
	}
	askAnew(t, at, documents)
	for round := range int64(3) {
		change(round + 4)
	}
	close(stop)
	wg.Wait()
	t.Logf("%d questions were asked by the first reader", asked[0].Load())
}

// mostWithoutLeader is how long a publication may take that begins while the leader of three nodes is dead
// and no other one is chosen: the choice takes some seconds, and a request waits for patience before it is
// repeated. It took a minute while a request was not.
const mostWithoutLeader = 40 * time.Second

// The leader of three nodes is killed, and a generation is published at once that needs a new tenant.
func TestTheLeaderIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("three nodes take a while")
	}
	c := weaviatetest.Start(t, 3)
	at, err := address.ParseWeaviate(c.URL("leader", 3))
	if err != nil {
		t.Fatal(err)
	}
	x := Open(at)
	t.Cleanup(func() { _ = x.Close() })
	const documents = 5
	if err := (conformingWords{conforming{x, 1}}).Publish(t.Context(), roundOf(0, documents)); err != nil {
		t.Fatal(err)
	}
	leader := leaderOf(t, c)
	if err := c.Kill(leader); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	if err := (conformingWords{conforming{x, 2}}).Publish(t.Context(), roundOf(0, documents)); err != nil {
		t.Error(err)
	}
	took := time.Since(killed)
	if t.Logf("published after %v", took); took > mostWithoutLeader {
		t.Errorf("a generation is published %v after the leader was killed", took)
	}
	if _, err := seen(t.Context(), x, 2, documents); err != nil {
		t.Error(err)
	}
}

// leaderOf gives the node that leads the others.
func leaderOf(t *testing.T, c *weaviatetest.Cluster) *weaviatetest.Node {
	t.Helper()
	at, err := address.ParseWeaviate("weaviate://" + c.Addresses())
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(at)
	t.Cleanup(client.Close)
	var answer struct{ Statistics []struct{ LeaderID string } }
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err := client.Do(t.Context(), http.MethodGet, "/v1/cluster/statistics", nil, nil, &answer); err != nil {
			t.Fatal(err)
		}
		for _, s := range answer.Statistics {
			for i, n := range c.Nodes {
				if s.LeaderID == fmt.Sprintf("weaviate-%d", i) {
					return n
				}
			}
		}
	}
	t.Fatalf("no node leads: %+v", answer)
	return nil
}
