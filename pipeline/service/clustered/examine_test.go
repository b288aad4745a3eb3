package clustered

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store/weaviate"
)

// Processes that start at the same moment in a new home once gave it several identities: all but one
// found collections of another home.
func TestOneIdentity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ids := make([]string, 20)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			var err error
			if ids[i], err = identify(dir, nil); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if slices.Sort(ids); ids[0] == "" || ids[0] != ids[len(ids)-1] {
		t.Errorf("the identities are %q", ids)
	}
}

func TestFaultsOfAServer(t *testing.T) {
	t.Parallel()
	whole := weaviate.Node{Name: "a", Status: "HEALTHY", Version: "1.38.5"}
	for want, h := range map[string]weaviate.Health{
		"":                 {Version: "1.38.5", Nodes: []weaviate.Node{whole}, Replicas: 1},
		"too old":          {Version: "1.34.9", Nodes: []weaviate.Node{whole}},
		"b is unavailable": {Version: "1.38.5", Nodes: []weaviate.Node{whole, {Name: "b", Status: "UNAVAILABLE"}}},
		"b has version 1.37.0": {Version: "1.38.5", Nodes: []weaviate.Node{whole,
			{Name: "b", Status: "HEALTHY", Version: "1.37.0"}}},
		"the clock of node2:8080 and this machine's are 1m0s apart": {Version: "1.38.5", Nodes: []weaviate.Node{whole},
			Skew: -time.Minute, Skewed: "node2:8080"},
		"3 copies cannot lie on 1 node": {Version: "1.38.5", Nodes: []weaviate.Node{whole}, Replicas: 3},
	} {
		if closed := readOnlyOf(h); closed != "" {
			t.Errorf("%+v: %s", h, closed)
		}
		fault, mend := faultOf(h)
		if want == "" && fault != "" || !strings.Contains(fault, want) || (fault == "") != (mend == "") {
			t.Errorf("%+v: %q, %q", h, fault, mend)
		}
	}
	full := weaviate.Node{Name: "a", Status: "HEALTHY",
		Shards: []weaviate.Shard{{Name: "s", State: "READONLY"}, {Name: "t", State: "READY"}}}
	const want = "a takes no changes in 1 shard, as after a full disk"
	if closed := readOnlyOf(weaviate.Health{Nodes: []weaviate.Node{whole, full}}); closed != want {
		t.Errorf("of a full disk: %q", closed)
	}
}
