package weaviate

import (
	"fmt"
	"testing"
	"time"

	"docent/store/address"
	"docent/store/weaviate/weaviatetest"
)

func TestLagOf(t *testing.T) {
	t.Parallel()
	now := time.Now()
	ago := func(d time.Duration) int64 { return now.Add(-d).UnixMilli() }
	newest := []state{{Change: 7, Written: ago(time.Minute)}, {Change: 9, Written: ago(time.Hour)}, {}}
	for _, tt := range []struct {
		has  []state
		want time.Duration
	}{
		{[]state{{Change: 7}, {Change: 9}, {}}, 0},
		{[]state{{Change: 6}, {Change: 9}, {}}, time.Minute},
		{[]state{{Change: 6}, {}, {}}, time.Hour},
		{[]state{{Change: 8}, {Change: 9}, {Change: 1}}, 0}, // it is newer than what was asked for before
	} {
		if got := lagOf(newest, tt.has, now); got.Round(time.Second) != tt.want {
			t.Errorf("with %+v it lags %v behind, not %v", tt.has, got, tt.want)
		}
	}
}

// A node that was away lags behind the others, for as long as the newest generation is there without it,
// until the engine brought it that.
func TestLags(t *testing.T) {
	if testing.Short() {
		t.Skip("three nodes take a while")
	}
	c := weaviatetest.StartWith(t, weaviatetest.Options{Nodes: 3, Replication: time.Second})
	at, err := address.ParseWeaviate(fmt.Sprintf("weaviate://%s/lags?replicas=3", c.Addresses()))
	if err != nil {
		t.Fatal(err)
	}
	x := Open(at)
	t.Cleanup(func() { _ = x.Close() })
	mine := conformingWords{conforming{x, 1}}
	nodes := []string{"weaviate-0", "weaviate-1", "weaviate-2"}
	lags := func() map[string]time.Duration {
		t.Helper()
		out, err := x.Lags(t.Context(), []int64{1, 77}, nodes) // of 77 there is nothing
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	publish := func(round int64) {
		t.Helper()
		if err := mine.Publish(t.Context(), roundOf(round, 5)); err != nil {
			t.Fatal(err)
		}
	}
	publish(0)
	within(t, func() string {
		if all := lags(); len(all) != len(nodes) || all[nodes[0]]+all[nodes[1]]+all[nodes[2]] > 0 {
			return fmt.Sprintf("no node was away: %v", all)
		}
		return ""
	})
	if err := c.Kill(c.Nodes[0]); err != nil {
		t.Fatal(err)
	}
	publish(1)
	published := time.Now()
	if all := lags(); len(all) != 2 {
		t.Errorf("a node is away: %v", all)
	}
	if err := c.RunNode(c.Nodes[0]); err != nil {
		t.Fatal(err)
	}
	if err := c.Await(c.Nodes[0]); err != nil {
		t.Fatal(err)
	}
	most := time.Duration(0)
	within(t, func() string {
		all := lags()
		lag, answers := all[nodes[0]]
		if most = max(most, lag); lag > time.Since(published)+time.Second || !answers || lag > 0 {
			return fmt.Sprintf("the node that was away: %v", all)
		}
		return ""
	})
	t.Logf("the node that was away lagged up to %v behind", most)
}

// within waits for a state. is names the difference, "" where it is reached.
func within(t *testing.T, is func() string) {
	t.Helper()
	why := ""
	for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if why = is(); why == "" {
			return
		}
	}
	t.Fatal(why)
}
