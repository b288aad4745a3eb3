package weaviate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docent/store/weaviate/wire"
)

func anyText(property string, list []string) *wire.Filter {
	return &wire.Filter{Operator: wire.ContainsAny, Property: property, Texts: list}
}

// allHold is the condition that several conditions hold.
func allHold(list ...*wire.Filter) *wire.Filter {
	all := &wire.Filter{Operator: wire.And}
	for _, f := range list {
		all.Operands = append(all.Operands, *f)
	}
	return all
}

// operators are the names of a filter's operators in GraphQL.
var operators = map[wire.Operator]string{wire.NotEqual: "NotEqual", wire.LessThanEqual: "LessThanEqual", wire.And: "And",
	wire.ContainsAny: "ContainsAny"}

// condition is a filter as GraphQL writes it.
func condition(f *wire.Filter) string {
	operator := operators[f.Operator]
	if f.Operator == wire.And {
		parts := make([]string, len(f.Operands))
		for i := range f.Operands {
			parts[i] = condition(&f.Operands[i])
		}
		return "{operator:" + operator + ",operands:[" + strings.Join(parts, ",") + "]}"
	}
	property := f.Property
	if property == wire.IDProperty {
		property = "id"
	}
	value := "valueInt:" + strconv.FormatInt(f.Number, 10)
	if f.Operator == wire.ContainsAny {
		value = "valueText:" + literals(f.Texts)
	}
	return "{path:[" + literal(property) + "],operator:" + operator + "," + value + "}"
}

// request is a search in a tenant: by a ranking, by a vector, or for what fulfils a condition.
type request struct {
	kind    kind
	tenant  string
	ranking *wire.Ranking
	vector  []float32
	where   *wire.Filter
	limit   int
	want    want
}

// want is what a search gives of an object.
type want int

const (
	wantWhole want = iota
	wantNames      // without what the engine only keeps
	wantIDs        // over gRPC only its UUID, for which the engine reads no properties; else as wantNames
)

var (
	namedProperties = []string{docProperty, chunkProperty, partProperty, bornProperty}
	wholeProperties = append(slices.Clip(namedProperties), detailProperty)
)

func (w want) properties() []string {
	if w == wantWhole {
		return wholeProperties
	}
	return namedProperties
}

// find runs a search, over gRPC where the address has it: that takes the engine half the time.
func (c *client) find(ctx context.Context, r request) ([]found, error) {
	if c.HasRemote() {
		return c.findRemote(ctx, r)
	}
	args := []string{"tenant:" + literal(r.tenant), "limit:" + strconv.Itoa(r.limit)}
	if r.ranking != nil {
		args = append(args, "bm25:{query:"+literal(r.ranking.Query)+",properties:["+literal(r.ranking.Property)+"]}")
	}
	if r.vector != nil {
		args = append(args, "nearVector:{vector:"+numbers(r.vector)+"}")
	}
	if r.where != nil {
		args = append(args, "where:"+condition(r.where))
	}
	class := c.collectionOf(r.kind)
	var answer struct{ Get map[string][]found }
	fields := strings.Join(r.want.properties(), " ")
	err := c.Query(ctx, fmt.Sprintf("{Get{%s(%s){%s}}}", class, strings.Join(args, ","), fields), &answer)
	return answer.Get[class], err
}

func (c *client) findRemote(ctx context.Context, r request) ([]found, error) {
	search := wire.Search{Collection: c.collectionOf(r.kind), Tenant: r.tenant, Limit: r.limit, Ranking: r.ranking, Vector: r.vector,
		Filter: r.where}
	if r.want != wantIDs {
		search.Properties = r.want.properties()
	}
	answer, err := c.Call(ctx, wire.SearchMethod, search.Encode())
	if err != nil {
		return nil, err
	}
	results, err := wire.Results(answer)
	if err != nil {
		return nil, err
	}
	out := make([]found, len(results))
	for i, one := range results {
		f := &out[i]
		f.id = one.ID
		err := one.Each(func(name, text string, number int64) {
			switch name {
			case docProperty:
				f.Doc = number
			case chunkProperty:
				f.Chunk = int(number)
			case partProperty:
				f.Part = int(number)
			case bornProperty:
				f.Born = number
			case detailProperty:
				f.Detail = text
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// count gives the number of objects that fulfil a condition.
func (c *client) count(ctx context.Context, k kind, tenant string, where *wire.Filter) (int, error) {
	class := c.collectionOf(k)
	var answer struct {
		Aggregate map[string][]struct{ Meta struct{ Count int } }
	}
	err := c.Query(ctx, fmt.Sprintf("{Aggregate{%s(tenant:%s,where:%s){meta{count}}}}", class, literal(tenant), condition(where)), &answer)
	n := 0
	for _, group := range answer.Aggregate[class] {
		n += group.Meta.Count
	}
	return n, err
}

// byID gives those of some objects that are there.
func (c *client) byID(ctx context.Context, k kind, tenant string, ids []string) (out []found, err error) {
	for batch := range slices.Chunk(ids, atOnce) {
		list, err := c.find(ctx, request{kind: k, tenant: tenant, where: anyText(wire.IDProperty, batch), limit: len(batch)})
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}
