package clustertest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/dev/served"
)

// statusWith asks a server for its doc sets with a token.
func statusWith(t *testing.T, s *served.Server, token string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/docsets", nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	status, _, err := readBody(http.DefaultClient.Do(r))
	if err != nil {
		t.Fatal(err)
	}
	return status
}

// testTokens uses a token for scripts at two servers of one home, until it is ended for both.
func (w *world) testTokens(t *testing.T) {
	m := w.newTeam(t, "tokens")
	setting := m.command(t.Context(), "serve", "--set-password")
	setting.Stdin = strings.NewReader("correct horse battery\n")
	if d := finish(t, setting); d.code != 0 {
		t.Fatal(d)
	}
	testLogins(t, [2]*served.Server{m.serve(t), m.serve(t)})
	token := strings.TrimSpace(m.must(t, "serve", "token", "add", "nightly").out)
	servers := []*served.Server{m.serve(t), m.serve(t)}
	for _, s := range servers {
		if with, without := statusWith(t, s, token), statusWith(t, s, ""); with != http.StatusOK || without != http.StatusUnauthorized {
			t.Errorf("the answer is %d with the token, and %d without", with, without)
		}
	}
	m.must(t, "serve", "token", "rm", "nightly")
	for _, s := range servers {
		if status := statusWith(t, s, token); status != http.StatusUnauthorized {
			t.Errorf("the token was ended, and the answer is %d", status)
		}
	}
}

// testSharedSecrets sets the password and makes tokens on one machine, and uses them on another, which
// shares no folder with it. Those of a folder, of a time when they lay there, come along.
func (w *world) testSharedSecrets(t *testing.T) {
	a := w.newTeam(t, "secrets")
	// The time before: the catalog lies in the folder.
	text, err := os.ReadFile(filepath.Join(a.home, "docent.toml"))
	if err != nil {
		t.Fatal(err)
	}
	setting := func(m *team, password string) {
		t.Helper()
		set := m.command(t.Context(), "serve", "--set-password")
		set.Stdin = strings.NewReader(password + "\n")
		if d := finish(t, set); d.code != 0 {
			t.Fatal(d)
		}
	}
	write := func(content []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(a.home, "docent.toml"), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(nil)
	setting(a, "correct horse battery")
	old := strings.TrimSpace(a.must(t, "serve", "token", "add", "old").out)
	write(text)
	b := a.apart(t)
	servers := []*served.Server{a.serve(t), b.serve(t)}
	young := strings.TrimSpace(b.must(t, "serve", "token", "add", "young").out)
	session, status := login(t, servers[1], "correct horse battery")
	if status != http.StatusOK {
		t.Fatalf("the login at the other machine has the status %d", status)
	}
	wants := func(what, token string, want int) {
		t.Helper()
		for i, s := range servers {
			if status := statusWith(t, s, token); status != want {
				t.Errorf("%s: machine %d answers %d, want %d", what, i, status, want)
			}
		}
	}
	wants("the token of the folder", old, http.StatusOK)
	wants("a token of the other machine", young, http.StatusOK)
	wants("a login", session, http.StatusOK)
	b.must(t, "serve", "token", "rm", "old")
	a.must(t, "serve", "token", "rm", "young")
	wants("a token that was ended", old, http.StatusUnauthorized)
	wants("the other token that was ended", young, http.StatusUnauthorized)
	setting(b, "staple of another battery")
	time.Sleep(2 * time.Second) // a server looks once a second
	wants("a login with the password before", session, http.StatusUnauthorized)
	if _, status := login(t, servers[0], "staple of another battery"); status != http.StatusOK {
		t.Errorf("with the new password the first machine answers %d", status)
	}
	servers = append(servers, a.serve(t))
	wants("a token that was ended, after another start", old, http.StatusUnauthorized)
}

// login tries a password at a server, and gives the token where it is right.
func login(t *testing.T, s *served.Server, password string) (token string, status int) {
	t.Helper()
	status, raw, err := readBody(postJSON(t, s, "/api/auth/login", "", map[string]string{"password": password}))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Token string `json:"token"`
	}
	if err := json.Unmarshal([]byte(raw), &answer); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return answer.Token, status
}

func postJSON(t *testing.T, s *served.Server, path, token string, body any) (*http.Response, error) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return http.DefaultClient.Do(r)
}

// testLogins logs in at one server and out at the other, and guesses at both.
func testLogins(t *testing.T, servers [2]*served.Server) {
	t.Helper()
	token, status := login(t, servers[0], "correct horse battery")
	if status != http.StatusOK {
		t.Fatalf("the login has the status %d", status)
	}
	for i, s := range servers {
		if status := statusWith(t, s, token); status != http.StatusOK {
			t.Errorf("with a login of the first server, server %d answers %d", i, status)
		}
	}
	if status, _, err := readBody(postJSON(t, servers[1], "/api/auth/logout", token, map[string]bool{})); err != nil || status != http.StatusOK {
		t.Errorf("the logout has the status %d, %v", status, err)
	}
	for i, s := range servers {
		if status := statusWith(t, s, token); status != http.StatusUnauthorized {
			t.Errorf("after the logout at the second server, server %d answers %d", i, status)
		}
	}
	const free = 5
	for i := range free {
		if _, status := login(t, servers[i%2], "wrong horse"); status != http.StatusUnauthorized {
			t.Fatalf("a wrong password has the status %d", status)
		}
	}
	for i, s := range servers {
		if _, status := login(t, s, "correct horse battery"); status != http.StatusTooManyRequests {
			t.Errorf("after %d wrong passwords server %d answers %d", free, i, status)
		}
	}
}
