package phrase

import (
	"strings"
	"testing"
)

func TestAt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, want string
		n          int
	}{
		{"log in", "log in", 2}, {"logged in with", "log in", 2}, {"logging in", "log in", 2}, {"login", "log in", 1}, {"log-in", "log in", 1}, {"logins", "log in", 1},
		{"rolling back a", "roll back", 2}, {"rollback", "roll back", 1}, {"roll-back", "roll back", 1}, {"rollbacks", "roll back", 1},
		{"ran out of memory", "run out of", 3}, {"out of memory", "out of memory", 3}, {"set up", "set up", 2}, {"setting up", "set up", 2}, {"setup", "set up", 1},
		{"timed out", "time out", 2}, {"times out", "time out", 2}, {"timeout", "time out", 1}, {"shutting down", "shut down", 2}, {"built-in", "built in", 1},
		{"signed up", "sign up", 2}, {"opting in", "opt in", 2}, {"backed up", "back up", 2}, {"read-only", "read only", 1}, {"turned off", "turn off", 2},
		{"log a", "", 0}, {"back", "", 0}, {"in", "", 0}, {"", "", 0}, {"-", "", 0}, {"pod", "", 0},
	} {
		e, n := ExpressionAt(strings.Fields(c.text))
		if e.Text != c.want || n != c.n {
			t.Errorf("%q: %q %d, want %q %d", c.text, e.Text, n, c.want, c.n)
		}
	}
	if _, n := ExpressionAt(nil); n != 0 {
		t.Error("no words")
	}
}

func TestOthers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"how to rollback a deployment", "rollback=roll back"},
		{"how do I roll back a release", "roll back=rollback"},
		{"it Timed out while Logging in", "Timed out=timeout|Logging in=login"},
		{"turn off the light", ""},
		{"which timezone do env vars have", "timezone=time zone|env vars=environment variables"},
		{"Time zones of a hostname", "Time zones=timezone|hostname=host name"},
		{"", ""},
	} {
		var got []string
		for _, o := range Others(strings.Fields(c.text)) {
			got = append(got, o.Words+"="+o.Also)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %s, want %s", c.text, s, c.want)
		}
	}
}
