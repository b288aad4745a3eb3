package weaviate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"docent/store"
	"docent/store/weaviate/transport"
	"docent/store/weaviate/wire"
)

// found is an object as a query gives it.
type found struct {
	Doc    int64
	Chunk  int
	Part   int
	Born   int64
	Detail string
	id     wire.UUID // where only that was asked for
}

func (f found) key() store.Key { return store.Key{Doc: f.Doc, Chunk: f.Chunk, Part: f.Part} }

// entry is an object that is to be stored.
type entry struct {
	Class      string         `json:"class"`
	Tenant     string         `json:"tenant,omitempty"`
	ID         string         `json:"id"`
	Properties map[string]any `json:"properties"`
	Vector     []float32      `json:"vector,omitempty"`
}

func (e entry) detail() string {
	text, _ := e.Properties[detailProperty].(string)
	return text
}

func (e entry) tokens() string {
	text, _ := e.Properties[termsProperty].(string)
	return text
}

// objectID is the UUID of what its names name.
func objectID(names ...string) string { return uuidOf(names...).String() }

func uuidOf(names ...string) (id wire.UUID) {
	var b []byte
	for _, n := range names {
		b = append(binary.AppendUvarint(b, uint64(len(n))), n...)
	}
	h := sha256.Sum256(b)
	copy(id[:], h[:])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // version 8, of RFC 9562
	return id
}

func passageID(tenant string, k store.Key, born int64) string {
	return passageUUID(tenant, k, born).String()
}

func passageUUID(tenant string, k store.Key, born int64) wire.UUID {
	return uuidOf(tenant, strconv.FormatInt(k.Doc, 10), strconv.Itoa(k.Chunk), strconv.Itoa(k.Part), strconv.FormatInt(born, 10))
}

// passageEntry is the object of a passage or vector, without its tokens or vector.
func passageEntry(class, tenant string, k store.Key, born int64, detail string) entry {
	return entry{Class: class, Tenant: tenant, ID: passageID(tenant, k, born), Properties: map[string]any{
		docProperty: k.Doc, chunkProperty: k.Chunk, partProperty: k.Part, bornProperty: born, detailProperty: detail}}
}

var quorum = url.Values{"consistency_level": {"QUORUM"}}

// put stores objects, or replaces those of the same id. Nodes learn one after the other of a
// collection or tenant that was just made.
func (c *client) put(ctx context.Context, list []entry) error {
	if len(list) == 0 {
		return nil
	}
	return untilTaken(ctx, func() error {
		return untilThere(ctx, func() error { return c.putNow(ctx, list) })
	})
}

// A busy node seems away to the others for a moment: what too few nodes took is stored again.
const (
	replicaTries = 3
	replicaPause = time.Second
)

// untilTaken runs a change until enough nodes took it, for the time that a busy one may seem away.
func untilTaken(ctx context.Context, change func() error) error {
	for try := 1; ; try++ {
		err := change()
		if !lacksReplicas(err) || try == replicaTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(try) * replicaPause):
		}
	}
}

// lacksReplicas reports whether too few nodes took a change.
func lacksReplicas(err error) bool {
	return transport.LacksLeader(err) || transport.SaysOneOf(err, transport.FewReplicas, transport.ForgottenWrite, transport.LostNode)
}

// How long a collection or tenant may take to be known to all nodes.
const (
	learnTries = 40
	learnPause = 100 * time.Millisecond
)

// untilThere runs f until no collection or tenant is missing, or for the time that nodes may take to
// learn of one.
func untilThere(ctx context.Context, f func() error) error {
	for try := 1; ; try++ {
		err := f()
		if !isMissing(err) || try == learnTries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(learnPause):
		}
	}
}

func (c *client) putNow(ctx context.Context, list []entry) error {
	var answer []struct {
		Result struct {
			Status string
			Errors failures
		}
	}
	if err := c.Do(ctx, http.MethodPost, "/v1/batch/objects", quorum, map[string]any{"objects": list}, &answer); err != nil {
		return err
	}
	if len(answer) != len(list) {
		return fmt.Errorf("the Weaviate says of %d objects that it stored %d", len(list), len(answer))
	}
	for _, a := range answer {
		if a.Result.Status == "FAILED" {
			why := cmp.Or(a.Result.Errors.first(), "it does not say why")
			return c.Explain(&transport.StatusError{What: "storing objects", Status: http.StatusUnprocessableEntity, Message: why})
		}
	}
	return nil
}

// failures are why something failed for an object.
type failures struct{ Error []struct{ Message string } }

// first is the first reason, "" without one.
func (f failures) first() string {
	if len(f.Error) == 0 {
		return ""
	}
	return f.Error[0].Message
}

// atOnce is how many objects a request gives or takes.
const atOnce = 500

// eachObject calls f with every object of a tenant, a number of them at a time.
func (c *client) eachObject(ctx context.Context, k kind, tenant string, f func([]found) error) error {
	after := ""
	for {
		var page struct {
			Objects []struct {
				ID         string
				Properties found
			}
		}
		q := url.Values{"class": {c.collectionOf(k)}, "tenant": {tenant}, "limit": {strconv.Itoa(atOnce)}, "after": {after}}
		if err := c.Do(ctx, http.MethodGet, "/v1/objects", q, nil, &page); err != nil {
			return err
		}
		if len(page.Objects) == 0 {
			return nil
		}
		list := make([]found, len(page.Objects))
		for i, o := range page.Objects {
			list[i] = o.Properties
		}
		if err := f(list); err != nil {
			return err
		}
		after = page.Objects[len(page.Objects)-1].ID
	}
}

// filter is a condition in the form of REST.
type filter map[string]any

func restNumber(property, operator string, n int64) filter {
	return filter{"path": []string{property}, "operator": operator, "valueInt": n}
}

// bothHold is the condition that two conditions hold.
func bothHold(a, b filter) filter { return filter{"operator": "And", "operands": []filter{a, b}} }

// remove deletes the objects of a tenant that fulfil a condition. The time goes with the request:
// without it, a node that was down brings deleted objects back.
func (c *client) remove(ctx context.Context, k kind, tenant string, where filter) error {
	return untilTaken(ctx, func() error {
		return c.removeFrom(ctx, c.collectionOf(k), url.Values{"consistency_level": {"QUORUM"}, "tenant": {tenant}}, where)
	})
}

// removeFrom is remove for a collection, with or without tenants.
func (c *client) removeFrom(ctx context.Context, class string, q url.Values, where filter) error {
	output := "minimal"
	for {
		var answer struct {
			Results struct {
				Matches, Successful, Failed int64
				Objects                     []struct{ Errors failures }
			}
		}
		err := c.Do(ctx, http.MethodDelete, "/v1/batch/objects", q, map[string]any{
			"match": map[string]any{"class": class, "where": where}, "output": output,
			"deletionTimeUnixMilli": time.Now().UnixMilli()}, &answer)
		if err != nil {
			return err
		}
		if answer.Results.Failed > 0 {
			if output == "minimal" {
				output = "verbose" // it has the reason
				continue
			}
			why := fmt.Sprintf("%d were not deleted", answer.Results.Failed)
			for _, o := range answer.Results.Objects {
				if first := o.Errors.first(); first != "" {
					why += ": " + first
					break
				}
			}
			return c.Explain(&transport.StatusError{What: "deleting objects", Status: http.StatusUnprocessableEntity, Message: why})
		}
		if answer.Results.Successful < answer.Results.Matches && answer.Results.Successful > 0 {
			continue // it deletes a number of them at a time
		}
		return nil
	}
}

// missingWords match what the engine says of a collection or tenant that is not there. It has no code
// for it, and words it by the place that noticed: a node that forgets a collection in the middle of a
// query has other words than the schema.
var missingWords = regexp.MustCompile(`(?i)non-existing index|\b(cannot|could not) find (class|collection|index)\b|` +
	`\b(class|collection|tenant)( "?[\w-]+"?)? not found|Cannot query field`)

// isMissing reports whether a tenant or collection is not there.
func isMissing(err error) bool {
	e, ok := errors.AsType[*transport.StatusError](err)
	if !ok {
		return false
	}
	switch e.Status {
	case http.StatusNotFound:
		return true
	case http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return missingWords.MatchString(e.Message)
	}
	return false
}
