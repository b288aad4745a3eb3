package corpus

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"docent/store"
)

// fake is a generation that knows whether it is used after it was closed.
type fake struct {
	number  int64
	current *atomic.Int64 // the number of the newest
	closed  atomic.Int32
	fails   error
}

func (f *fake) Current(ctx context.Context) (bool, error) {
	return f.number == f.current.Load(), ctx.Err()
}

func (f *fake) Close() error {
	f.closed.Add(1)
	return f.fails
}

// A generation is closed once, when a newer one took its place and its last user
// released it.
func TestTheLastUserCloses(t *testing.T) {
	t.Parallel()
	var newest atomic.Int64
	var opened []*fake
	var hs holders[*fake]
	acquire := func() (*fake, func()) {
		t.Helper()
		g, release, err := hs.acquire(t.Context(), store.Set{ID: 1}, func(context.Context) (*fake, error) {
			opened = append(opened, &fake{number: newest.Load(), current: &newest})
			return opened[len(opened)-1], nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return g, release
	}
	a, releaseA := acquire()
	b, releaseB := acquire()
	if a != b || len(opened) != 1 {
		t.Fatalf("%d were opened for two users", len(opened))
	}
	releaseA()
	releaseA() // once more is nothing
	if a.closed.Load() != 0 {
		t.Error("closed with a user")
	}
	newest.Add(1)
	c, releaseC := acquire()
	if c == a || a.closed.Load() != 0 {
		t.Error("the old generation is given, or was closed with a user")
	}
	releaseB()
	if a.closed.Load() != 1 {
		t.Errorf("it was closed %d times by its last user", a.closed.Load())
	}
	releaseC()
	if c.closed.Load() != 0 {
		t.Error("what is current was closed with no user: the next question opens it again")
	}
	d, releaseD := acquire()
	if err := hs.close(); err != nil {
		t.Error(err)
	}
	if d != c || d.closed.Load() != 0 {
		t.Error("closing the corpus closed what is in use")
	}
	releaseD()
	if d.closed.Load() != 1 {
		t.Errorf("it was closed %d times", d.closed.Load())
	}
	if _, _, err := hs.acquire(t.Context(), store.Set{ID: 1}, nil); !errors.Is(err, errClosed) {
		t.Errorf("a closed corpus: %v", err)
	}
	if _, _, err := hs.acquire(t.Context(), store.Set{ID: 2}, nil); !errors.Is(err, errClosed) {
		t.Errorf("another doc set of a closed corpus: %v", err)
	}
}

// A failure when the last user releases a generation is reported when the corpus is
// closed.
func TestLateFailuresAreTold(t *testing.T) {
	t.Parallel()
	var newest atomic.Int64
	failed := errors.New("the disk is gone")
	var hs holders[*fake]
	open := func(context.Context) (*fake, error) {
		return &fake{number: newest.Load(), current: &newest, fails: failed}, nil
	}
	for range 2 {
		_, release, err := hs.acquire(t.Context(), store.Set{ID: 1}, open)
		if err != nil {
			t.Fatal(err)
		}
		release()
		newest.Add(1)
	}
	if err := hs.close(); !errors.Is(err, failed) {
		t.Errorf("closing gives %v", err)
	}
	// A generation that cannot be opened is not kept, and one whose state is unknown is
	// not returned.
	var other holders[*fake]
	if _, _, err := other.acquire(t.Context(), store.Set{ID: 1}, func(context.Context) (*fake, error) { return nil, failed }); !errors.Is(err, failed) {
		t.Errorf("opening gives %v", err)
	}
	_, release, err := other.acquire(t.Context(), store.Set{ID: 1}, open)
	if err != nil {
		t.Fatal(err)
	}
	release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := other.acquire(ctx, store.Set{ID: 1}, open); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled question: %v", err)
	}
}

// Many users, many generations, a corpus that is closed during their work: no closed
// generation is used, and all are closed once.
func TestHoldersUnderLoad(t *testing.T) {
	t.Parallel()
	var newest atomic.Int64
	var mu sync.Mutex
	var opened []*fake
	var hs holders[*fake]
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 400 {
				g, release, err := hs.acquire(context.Background(), store.Set{ID: int64(k % 2)}, func(context.Context) (*fake, error) {
					f := &fake{number: newest.Load(), current: &newest}
					mu.Lock()
					defer mu.Unlock()
					opened = append(opened, f)
					return f, nil
				})
				if errors.Is(err, errClosed) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				if k%10 == i {
					newest.Add(1)
				}
				if g.closed.Load() != 0 {
					t.Error("a user has what is closed")
				}
				release()
				if i == 0 && k == 300 {
					if err := hs.close(); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	if len(opened) < 10 {
		t.Errorf("only %d generations", len(opened))
	}
	for _, f := range opened {
		if n := f.closed.Load(); n != 1 {
			t.Fatalf("generation %d was closed %d times", f.number, n)
		}
	}
}
