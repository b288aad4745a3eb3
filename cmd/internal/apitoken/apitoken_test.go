package apitoken

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"docent/store/postgres"
	"docent/store/postgrestest"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func TestTokens(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := InHome(dir, nil)
	if all, err := s.List(t.Context()); err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	now := noon
	c := NewChecker(s, func() time.Time { return now })
	secret, token, err := s.Add(t.Context(), "nightly", noon, time.Time{})
	if err != nil || token.Name != "nightly" || token.Expires != nil || !strings.HasPrefix(secret, "docent_") || len(secret) < 40 {
		t.Fatal(secret, token, err)
	}
	short, _, err := s.Add(t.Context(), "ci-2", noon, noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if secret == short {
		t.Error("two tokens are the same")
	}
	for text, want := range map[string]string{secret: "nightly", short: "ci-2", "": "", "docent_": "", secret + "x": "", secret[:len(secret)-1]: "", "nightly": ""} {
		if name, ok, err := c.Name(t.Context(), text); name != want || ok != (want != "") || err != nil {
			t.Errorf("%q: %q, %v, %v", text, name, ok, err)
		}
	}
	if _, _, err := s.Add(t.Context(), "nightly", noon, time.Time{}); !errors.Is(err, ErrThere) {
		t.Errorf("the same name again: %v", err)
	}
	for _, name := range []string{"", "../x", "a/b", "A", "x.json", ".", strings.Repeat("x", 65), "a b", "ä"} {
		if _, _, err := s.Add(t.Context(), name, noon, time.Time{}); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
		if err := s.Remove(t.Context(), name); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	now = noon.Add(time.Hour)
	if _, ok, _ := c.Name(t.Context(), short); ok {
		t.Error("a token goes on after its end")
	}
	if _, ok, _ := c.Name(t.Context(), secret); !ok {
		t.Error("a token without an end ended")
	}
	if all, err := s.List(t.Context()); err != nil || len(all) != 2 || all[0].Name != "ci-2" || !all[0].Expired(now) || all[1].Expired(now) {
		t.Error(all, err)
	}
	if err := s.Remove(t.Context(), "nobody"); !errors.Is(err, ErrNotThere) {
		t.Error(err)
	}
	if err := s.Remove(t.Context(), "nightly"); err != nil {
		t.Error(err)
	}
	if _, ok, _ := c.Name(t.Context(), secret); ok {
		t.Error("a token goes on after it was removed")
	}
	// The stored files do not give a token away.
	files, err := filepath.Glob(filepath.Join(dir, "tokens", "*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil || strings.Contains(string(raw), strings.TrimPrefix(short, "docent_")) {
		t.Errorf("%s, %v", raw, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read it: %v, %v", info.Mode(), err)
	}
}

// A file that is not a token grants no access, and is listed so that it can be removed.
func TestDamagedTokens(t *testing.T) {
	t.Parallel()
	s := InHome(t.TempDir(), nil)
	secret, _, err := s.Add(t.Context(), "whole", noon, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"empty": "", "half": `{"name":"half","sha2`, "other": `{"name":"whole","sha256":"` + strings.Repeat("ab", 32) + `"}`, "short": `{"name":"short","sha256":"ab"}`, "no hash": "{}"} {
		if err := os.WriteFile(filepath.Join(s.dir, name+".json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.List(t.Context())
	damaged := 0
	for _, token := range all {
		if token.Damaged {
			damaged++
		}
	}
	if err != nil || len(all) != 5 || damaged != 4 { // "no hash" is no name of a token
		t.Errorf("%+v, %v", all, err)
	}
	c := NewChecker(s, time.Now)
	if name, ok, _ := c.Name(t.Context(), secret); !ok || name != "whole" {
		t.Error("a damaged file keeps others out")
	}
	if err := s.Remove(t.Context(), "half"); err != nil {
		t.Error(err)
	}
}

// A folder that has not changed for a while is not read again, and one that changed is.
func TestCheckerReadsWhatChanged(t *testing.T) {
	t.Parallel()
	s := InHome(t.TempDir(), nil)
	secret, _, err := s.Add(t.Context(), "one", noon, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(s.dir, before, before); err != nil {
		t.Fatal(err)
	}
	c := NewChecker(s, func() time.Time { return noon })
	if _, ok, _ := c.Name(t.Context(), secret); !ok || !c.settled {
		t.Fatal("it is not let in, or the folder counts as changing")
	}
	// A change that the folder's time does not tell of stays unseen: nothing is read.
	if err := os.WriteFile(filepath.Join(s.dir, "one.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := c.Name(t.Context(), secret); !ok {
		t.Error("the files are read each time")
	}
	if err := s.Remove(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := c.Name(t.Context(), secret); ok {
		t.Error("a token goes on after it was removed")
	}
}

func TestOneNameIsTakenOnce(t *testing.T) {
	t.Parallel()
	s := InHome(t.TempDir(), nil)
	var made sync.Map
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if secret, _, err := s.Add(t.Context(), "same", noon, time.Time{}); err == nil {
				made.Store(i, secret)
			}
		})
	}
	all.Wait()
	n := 0
	made.Range(func(_, secret any) bool {
		n++
		if _, ok, _ := NewChecker(s, time.Now).Name(t.Context(), secret.(string)); !ok {
			t.Error("the token that was given is not the one that is kept")
		}
		return true
	})
	if n != 1 {
		t.Errorf("%d tokens of one name", n)
	}
}

// Of 1288 flipped bits of a token's file 60 once made it end later or never, and 159 made
// it one that is refused and listed as whole.
func TestAFlippedBitOfATokenIsFound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := InHome(dir, nil)
	secret, _, err := s.Add(t.Context(), "nightly", noon, noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "tokens", "nightly.json")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	works := func(content []byte) (token Token, ok bool) {
		t.Helper()
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := s.List(t.Context())
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		_, ok, _ = NewChecker(s, func() time.Time { return noon }).Name(t.Context(), secret)
		return all[0], ok
	}
	for i := range whole {
		for bit := range 8 {
			damaged := bytes.Clone(whole)
			damaged[i] ^= 1 << bit
			if bytes.Equal(bytes.TrimSpace(damaged), bytes.TrimSpace(whole)) {
				continue // white space behind it
			}
			if token, ok := works(damaged); ok || !token.Damaged {
				t.Fatalf("bit %d of byte %d: %s is %+v, %v", bit, i, damaged, token, ok)
			}
		}
	}
	// Older files have no checksum. An unknown field may be a damaged name, such as that of the end.
	at := bytes.Index(whole, []byte(`,"crc32c"`))
	old := append(bytes.Clone(whole[:at]), '}')
	if token, ok := works(old); !ok || token.Damaged || token.Expires == nil {
		t.Errorf("%s: %+v, %v", old, token, ok)
	}
	if token, ok := works(bytes.Replace(old, []byte("expires"), []byte("gxpires"), 1)); ok || !token.Damaged {
		t.Errorf("%+v, %v", token, ok)
	}
}

// Tokens that servers share are good at each of them, and end at all of them. Those of a machine's
// folder, of a time when they lay there, are taken over, and do not come back after their end.
func TestSharedTokens(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db, err := postgres.OpenDatabase(postgrestest.Start(t), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	homes := [2]string{t.TempDir(), t.TempDir()}
	var before [2]string // each machine had a token of the same name
	for i, home := range homes {
		if before[i], _, err = InHome(home, nil).Add(ctx, "nightly", noon, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	var stores [2]Store
	for i, home := range homes {
		stores[i] = InHome(home, postgres.Logins{Database: db})
		if err := errors.Join(stores[i].Adopt(ctx), stores[i].Adopt(ctx)); err != nil {
			t.Fatal(err)
		}
	}
	names := func(s Store) (names []string) {
		all, err := s.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, token := range all {
			names = append(names, token.Name)
		}
		return names
	}
	if got := names(stores[1]); !slices.Equal(got, []string{"nightly", "nightly-2"}) {
		t.Fatalf("%q", got)
	}
	late, _, err := stores[0].Add(ctx, "late", noon, noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := stores[1].Add(ctx, "late", noon, time.Time{}); !errors.Is(err, ErrThere) {
		t.Errorf("a name twice: %v", err)
	}
	now := noon
	lets := func(secret, want string) {
		t.Helper()
		for i := range stores {
			name, ok, err := NewChecker(stores[i], func() time.Time { return now }).Name(ctx, secret)
			if name != want || ok != (want != "") || err != nil {
				t.Errorf("machine %d: %q, %v, %v; want %q", i, name, ok, err, want)
			}
		}
	}
	lets(before[0], "nightly")
	lets(before[1], "nightly-2")
	lets(late, "late")
	lets(late[:len(late)-1]+"_", "")
	if err := stores[1].Remove(ctx, "nightly"); err != nil {
		t.Fatal(err)
	}
	if err := stores[1].Remove(ctx, "nightly"); !errors.Is(err, ErrNotThere) {
		t.Error(err)
	}
	if err := stores[0].Adopt(ctx); err != nil { // the folder of the first machine still has it
		t.Fatal(err)
	}
	lets(before[0], "")
	now = noon.Add(time.Hour)
	lets(late, "")
	// A row that was altered grants nothing.
	if _, err := db.Runner().ExecContext(ctx, `UPDATE server_tokens SET content = content || 'x' WHERE name = 'nightly-2'`); err != nil {
		t.Fatal(err)
	}
	lets(before[1], "")
	if all, err := stores[0].List(ctx); err != nil || len(all) != 2 || !all[1].Damaged {
		t.Errorf("%+v, %v", all, err)
	}
	// Back in the folder there are those that have not ended.
	if err := stores[0].BringBack(ctx); err != nil {
		t.Fatal(err)
	}
	if got := names(InHome(homes[0], nil)); !slices.Equal(got, []string{"late", "nightly-2"}) {
		t.Errorf("%q", got)
	}
	if _, ok, _ := NewChecker(InHome(homes[0], nil), func() time.Time { return noon }).Name(ctx, before[0]); ok {
		t.Error("a token that was ended is good again in the folder")
	}
}
