//go:build unix

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// A token that a script was given is good until it is ended, also with a server that was
// started before it was made.
func TestTokensOfScripts(t *testing.T) {
	t.Parallel()
	r := runnerWithManual(t)
	r.run(t, 0, "open sesame\n", "serve", "--set-password")
	s := startServe(t, r)
	ask := func(token string) int {
		t.Helper()
		status, _ := s.post("/api/docs/search", `{"query": "threshold"}`, "Authorization", "Bearer "+token)
		return status
	}
	out, errs := r.run(t, 0, "", "serve", "token", "add", "nightly", "--expires", "90d")
	token := strings.TrimSpace(out)
	if !strings.HasPrefix(token, "docent_") || !strings.Contains(errs, "this once") {
		t.Fatalf("%q, %q", out, errs)
	}
	if status := ask(token); status != 200 {
		t.Errorf("%d: %s", status, s.errs)
	}
	if status := ask(token + "x"); status != 401 {
		t.Errorf("a token that is none: %d", status)
	}
	out, _ = r.run(t, 0, "", "serve", "token", "--json")
	var list struct{ Tokens []map[string]any }
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list.Tokens) != 1 || list.Tokens[0]["name"] != "nightly" || list.Tokens[0]["expires"] == nil || strings.Contains(out, token) {
		t.Errorf("%s, %v", out, err)
	}
	for _, wrong := range [][]string{{"add", "nightly"}, {"add", "../x"}, {"add", "x", "--expires", "90"}, {"add", "x", "--expires", "d"}, {"rm", "nobody"}, {"list", "x"}, {"x"}} {
		if _, errs := r.run(t, 2, "", append([]string{"serve", "token"}, wrong...)...); errs == "" {
			t.Errorf("%q is refused without a word", wrong)
		}
	}
	r.run(t, 0, "", "serve", "token", "rm", "nightly")
	if status := ask(token); status != 401 {
		t.Errorf("a token that was ended: %d", status)
	}
	s.stop()
	if log := s.errs.String(); !strings.Contains(log, `"token":"nightly"`) || strings.Contains(log, token) {
		t.Errorf("the log does not name the token, or has it: %s", log)
	}
}
