package weaviate

import (
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
	if err := c.c.do(t.Context(), http.MethodDelete, "/v1/schema/"+c.c.wordsName(), nil, nil, nil); err != nil {
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
