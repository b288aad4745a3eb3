package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"
)

// mcpEndpoints are the Model Context Protocol's: messages, a stream of events that
// stays open, and the end of a session.
func mcpEndpoints() []endpoint {
	one := func(method, id, about string) endpoint {
		return endpoint{method: method, path: "/mcp", id: id, about: about, homeless: true, foreign: true, serve: serveMCP}
	}
	message := one(http.MethodPost, "mcpMessage", "a message of the Model Context Protocol (streamable HTTP)")
	message.reads = true
	return []endpoint{
		message,
		one(http.MethodGet, "mcpEvents", "the events of a session"),
		one(http.MethodDelete, "mcpEnd", "ends a session"),
	}
}

// serveMCP hands a request on, with the body that was read within the server's limits.
// Its stream ends with the server, which would otherwise wait for the client to leave.
func serveMCP(c *call) error {
	ctx, cancel := context.WithCancel(c.ctx)
	defer cancel()
	if c.r.Method == http.MethodGet {
		defer context.AfterFunc(c.ending, cancel)()
		go c.endWithToken(ctx, cancel)
	}
	r := c.r.WithContext(ctx)
	if c.op.reads {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(c.body)), int64(len(c.body))
	}
	c.mcp.ServeHTTP(c.w, r)
	return nil
}

// authorizedEvery is how often an open stream asks whether its token is still good.
const authorizedEvery = time.Second

// endWithToken ends a stream whose token was removed, expired or belongs to a session that
// ended.
func (c *call) endWithToken(ctx context.Context, end func()) {
	tick := time.NewTicker(authorizedEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !c.isStillAuthorized(ctx) {
				end()
				return
			}
		}
	}
}
