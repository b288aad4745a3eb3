package repositories

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/source/ecosystem"
)

// registries are the hosts of registries and of their mirrors, which no list names: a package's
// client knows which registry is the user's.
var registries = []string{"npmjs.com", "npmjs.org", "yarnpkg.com", "pypi.org", "pythonhosted.org", "crates.io", "docs.rs", "rubygems.org",
	"packagist.org", "maven.org", "sonatype.org", "mvnrepository.com", "jitpack.io", "golang.org", "pkg.go.dev", "jsr.io", "unpkg.com"}

// The lists are what people edit: every line has its form, stands in its place, and is the only
// one of its name.
func TestLists(t *testing.T) {
	t.Parallel()
	for _, kind := range ecosystems() {
		text, err := lists.ReadFile("lists/" + kind + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		entries, err := parse(kind, text)
		if err != nil {
			t.Error(err)
		}
		if least := map[string]int{ecosystem.Go: 100, ecosystem.Cargo: 3000, ecosystem.PyPI: 2000, ecosystem.Gem: 1500, ecosystem.Npm: 3000, ecosystem.Composer: 1100, ecosystem.Maven: 1000}[kind]; len(entries) < max(least, 100) {
			t.Errorf("%s.txt has %d packages, fewer than %d", kind, len(entries), least)
		}
		seen, last := map[string]bool{}, ""
		for _, e := range entries {
			if e.name <= last {
				t.Errorf("%s.txt: %s stands behind %s", kind, e.name, last)
			}
			if plain := plainName(kind, e.name); seen[plain] {
				t.Errorf("%s.txt has %s twice", kind, e.name)
			} else {
				seen[plain] = true
			}
			last = e.name
			if u, err := url.Parse(e.Address); err != nil || slices.ContainsFunc(registries, func(r string) bool {
				return u.Host == r || strings.HasSuffix(u.Host, "."+r)
			}) {
				t.Errorf("%s.txt: %s has the address of a registry", kind, e.name)
			}
		}
		if !bytes.HasSuffix(text, []byte("\n")) || bytes.Contains(text, []byte("\r")) || bytes.Contains(text, []byte(" \n")) {
			t.Errorf("%s.txt has a line that does not end with its last letter and a newline", kind)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	l := New()
	for _, c := range []struct{ kind, name, address, in, tag string }{
		{ecosystem.PyPI, "requests", "https://github.com/psf/requests", "", ""},
		{ecosystem.PyPI, "Factory.Boy", "https://github.com/FactoryBoy/factory_boy", "", ""},
		{ecosystem.Npm, "@babel/core", "https://github.com/babel/babel", "packages/babel-core", ""},
		{ecosystem.Cargo, "serde-json", "https://github.com/serde-rs/json", "", ""},
		{ecosystem.Cargo, "bevy_ecs_macros", "https://github.com/bevyengine/bevy", "crates/bevy_ecs_macros", ""},
		{ecosystem.Composer, "Symfony/HTTP-Kernel", "https://github.com/symfony/http-kernel", "", ""},
		{ecosystem.Composer, "symfony/ux-turbo", "https://github.com/symfony/ux", "src/turbo", ""},
		{ecosystem.Gem, "activerecord", "https://github.com/rails/rails", "activerecord", ""},
		{ecosystem.Maven, "org.springframework.boot:spring-boot-starter-web", "https://github.com/spring-projects/spring-boot", "", ""},
		{ecosystem.Maven, "org.springframework.data:spring-data-jpa", "https://github.com/spring-projects/spring-data-jpa", "", ""},
		{ecosystem.Maven, "com.google.guava:guava", "https://github.com/google/guava", "", "v{major}.{minor}.{patch}"},
		{ecosystem.Go, "golang.org/x/text", "https://github.com/golang/text", "", ""},
		{ecosystem.Go, "golang.org/x/term/sub/v2", "https://github.com/golang/term", "", ""},
		{ecosystem.Go, "go.uber.org/zap/zapcore", "https://github.com/uber-go/zap", "", ""},
		{ecosystem.Npm, "@babel/", "", "", ""}, {ecosystem.Npm, "no-package-has-this-name", "", "", ""}, {ecosystem.Deb, "bash", "", "", ""}, {"", "x", "", "", ""},
	} {
		r, ok := l.Find(c.kind, c.name)
		if r.Address != c.address || r.Package != c.in || r.Tag != c.tag || ok != (c.address != "") {
			t.Errorf("%s:%s is in %+v, %v", c.kind, c.name, r, ok)
		}
	}
}

func TestTagOf(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{{"v{major}.{minor}.{patch}", "33.4.0-jre", "v33.4.0"}, {"rel/commons-io-{version}", "2.16.1", "rel/commons-io-2.16.1"},
		{"release-{major}-{minor}", "74.2", "release-74-2"}, {"v{minor}.{patch}", "4.25", ""}, {"", "1.0", ""}, {"r{version}", "main", ""}} {
		if got, ok := (Repository{Tag: c[0]}).TagOf(c[1]); got != c[2] || ok != (c[2] != "") {
			t.Errorf("%s of %s is %q, %v", c[0], c[1], got, ok)
		}
	}
}

// A line that somebody got wrong is named, with its fault.
func TestBadLines(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"lantern": "a name and an address", "lantern https://example.org": "no address of a repository",
		"lantern git@example.org:a/b": "no address of a repository", "lantern https://github.com/a/b/tree/main/docs": "no address of a repository",
		"lantern https://github.com/a/b@1.2": "no address of a repository", "lantern http://git.example.org/a.git": "no address of a repository",
		"-lantern https://github.com/a/b": "no name of a package", "*lantern https://github.com/a/b": "at the end of a name",
		"lantern https://github.com/a/*": "no * that could stand", "lantern https://github.com/a/b in=../x": "no folder",
		"lantern https://github.com/a/b in=": "neither in=", "lantern https://github.com/a/b at=x": "neither in=", "lantern https://github.com/a/b in=a in=b": "each once",
		"lantern https://github.com/a/b tag=v1": "no template", "lantern https://github.com/a/b tag=-{version}": "no template",
		"lantern https://github.com/a/b tag={version}..{version}": "no template",
	} {
		if entries, err := parse(ecosystem.Npm, []byte("# a list\n\n"+line+"\n")); err == nil || len(entries) > 0 ||
			!strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "npm.txt:3: ") {
			t.Errorf("%q: %v", line, err)
		}
	}
}
