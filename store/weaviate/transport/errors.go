package transport

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"docent/store"
	"docent/store/remote"
)

// ErrRefused means that the server takes no request without another key.
var ErrRefused = errors.New("the Weaviate refuses the key")

// StatusError is an answer that is no success.
type StatusError struct {
	What    string // method and path
	Status  int
	Message string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the Weaviate answers %s with %d: %s", e.What, e.Status, e.Message)
}

// Is gives statuses their meaning.
func (e *StatusError) Is(target error) bool {
	switch target {
	case ErrRefused:
		return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
	case store.ErrReadOnly:
		return strings.Contains(e.Message, "read-only") || strings.Contains(e.Message, "READONLY")
	}
	return false
}

func IsStatus(err error, statuses ...int) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && slices.Contains(statuses, e.Status)
}

// fewReaders is what the engine says then. It has no code for it.
const fewReaders = "cannot achieve consistency level"

// LacksReaders reports whether too few nodes answered a question.
func LacksReaders(err error) bool { return SaysOneOf(err, fewReaders) }

// What the engine says until its nodes have chosen a leader, and while a node turns from one leader to the
// next. It has no code for it.
const (
	noLeader     = "leader not found"
	leavesLeader = "the client connection is closing"
)

func LacksLeader(err error) bool { return SaysOneOf(err, noLeader, leavesLeader) }

// SaysOneOf reports whether an error is an answer that has one of some words.
func SaysOneOf(err error, words ...string) bool {
	e, ok := errors.AsType[*StatusError](err)
	return ok && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(e.Message, w) })
}

// FewReplicas is what the engine says where too few nodes store an object: the others are away, or
// take no changes. It has no code for it.
const FewReplicas = "cannot reach enough replicas"

// ForgottenWrite is what a node says that is to make a change final which it does not know any more: it
// was too busy, or started again, between the two steps of a write.
const ForgottenWrite = "request not found"

// fullDisk is what the engine passes on from the system of a node whose disk is full.
const fullDisk = "no space left on device"

// LostNode is what the engine puts between the address of a node and why its request to it failed.
const LostNode = ": connect: "

// Explain gives an answer that means that the server cannot be used, now or for changes, the error
// of such a server.
func (t *Transport) Explain(err error) error {
	e, ok := errors.AsType[*StatusError](err)
	if !ok {
		return err
	}
	reason := e.Error()
	switch {
	case strings.Contains(e.Message, fullDisk):
		reason = "the disk of a node is full; give it space, and start the node again (" + reason + ")"
	case strings.Contains(e.Message, LostNode):
		reason = "its nodes do not reach each other in time (" + reason + ")"
	case strings.Contains(e.Message, noLeader):
		reason = "its nodes have no leader, as where half of them are away; start those (" + reason + ")"
	case errors.Is(e, store.ErrReadOnly), strings.Contains(e.Message, FewReplicas):
		reason = "too few of its nodes take changes; start those that are away, or give a full disk space and let them write (" +
			reason + ")"
	case e.Status < http.StatusInternalServerError:
		return err
	}
	return &remote.UnreachableError{Store: "the Weaviate " + t.At.String(), Setting: Setting, Reason: reason, Err: err}
}

// Setting is where a person writes the address.
const Setting = "[store] index"

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
