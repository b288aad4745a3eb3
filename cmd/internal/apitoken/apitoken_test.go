package apitoken

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

func TestTokens(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := InHome(dir)
	if all, err := s.List(); err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	now := noon
	c := NewChecker(s, func() time.Time { return now })
	secret, token, err := s.Add("nightly", noon, time.Time{})
	if err != nil || token.Name != "nightly" || token.Expires != nil || !strings.HasPrefix(secret, "docent_") || len(secret) < 40 {
		t.Fatal(secret, token, err)
	}
	short, _, err := s.Add("ci-2", noon, noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if secret == short {
		t.Error("two tokens are the same")
	}
	for text, want := range map[string]string{secret: "nightly", short: "ci-2", "": "", "docent_": "", secret + "x": "", secret[:len(secret)-1]: "", "nightly": ""} {
		if name, ok := c.Name(text); name != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", text, name, ok)
		}
	}
	if _, _, err := s.Add("nightly", noon, time.Time{}); !errors.Is(err, ErrThere) {
		t.Errorf("the same name again: %v", err)
	}
	for _, name := range []string{"", "../x", "a/b", "A", "x.json", ".", strings.Repeat("x", 65), "a b", "ä"} {
		if _, _, err := s.Add(name, noon, time.Time{}); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
		if err := s.Remove(name); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	now = noon.Add(time.Hour)
	if _, ok := c.Name(short); ok {
		t.Error("a token goes on after its end")
	}
	if _, ok := c.Name(secret); !ok {
		t.Error("a token without an end ended")
	}
	if all, err := s.List(); err != nil || len(all) != 2 || all[0].Name != "ci-2" || !all[0].Expired(now) || all[1].Expired(now) {
		t.Error(all, err)
	}
	if err := s.Remove("nobody"); !errors.Is(err, ErrNotThere) {
		t.Error(err)
	}
	if err := s.Remove("nightly"); err != nil {
		t.Error(err)
	}
	if _, ok := c.Name(secret); ok {
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
	s := InHome(t.TempDir())
	secret, _, err := s.Add("whole", noon, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"empty": "", "half": `{"name":"half","sha2`, "other": `{"name":"whole","sha256":"` + strings.Repeat("ab", 32) + `"}`, "short": `{"name":"short","sha256":"ab"}`, "no hash": "{}"} {
		if err := os.WriteFile(filepath.Join(s.dir, name+".json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.List()
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
	if name, ok := c.Name(secret); !ok || name != "whole" {
		t.Error("a damaged file keeps others out")
	}
	if err := s.Remove("half"); err != nil {
		t.Error(err)
	}
}

// A folder that has not changed for a while is not read again, and one that changed is.
func TestCheckerReadsWhatChanged(t *testing.T) {
	t.Parallel()
	s := InHome(t.TempDir())
	secret, _, err := s.Add("one", noon, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now().Add(-time.Hour)
	if err := os.Chtimes(s.dir, before, before); err != nil {
		t.Fatal(err)
	}
	c := NewChecker(s, func() time.Time { return noon })
	if _, ok := c.Name(secret); !ok || !c.settled {
		t.Fatal("it is not let in, or the folder counts as changing")
	}
	// A change that the folder's time does not tell of stays unseen: nothing is read.
	if err := os.WriteFile(filepath.Join(s.dir, "one.json"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Name(secret); !ok {
		t.Error("the files are read each time")
	}
	if err := s.Remove("one"); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Name(secret); ok {
		t.Error("a token goes on after it was removed")
	}
}

func TestOneNameIsTakenOnce(t *testing.T) {
	t.Parallel()
	s := InHome(t.TempDir())
	var made sync.Map
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if secret, _, err := s.Add("same", noon, time.Time{}); err == nil {
				made.Store(i, secret)
			}
		})
	}
	all.Wait()
	n := 0
	made.Range(func(_, secret any) bool {
		n++
		if _, ok := NewChecker(s, time.Now).Name(secret.(string)); !ok {
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
	s := InHome(dir)
	secret, _, err := s.Add("nightly", noon, noon.Add(time.Hour))
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
		all, err := s.List()
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		_, ok = NewChecker(s, func() time.Time { return noon }).Name(secret)
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
