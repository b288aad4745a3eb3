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
	"slices"
	"strconv"
	"strings"
	"time"

	"docent/store"
)

// found is an object as a query gives it.
type found struct {
	Doc    int64
	Chunk  int
	Part   int
	Born   int64
	Detail string
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
func objectID(names ...string) string {
	h := sha256.New()
	for _, n := range names {
		_, _ = h.Write(binary.AppendUvarint(nil, uint64(len(n))))
		_, _ = h.Write([]byte(n))
	}
	b := h.Sum(nil)[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80 // version 8, of RFC 9562
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func passageID(tenant string, k store.Key, born int64) string {
	return objectID(tenant, strconv.FormatInt(k.Doc, 10), strconv.Itoa(k.Chunk), strconv.Itoa(k.Part), strconv.FormatInt(born, 10))
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
	return lacksLeader(err) || saysOneOf(err, fewReplicas, forgottenWrite, lostNode)
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
	if err := c.do(ctx, http.MethodPost, "/v1/batch/objects", quorum, map[string]any{"objects": list}, &answer); err != nil {
		return err
	}
	if len(answer) != len(list) {
		return fmt.Errorf("the Weaviate says of %d objects that it stored %d", len(list), len(answer))
	}
	for _, a := range answer {
		if a.Result.Status == "FAILED" {
			why := cmp.Or(a.Result.Errors.first(), "it does not say why")
			return c.explain(&statusError{what: "storing objects", status: http.StatusUnprocessableEntity, message: why})
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

// condition is a part of a GraphQL filter.
type condition string

func anyText(property string, list []string) condition {
	return condition(fmt.Sprintf("{path:[%q],operator:ContainsAny,valueText:%s}", property, literals(list)))
}

// allHold is the condition that several conditions hold.
func allHold(list ...condition) condition {
	var parts []string
	for _, c := range list {
		parts = append(parts, string(c))
	}
	return condition("{operator:And,operands:[" + strings.Join(parts, ",") + "]}")
}

// request is a search in a tenant. Its parts are GraphQL.
type request struct {
	kind   kind
	tenant string
	by     string // "bm25:{…}", "nearVector:{…}" or ""
	bare   bool   // without what the engine only keeps
	where  condition
	limit  int
}

// find runs a search.
func (c *client) find(ctx context.Context, r request) ([]found, error) {
	args := []string{"tenant:" + literal(r.tenant), "limit:" + strconv.Itoa(r.limit)}
	if r.by != "" {
		args = append(args, r.by)
	}
	if r.where != "" {
		args = append(args, "where:"+string(r.where))
	}
	class := c.collectionOf(r.kind)
	var answer struct{ Get map[string][]found }
	fields := "doc chunk part born"
	if !r.bare {
		fields += " detail"
	}
	err := c.query(ctx, fmt.Sprintf("{Get{%s(%s){%s}}}", class, strings.Join(args, ","), fields), &answer)
	return answer.Get[class], err
}

// count gives the number of objects that fulfil a condition.
func (c *client) count(ctx context.Context, k kind, tenant string, where condition) (int, error) {
	class := c.collectionOf(k)
	var answer struct {
		Aggregate map[string][]struct{ Meta struct{ Count int } }
	}
	err := c.query(ctx, fmt.Sprintf("{Aggregate{%s(tenant:%s,where:%s){meta{count}}}}", class, literal(tenant), where), &answer)
	n := 0
	for _, group := range answer.Aggregate[class] {
		n += group.Meta.Count
	}
	return n, err
}

// matching gives all objects that fulfil a condition, of which there are at most so many.
func (c *client) matching(ctx context.Context, k kind, tenant string, where condition, most int) ([]found, error) {
	return c.find(ctx, request{kind: k, tenant: tenant, where: where, limit: most})
}

// byID gives those of some objects that are there.
func (c *client) byID(ctx context.Context, k kind, tenant string, ids []string) (out []found, err error) {
	for batch := range slices.Chunk(ids, atOnce) {
		list, err := c.matching(ctx, k, tenant, anyText("id", batch), len(batch))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
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
		if err := c.do(ctx, http.MethodGet, "/v1/objects", q, nil, &page); err != nil {
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
		err := c.do(ctx, http.MethodDelete, "/v1/batch/objects", q, map[string]any{
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
			return c.explain(&statusError{what: "deleting objects", status: http.StatusUnprocessableEntity, message: why})
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
	e, ok := errors.AsType[*statusError](err)
	if !ok {
		return false
	}
	switch e.status {
	case http.StatusNotFound:
		return true
	case http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return missingWords.MatchString(e.message)
	}
	return false
}
