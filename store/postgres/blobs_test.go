package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"docent/store"
	"docent/store/postgres"
	"docent/store/postgrestest"
	"docent/store/storetest"
)

func TestBlobs(t *testing.T) {
	t.Parallel()
	storetest.RunBlobs(t, func(tb testing.TB) store.Blobs { return postgres.OpenBlobs(openDatabase(tb, postgrestest.Start(tb))) })
}

// Whatever happens to a blob's row, no wrong bytes come out; and it can be put again.
func TestDamagedBlobs(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	s := postgres.OpenBlobs(db)
	key := strings.Repeat("a", 64)
	for _, damage := range []string{
		`UPDATE blobs SET bytes = set_byte(bytes, 3, 65)`, `UPDATE blobs SET bytes = substr(bytes, 1, 5)`, `UPDATE blobs SET bytes = ''`,
		`UPDATE blobs SET bytes = bytes || 'x'`, `UPDATE blobs SET sum = set_byte(sum, 0, get_byte(sum, 0) # 1)`, `UPDATE blobs SET sum = ''`,
	} {
		if err := s.Put(ctx, key, []byte("the text"), []byte(" of a page")); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(ctx, key); string(got) != "the text of a page" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := db.SQL().ExecContext(ctx, damage); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(ctx, key); !errors.Is(err, store.ErrBlobDamaged) {
			t.Errorf("%s: %q, %v", damage, got, err)
		}
	}
}

// Blobs of a schema that was put aside are missing, and new ones can be put.
func TestBlobsOfASchemaThatWasPutAside(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := openDatabase(t, postgrestest.Start(t))
	s := postgres.OpenBlobs(db)
	key := strings.Repeat("a", 64)
	for range 2 {
		if err := s.Put(ctx, key, []byte("text")); err != nil {
			t.Fatal(err)
		}
		if aside, err := db.PutAside(ctx); aside == "" || err != nil {
			t.Fatalf("%q, %v", aside, err)
		}
		if _, err := s.Get(ctx, key); !errors.Is(err, store.ErrNoBlob) {
			t.Errorf("%v", err)
		}
	}
}
