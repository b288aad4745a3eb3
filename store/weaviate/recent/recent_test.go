package recent

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// shelf has values that others change. Reading one takes a while.
type shelf struct {
	mu    sync.Mutex
	value map[string]int
	read  []string
	err   error
}

const reading = 10 * time.Millisecond

func (s *shelf) readSlowly(ctx context.Context, k string) (int, error) {
	time.Sleep(reading)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read = append(s.read, k)
	return s.value[k], errors.Join(s.err, ctx.Err())
}

func (s *shelf) change(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.value[k] = n
}

// reads gives the keys that were read since the last call, sorted.
func (s *shelf) reads() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Sorted(slices.Values(s.read))
	s.read = nil
	return out
}

func inBubble(t *testing.T, test func(t *testing.T, s *shelf, v *Values[string, int])) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &shelf{value: map[string]int{"a": 1, "b": 1}}
		v := New(s.readSlowly, func(err error) bool { return errors.Is(err, fs.ErrNotExist) })
		defer v.Close()
		test(t, s, v)
	})
}

func wantValue(t *testing.T, s *shelf, v *Values[string, int], k string, n int, waits bool, reads ...string) {
	t.Helper()
	began := time.Now()
	got, err := v.Get(t.Context(), k)
	if waited := time.Since(began) > 0; got != n || err != nil || waited != waits {
		t.Errorf("%s: %d, %v, waited: %t; not %d, %t", k, got, err, waited, n, waits)
	}
	synctest.Wait()
	if time.Sleep(2 * reading); !slices.Equal(s.reads(), reads) {
		t.Errorf("%s: other reads than %v", k, reads)
	}
}

func TestAgesOfAValue(t *testing.T) {
	inBubble(t, func(t *testing.T, s *shelf, v *Values[string, int]) {
		wantValue(t, s, v, "a", 1, true, "a")
		s.change("a", 2)
		wantValue(t, s, v, "a", 1, false) // fresh
		time.Sleep(fresh)
		wantValue(t, s, v, "a", 1, false, "a") // Usable, and read ahead
		wantValue(t, s, v, "a", 2, false)
		s.change("a", 3)
		time.Sleep(Usable)
		wantValue(t, s, v, "a", 3, true, "a")
	})
}

// Values that were asked for lately are read along, others are not.
func TestReadTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, s *shelf, v *Values[string, int]) {
		wantValue(t, s, v, "a", 1, true, "a")
		wantValue(t, s, v, "b", 1, true, "b")
		time.Sleep(Usable)
		wantValue(t, s, v, "a", 1, true, "a", "b")
		wantValue(t, s, v, "b", 1, false)
		time.Sleep(together / 2)
		wantValue(t, s, v, "a", 1, true, "a", "b")
		time.Sleep(together / 2)
		wantValue(t, s, v, "a", 1, true, "a")
	})
}

func TestForget(t *testing.T) {
	inBubble(t, func(t *testing.T, s *shelf, v *Values[string, int]) {
		wantValue(t, s, v, "a", 1, true, "a")
		s.change("a", 2)
		v.Forget("a")
		wantValue(t, s, v, "a", 2, true, "a")
		// A reading that began before is not kept.
		time.Sleep(fresh)
		if _, err := v.Get(t.Context(), "a"); err != nil {
			t.Error(err)
		}
		synctest.Wait() // it is being read ahead
		v.Forget("a")
		time.Sleep(2 * reading)
		s.reads()
		wantValue(t, s, v, "a", 2, true, "a")
	})
}

// An error that is no answer is not kept. One that is, is.
func TestErrors(t *testing.T) {
	inBubble(t, func(t *testing.T, s *shelf, v *Values[string, int]) {
		for err, reads := range map[error]int{fs.ErrPermission: 2, fs.ErrNotExist: 1} {
			s.err = err
			v.Forget("a")
			for range 2 {
				if _, got := v.Get(t.Context(), "a"); !errors.Is(got, err) {
					t.Errorf("%v, not %v", got, err)
				}
			}
			if got := s.reads(); len(got) != reads {
				t.Errorf("%v: read %v", err, got)
			}
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := v.Get(ended, "b"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// The end of a question does not end the reading ahead that it began.
func TestReadAheadOutlivesTheQuestion(t *testing.T) {
	inBubble(t, func(t *testing.T, s *shelf, v *Values[string, int]) {
		wantValue(t, s, v, "a", 1, true, "a")
		s.change("a", 2)
		time.Sleep(fresh)
		ctx, end := context.WithCancel(t.Context())
		if got, err := v.Get(ctx, "a"); got != 1 || err != nil {
			t.Errorf("%d, %v", got, err)
		}
		end()
		time.Sleep(2 * reading)
		s.reads()
		wantValue(t, s, v, "a", 2, false)
	})
}
