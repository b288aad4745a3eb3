package weaviate

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
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

// The sample of many IDs has as many of the first ones as of the last ones.
func TestSample(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "[]", 3: "[0 1 2]", 20: "[0 2 4 6 8 10 12 14 16 18]",
		100: "[0 8 16 24 32 40 48 56 64 72 80 88 96]"} {
		var s sample
		for i := range n {
			s.add(strconv.Itoa(i))
		}
		if got := fmt.Sprint(s.ids); got != want {
			t.Errorf("of %d: %s", n, got)
		}
	}
}

// A node that has the record of a generation, and not all of its passages yet, lags behind.
func TestLagOfPassages(t *testing.T) {
	t.Parallel()
	written := time.Now().Add(-time.Hour)
	raw, err := json.Marshal(state{Format: formatVersion, Change: 7, Tenant: "s1words7", Written: written.UnixMilli(), Sample: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	packed, err := pack(raw)
	if err != nil {
		t.Fatal(err)
	}
	var lacks atomic.Bool
	lacks.Store(true)
	var passages atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if strings.Contains(r.URL.Path, "Records") {
			_, _ = fmt.Fprintf(w, `{"properties":{"detail":%q}}`, seal(packed))
			return
		}
		if passages.Add(1); q.Get("tenant") != "s1words7" || q.Get("node_name") == "two" && lacks.Load() && strings.HasSuffix(r.URL.Path, "/b") {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	at, err := address.ParseWeaviate("weaviate://" + strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	x := Open(at)
	lags := func() map[string]time.Duration {
		t.Helper()
		out, err := x.Lags(t.Context(), []int64{1}, []string{"one", "two"})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	if l := lags(); l["one"] != 0 || l["two"] < time.Hour {
		t.Errorf("one node lacks a passage: %v", l)
	}
	lacks.Store(false)
	if l := lags(); l["one"] != 0 || l["two"] != 0 {
		t.Errorf("both nodes have all: %v", l)
	}
	asked := passages.Load()
	if lags(); passages.Load() != asked {
		t.Error("nodes that have all are asked again")
	}
}

// A node that was away lags behind the others, for as long as the newest generation is there without it,
// until the engine brought it that.
func TestLags(t *testing.T) {
	if testing.Short() {
		t.Skip("three nodes take a while")
	}
	c := weaviatetest.StartWith(t, weaviatetest.Options{Nodes: 3, Replication: time.Second})
	at, err := address.ParseWeaviate(c.URL("lags", 3))
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
