package weaviate

import (
	"context"
	"slices"
	"time"

	"docent/store"
	"docent/store/weaviate/wire"
)

// opened is an opened generation: of words or of vectors.
type opened struct {
	c     *client
	set   int64
	kind  kind
	state state
	has   *contents
}

func (c *client) openGeneration(ctx context.Context, set int64, k kind) (*opened, error) {
	s, err := c.states.Get(ctx, stateKey{set, k})
	if err != nil {
		return nil, err
	}
	has, err := c.readContents(ctx, set, k, s)
	if err != nil {
		// A writer may have published another generation, and swept this one.
		again, serr := c.readState(ctx, set, k)
		if serr != nil || again.Change == s.Change {
			return nil, err
		}
		s = again
		if has, err = c.readContents(ctx, set, k, s); err != nil {
			return nil, err
		}
	}
	return &opened{c: c, set: set, kind: k, state: s, has: has}, nil
}

// Generation is store.Generation's.
func (o *opened) Generation() string { return o.state.generation() }

// Current is store.Generation's.
func (o *opened) Current(ctx context.Context) (bool, error) {
	s, err := o.c.states.Get(ctx, stateKey{o.set, o.kind})
	if isDamaged(err) {
		return false, nil
	}
	return s.Change == o.state.Change && s.Tenant == o.state.Tenant, err
}

// Close is store.Generation's.
func (o *opened) Close() error { return nil }

// Objects that a generation names may not have reached every node yet: the next node is asked for
// them before they count as missing.
const (
	tries    = 4
	tryAgain = 100 * time.Millisecond
)

// fetch gives the objects of keys, all of which the generation has.
func (o *opened) fetch(ctx context.Context, keys []store.Key) (map[store.Key]found, error) {
	out := make(map[store.Key]found, len(keys))
	for try := range tries {
		var ids []string
		for _, k := range keys {
			if _, ok := out[k]; !ok {
				ids = append(ids, passageID(o.state.Tenant, k, o.has.documents[k.Doc].born))
			}
		}
		if len(ids) == 0 {
			return out, nil
		}
		if try > 0 {
			o.c.AskNextHost()
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(tryAgain):
			}
		}
		var list []found
		err := o.askTenant(ctx, func() (err error) {
			list, err = o.c.byID(ctx, o.kind, o.state.Tenant, ids)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			out[f.key()] = f
		}
	}
	if n := len(keys) - len(out); n > 0 {
		return nil, damagedError(o.kind, "%s: %d objects of the %s of doc set %d are not there", o.c.At, n, o.kind, o.set)
	}
	return out, nil
}

// askTenant asks for objects of the generation. A tenant that stays away is damage.
func (o *opened) askTenant(ctx context.Context, f func() error) error {
	err := untilThere(ctx, f)
	if isMissing(err) {
		return damagedError(o.kind, "%s: the %s of doc set %d: %w", o.c.At, o.kind, o.set, err)
	}
	return err
}

// living leaves those objects that the generation has.
func (o *opened) living(list []found) []found {
	return slices.DeleteFunc(list, func(f found) bool { return !o.has.holds(f.Doc, f.Born) })
}

// dead is how many objects an answer may have that the generation does not: of documents that went
// lately.
func (o *opened) dead() (n int) {
	for _, l := range o.state.Left {
		n += l.N
	}
	return min(n, mostFound)
}

// born is the condition that an object is of no later generation. Few questions need it.
func (o *opened) born() *wire.Filter {
	return &wire.Filter{Operator: wire.LessThanEqual, Property: bornProperty, Number: o.state.Change}
}

// eachLiving calls f with every object of the generation, a number of them at a time.
func (o *opened) eachLiving(ctx context.Context, f func([]found) error) error {
	return o.askTenant(ctx, func() error {
		return o.c.eachObject(ctx, o.kind, o.state.Tenant, func(list []found) error { return f(o.living(list)) })
	})
}

// leastWhole is how often a generation is read at the least until it is whole; with several hosts
// each of them is asked twice.
const leastWhole = 4

// eachWhole is eachLiving until all n objects of the generation came: a node may not have all of
// them yet, so that the other ones are asked too. begin is called before each try. The caller
// counts once more: fewer objects are damage.
func (o *opened) eachWhole(ctx context.Context, n int, begin func(), f func([]found) error) error {
	pause := tryAgain
	for try := 1; ; try++ {
		met := 0
		begin()
		err := o.eachLiving(ctx, func(list []found) error {
			met += len(list)
			return f(list)
		})
		if err != nil || met >= n || try >= max(leastWhole, 2*len(o.c.At.Hosts)) {
			return err
		}
		o.c.AskNextHost()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
		pause *= 2
	}
}
