package httpapi

import (
	"container/list"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// clients is a listener with a bounded number of connections. At the limit, a new one
// replaces the connection that has been without a complete request for the longest time,
// so that idle connections keep no client out. If all connections have running requests,
// a new one gets an answer to try again.
type clients struct {
	net.Listener
	most int

	mu      sync.Mutex
	open    int
	idle    list.List             // *connection that have no request, the longest such first
	telling map[net.Conn]struct{} // those that get the answer to try again; nil: the listener is closed

	refused  atomic.Int64
	refusing chan struct{} // a turn to get an answer before the connection is closed
	told     sync.WaitGroup
}

func newClients(l net.Listener, most int) *clients {
	const tellAtOnce = 64
	return &clients{Listener: l, most: most, telling: map[net.Conn]struct{}{}, refusing: make(chan struct{}, tellAtOnce)}
}

// connection is one of them.
type connection struct {
	net.Conn
	of     *clients
	at     *list.Element // in idle; nil: it has a request, or is closed
	closed bool
}

// Accept is net.Listener's.
func (l *clients) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c := &connection{Conn: raw, of: l}
		displaced, ok := l.admitConnection(c)
		if displaced != nil {
			_ = displaced.Conn.Close() // nothing was promised to it
		}
		if ok {
			return c, nil
		}
		l.refuseConnection(raw)
	}
}

// admitConnection takes a connection in, in place of another one where that is needed.
func (l *clients) admitConnection(c *connection) (displaced *connection, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.most {
		first := l.idle.Front()
		if first == nil {
			return nil, false
		}
		displaced, ok = l.idle.Remove(first).(*connection)
		if !ok {
			return nil, false
		}
		displaced.at, displaced.closed = nil, true
		l.open--
		l.refused.Add(1)
	}
	l.open++
	c.at = l.idle.PushBack(c)
	return displaced, true
}

// comeAgain is what a connection that is not taken gets.
const comeAgain = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: " +
	"close\r\nContent-Length: 109\r\n\r\n" +
	`{"errorCode":"DOCS_COLLECTION_UNAVAILABLE","message":"the server has too many connections; try again later"}` + "\n"

// refuseConnection tells a connection to come again, and closes it.
func (l *clients) refuseConnection(raw net.Conn) {
	l.refused.Add(1)
	select {
	case l.refusing <- struct{}{}:
	default:
		_ = raw.Close() // too many to tell each
		return
	}
	l.mu.Lock()
	over := l.telling == nil
	if !over {
		l.telling[raw] = struct{}{}
	}
	l.mu.Unlock()
	if over {
		<-l.refusing
		_ = raw.Close()
		return
	}
	l.told.Go(func() {
		defer func() {
			_ = raw.Close()
			l.mu.Lock()
			delete(l.telling, raw)
			l.mu.Unlock()
			<-l.refusing
		}()
		tellToComeAgain(raw)
	})
}

// tellToComeAgain answers what a connection asks with comeAgain. It answers no earlier: an HTTP
// client takes an answer that comes before its question for a fault of the connection.
func tellToComeAgain(raw net.Conn) {
	const (
		toAsk = 5 * time.Second
		toEnd = time.Second
	)
	_ = raw.SetDeadline(time.Now().Add(toAsk)) // it is closed in any case
	if _, err := raw.Read(make([]byte, 1)); err != nil {
		return
	}
	_ = raw.SetDeadline(time.Now().Add(toEnd))
	_, _ = io.WriteString(raw, comeAgain)
	if half, ok := raw.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		_, _ = io.CopyN(io.Discard, raw, maxHeader) // closing at once would take the answer back
	}
}

// Close is net.Conn's.
func (c *connection) Close() error {
	l := c.of
	l.mu.Lock()
	if !c.closed {
		c.closed = true
		l.open--
	}
	if c.at != nil {
		l.idle.Remove(c.at)
		c.at = nil
	}
	l.mu.Unlock()
	return c.Conn.Close()
}

// setBusy reports whether the connection has a request that runs.
func (c *connection) setBusy(is bool) {
	l := c.of
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case is && c.at != nil:
		l.idle.Remove(c.at)
		c.at = nil
	case !is && c.at == nil && !c.closed:
		c.at = l.idle.PushBack(c)
	}
}

type connectionKey struct{}

// withConnection is http.Server.ConnContext.
func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// trackWorking marks the connections of requests that run.
func trackWorking(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
			c.setBusy(true)
			defer c.setBusy(false)
		}
		next.ServeHTTP(w, r)
	})
}

// Close ends the listening, and closes connections that are getting an answer to try
// again: the server ends.
func (l *clients) Close() error {
	err := l.Listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	l.mu.Lock()
	for raw := range l.telling {
		_ = raw.Close()
	}
	l.telling = nil
	l.mu.Unlock()
	l.told.Wait()
	return err
}

// countConnections is how many there are, and how many were turned away.
func (l *clients) countConnections() (open, refused int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int64(l.open), l.refused.Load()
}
