package weaviate

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"docent/store"
	"docent/store/address"
	"docent/store/weaviate/weaviatetest"
)

// startedWords gives a doc set's words on a server of their own.
func startedWords(t *testing.T) conformingWords {
	t.Helper()
	c := weaviatetest.Start(t, 1)
	at, err := address.ParseWeaviate("weaviate://" + c.Addresses() + "/left")
	if err != nil {
		t.Fatal(err)
	}
	x := Open(at)
	t.Cleanup(func() { _ = x.Close() })
	return conformingWords{conforming{x, 1}}
}

// What writers left that were killed, lost their lock or removed half of a doc set is deleted, and
// what others lost is built again.
func TestLeftovers(t *testing.T) {
	c := startedWords(t)
	t.Run("a writer that lost its lock", c.overtaken)
	t.Run("a writer that is paused at its begin", c.pausedAtBegin)
	t.Run("a writer that publishes late", c.publishesLate)
	t.Run("killed first generations", c.killedFirst)
	t.Run("a collection that went", c.lostCollection)
	t.Run("a removal that ended early", c.removedByHalf)
}

// A writer whose lock was lost, and taken by another one, does not publish, and does not delete what
// the other one wrote.
func (c conformingWords) overtaken(t *testing.T) {
	if err := c.Publish(t.Context(), roundOf(0, 5)); err != nil {
		t.Fatal(err)
	}
	late, err := c.begin(t.Context(), roundOf(1, 5))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(late.Prepare(t.Context()), c.Publish(t.Context(), roundOf(1, 5))); err != nil {
		t.Fatal(err)
	}
	if err := late.Commit(); err == nil || !strings.Contains(err.Error(), "another process changed") {
		t.Errorf("the late one says %v", err)
	}
	if err := errors.Join(late.Abort(), c.Verify(t.Context(), c.set)); err != nil {
		t.Error(err)
	}
}

// holders are the processes that hold a lock one after the other.
type holders struct{ last int64 }

// holder is a process that has or had the lock. whilePaused runs behind the number that it gets.
type holder struct {
	store.Held
	all         *holders
	whilePaused func()
}

// NextNumber is Numbering's.
func (h *holder) NextNumber(_ context.Context, floor int64) (int64, error) {
	h.all.last = max(h.all.last, floor) + 1
	n := h.all.last
	if paused := h.whilePaused; paused != nil {
		h.whilePaused = nil
		paused()
	}
	return n, nil
}

// numberBy has the next changes of the doc set be those of a holder.
func (c conformingWords) numberBy(h *holder) { c.NumberBy(c.set, store.Updating, h) }

// A writer that is paused behind its look at the generation, before it deletes what killed writers left,
// deletes nothing of the one that took its lock over. Before, a pause there lost all that was published
// meanwhile.
func (c conformingWords) pausedAtBegin(t *testing.T) {
	for set, freshly := range map[int64]bool{11: false, 12: true} {
		c.set = set
		all := &holders{}
		c.numberBy(&holder{all: all})
		if err := c.Publish(t.Context(), roundOf(0, 5)); err != nil {
			t.Fatal(err)
		}
		next := func() {
			c.numberBy(&holder{all: all})
			u, err := c.UpdateIndex(t.Context(), c.set, freshly)
			if err == nil {
				u, err = c.fill(u, roundOf(1, 5))
			}
			if err == nil {
				err = errors.Join(u.Prepare(t.Context()), u.Commit())
			}
			if err != nil {
				t.Error(err)
			}
		}
		c.numberBy(&holder{all: all, whilePaused: next})
		late, err := c.UpdateIndex(t.Context(), c.set, freshly)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(late.Abort(), c.Verify(t.Context(), c.set)); err != nil {
			t.Errorf("fresh %v: %v", freshly, err)
		}
		if round, err := seen(t.Context(), c.Indexes, c.set, 5); round != 1 || err != nil {
			t.Errorf("fresh %v: a search sees round %d, %v", freshly, round, err)
		}
	}
}

// A writer that publishes after its lock went to another one does not keep that one from publishing,
// which deleted the objects of the late one: its generation would be damaged.
func (c conformingWords) publishesLate(t *testing.T) {
	c.set = 13
	all := &holders{}
	c.numberBy(&holder{all: all})
	if err := c.Publish(t.Context(), roundOf(0, 5)); err != nil {
		t.Fatal(err)
	}
	late, err := c.begin(t.Context(), roundOf(1, 5))
	if err == nil {
		err = late.Prepare(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	c.numberBy(&holder{all: all})
	change := roundOf(2, 5)
	change.Delete = roundOf(1, 5).Delete // of round 0: it knows of no other
	next, err := c.begin(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(next.Prepare(t.Context()), late.Commit(), next.Commit(), c.Verify(t.Context(), c.set)); err != nil {
		t.Error(err)
	}
	if round, err := seen(t.Context(), c.Indexes, c.set, 5); round != 2 || err != nil {
		t.Errorf("a search sees round %d, %v", round, err)
	}
}

// tenantsOf gives the tenants of the doc set's words.
func (c conformingWords) tenantsOf(t *testing.T) []string {
	t.Helper()
	names, err := c.c.tenants(t.Context(), words)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, tenantPrefix(c.set, words)) })
}

func (c conformingWords) killedFirst(t *testing.T) {
	c.set = 7
	for _, number := range []string{"5", "6"} {
		if err := c.c.addTenant(t.Context(), words, tenantPrefix(c.set, words)+number); err != nil {
			t.Fatal(err)
		}
	}
	other := tenantPrefix(77, words) + "5"
	if err := c.c.addTenant(t.Context(), words, other); err != nil {
		t.Fatal(err)
	}
	if err := c.Publish(t.Context(), roundOf(0, 5)); err != nil {
		t.Fatal(err)
	}
	if list := c.tenantsOf(t); len(list) != 1 {
		t.Errorf("the doc set has the tenants %v", list)
	}
	if list, err := c.c.tenants(t.Context(), words); err != nil || !slices.Contains(list, other) {
		t.Errorf("that of another doc set went: %v, %v", list, err)
	}
}

func (c conformingWords) lostCollection(t *testing.T) {
	if err := c.c.Do(t.Context(), http.MethodDelete, "/v1/schema/"+c.c.wordsName(), nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := seen(t.Context(), c.Indexes, c.set, 5); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a search says %v", err)
	}
	if err := c.Remove(7); err != nil {
		t.Errorf("a doc set without its collection cannot be removed: %v", err)
	}
	if err := c.Publish(t.Context(), roundOf(0, 5)); err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(t.Context(), c.set); err != nil {
		t.Error(err)
	}
}

func (c conformingWords) removedByHalf(t *testing.T) {
	if err := c.c.removeRecord(t.Context(), c.c.stateID(c.set, words)); err != nil {
		t.Fatal(err)
	}
	if sets, err := c.Sets(); err != nil || !slices.Contains(sets, c.set) {
		t.Errorf("it is not listed: %v, %v", sets, err)
	}
	if err := c.Remove(c.set); err != nil {
		t.Error(err)
	}
	if list := c.tenantsOf(t); len(list) > 0 {
		t.Errorf("it has the tenants %v", list)
	}
	if sets, err := c.Sets(); err != nil || slices.Contains(sets, c.set) {
		t.Errorf("it is listed: %v, %v", sets, err)
	}
}
