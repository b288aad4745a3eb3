package weaviate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docent/store"
	"docent/store/cosine"
)

// vectors is an opened generation of vectors. It is store.Vectors.
type vectors struct {
	*opened
	attached []byte
	memory   *memory
}

// keepCodes keeps codes for the next questions.
func (v *vectors) keepCodes(list []coded) {
	for _, c := range list {
		v.memory.codes.Put(bornKey{c.Key, v.has.documents[c.Doc].born}, c.code)
	}
}

// knownCodes gives the codes that are in memory, and which keys have to be asked for.
func (v *vectors) knownCodes(keys []store.Key) (codes map[store.Key][]byte, missing []store.Key) {
	codes = make(map[store.Key][]byte, len(keys))
	for _, k := range keys {
		if c, ok := v.memory.codes.Get(bornKey{k, v.has.documents[k.Doc].born}); ok {
			codes[k] = c
		} else {
			missing = append(missing, k)
		}
	}
	return codes, missing
}

func (c *client) openVectors(ctx context.Context, set int64, k kind) (*vectors, error) {
	o, err := c.openGeneration(ctx, set, k)
	if err != nil {
		return nil, err
	}
	v := &vectors{opened: o, memory: c.memories.get(stateKey{set, k})}
	if b := o.state.Attached; b != nil {
		if v.attached, err = c.readBlob(ctx, set, k, *b); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// info describes vectors.
func (s *state) info() store.VectorInfo {
	return store.VectorInfo{Model: s.Model, Dims: s.Dims, Documents: s.Sets, Vectors: s.Vectors, Bytes: s.Bytes, Note: s.Note}
}

// Info is store.Nearest's.
func (v *vectors) Info() store.VectorInfo { return v.state.info() }

// Attachment is store.Attachment's.
func (v *vectors) Attachment(ctx context.Context) ([]byte, error) { return v.attached, ctx.Err() }

// Guard is store.Attachment's: the bytes are in memory.
func (v *vectors) Guard(f func() error) error { return f() }

// coded is a vector of a passage, as it is kept.
type coded struct {
	store.Key
	code []byte
}

func (v *vectors) decode(list []found) ([]coded, error) {
	want := cosine.CodeLength(v.state.Dims)
	out := make([]coded, len(list))
	for i, f := range list {
		code, err := unseal(f.Detail)
		if err == nil && len(code) != want {
			err = fmt.Errorf("it has %d bytes, not %d", len(code), want)
		}
		if err != nil {
			return nil, damagedError(v.kind, "%s: vector %d.%d.%d of doc set %d: %w", v.c.At, f.Doc, f.Chunk, f.Part, v.set, err)
		}
		out[i] = coded{f.key(), code}
	}
	return out, nil
}

// extraNear is how many more vectors are taken than are wanted: the engine compares the
// vectors and not their codes, and may miss some.
const extraNear = 32

// Search is store.Nearest's. The engine finds near ones, the codes decide.
func (v *vectors) Search(ctx context.Context, vector []float32, limit int) ([]store.Neighbor, error) {
	if len(vector) != v.state.Dims {
		return nil, fmt.Errorf("the query has %d dimensions, the vectors of %s have %d", len(vector), v.state.Model, v.state.Dims)
	}
	q, err := cosine.NewQuery(vector)
	if err != nil || q == nil || v.state.Vectors == 0 {
		return nil, cmp.Or(err, ctx.Err())
	}
	if limit <= 0 {
		limit = v.state.Vectors
	}
	for wanted := limit + limit/2 + extraNear; ; wanted *= 4 {
		all := wanted >= v.state.Vectors || wanted > mostFound
		near, err := v.near(ctx, vector, wanted, all)
		if err != nil {
			return nil, err
		}
		out := make([]store.Neighbor, len(near))
		for i, n := range near {
			out[i] = store.Neighbor{Key: n.Key, Cosine: q.Cosine(n.code)}
		}
		slices.SortFunc(out, func(a, b store.Neighbor) int {
			return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), a.Key.Compare(b.Key))
		})
		n := min(limit, len(out))
		for n > 0 && n < len(out) && out[n].Cosine == out[n-1].Cosine {
			n++
		}
		if all || n >= limit && n < len(out) { // else more may tie with the last
			return out[:n], nil
		}
	}
}

// near gives the vectors that the engine finds near, or all.
func (v *vectors) near(ctx context.Context, vector []float32, n int, all bool) ([]coded, error) {
	var list []found
	if all {
		err := v.eachWhole(ctx, v.state.Vectors, func() { list = nil }, func(some []found) error {
			list = append(list, some...)
			return nil
		})
		if err != nil {
			return nil, err
		}
		return v.decode(list)
	}
	search := request{kind: v.kind, tenant: v.state.Tenant, limit: min(n+v.dead(), mostFound), vector: vector}
	err := v.askTenant(ctx, func() (err error) {
		list, err = v.c.find(ctx, search)
		return err
	})
	if err != nil {
		return nil, err
	}
	near, err := v.decode(v.living(list))
	v.keepCodes(near)
	return near, err
}

func numbers(vector []float32) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, x := range vector {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatFloat(float64(x), 'g', -1, 32))
	}
	b.WriteByte(']')
	return b.String()
}

// codes gives the codes of keys that have one.
func (v *vectors) codes(ctx context.Context, keys []store.Key) (map[store.Key][]byte, error) {
	out, missing := v.knownCodes(keys)
	var ids []string
	missing = slices.Compact(slices.SortedFunc(slices.Values(missing), store.Key.Compare))
	for _, k := range missing {
		if o, ok := v.has.documents[k.Doc]; ok {
			ids = append(ids, passageID(v.state.Tenant, k, o.born))
		}
	}
	if len(ids) == 0 {
		return out, ctx.Err()
	}
	var list []found
	err := v.askTenant(ctx, func() (err error) {
		list, err = v.c.byID(ctx, v.kind, v.state.Tenant, ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	some, err := v.decode(list)
	for _, c := range some {
		out[c.Key] = c.code
	}
	v.keepCodes(some) // a missing one may only be late at this node
	return out, err
}

// Similarities is store.Nearest's.
func (v *vectors) Similarities(ctx context.Context, vector []float32, keys []store.Key) ([]float64, error) {
	out := make([]float64, len(keys))
	if len(vector) != v.state.Dims {
		return nil, fmt.Errorf("the query has %d dimensions, the vectors of %s have %d", len(vector), v.state.Model, v.state.Dims)
	}
	q, err := cosine.NewQuery(vector)
	if err != nil || q == nil {
		return out, cmp.Or(err, ctx.Err())
	}
	codes, err := v.codes(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, k := range keys {
		if c, ok := codes[k]; ok {
			out[i] = q.Cosine(c)
		}
	}
	return out, nil
}

// Vectors is store.Nearest's.
func (v *vectors) Vectors(ctx context.Context, keys []store.Key) ([][]float32, error) {
	codes, err := v.codes(ctx, keys)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(keys))
	for i, k := range keys {
		if c, ok := codes[k]; ok {
			out[i] = cosine.Decode(c, v.state.Dims)
		}
	}
	return out, nil
}
