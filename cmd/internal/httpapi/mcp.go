package httpapi

import (
	"context"
	"net/http"
)

// mcpOperations are the Model Context Protocol's: messages, a stream of events that
// stays open, and the end of a session.
func mcpOperations() []operation {
	one := func(method, id, about string) operation {
		return operation{method: method, path: "/mcp", id: id, about: about, homeless: true, foreign: true, serve: serveMCP}
	}
	return []operation{
		one(http.MethodPost, "mcpMessage", "a message of the Model Context Protocol (streamable HTTP)"),
		one(http.MethodGet, "mcpEvents", "the events of a session"),
		one(http.MethodDelete, "mcpEnd", "ends a session"),
	}
}

// serveMCP hands a request on. Its stream ends with the server, which would otherwise
// wait for the client to leave.
func serveMCP(c *call) error {
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	if c.r.Method == http.MethodGet {
		defer context.AfterFunc(c.ending, cancel)()
	}
	c.mcp.ServeHTTP(c.w, c.r.WithContext(ctx))
	return nil
}
