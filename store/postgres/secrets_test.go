package postgres_test

import (
	"errors"
	"io/fs"
	"testing"

	"docent/store/logins"
	"docent/store/postgres"
	"docent/store/postgrestest"
)

// Tokens and the password are no part of a catalog: they stay where a damaged one is put aside.
func TestSecretsOfASchemaThatWasPutAside(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	l := postgres.OpenLogins(db)
	if hash, err := l.Password(ctx); hash != "" || err != nil {
		t.Fatalf("before there is a table: %q, %v", hash, err)
	}
	if _, err := l.FindToken(ctx, logins.KeyOf("a")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before there is a table: %v", err)
	}
	if err := l.EndToken(ctx, "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before there is a table: %v", err)
	}
	token := func(name string) logins.Token {
		return logins.Token{Key: logins.KeyOf(name), Name: name, Content: []byte("of " + name)}
	}
	err := errors.Join(l.AddToken(ctx, token("a")), l.AddToken(ctx, token("b")), l.EndToken(ctx, "b"),
		l.SetPassword(ctx, "first", false), l.SetPassword(ctx, "second", false))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if aside, err := db.PutAside(ctx); aside == "" || err != nil {
			t.Fatal(aside, err)
		}
		if got, err := l.FindToken(ctx, logins.KeyOf("a")); err != nil || got.Name != "a" || string(got.Content) != "of a" {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := l.FindToken(ctx, logins.KeyOf("b")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a token that was ended: %v", err)
		}
		if hash, err := l.Password(ctx); hash != "first" || err != nil {
			t.Errorf("%q, %v", hash, err)
		}
	}
	if err := errors.Join(l.AddToken(ctx, token("b")), l.SetPassword(ctx, "third", true)); err != nil {
		t.Fatal(err)
	}
	if all, err := l.Tokens(ctx); err != nil || len(all) != 1 {
		t.Errorf("an ended token that is given again: %+v, %v", all, err)
	}
	if hash, err := l.Password(ctx); hash != "third" || err != nil {
		t.Errorf("%q, %v", hash, err)
	}
}
