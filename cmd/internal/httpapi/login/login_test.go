package login

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"docent/store/logins"
)

// clock is a clock that tests move.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

func door(t *testing.T) (*Door, *clock) {
	t.Helper()
	c := &clock{at: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
	return New(func(p string) bool { return p == "open sesame" }, nil, c.now, nil), c
}

// memoryOf is where a door keeps its logins.
func memoryOf(t *testing.T, d *Door) *memory {
	t.Helper()
	m, ok := d.kept.(*memory)
	if !ok {
		t.Fatalf("the logins are kept by a %T", d.kept)
	}
	return m
}

// inside reports whether a token is let in.
func inside(t *testing.T, d *Door, token string) bool {
	t.Helper()
	is, err := d.Inside(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	return is
}

func leave(t *testing.T, d *Door, token string, all bool) {
	t.Helper()
	if err := d.Leave(t.Context(), token, all); err != nil {
		t.Fatal(err)
	}
}

func enter(t *testing.T, d *Door, from string) string {
	t.Helper()
	token, _, err := d.Enter(t.Context(), Guest{Address: from}, "open sesame")
	if err != nil || len(token) < 40 {
		t.Fatalf("%q, %v", token, err)
	}
	return token
}

func TestSessions(t *testing.T) {
	t.Parallel()
	d, c := door(t)
	if _, _, err := d.Enter(t.Context(), Guest{Address: "1"}, "open barley"); !errors.Is(err, ErrWrong) {
		t.Errorf("a wrong password: %v", err)
	}
	a, b := enter(t, d, "1"), enter(t, d, "2")
	if a == b || !inside(t, d, a) || !inside(t, d, b) {
		t.Errorf("two sessions: %q, %q", a, b)
	}
	for _, wrong := range []string{"", "x", a[:len(a)-1], a + "x"} {
		if inside(t, d, wrong) {
			t.Errorf("the token %q is let in", wrong)
		}
	}
	leave(t, d, a, false)
	if inside(t, d, a) || !inside(t, d, b) {
		t.Error("a session that was left goes on, or another one ended with it")
	}
	c.move(Lifetime - time.Second)
	late := enter(t, d, "1")
	if !inside(t, d, b) {
		t.Error("a session ended before its time")
	}
	c.move(time.Second)
	if inside(t, d, b) || !inside(t, d, late) {
		t.Error("a session goes on after its time, or a later one ended")
	}
	leave(t, d, "", true)
	if inside(t, d, late) {
		t.Error("a session goes on after all were ended")
	}
}

func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	d, c := door(t)
	first := enter(t, d, "1")
	c.move(time.Second)
	for range mostSessions {
		memoryOf(t, d).guesses = throttle{now: c.now}
		enter(t, d, "1")
	}
	if len(memoryOf(t, d).sessions) > mostSessions || inside(t, d, first) {
		t.Errorf("%d sessions, of which the first one goes on: %v", len(memoryOf(t, d).sessions), inside(t, d, first))
	}
}

func TestGuessingIsThrottled(t *testing.T) {
	t.Parallel()
	d, c := door(t)
	guess := func(from, password string) error {
		_, _, err := d.Enter(t.Context(), Guest{Address: from}, password)
		return err
	}
	for range freeGuesses {
		if err := guess("mallory", "x"); !errors.Is(err, ErrWrong) {
			t.Fatal(err)
		}
	}
	err := guess("mallory", "open sesame")
	many, ok := errors.AsType[*TooManyError](err)
	if !ok || many.Wait <= 0 || many.Wait > eachGuess {
		t.Fatalf("one guess too many: %v", err)
	}
	if err := guess("alice", "open sesame"); err != nil {
		t.Errorf("somebody else is kept out: %v", err)
	}
	c.move(many.Wait)
	if err := guess("mallory", "open sesame"); err != nil {
		t.Errorf("after the wait: %v", err)
	}
	if err := guess("mallory", "x"); !errors.Is(err, ErrWrong) {
		t.Errorf("who got in may guess again: %v", err)
	}
	// Many who guess together are one who guesses.
	refused := 0
	for i := range freeOfAll * 2 {
		if _, ok := errors.AsType[*TooManyError](guess(fmt.Sprint("bot", i), "x")); ok {
			refused++
		}
	}
	if refused < freeOfAll {
		t.Errorf("of %d guesses from as many addresses %d were refused", freeOfAll*2, refused)
	}
}

// Strangers who guess from everywhere, and from the owner's own network too, do not keep
// out who was let in before.
func TestTheOwnerIsNotLockedOut(t *testing.T) {
	t.Parallel()
	d, c := door(t)
	mine := enter(t, d, "home")
	leave(t, d, mine, false)
	flood := func() {
		t.Helper()
		for i := range freeOfAll * 3 {
			_, _, _ = d.Enter(t.Context(), Guest{Address: fmt.Sprint("bot", i)}, "x")
		}
		if _, _, err := d.Enter(t.Context(), Guest{Address: "stranger"}, "open sesame"); err == nil {
			t.Fatal("nobody is kept out: this test tries nothing")
		}
	}
	flood()
	if _, _, err := d.Enter(t.Context(), Guest{Address: "home"}, "open sesame"); err != nil {
		t.Errorf("from an address that is known: %v", err)
	}
	// Behind a proxy all have one address.
	for range freeGuesses {
		_, _, _ = d.Enter(t.Context(), Guest{Address: "home"}, "x")
	}
	if _, _, err := d.Enter(t.Context(), Guest{Address: "home"}, "open sesame"); err == nil {
		t.Error("guesses from one address go on")
	}
	for name, who := range map[string]Guest{"the token of a session that ended": {Address: "home", Token: mine}, "another token that is good": {Address: "home", Token: "a script's", Trusted: true}} {
		if _, _, err := d.Enter(t.Context(), who, "open sesame"); err != nil {
			t.Errorf("with %s: %v", name, err)
		}
	}
	if _, _, err := d.Enter(t.Context(), Guest{Address: "home", Token: "made up"}, "open sesame"); err == nil {
		t.Error("a token that is made up is taken for a known one")
	}
	// A token that is known is no way to guess more.
	for range freeGuesses {
		_, _, _ = d.Enter(t.Context(), Guest{Address: "elsewhere", Token: mine}, "x")
	}
	if _, _, err := d.Enter(t.Context(), Guest{Address: "elsewhere", Token: mine}, "open sesame"); err == nil {
		t.Error("guesses with one token go on")
	}
	c.move(knownFor)
	flood()
	if _, _, err := d.Enter(t.Context(), Guest{Address: "home", Token: mine}, "open sesame"); err == nil {
		t.Error("who was let in is known for ever")
	}
}

func TestWhoIsKnownIsBounded(t *testing.T) {
	t.Parallel()
	k, now := known{}, time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	const most = 100
	for i := range most + 10 {
		at := now.Add(time.Duration(i) * time.Second)
		k.add(logins.KeyOf(fmt.Sprint(i)), at, at.Add(knownFor), most)
	}
	if _, ok := k[logins.KeyOf(fmt.Sprint(most+9))]; len(k) > most || !ok {
		t.Errorf("%d are known", len(k))
	}
}

func TestWhoGuessesIsForgottenInTime(t *testing.T) {
	t.Parallel()
	d, c := door(t)
	for i := range mostGuesses + 10 {
		_, _, err := d.Enter(t.Context(), Guest{Address: fmt.Sprint(i)}, "x")
		if !errors.Is(err, ErrWrong) {
			t.Fatal(err)
		}
		c.move(eachOfAll)
	}
	if n := len(memoryOf(t, d).guesses.by); n > mostGuesses {
		t.Errorf("%d addresses are remembered", n)
	}
}

// A password that became known was changed, and the sessions that were begun with it went on
// until the server was started anew.
func TestSessionsEndWithTheirPassword(t *testing.T) {
	t.Parallel()
	now := "open sesame"
	d := New(func(p string) bool { return p == now }, func() string { return now }, time.Now, nil)
	token := enter(t, d, "home")
	if !inside(t, d, token) {
		t.Fatal("a session that was just begun is over")
	}
	now = "close sesame"
	if inside(t, d, token) {
		t.Error("the session goes on after the password was changed")
	}
	if _, _, err := d.Enter(t.Context(), Guest{Address: "home"}, "open sesame"); !errors.Is(err, ErrWrong) {
		t.Errorf("with the old password: %v", err)
	}
	if token, _, err := d.Enter(t.Context(), Guest{Address: "home"}, "close sesame"); err != nil || !inside(t, d, token) {
		t.Errorf("with the new password: %v", err)
	}
}

func TestWithoutAPasswordAllAreInside(t *testing.T) {
	t.Parallel()
	d := New(nil, nil, time.Now, nil)
	if _, _, err := d.Enter(t.Context(), Guest{Address: "1"}, ""); err != nil || d.Locked() || !inside(t, d, "") {
		t.Error(err)
	}
}

func TestACheckThatNobodyWaitsForEnds(t *testing.T) {
	t.Parallel()
	d, _ := door(t)
	d.one <- struct{}{} // another check runs
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := d.Enter(ctx, Guest{Address: "1"}, "open sesame"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBearer(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{"": "", "Bearer": "", "Bearer abc": "abc", "bearer  abc ": "abc", "Basic abc": "", "abc": ""} {
		if got := Bearer(header); got != want {
			t.Errorf("%q: %q", header, got)
		}
	}
}
