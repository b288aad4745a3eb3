package weaviate

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Health is the state of the server or cluster.
type Health struct {
	Version string
	Nodes   []Node
	// Replicas is how many nodes keep each doc set; 0 before the collections are made.
	Replicas int
	// Skew is how far the clock of a host is ahead of this machine's, to the second: that of Skewed, which is the
	// furthest off; "" where none is.
	Skew   time.Duration
	Skewed string
	// Remote says which gRPC interfaces of the address do not work; nil where all do, and without any.
	Remote error
}

// Node is a node of a cluster. Status is Healthy where nothing is wrong.
type Node struct {
	Name, Status, Version string
	// Shards are those of the home that the node keeps.
	Shards []Shard
}

// Healthy is the state of a node without a fault.
const Healthy = "HEALTHY"

// Shard is what a node keeps of a doc set in one collection.
type Shard struct {
	Class, Name string
	State       string `json:"vectorIndexingStatus"`
}

// readOnly is the state of a shard that takes no changes. The engine gives it to all shards of a node
// whose disk is nearly full, and leaves it to people to take it away.
const readOnly = "READONLY"

// ReadOnly are the shards that take no changes.
func (n Node) ReadOnly() []Shard {
	return slices.DeleteFunc(slices.Clone(n.Shards), func(s Shard) bool { return s.State != readOnly })
}

// Health asks for the state of the server.
func (x Indexes) Health(ctx context.Context) (h Health, err error) {
	var meta struct{ Version string }
	if err = x.c.Do(ctx, http.MethodGet, "/v1/meta", nil, nil, &meta); err != nil {
		return h, err
	}
	h.Version = meta.Version
	if h.Nodes, err = x.c.nodes(ctx); err != nil {
		return h, err
	}
	var class struct{ ReplicationConfig struct{ Factor int } }
	err = x.c.Do(ctx, http.MethodGet, "/v1/schema/"+x.c.wordsName(), nil, nil, &class)
	if err != nil && !isMissing(err) {
		return h, err
	}
	h.Replicas = class.ReplicationConfig.Factor
	h.Skew, h.Skewed = x.c.LargestSkew(ctx)
	h.Remote = x.c.CheckRemote(ctx)
	return h, nil
}

// Ping asks whether a host answers and lets this program in.
func (x Indexes) Ping(ctx context.Context) error { return x.c.Ping(ctx) }

// nodes lists the nodes, with the shards of the home.
func (c *client) nodes(ctx context.Context) ([]Node, error) {
	var answer struct{ Nodes []Node }
	err := c.Do(ctx, http.MethodGet, "/v1/nodes", url.Values{"output": {"verbose"}}, nil, &answer)
	own := []string{c.wordsName(), c.vectorsName(), c.recordsName()}
	for i, n := range answer.Nodes {
		answer.Nodes[i].Shards = slices.DeleteFunc(n.Shards, func(s Shard) bool { return !slices.Contains(own, s.Class) })
	}
	return answer.Nodes, err
}

// AllowChanges has the shards of the home take changes again that take none, as after a full disk.
func (x Indexes) AllowChanges(ctx context.Context) error {
	nodes, err := x.c.nodes(ctx)
	if err != nil {
		return err
	}
	done := map[Shard]bool{}
	for _, n := range nodes {
		for _, s := range n.ReadOnly() {
			if done[s] {
				continue // a copy of it on another node: the change is for all copies
			}
			done[s] = true
			path := "/v1/schema/" + s.Class + "/shards/" + url.PathEscape(s.Name)
			if err := x.c.Do(ctx, http.MethodPut, path, nil, map[string]string{"status": "READY"}, nil); err != nil {
				return fmt.Errorf("shard %s of %s takes no changes yet: %w", s.Name, s.Class, err)
			}
		}
	}
	return nil
}

// The oldest version that works, and the first whose ranking is right without a setting.
const (
	OldestVersion = "1.35"
	FirstRight    = "1.38.5"
)

// IsOlder reports whether a version comes before another one, both of numbers with dots.
func IsOlder(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range b {
		if i >= len(a) {
			return true
		}
		x, xerr := strconv.Atoi(a[i])
		y, yerr := strconv.Atoi(b[i])
		if xerr != nil || yerr != nil {
			return false
		}
		if x != y {
			return x < y
		}
	}
	return false
}
