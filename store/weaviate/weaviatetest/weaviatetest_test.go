package weaviatetest

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestThreeNodes(t *testing.T) {
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
