package mirror_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/source"
	"docent/pipeline/source/mirror"
	"docent/pipeline/source/packed"
	"docent/pipeline/source/web"
)

// pack writes a package with a page of each doc set.
func pack(t *testing.T, dir, file string, sets ...packed.Set) {
	t.Helper()
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Lamps\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var all []packed.Content
	for _, s := range sets {
		s.Root = "."
		all = append(all, packed.Content{Set: s, Pages: map[string]packed.File{"page.md": {Path: page}}})
	}
	var b bytes.Buffer
	if _, err := packed.Write(t.Context(), &b, all); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, file), b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shelf is a folder of packages, one of them damaged.
func shelf(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, v := range []string{"1.2", "1.10", "2.0"} {
		pack(t, dir, "lamps@"+v+".docent", packed.Set{Name: "Lamps", Version: v, Origin: &source.Origin{
			Source: "https://git.example/lamps.git@" + v, Commit: "c" + v, Path: "docs"}})
	}
	pack(t, dir, "lamps-main.docent", packed.Set{Name: "Lamps", Version: "1.3", Origin: &source.Origin{
		Source: "https://git.example/lamps.git@1.2", Commit: "cm", Asked: "main:"}})
	pack(t, dir, "own.docent", packed.Set{Name: "own", Version: "1", Origin: &source.Origin{Source: "/srv/lamps.zip", Digest: "d"}},
		packed.Set{Name: "mine", Version: "1", Origin: &source.Origin{Source: "file:///srv/lamps", Commit: "c"}})
	pack(t, dir, "two.docent", packed.Set{Name: "oil", Version: "latest"}, packed.Set{Name: "fog", Version: "3"})
	if err := os.WriteFile(filepath.Join(dir, "broken.docent"), []byte("no package"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("no package"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFind(t *testing.T) {
	t.Parallel()
	m := &mirror.Mirrors{Places: []string{filepath.Join(t.TempDir(), "away"), shelf(t)}}
	name := func(address, version string) source.Want {
		return source.Want{Kind: source.KindRecipe, Address: address, Version: version}
	}
	git := source.Want{Kind: source.KindGit, Address: "https://git.example/lamps.git", Version: "1.2"}
	for _, tt := range []struct {
		want source.Want
		ref  string // of the doc set that is found
	}{
		{name("lamps", ""), "Lamps@2.0"},
		{name("LAMPS", "1"), "Lamps@1.10"},
		{name("lamps", "v1.2"), "Lamps@1.2"},
		{name("lamps", "1.1"), ""},
		{name("fog", ""), "fog@3"},
		{name("broken", ""), ""},
		{git, "Lamps@1.2"},
		{source.Want{Kind: source.KindGit, Address: git.Address}, ""},
		{source.Want{Kind: source.KindGit, Address: git.Address, Version: "1.2", Ref: "c1.2", Path: "docs"}, "Lamps@1.2"},
		{source.Want{Kind: source.KindGit, Address: git.Address, Version: "1.2", Ref: "main"}, "Lamps@1.3"},
		{source.Want{Kind: source.KindGit, Address: git.Address, Version: "1.2", Ref: "c1.2"}, "Lamps@1.2"},
		{source.Want{Kind: source.KindArchive, Address: "/srv/lamps.zip"}, ""},
		{source.Want{Kind: source.KindGit, Address: "file:///srv/lamps"}, ""},
		{source.Want{Kind: source.KindGit, Address: git.Address, Version: "1.2", Ref: "c9"}, ""},
		{source.Want{Kind: source.KindGit, Address: git.Address, Version: "1.2", Path: "site"}, ""},
	} {
		var said []string
		got, ok := m.Find(t.Context(), tt.want, func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) })
		if ok != (tt.ref != "") || ok && (got.Set != tt.ref || got.Package.Path != tt.ref) {
			t.Errorf("%+v: %+v, %v", tt.want, got, ok)
		}
		if tt.want.Version == "1.1" {
			if len(said) != 2 || !strings.Contains(said[1], "has lamps in no version 1.1, but in 2.0, 1.10, 1.3, 1.2") {
				t.Errorf("it was said: %q", said)
			}
			said = said[:1]
		}
		if local := strings.Contains(tt.want.Address, "/srv/"); local != (len(said) == 0) || !local && !strings.Contains(said[0], "away cannot be read") {
			t.Errorf("it was said: %q", said)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := m.Find(ctx, git, func(string, ...any) {}); ok {
		t.Error("found after the call was ended")
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	list, faults, err := mirror.Folder(t.Context(), shelf(t))
	if err != nil || len(list.Sets) != 8 || len(faults) != 1 || faults[0].File != "broken.docent" {
		t.Errorf("%+v, %+v, %v", list, faults, err)
	}
	for _, e := range list.Sets {
		if strings.Contains(e.Source, "/srv/") {
			t.Errorf("a path of the machine that packed is listed: %+v", e)
		}
	}
}

// A list at an address is not believed.
func TestHostileLists(t *testing.T) {
	t.Parallel()
	body := ""
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/shelf/packages.json" {
			fmt.Fprint(w, body)
		}
	}))
	t.Cleanup(s.Close)
	m := &mirror.Mirrors{Places: []string{s.URL + "/shelf"}, Client: func(u *url.URL) (*web.Client, error) {
		return web.New(web.Options{Agent: web.Agent("1", "test"), Policy: web.Policy{Private: []string{web.HostPort(u)}}})
	}}
	entry := func(file, name, version string) string {
		return fmt.Sprintf(`{"docent_packages":1,"doc_sets":[{"file":%q,"name":%q,"version":%q}]}`, file, name, version)
	}
	for text, fault := range map[string]string{
		entry("a b.docent", "lamps", "1"):              "",
		entry("../lamps.docent", "lamps", "1"):         "which no mirror has",
		entry("//evil.example/a.docent", "lamps", "1"): "which no mirror has",
		entry("lamps.zip", "lamps", "1"):               "which no mirror has",
		entry("lamps.docent", "../lamps", "1"):         "which no mirror has",
		entry("lamps.docent", "lamps", "1/2"):          "which no mirror has",
		entry(".docent", "lamps", "1"):                 "which no mirror has",
		`{"docent_packages":2}`:                        "another version: 2",
		`<html>`:                                       "is damaged",
	} {
		body = text
		var said string
		got, ok := m.Find(t.Context(), source.Want{Kind: source.KindRecipe, Address: "lamps"}, func(format string, args ...any) {
			said = fmt.Sprintf(format, args...)
		})
		if ok != (fault == "") || !strings.Contains(said, fault) {
			t.Errorf("%s: %+v, %q", text, got, said)
		}
		if ok && got.Package.Address != s.URL+"/shelf/a%20b.docent" {
			t.Errorf("the package is at %s", got.Package.Address)
		}
	}
}
