package postgres_test

import (
	"testing"
	"time"

	"docent/store/logins"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/storetest"
)

func TestLogins(t *testing.T) {
	t.Parallel()
	storetest.RunLogins(t, func(tb testing.TB) storetest.KeptLogins {
		db := openDatabase(tb, postgrestest.Start(tb))
		// The clock of the database cannot be moved, so its rows are made older.
		return storetest.KeptLogins{Store: postgres.OpenLogins(db), Move: func(d time.Duration) {
			for _, update := range []string{
				`UPDATE login_sessions SET ends = ends - make_interval(secs => ?)`,
				`UPDATE login_clients SET ends = ends - make_interval(secs => ?)`,
				`UPDATE login_guesses SET at = at - make_interval(secs => ?)`,
			} {
				if _, err := db.Runner().ExecContext(tb.Context(), update, d.Seconds()); err != nil {
					tb.Fatal(err)
				}
			}
		}}
	})
}

func guessOnce(t *testing.T, l postgres.Logins, by string) {
	t.Helper()
	rate := logins.Rate{Most: 3, Each: time.Minute}
	own, all, err := l.Guess(t.Context(), logins.Guess{By: logins.KeyOf(by), Own: rate, All: &rate})
	if own+all > 0 || err != nil {
		t.Fatal(own, all, err)
	}
}

// Guesses of clients that made none for long are deleted.
func TestGuessesAreSwept(t *testing.T) {
	t.Parallel()
	db := openDatabase(t, postgrestest.Start(t))
	l := postgres.OpenLogins(db)
	for _, by := range []string{"a", "b", "c"} {
		guessOnce(t, l, by)
	}
	if _, err := db.Runner().ExecContext(t.Context(), `UPDATE login_guesses SET at = at - interval '1 day'`); err != nil {
		t.Fatal(err)
	}
	guessOnce(t, l, "d")
	var rows int
	if err := db.Runner().QueryRowContext(t.Context(), `SELECT count(*) FROM login_guesses`).Scan(&rows); err != nil || rows != 2 {
		t.Errorf("%d rows are left, %v; want that of the last guess and that of all", rows, err)
	}
}
