package clustertest

import (
	"net/http"
	"strings"
	"testing"

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
