package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"docent/store"
	"docent/store/remote"
	"docent/store/weaviate/transport"
)

// damages is run with the server of the conformance suite: whatever a generation names and is
// not as it was written gives an error that wraps store.ErrDamaged.
func damages(t *testing.T, fresh func() conforming) {
	for what, harm := range map[string]func(c conforming, s state) error{
		"a passage that went": func(c conforming, s state) error {
			return c.c.remove(t.Context(), words, s.Tenant, restNumber(docProperty, "Equal", 7))
		},
		"a passage that is another": func(c conforming, s state) error {
			e := passageEntry(c.c.wordsName(), s.Tenant, store.Key{Doc: 7}, s.Change, "AAAA")
			e.Properties[termsProperty] = "pod"
			return c.c.put(t.Context(), []entry{e})
		},
		"a part that went": func(c conforming, s state) error { return c.c.removeBlob(t.Context(), c.set, s.Parts[0]) },
		"a state that is another": func(c conforming, _ state) error {
			id := c.c.stateID(c.set, words)
			c.c.states.Forget(stateKey{c.set, words})
			return c.c.writeRecord(t.Context(), c.set, id, stateSort, strings.Repeat("A", 40))
		},
		"a tenant that went": func(c conforming, s state) error { return c.c.removeTenant(t.Context(), words, s.Tenant) },
	} {
		t.Run(what, func(t *testing.T) {
			c := conformingWords{fresh()}
			if err := c.Publish(t.Context(), roundOf(0, 12)); err != nil {
				t.Fatal(err)
			}
			s, err := c.c.readState(t.Context(), c.set, words)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Verify(t.Context(), c.set); err != nil {
				t.Fatalf("undamaged: %v", err)
			}
			if err := harm(c.conforming, s); err != nil {
				t.Fatal(err)
			}
			if err := c.Verify(t.Context(), c.set); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("verify says %v", err)
			}
			u, err := c.UpdateIndex(t.Context(), c.set, true)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(u.Prepare(t.Context()), u.Commit(), c.Verify(t.Context(), c.set)); err != nil {
				t.Errorf("built again: %v", err)
			}
			if err := c.Remove(c.set); err != nil {
				t.Error(err)
			}
		})
	}
}

// A newer program's index is no damage, which would be mended: it is refused, and stays.
func newer(t *testing.T, fresh func() conforming) {
	c := conformingWords{fresh()}
	if err := c.Publish(t.Context(), roundOf(0, 3)); err != nil {
		t.Fatal(err)
	}
	s, err := c.c.readState(t.Context(), c.set, words)
	if err != nil {
		t.Fatal(err)
	}
	s.Format = formatVersion + 1
	raw, err := json.Marshal(s)
	if err == nil {
		raw, err = pack(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	id := c.c.stateID(c.set, words)
	if err := c.c.writeRecord(t.Context(), c.set, id, stateSort+"/"+string(words), seal(raw)); err != nil {
		t.Fatal(err)
	}
	c.c.states.Forget(stateKey{c.set, words})
	_, uerr := c.UpdateIndex(t.Context(), c.set, true)
	for _, err := range []error{c.Verify(t.Context(), c.set), uerr} {
		e, ok := errors.AsType[*remote.UnreachableError](err)
		if !ok || e.Setting != transport.Setting || !strings.Contains(e.Reason, "newer than this program") || errors.Is(err, store.ErrDamaged) {
			t.Errorf("a newer index: %v", err)
		}
	}
}

// Nothing of a doc set is left when it goes.
func removes(t *testing.T, fresh func() conforming) {
	c := conformingWords{fresh()}
	for round := range int64(3) {
		if err := c.Publish(t.Context(), roundOf(round, 5)); err != nil {
			t.Fatal(err)
		}
	}
	if sets, err := c.Sets(); err != nil || !slices.Contains(sets, c.set) {
		t.Errorf("%v, %v", sets, err)
	}
	s, err := c.c.readState(t.Context(), c.set, words)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Remove(c.set); err != nil {
		t.Fatal(err)
	}
	if sets, err := c.Sets(); err != nil || slices.Contains(sets, c.set) {
		t.Errorf("%v, %v", sets, err)
	}
	if names, err := c.c.tenants(context.Background(), words); err != nil || slices.Contains(names, s.Tenant) {
		t.Errorf("its tenant is there: %v, %v", names, err)
	}
	if err := c.c.Do(t.Context(), http.MethodGet, "/v1/objects/"+c.c.recordsName()+"/"+c.c.stateID(c.set, words), nil, nil, nil); !isMissing(err) {
		t.Errorf("its state: %v", err)
	}
}
