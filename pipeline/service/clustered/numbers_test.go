package clustered_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"docent/store"
)

// Changes of one doc set by several machines have numbers that rise with the holders of its lock. Numbers
// that each machine chose by itself were the same for two of them now and then.
func testNumbers(t *testing.T, m *team) {
	machines := []*machine{m.open(t, t.TempDir()), m.open(t, t.TempDir())}
	const set = 4711
	last := 0
	for i := range 12 {
		indexes := machines[i%len(machines)].Home.Indexes
		held, err := indexes.LockSet(t.Context(), set, store.Updating, "update", 0, nil)
		if err != nil {
			t.Fatal(err)
		}
		u, err := indexes.UpdateIndex(t.Context(), set, true)
		if err != nil {
			t.Fatal(err)
		}
		_, next := u.Generations()
		n, err := strconv.Atoi(strings.TrimPrefix(next, "g"))
		if err != nil || n <= last {
			t.Errorf("change %d is %s, behind %d: %v", i, next, last, err)
		}
		last = n
		if err := errors.Join(u.Abort(), held.Release()); err != nil {
			t.Error(err)
		}
	}
}
