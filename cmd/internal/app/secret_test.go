package app

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/store/postgrestest"
)

// secretFile writes a file, and gives an environment whose variable names it.
func secretFile(t *testing.T, name, content string) (path string, env func(string) string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, environment(map[string]string{name + "_FILE": path})
}

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{"hunter2": "hunter2", "hunter2\n": "hunter2", " two words \r\n": " two words "} {
		_, env := secretFile(t, "KEY", content)
		if got, err := Secret(env, "KEY"); got != want || err != nil {
			t.Errorf("%q: %q, %v", content, got, err)
		}
	}
	if got, err := Secret(environment(map[string]string{"KEY": "hunter2"}), "KEY"); got != "hunter2" || err != nil {
		t.Errorf("from the variable: %q, %v", got, err)
	}
	for _, env := range []func(string) string{nil, environment(nil)} {
		if got, err := Secret(env, "KEY"); got != "" || err != nil {
			t.Errorf("where none is given: %q, %v", got, err)
		}
	}
}

// A secret that cannot be used names its setting and its file, and says nothing of itself.
func TestSecretsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	refused := func(what string, env func(string) string, words ...string) {
		t.Helper()
		got, err := Secret(env, "KEY")
		e, ok := errors.AsType[*contract.Error](err)
		if !ok || got != "" || e.Details["field"] != "KEY_FILE" {
			t.Errorf("%s: %q, %v", what, got, err)
			return
		}
		for _, w := range append(words, "KEY_FILE") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the error has no %q: %v", what, w, err)
			}
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the error has the secret: %v", what, err)
		}
	}
	missing := filepath.Join(t.TempDir(), "nothing")
	refused("no file", environment(map[string]string{"KEY_FILE": missing}), missing, "cannot be read")
	refused("a folder", environment(map[string]string{"KEY_FILE": t.TempDir()}), "cannot be read")
	for what, content := range map[string]string{"an empty file": "\n", "two lines": "hunter2\nhunter2\n", "a large file": strings.Repeat("hunter2", 20_000)} {
		path, env := secretFile(t, "KEY", content)
		refused(what, env, path)
	}
	path, _ := secretFile(t, "KEY", "hunter2")
	refused("both", environment(map[string]string{"KEY": "hunter2", "KEY_FILE": path}), "both set")
}

// The password of the database and the key of the Weaviate are taken from files.
func TestServersOfStoresGetSecretsFromFiles(t *testing.T) {
	t.Parallel()
	key := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key = r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	index := "weaviate://" + strings.TrimPrefix(server.URL, "http://") + "/secrets"
	catalog := postgrestest.Address(t, postgrestest.Guarded, "", "secrets") + "&sslmode=disable"
	open := func(password string) error {
		keyPath, _ := secretFile(t, "WEAVIATE_API_KEY", "sesame\n")
		passwordPath, _ := secretFile(t, "PGPASSWORD", password)
		a, err := Open(context.Background(), Options{Home: t.TempDir(), Index: &index, Catalog: &catalog,
			Env: environment(map[string]string{"WEAVIATE_API_KEY_FILE": keyPath, "PGPASSWORD_FILE": passwordPath})})
		if err == nil {
			err = a.Close()
		}
		return err
	}
	if err := open("wrong"); err == nil || !strings.Contains(err.Error(), "PGPASSWORD_FILE") || strings.Contains(err.Error(), "wrong;") || key != "" {
		t.Errorf("with a wrong password: %v", err)
	}
	if err := open(postgrestest.GuardedPassword + "\n"); err == nil || !strings.Contains(err.Error(), "WEAVIATE_API_KEY_FILE") {
		t.Errorf("the Weaviate refuses the key: %v", err)
	}
	if key != "Bearer sesame" {
		t.Errorf("the key is %q", key)
	}
	kept, closeLogins, err := OpenLogins(config.Config{Index: index, Catalog: catalog}, environment(map[string]string{"PGPASSWORD_FILE": "/nothing"}))
	if err == nil || kept != nil || closeLogins != nil || !strings.Contains(err.Error(), "PGPASSWORD_FILE") {
		t.Errorf("logins with a missing file: %v", err)
	}
}
