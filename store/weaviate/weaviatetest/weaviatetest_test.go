package weaviatetest

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestThreeNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("three nodes take a while")
	}
	c := Start(t, 3)
	if err := c.Kill(c.Nodes[1]); err != nil {
		t.Fatal(err)
	}
	if err := c.RunNode(c.Nodes[1]); err != nil {
		t.Fatal(err)
	}
	if err := c.Await(c.Nodes[1]); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get("http://" + c.Nodes[2].Address + "/v1/nodes")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || strings.Count(string(raw), "HEALTHY") != 3 {
		t.Errorf("the nodes are %s, %v", raw, err)
	}
}

// A node that is cut off is away for the others, until it is joined again and started again.
func TestPart(t *testing.T) {
	if testing.Short() {
		t.Skip("three nodes take a while")
	}
	c := StartWith(t, Options{Nodes: 3, Apart: true, Disk: 64 << 20})
	// A node that does not yet know that another one is cut off waits for it, for 40 seconds. Asked again, it
	// answers as soon as it knows.
	asking := &http.Client{Timeout: time.Second}
	healthy := func(n *Node) (int, error) {
		resp, err := asking.Get("http://" + n.Address + "/v1/nodes")
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		return strings.Count(string(raw), `"HEALTHY"`), err
	}
	wait := func(n *Node, want int) {
		for end := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
			got, err := healthy(n)
			if err == nil && got == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d nodes are healthy, and should be %d: %v", got, want, err)
			}
		}
	}
	wait(c.Nodes[0], 3)
	if err := c.Part(c.Nodes[2]); err != nil {
		t.Fatal(err)
	}
	wait(c.Nodes[0], 2)
	n := c.Nodes[2]
	if err := errors.Join(c.Heal(n), c.Kill(n), c.RunNode(n), c.Await(n)); err != nil {
		t.Fatal(err)
	}
	wait(n, 3)
}
