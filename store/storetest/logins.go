package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"docent/store/logins"
)

// KeptLogins is a fresh logins.Store with a clock that tests move.
type KeptLogins struct {
	logins.Store
	Move func(d time.Duration) // later by d
}

// RunLogins runs the suite of logins.Store.
func RunLogins(t *testing.T, fresh func(testing.TB) KeptLogins) {
	t.Run("sessions", func(t *testing.T) { loginSessions(t, fresh(t)) })
	t.Run("bounded", func(t *testing.T) { loginsBounded(t, fresh(t)) })
	t.Run("guesses", func(t *testing.T) { loginGuesses(t, fresh(t)) })
	t.Run("at once", func(t *testing.T) { guessesAtOnce(t, fresh(t)) })
}

const (
	sessionLife = time.Hour
	clientKnown = 3 * time.Hour
)

func begin(t *testing.T, k KeptLogins, token, from, password string, most int) {
	t.Helper()
	err := k.Begin(t.Context(), logins.Session{Token: logins.KeyOf(token), From: logins.KeyOf(from), Version: logins.KeyOf(password),
		Life: sessionLife}, clientKnown, most)
	if err != nil {
		t.Fatal(err)
	}
}

func inside(t *testing.T, k KeptLogins, token, password string, want bool) {
	t.Helper()
	is, err := k.Inside(t.Context(), logins.KeyOf(token), logins.KeyOf(password))
	if err != nil || is != want {
		t.Errorf("the session of %q with the password %q: %v, %v, want %v", token, password, is, err, want)
	}
}

func known(t *testing.T, k KeptLogins, client string, want bool) {
	t.Helper()
	is, err := k.Known(t.Context(), logins.KeyOf(client))
	if err != nil || is != want {
		t.Errorf("%q is known: %v, %v, want %v", client, is, err, want)
	}
}

func loginSessions(t *testing.T, k KeptLogins) {
	ctx := t.Context()
	inside(t, k, "a", "old", false)
	known(t, k, "here", false)
	if err := k.End(ctx, logins.KeyOf("a")); err != nil {
		t.Errorf("a session is ended that never was: %v", err)
	}
	begin(t, k, "a", "here", "old", 10)
	k.Move(sessionLife / 2)
	begin(t, k, "b", "there", "old", 10)
	begin(t, k, "c", "there", "old", 10)
	for _, token := range []string{"a", "b", "c"} {
		inside(t, k, token, "old", true)
		known(t, k, token, true)
	}
	inside(t, k, "d", "old", false)
	if err := k.End(ctx, logins.KeyOf("b")); err != nil {
		t.Fatal(err)
	}
	inside(t, k, "b", "old", false)
	inside(t, k, "c", "old", true)
	k.Move(sessionLife/2 + time.Second)
	inside(t, k, "a", "old", false)
	inside(t, k, "c", "new", false)
	begin(t, k, "e", "there", "new", 10)
	if err := k.EndAll(ctx); err != nil {
		t.Fatal(err)
	}
	inside(t, k, "e", "new", false)
	known(t, k, "e", false)
	known(t, k, "there", true)
	k.Move(clientKnown)
	known(t, k, "there", false)
}

func loginsBounded(t *testing.T, k KeptLogins) {
	const most = 3
	for i := range most + 2 {
		begin(t, k, fmt.Sprint("token", i), fmt.Sprint("from", i), "p", most)
		k.Move(time.Second)
	}
	for i := range most + 2 {
		inside(t, k, fmt.Sprint("token", i), "p", i >= 2)
		known(t, k, fmt.Sprint("token", i), i >= 2)
		known(t, k, fmt.Sprint("from", i), i >= 2)
	}
}

// guess makes a guess, and gives the times until there is room for it.
func guess(t *testing.T, k KeptLogins, by string, own, all logins.Rate) (waitOwn, waitAll time.Duration) {
	t.Helper()
	waitOwn, waitAll, err := k.Guess(t.Context(), logins.Guess{By: logins.KeyOf(by), Own: own, All: &all})
	if err != nil {
		t.Fatal(err)
	}
	return waitOwn, waitAll
}

func loginGuesses(t *testing.T, k KeptLogins) {
	ownRate, allRate := logins.Rate{Most: 3, Each: time.Minute}, logins.Rate{Most: 5, Each: 10 * time.Second}
	free := func(by string) {
		t.Helper()
		if own, all := guess(t, k, by, ownRate, allRate); own > 0 || all > 0 {
			t.Fatalf("a guess by %q waits for %v, %v", by, own, all)
		}
	}
	for range ownRate.Most {
		free("mallory")
	}
	own, all := guess(t, k, "mallory", ownRate, allRate)
	if own <= 50*time.Second || own > ownRate.Each || all != 0 {
		t.Fatalf("one guess too many waits for %v, %v", own, all)
	}
	free("alice")
	free("bob")
	if own, all := guess(t, k, "carol", ownRate, allRate); own != 0 || all <= 0 || all > allRate.Each {
		t.Errorf("one guess too many of all waits for %v, %v", own, all)
	}
	// Those that were refused do not count.
	k.Move(allRate.Each)
	free("carol")
	k.Move(time.Minute)
	free("mallory")
	// Who got in has made none, also among all.
	if err := k.Forgive(t.Context(), logins.Guess{By: logins.KeyOf("mallory"), Own: ownRate, All: &allRate}); err != nil {
		t.Fatal(err)
	}
	for range ownRate.Most {
		free("mallory")
	}
	// A client that is known does not count among all.
	for range ownRate.Most {
		if own, all, err := k.Guess(t.Context(), logins.Guess{By: logins.KeyOf("owner"), Own: ownRate}); own+all > 0 || err != nil {
			t.Fatal(own, all, err)
		}
	}
	free("dave")
}

// guessesAtOnce makes guesses from many places at the same time: no more than are free get through.
func guessesAtOnce(t *testing.T, k KeptLogins) {
	rate := logins.Rate{Most: 3, Each: time.Hour}
	var mu sync.Mutex
	var each sync.WaitGroup
	through := 0
	for range 12 {
		each.Go(func() {
			own, _, err := k.Guess(t.Context(), logins.Guess{By: logins.KeyOf("x"), Own: rate})
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			} else if own == 0 {
				through++
			}
		})
	}
	each.Wait()
	if through != rate.Most {
		t.Errorf("%d guesses got through, %d are free", through, rate.Most)
	}
}
