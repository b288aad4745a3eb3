package weaviate

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"docent/store/address"
	"docent/store/weaviate/recent"
	"docent/store/weaviate/transport"
)

// client keeps and finds objects of the home. It is safe for concurrent use.
type client struct {
	*transport.Transport
	grace  time.Duration
	states *recent.Values[stateKey, state]
	whole  wholeNodes
	rights *rights
	// memories outlive generations.
	memories memories
}

func newClient(at address.Weaviate) *client {
	c := &client{Transport: transport.New(at), grace: grace, rights: newRights(), whole: newWholeNodes(),
		memories: memories{of: map[stateKey]*memory{}}}
	c.states = newStates(c)
	return c
}

// literal is a text as GraphQL and JSON write it.
func literal(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

func literals(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = literal(t)
	}
	return "[" + strings.Join(out, ",") + "]"
}
