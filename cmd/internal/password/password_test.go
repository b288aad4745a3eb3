package password

import (
	"strings"
	"testing"
)

func TestAHashMatchesItsPasswordAlone(t *testing.T) {
	t.Parallel()
	const right = "correct horse battery"
	hash, err := HashPassword(right)
	if err != nil {
		t.Fatal(err)
	}
	again, err := HashPassword(right)
	if err != nil || hash == again {
		t.Errorf("two hashes of one password are the same: %s, %v", again, err)
	}
	if err := CheckHash(hash); err != nil {
		t.Error(err)
	}
	if !Matches(hash, right) || !Matches(again, right) || !Matches(hash+"\n", right) {
		t.Error("the hash does not match its password")
	}
	for _, wrong := range []string{"", "correct horse batter", right + " ", strings.ToUpper(right)} {
		if Matches(hash, wrong) {
			t.Errorf("the hash matches %q", wrong)
		}
	}
	// From the tests of the reference implementation.
	const known = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if !Matches(known, "password") || Matches(known, "Password") {
		t.Error("the reference implementation's hash does not match its password alone")
	}
}

func TestShortPasswordsAreRefused(t *testing.T) {
	t.Parallel()
	if hash, err := HashPassword("1234567"); err == nil {
		t.Errorf("a password of seven bytes has the hash %s", hash)
	}
}

func TestWhatIsNoHashIsRefused(t *testing.T) {
	t.Parallel()
	const key = "c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	for _, bad := range []string{
		"", "password", "$argon2id$", "$argon2i$v=19$m=65536,t=2,p=1$" + key, "$argon2id$v=16$m=65536,t=2,p=1$" + key,
		"$argon2id$v=19$m=4294967295,t=2,p=1$" + key, "$argon2id$v=19$m=65536,t=4000000,p=1$" + key, "$argon2id$v=19$m=65536,t=0,p=1$" + key,
		"$argon2id$v=19$m=65536,t=2,p=0$" + key, "$argon2id$v=19$m=4,t=2,p=1$" + key, "$argon2id$v=19$m=65536,t=2,p=1$$", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$AAAA",
		"$argon2id$v=19$m=65536,t=2,p=1$" + key + "$x",
	} {
		if CheckHash(bad) == nil || Matches(bad, "password") {
			t.Errorf("%q is taken for a hash", bad)
		}
	}
}

func FuzzMatches(f *testing.F) {
	f.Add("$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	f.Add("$argon2id$v=19$m=,t=,p=$$")
	f.Fuzz(func(t *testing.T, hash string) {
		h, err := parseHash(hash)
		if err != nil {
			return
		}
		if again, err := parseHash(h.String()); err != nil || again.String() != h.String() {
			t.Errorf("%q is read as %q, and that as %q, %v", hash, h, again, err)
		}
	})
}
