package httpapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/cmd/internal/app"
	"docent/cmd/internal/httpapi"
	"docent/pipeline/service"
	"docent/pipeline/service/home"
	shelved "docent/pipeline/service/library"
)

// What a newer version changes is told over HTTP, and no folder of the server is read for it.
func TestChangedNames(t *testing.T) {
	t.Parallel()
	s, err := app.OpenShared(t.Context(), app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	use := func() (*service.Services, func(), error) {
		a, release, err := s.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}
	a, release, err := s.Use()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	head := "# Flags\n\n| flag | default | description |\n| --- | --- | --- |\n| `--oil` | `rye` | Which oil is burned in the lamp. |\n"
	for version, rows := range map[string]string{"1": "| `--soot` | | Lets the soot be. |\n", "2": ""} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "flags.md"), []byte(head+rows), 0o600); err != nil {
			t.Fatal(err)
		}
		plan, err := shelved.Discover(t.Context(), shelved.AddRequest{Paths: []string{dir}, Name: "Lantern", Version: version}, a.Home.Parsers, home.Watch{})
		if err == nil {
			_, err = a.Library.Add(t.Context(), plan, home.Watch{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	api := serve(t, func(o *httpapi.Options) { o.Home = use })
	d := api.description()
	answer := d.checker(t, d.Paths["/api/impact"]["get"].Responses["200"].Content["application/json"].Schema, true)
	for _, query := range []string{"doc_set=Lantern", "doc_set=Lantern@1&doc_set=Lantern@2", "doc_set=Lantern&name=soot&limit=1"} {
		r := api.get("/api/impact?" + query)
		if r.status != 200 || !strings.Contains(r.body, `"name":"--soot","kind":"removed"`) || strings.Contains(r.body, `"project"`) ||
			strings.Contains(r.body, `"uses"`) {
			t.Errorf("%s: %d %s", query, r.status, r.body)
		}
		if err := validate(answer, r.body); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	if r := api.get("/api/impact?doc_set=Lantern&name=--oil"); r.status != 200 || strings.Contains(r.body, `"kind"`) {
		t.Errorf("a name that did not change: %d %s", r.status, r.body)
	}
	for _, query := range []string{"", "doc_set=Lantern&in=/etc", "doc_set=Lantern&limit=0", "doc_set=a&doc_set=b&doc_set=c", "doc_set=Nowhere"} {
		if r := api.get("/api/impact?" + query); r.status != 400 {
			t.Errorf("%q: %d %s", query, r.status, r.body)
		}
	}
}
