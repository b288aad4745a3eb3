package weaviate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"docent/store"
	"docent/store/address"
	"docent/store/remote"
	"docent/store/weaviate/recent"
)

// client keeps and finds objects of the home. It is safe for concurrent use.
type client struct {
	*transport
	grace  time.Duration
	states *recent.Values[stateKey, state]
	whole  wholeNodes
	rights *rights
}

func newClient(at address.Weaviate) *client {
	c := &client{transport: newTransport(at), grace: grace, rights: newRights(), whole: newWholeNodes()}
	c.states = newStates(c)
	return c
}

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
// asked: every request here may be repeated, and may reach several hosts at the same time.
func (t *transport) do(ctx context.Context, method, path string, query url.Values, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	began := time.Now()
	for try := 1; ; try++ {
		answer, err := t.askHosts(ctx, call{method: method, path: path, query: query, body: body})
		if err == nil {
			return decode(method+" "+path, answer, out)
		}
		leaderMayCome := lacksLeader(err) && try < leaderTries
		readersMayCome := lacksReaders(err) && time.Since(began) < readPatience
		if !leaderMayCome && !readersMayCome {
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

// readPatience is for how long a question is asked again that too few nodes answer. A node that was just
// killed counts as alive for a moment, and the ones left may be busy.
const readPatience = 3 * time.Second

// fewReaders is what the engine says then. It has no code for it.
const fewReaders = "cannot achieve consistency level"

// lacksReaders reports whether too few nodes answered a question.
func lacksReaders(err error) bool { return saysOneOf(err, fewReaders) }

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

// decode reads the JSON of an answer into out, which may be nil.
func decode(asked string, answer []byte, out any) error {
	if out == nil || len(answer) == 0 {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("the answer of the Weaviate to %s is not as expected: %w", asked, err)
	}
	return nil
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
