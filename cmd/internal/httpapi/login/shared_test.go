package login

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"docent/store/logins"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/storetest"
)

func TestLoginsInMemory(t *testing.T) {
	t.Parallel()
	storetest.RunLogins(t, func(testing.TB) storetest.KeptLogins {
		c := &clock{at: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)}
		return storetest.KeptLogins{Store: newMemory(c.now), Move: c.move}
	})
}

// counted counts the guesses that a store is asked about.
type counted struct {
	logins.Store
	guesses atomic.Int64
}

func (c *counted) Guess(ctx context.Context, g logins.Guess) (own, all time.Duration, err error) {
	c.guesses.Add(1)
	return c.Store.Guess(ctx, g)
}

// twoServers are the doors of two servers with one database, and the password that both read.
func twoServers(t *testing.T) (doors [2]*Door, asked *counted, password *atomic.Value) {
	t.Helper()
	address := postgrestest.Start(t)
	password = &atomic.Value{}
	password.Store("open sesame")
	now := func() string { return password.Load().(string) }
	for i := range doors {
		db, err := postgres.OpenDatabase(address, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		asked = &counted{Store: postgres.OpenLogins(db)}
		doors[i] = New(func(p string) bool { return p == now() }, now, time.Now, asked)
	}
	return doors, asked, password
}

// A login at one server was refused by the next one, to which a proxy sent the browser.
func TestALoginCountsAtEveryServer(t *testing.T) {
	t.Parallel()
	doors, _, password := twoServers(t)
	a, b := doors[0], doors[1]
	mine, other := enter(t, a, "home"), enter(t, b, "office")
	for _, d := range doors {
		if !inside(t, d, mine) || !inside(t, d, other) || inside(t, d, mine[1:]+"A") {
			t.Error("a login does not count at both servers, or another one does")
		}
	}
	leave(t, b, mine, false)
	if inside(t, a, mine) || !inside(t, a, other) {
		t.Error("a logout at one server does not end the session at the other, or ends another one")
	}
	leave(t, a, "", true)
	if inside(t, b, other) {
		t.Error("the end of all sessions at one server left one at the other")
	}
	old := enter(t, a, "home")
	password.Store("close sesame")
	if inside(t, a, old) || inside(t, b, old) {
		t.Error("a session goes on after the password was changed")
	}
}

// A client once had as many guesses again at each further server.
func TestGuessesCountAtAllServersTogether(t *testing.T) {
	t.Parallel()
	doors, asked, _ := twoServers(t)
	mine := enter(t, doors[0], "home")
	guess := func(i int, who Guest, password string) error {
		_, _, err := doors[i%2].Enter(t.Context(), who, password)
		return err
	}
	for i := range freeGuesses {
		if err := guess(i, Guest{Address: "mallory"}, "x"); !errors.Is(err, ErrWrong) {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		if many, ok := errors.AsType[*TooManyError](guess(i, Guest{Address: "mallory"}, "open sesame")); !ok || many.Wait <= 0 {
			t.Errorf("server %d takes more guesses", i)
		}
	}
	// Many who guess together are one who guesses, and a flood of them asks the database no more
	// often than guesses are free.
	for i := range freeOfAll * 4 {
		_ = guess(i, Guest{Address: fmt.Sprint("bot", i)}, "x")
	}
	if n := asked.guesses.Load(); n > freeOfAll+20 {
		t.Errorf("one server asked the database for %d guesses", n)
	}
	if err := guess(0, Guest{Address: "stranger"}, "open sesame"); err == nil {
		t.Error("nobody is kept out: this test tries nothing")
	}
	for i := range 2 {
		if err := guess(i, Guest{Address: "home"}, "open sesame"); err != nil {
			t.Errorf("server %d keeps out a known address: %v", i, err)
		}
		if err := guess(i, Guest{Address: "elsewhere", Token: mine}, "open sesame"); err != nil {
			t.Errorf("server %d keeps out a known token: %v", i, err)
		}
	}
}

// A server whose database is away says so: it neither lets anybody in, nor ends sessions.
func TestLoginsWithoutTheirDatabase(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	db, err := postgres.OpenDatabase("postgres://docent@"+l.Addr().String()+"/docs?sslmode=disable", "")
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	d := New(func(string) bool { return true }, nil, time.Now, postgres.OpenLogins(db))
	token := enter(t, New(func(string) bool { return true }, nil, time.Now, nil), "x")
	var asked sync.WaitGroup
	for name, do := range map[string]func() error{
		"a login": func() error { _, _, err := d.Enter(t.Context(), Guest{Address: "home"}, "open sesame"); return err },
		"a token": func() error {
			is, err := d.Inside(t.Context(), token)
			if is {
				t.Error("a token is let in without a look")
			}
			return err
		},
		"a logout": func() error { return d.Leave(t.Context(), token, false) },
	} {
		asked.Go(func() {
			if _, ok := errors.AsType[*UnreachableError](do()); !ok {
				t.Errorf("%s: no error says that the logins cannot be reached", name)
			}
		})
	}
	asked.Wait()
	if is, err := d.Inside(t.Context(), "a token of another form"); is || err != nil {
		t.Error("what cannot be a token is looked up:", err)
	}
}
