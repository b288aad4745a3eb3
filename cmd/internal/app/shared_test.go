package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"docent/pipeline/service/home"
	"docent/pipeline/service/library"
)

// sharing is a shared home and a folder for pages.
type sharing struct {
	t      *testing.T
	dir    string
	docs   string
	shared *Shared
}

func share(t *testing.T) *sharing {
	t.Helper()
	s := &sharing{t: t, dir: filepath.Join(t.TempDir(), "home"), docs: t.TempDir()}
	var err error
	if s.shared, err = OpenShared(t.Context(), Options{Home: s.dir}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.shared.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// elsewhere does something with the home as another process does.
func (s *sharing) elsewhere(do func(a *App) error) {
	s.t.Helper()
	a, err := Open(s.t.Context(), Options{Home: s.dir})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := errors.Join(do(a), a.Close()); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sharing) add(a *App, name string) error {
	dir := filepath.Join(s.docs, name+"@1")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "page.md"), fmt.Appendf(nil, "# %s\n\nA page of %s.\n", name, name), 0o600); err != nil {
		return err
	}
	found, err := library.Discover(s.t.Context(), library.AddRequest{Paths: []string{dir}}, a.Home.Parsers, home.Watch{})
	if err == nil {
		_, err = a.Library.Add(s.t.Context(), found, home.Watch{})
	}
	return err
}

// sets are the doc sets that users of the shared home see.
func (s *sharing) sets() (names []string) {
	s.t.Helper()
	a, release, err := s.shared.Use()
	if err != nil {
		s.t.Fatal(err)
	}
	defer release()
	list, err := a.Library.Sets(s.t.Context(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, i := range list.Sets {
		names = append(names, i.Set)
	}
	return names
}

// What another process adds and forgets is seen without opening the home again.
func TestSharedSeesOtherProcesses(t *testing.T) {
	t.Parallel()
	s := share(t)
	s.elsewhere(func(a *App) error { return s.add(a, "Kelp") })
	if got := s.sets(); !slices.Equal(got, []string{"Kelp@1"}) {
		t.Errorf("after another process added one: %q", got)
	}
	s.elsewhere(func(a *App) error {
		return errors.Join(s.add(a, "Tide"), func() error {
			_, err := a.Library.Remove(t.Context(), library.RemoveRequest{Sets: []string{"Kelp"}})
			return err
		}())
	})
	if got := s.sets(); !slices.Equal(got, []string{"Tide@1"}) {
		t.Errorf("after another process forgot one: %q", got)
	}
}

// Where another process put the catalog aside and made it again, the home is opened
// again while its users go on, and the old one is closed after the last of them.
func TestSharedOpensAReplacedHomeAgain(t *testing.T) {
	t.Parallel()
	s := share(t)
	s.elsewhere(func(a *App) error { return s.add(a, "Kelp") })
	old, release, err := s.shared.Use()
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{"", "-wal", "-shm"} {
		name := filepath.Join(s.dir, "catalog.db"+ending)
		if err := os.Rename(name, name+".aside"); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	if again, done, err := s.shared.Use(); err != nil || again != old {
		t.Errorf("while there is no catalog: another home, %v", err)
	} else {
		done()
	}
	s.elsewhere(func(a *App) error { return s.add(a, "Tide") })
	for !slices.Equal(s.sets(), []string{"Kelp@1", "Tide@1"}) {
		if t.Context().Err() != nil {
			t.Fatalf("the replaced home is not opened again: %q", s.sets())
		}
		time.Sleep(time.Millisecond)
	}
	if list, err := old.Library.Sets(t.Context(), nil); err != nil || len(list.Sets) != 1 {
		t.Errorf("the old home was closed under a user: %+v, %v", list, err)
	}
	release()
	release()
	if now, done, err := s.shared.Use(); err != nil || now == old {
		t.Errorf("the old home is given still, %v", err)
	} else {
		done()
	}
}

// A home that cannot be opened again goes on as it is, and is tried again.
func TestSharedThatCannotBeOpenedAgain(t *testing.T) {
	t.Parallel()
	s := share(t)
	var mu sync.Mutex
	tries, said := 0, 0
	s.shared.opt.Say = func(string, ...any) { mu.Lock(); said++; mu.Unlock() }
	s.shared.open = func(ctx context.Context, opt Options) (*App, error) {
		mu.Lock()
		defer mu.Unlock()
		if tries++; tries < 3 {
			return nil, errors.New("not now")
		}
		return Open(ctx, opt)
	}
	first := s.shared.now.app
	s.shared.now.replaced = func(context.Context) bool { return true }
	for {
		a, release, err := s.shared.Use()
		if err != nil {
			t.Fatal(err)
		}
		release()
		if a != first {
			break
		}
		time.Sleep(time.Millisecond)
	}
	mu.Lock()
	defer mu.Unlock()
	if tries != 3 || said != 2 {
		t.Errorf("%d tries, of which %d were said to fail", tries, said)
	}
}
