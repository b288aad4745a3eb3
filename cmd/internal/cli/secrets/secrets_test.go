package secrets

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/invocation"
)

func TestExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{"30m": 30 * time.Minute, "12h": 12 * time.Hour, "90d": 90 * 24 * time.Hour, "4w": 28 * 24 * time.Hour} {
		if got, err := expiry(text, now); err != nil || got.Sub(now) != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	if got, err := expiry("", now); err != nil || !got.IsZero() {
		t.Errorf("none: %v, %v", got, err)
	}
	for _, text := range []string{"12", "h", "0h", "-1d", "1y", "4000d", "99999999999999999999w", "1.5h", "é"} {
		if got, err := expiry(text, now); err == nil {
			t.Errorf("%s is %v", text, got)
		}
	}
}

// run runs docent serve token in a home.
func run(t *testing.T, home string, args ...string) (out string, err error) {
	t.Helper()
	var b bytes.Buffer
	c := &invocation.Call{IO: console.IO{In: strings.NewReader(""), Out: &b, Err: &b, Env: func(string) string { return "" }}, Home: home}
	cmd := TokenCommand(c)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(args)
	cmd.SetOut(&b)
	err = cmd.ExecuteContext(t.Context())
	return b.String(), err
}

// A token is shown once; a name is taken by one token, and a wrong name names the nearest.
func TestTokensComeAndGo(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	made, err := run(t, home, "add", "nightly", "--expires", "90d")
	if err != nil || !strings.Contains(made, "it is shown this once") {
		t.Fatalf("%q, %v", made, err)
	}
	secret := strings.TrimSpace(made[strings.LastIndex(strings.TrimSpace(made), "\n")+1:])
	if list, err := run(t, home); err != nil || !strings.Contains(list, "nightly") || strings.Contains(list, secret) {
		t.Errorf("%q, %v", list, err)
	}
	for want, args := range map[string][]string{
		`there is a token "nightly" already`: {"add", "nightly"}, `did you mean nightly?`: {"rm", "nightyl"},
		`cannot be the name of a token`: {"add", "../x"}, `--expires is "soon"`: {"add", "weekly", "--expires", "soon"},
	} {
		if _, err := run(t, home, args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
	if out, err := run(t, home, "rm", "nightly"); err != nil || out != "ended 1 token\n" {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := run(t, home, "list"); err != nil || !strings.Contains(out, "there are no tokens") {
		t.Errorf("%q, %v", out, err)
	}
}

// A password that is typed must be typed twice; one on standard input is its first line.
func TestNewPassword(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", mostPassword+1)
	for given, want := range map[string]string{"correct horse battery\nstaple": "correct horse battery", "short\n": "", long: "", "": ""} {
		c := &invocation.Call{IO: console.IO{In: strings.NewReader(given)}}
		if got, err := newPassword(t.Context(), c); got != want || (err == nil) != (want != "") {
			t.Errorf("%.20q: %q, %v", given, got, err)
		}
	}
}
