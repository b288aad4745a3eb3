package weaviate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"docent/store"
	"docent/store/address"
	"docent/store/remote"
	"docent/store/tracing"
)

// client keeps and finds objects of the home. It is safe for concurrent use.
type client struct {
	*transport
	grace  time.Duration
	seen   sightings
	rights *rights
}

func newClient(at address.Weaviate) *client {
	return &client{transport: newTransport(at), grace: grace, seen: newSightings(), rights: newRights()}
}

// transport speaks the engine's REST and GraphQL interfaces. It is safe for concurrent use.
type transport struct {
	at    address.Weaviate
	http  *http.Client
	first atomic.Int32 // the place of the host that answered last
}

const (
	requestTimeout = time.Minute
	mostAnswer     = 256 << 20 // bytes of one answer
	mostMessage    = 600
)

func newTransport(at address.Weaviate) *transport {
	t := &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: at.TLS, DisableCompression: true}
	return &transport{at: at, http: &http.Client{Transport: t, Timeout: requestTimeout}}
}

func (t *transport) close() { t.http.CloseIdleConnections() }

// statusError is an answer that is no success.
type statusError struct {
	what    string // method and path
	status  int
	message string
}

func (e *statusError) Error() string {
	return fmt.Sprintf("the Weaviate answers %s with %d: %s", e.what, e.status, e.message)
}

// Is gives statuses their meaning.
func (e *statusError) Is(target error) bool {
	switch target {
	case ErrRefused:
		return e.status == http.StatusUnauthorized || e.status == http.StatusForbidden
	case store.ErrReadOnly:
		return strings.Contains(e.message, "read-only") || strings.Contains(e.message, "READONLY")
	}
	return false
}

func isStatus(err error, statuses ...int) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && slices.Contains(statuses, e.status)
}

// do sends a request with a JSON body, which may be nil, and reads the JSON answer into out,
// which may be nil. Where a host does not answer, or answers that it cannot, the next one is
// asked: every request here may be repeated.
func (t *transport) do(ctx context.Context, method, path string, query url.Values, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	for try := 1; ; try++ {
		err := t.askHosts(ctx, method, path, query, body, out)
		if !lacksLeader(err) || try == leaderTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(leaderPause):
		}
	}
}

// Nodes that are busy lose their leader for a moment, without which none answers what is about
// collections and tenants: they are asked again.
const (
	leaderTries = 20
	leaderPause = 500 * time.Millisecond
)

// What the engine says until its nodes have chosen a leader, and while a node turns from one leader to the
// next. It has no code for it.
const (
	noLeader     = "leader not found"
	leavesLeader = "the client connection is closing"
)

func lacksLeader(err error) bool { return saysOneOf(err, noLeader, leavesLeader) }

// saysOneOf reports whether an error is an answer that has one of some words.
func saysOneOf(err error, words ...string) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(e.message, w) })
}

// askHosts asks one host after the other until one answers.
func (t *transport) askHosts(ctx context.Context, method, path string, query url.Values, body []byte, out any) error {
	var last error
	begin := int(t.first.Load())
	for i := range t.at.Hosts {
		n := (begin + i) % len(t.at.Hosts)
		err := t.askHost(ctx, t.at.Hosts[n], method, path, query, body, out)
		if err == nil {
			t.first.Store(int32(n))
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !lacksLeader(last) { // the leader may be the host that is away: the others choose another one
			last = err
		}
		if e, ok := errors.AsType[*statusError](err); ok && e.status < http.StatusInternalServerError {
			return err
		}
	}
	return t.explain(last)
}

// askNextHost has the next request begin with another host.
func (t *transport) askNextHost() {
	t.first.Store((t.first.Load() + 1) % int32(len(t.at.Hosts)))
}

// fewReplicas is what the engine says where too few nodes store an object: the others are away, or
// take no changes. It has no code for it.
const fewReplicas = "cannot reach enough replicas"

// forgottenWrite is what a node says that is to make a change final which it does not know any more: it
// was too busy, or started again, between the two steps of a write.
const forgottenWrite = "request not found"

// fullDisk is what the engine passes on from the system of a node whose disk is full.
const fullDisk = "no space left on device"

// lostNode is what the engine puts between the address of a node and why its request to it failed.
const lostNode = ": connect: "

// explain gives an answer that means that the server cannot be used, now or for changes, the error
// of such a server.
func (t *transport) explain(err error) error {
	e, ok := errors.AsType[*statusError](err)
	if !ok {
		return err
	}
	reason := e.Error()
	switch {
	case strings.Contains(e.message, fullDisk):
		reason = "the disk of a node is full; give it space, and start the node again (" + reason + ")"
	case strings.Contains(e.message, lostNode):
		reason = "its nodes do not reach each other in time (" + reason + ")"
	case strings.Contains(e.message, noLeader):
		reason = "its nodes have no leader, as where half of them are away; start those (" + reason + ")"
	case errors.Is(e, store.ErrReadOnly), strings.Contains(e.message, fewReplicas):
		reason = "too few of its nodes take changes; start those that are away, or give a full disk space and let them write (" +
			reason + ")"
	case e.status < http.StatusInternalServerError:
		return err
	}
	return &remote.UnreachableError{Store: "the Weaviate " + t.at.String(), Setting: setting, Reason: reason, Err: err}
}

// setting is where a person writes the address.
const setting = "[store] index"

func (t *transport) askHost(ctx context.Context, host, method, path string, query url.Values, body []byte, out any) (err error) {
	ctx, done := tracing.Ask(ctx, method+" "+route(path), "weaviate")
	defer func() { done(err) }()
	r, err := t.request(ctx, host, method, path, query, body)
	if err != nil {
		return err
	}
	tracing.Carry(ctx, r.Header)
	resp, err := t.http.Do(r)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // without the address, which is long
		}
		return t.unreachable(host, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer))
	if err != nil {
		return t.unreachable(host, err)
	}
	if resp.StatusCode >= http.StatusMultipleChoices {
		return &statusError{what: method + " " + path, status: resp.StatusCode, message: messageOf(answer)}
	}
	if out == nil || len(answer) == 0 {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("the answer of the Weaviate at %s to %s %s is not as expected: %w", host, method, path, err)
	}
	return nil
}

// route is a path without the names of collections and objects that follow its kind.
func route(path string) string {
	const parts = 4 // "", v1, the kind, what follows
	if list := strings.SplitN(path, "/", parts); len(list) == parts && list[1] != ".well-known" {
		return strings.Join(list[:parts-1], "/")
	}
	return path
}

func (t *transport) unreachable(host string, err error) error {
	return &remote.UnreachableError{Store: "the Weaviate " + t.at.String(), Setting: setting,
		Reason: host + " does not answer: " + err.Error(), Err: err}
}

func (t *transport) request(ctx context.Context, host, method, path string, query url.Values, body []byte) (*http.Request, error) {
	scheme := "http"
	if t.at.TLS {
		scheme = "https"
	}
	u := url.URL{Scheme: scheme, Host: host, Path: path, RawQuery: query.Encode()}
	r, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if t.at.Key != "" {
		r.Header.Set("Authorization", "Bearer "+t.at.Key)
	}
	return r, nil
}

// messageOf is what an answer says went wrong, as one short line.
func messageOf(answer []byte) string {
	var body struct {
		Error   []struct{ Message string }
		Message string
	}
	text := string(answer)
	if json.Unmarshal(answer, &body) == nil {
		if len(body.Error) > 0 {
			text = body.Error[0].Message
		} else if body.Message != "" {
			text = body.Message
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(len(text), mostMessage)]
}

// query runs a GraphQL query and reads the answer's data into out.
func (t *transport) query(ctx context.Context, text string, out any) error {
	answer := struct {
		Data   any                        `json:"data"`
		Errors []struct{ Message string } `json:"errors"`
	}{Data: out} // a pointer, into which the data are read
	if err := t.do(ctx, http.MethodPost, "/v1/graphql", nil, map[string]string{"query": text}, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return &statusError{what: "a query", status: http.StatusUnprocessableEntity, message: answer.Errors[0].Message}
	}
	return nil
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
