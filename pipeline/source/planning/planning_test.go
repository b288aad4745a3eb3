package planning

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/source/ecosystem"
	"docent/pipeline/source/project"
	"docent/pipeline/source/repositories"
)

// recipes are a few, by ecosystem and name.
type recipes map[string]string

func (r recipes) Lookup(kind, name, version string) (string, bool) {
	text, ok := r[kind+":"+name]
	return text + "@" + version, ok
}

// listed are repositories, by ecosystem and name.
type listed map[string]repositories.Repository

func (l listed) Find(kind, name string) (repositories.Repository, bool) {
	r, ok := l[kind+":"+name]
	return r, ok
}

func dependency(kind, name, version string) project.Dependency {
	return project.Dependency{Ecosystem: kind, Name: name, Version: version, File: "f", Line: 1}
}

// plan is a plan as the tests have it: the doc set, and the candidates.
func plan(steps []Step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s → %s@%s:", s.Dependency, s.Name, s.Version)
		for _, c := range s.Candidates {
			fmt.Fprintf(&b, " %s %s", c.How, c.Source)
			if c.Ref != "" {
				b.WriteString(" at " + c.Ref)
			}
			if c.Near != "" {
				b.WriteString(" near " + c.Near)
			}
			if c.Path != "" {
				b.WriteString(" path " + c.Path)
			}
		}
		if s.Reason != "" {
			b.WriteString(" ! " + s.Reason)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestPlan(t *testing.T) {
	t.Parallel()
	wick := dependency(ecosystem.Composer, "lantern/wick", "1.2.0")
	wick.Repository, wick.Commit = "https://git.example.org/wick.git", "abc123"
	glow := dependency(ecosystem.Gem, "glow", "2.0")
	glow.Repository = "https://git.example.org/glow"
	fork := dependency(ecosystem.Npm, "oil", "1.0.0")
	fork.Repository = "https://github.com/other/oil"
	got := plan(Make([]project.Dependency{
		{Name: "Handbook", Source: "https://git.example.org/handbook.git", Version: "3"}, {Name: "postgresql@16", Source: "postgresql@16"},
		{Name: "bad", Source: "no source"}, {Name: "lamp", Source: "https://lamp.example.org/docs/", Version: "2"},
		dependency(ecosystem.Npm, "react", "19.0.0"), dependency(ecosystem.Npm, "@types/node", "20.1.0"), dependency(ecosystem.Npm, "unknown", ""),
		dependency(ecosystem.Go, "github.com/spf13/pflag", "v1.0.10"), dependency(ecosystem.Go, "example.org/yaml/v3", "v3.0.1"),
		dependency(ecosystem.Go, "gopkg.example.org/yaml", "v3.0.1"), dependency(ecosystem.Maven, "org.oil:oil-core", "1.4"),
		dependency(ecosystem.PyPI, "redis", "5.0"), dependency(ecosystem.Npm, "redis", "5.0"), dependency(ecosystem.Npm, "lamp", "1.0"), wick, glow, fork,
	}, recipes{"npm:react": "react"}, listed{"pypi:redis": {Address: "https://github.com/example/redis-py", Package: "py", Path: "docs"}}))
	want := `Handbook → Handbook@3: docent.toml https://git.example.org/handbook.git@3
postgresql@16 → @: docent.toml postgresql@16
bad → bad@: ! its source is no address, no package and no name
lamp → lamp@2: docent.toml https://lamp.example.org/docs/
npm:react@19.0.0 → react@19.0.0: recipe react@19.0.0 package npm:react@19.0.0
npm:@types/node@20.1.0 → types-node@20.1.0: package npm:@types/node@20.1.0
npm:unknown → unknown@: package npm:unknown
go:github.com/spf13/pflag@v1.0.10 → pflag@1.0.10: package go:github.com/spf13/pflag@v1.0.10 repository https://github.com/spf13/pflag@1.0.10
go:example.org/yaml/v3@v3.0.1 → example.org-yaml-v3@3.0.1: package go:example.org/yaml/v3@v3.0.1
go:gopkg.example.org/yaml@v3.0.1 → gopkg.example.org-yaml@3.0.1: package go:gopkg.example.org/yaml@v3.0.1
maven:org.oil:oil-core@1.4 → oil-core@1.4: package maven:org.oil:oil-core@1.4
pypi:redis@5.0 → redis-pypi@5.0: package pypi:redis@5.0 list https://github.com/example/redis-py@5.0 near py path docs
npm:redis@5.0 → redis-npm@5.0: package npm:redis@5.0
composer:lantern/wick@1.2.0 → lantern-wick@1.2.0: repository https://git.example.org/wick.git at abc123 package composer:lantern/wick@1.2.0
gem:glow@2.0 → glow@2.0: repository https://git.example.org/glow.git@2.0
npm:oil@1.0.0 → oil@1.0.0: repository https://github.com/other/oil@1.0.0
`
	if got != want {
		t.Errorf("the plan is\n%s\nwant\n%s", got, want)
	}
}

// Without a locked version a range says which release's documentation fits.
func TestRanges(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{ecosystem.Npm, "^18.2.0", "18"}, {ecosystem.Npm, "^0.3.1", "0.3"}, {ecosystem.Npm, "~4.2.1", "4.2"}, {ecosystem.Npm, "18.x", "18"}, {ecosystem.Npm, "1.2", "1.2"},
		{ecosystem.Npm, "^17.0.0 || ^18.0.0", "18"}, {ecosystem.Npm, ">=16", ""}, {ecosystem.Npm, "latest", ""}, {ecosystem.Npm, "*", ""}, {ecosystem.Npm, "", ""},
		{ecosystem.Npm, "1.0.0 - 2.0.0", ""}, {ecosystem.PyPI, "~=4.2", "4"}, {ecosystem.PyPI, "~=4.2.1", "4.2"}, {ecosystem.PyPI, "==4.2.*", "4.2"}, {ecosystem.PyPI, ">=4,<5", ""},
		{ecosystem.Gem, "~> 7.1", "7"}, {ecosystem.Gem, "~> 7.1.2", "7.1"}, {ecosystem.Cargo, "1.2.3", "1"}, {ecosystem.Cargo, "0.4", "0.4"}, {ecosystem.Cargo, "=1.2.3", "1.2.3"},
		{ecosystem.Composer, "~1.2", "1"}, {ecosystem.Composer, "^2.0|^3.0", "3"}, {ecosystem.Npm, "^1.0.0-rc.1", ""}, {ecosystem.Npm, "^", ""}, {ecosystem.Npm, "~..", ""},
	} {
		if got := fixedPart(c[0], c[1]); got != c[2] {
			t.Errorf("%s %q fixes %q, want %q", c[0], c[1], got, c[2])
		}
	}
	d := dependency(ecosystem.Npm, "oil", "")
	d.Wanted = "^3.1.0"
	if got := plan(Make([]project.Dependency{d}, recipes{"npm:oil": "oil"}, nil)); got != "npm:oil → oil@3: recipe oil@3 package npm:oil@3\n" {
		t.Error(got)
	}
}

// Packages of types have the documentation of their packages: that of the project's, else a
// recipe's, else their own.
func TestPackagesOfTypes(t *testing.T) {
	t.Parallel()
	steps := Make([]project.Dependency{dependency(ecosystem.Npm, "@types/lantern__oil", "3.1.7"), dependency(ecosystem.Npm, "@types/react", "19.1.4"),
		dependency(ecosystem.Npm, "@types/wick", "1.0.0"), dependency(ecosystem.Npm, "@lantern/oil", "2.0.0"), dependency(ecosystem.Npm, "@lantern/oil", "3.1.0")},
		recipes{"npm:react": "react"}, nil)
	want := `npm:@types/react@19.1.4 → types-react@19.1.4: recipe react@19.1 package npm:@types/react@19.1.4
npm:@types/wick@1.0.0 → types-wick@1.0.0: package npm:@types/wick@1.0.0
npm:@lantern/oil@2.0.0 → lantern-oil@2.0.0: package npm:@lantern/oil@2.0.0
npm:@lantern/oil@3.1.0 → lantern-oil@3.1.0: package npm:@lantern/oil@3.1.0
npm:@types/lantern__oil@3.1.7 → types-lantern__oil@3.1.7: package npm:@types/lantern__oil@3.1.7
`
	if got := plan(steps); got != want {
		t.Errorf("the plan is\n%s\nwant\n%s", got, want)
	}
	if s := steps[4].Shares; s == nil || s.Version != "3.1.0" {
		t.Errorf("it shares that of %v", s)
	}
}

// Where no lock file names the repository of a package, the list does. A package of types has
// that of its package, at the release that its version begins with; a fork is not the package of
// its name. The tag has the list's form if it has one, else a usual one.
func TestListedRepositories(t *testing.T) {
	t.Parallel()
	fork := dependency(ecosystem.PyPI, "wick", "2.0")
	fork.Repository = "https://git.example.org/fork.git"
	ranged := dependency(ecosystem.Gem, "glow", "")
	ranged.Wanted = "~> 7.1"
	tools := dependency(ecosystem.Go, "example.org/x/tools", "v0.3.0")
	steps := Make([]project.Dependency{dependency(ecosystem.Maven, "org.oil:oil", "4.1.9.Final"), dependency(ecosystem.PyPI, "types-Wick", "2.31.0.20240406"),
		fork, ranged, tools, dependency(ecosystem.Go, "github.com/lantern/sdk/wick/v2", "v2.1.0"), dependency(ecosystem.Npm, "@types/lamp", "20.1.7")},
		nil, listed{"maven:org.oil:oil": {Address: "https://github.com/lantern/oil", Tag: "oil-{version}"}, "pypi:wick": {Address: "https://github.com/lantern/wick"},
			"gem:glow": {Address: "https://gitlab.com/lantern/glow"}, "go:example.org/x/tools": {Address: "https://github.com/lantern/tools"},
			"npm:lamp": {Address: "https://github.com/lantern/other"}, "npm:@types/lamp": {Address: "https://github.com/lantern/lamp"}})
	want := `maven:org.oil:oil@4.1.9.Final → oil@4.1.9.Final: package maven:org.oil:oil@4.1.9.Final list https://github.com/lantern/oil@4.1.9.Final
pypi:wick@2.0 → wick@2.0: repository https://git.example.org/fork.git@2.0
gem:glow → glow@7: package gem:glow@7 list https://gitlab.com/lantern/glow@7
go:example.org/x/tools@v0.3.0 → tools@0.3.0: package go:example.org/x/tools@v0.3.0 list https://github.com/lantern/tools@0.3.0
go:github.com/lantern/sdk/wick/v2@v2.1.0 → wick@2.1.0: package go:github.com/lantern/sdk/wick/v2@v2.1.0 repository https://github.com/lantern/sdk@2.1.0 near wick
npm:@types/lamp@20.1.7 → types-lamp@20.1.7: package npm:@types/lamp@20.1.7 list https://github.com/lantern/lamp@20.1
pypi:types-Wick@2.31.0.20240406 → types-Wick@2.31.0.20240406: package pypi:types-Wick@2.31.0.20240406 list https://github.com/lantern/wick@2.31
`
	if got := plan(steps); got != want {
		t.Errorf("the plan is\n%s\nwant\n%s", got, want)
	}
	for _, c := range []struct {
		step int
		tags []string
		want string
	}{{0, []string{"4.1.9", "oil-4.1.9.Final"}, "oil-4.1.9.Final"}, {0, []string{"4.1.9.Final"}, "4.1.9.Final"}, {2, []string{"v7.1.2", "v7.2.0", "v8.0.0"}, "v7.2.0"},
		{3, []string{"v0.3.0", "gopls/v0.3.0"}, "v0.3.0"}, {5, []string{"v20.1.0", "v20.1.4", "v20.2.0"}, "v20.1.4"}, {6, []string{"v2.31.0", "v2.32.0"}, "v2.31.0"}} {
		s := steps[c.step]
		if got, ok := s.Pick(s.Candidates[len(s.Candidates)-1])(c.tags); got != c.want || !ok {
			t.Errorf("of %s %q is picked, want %q", s.Dependency, got, c.want)
		}
	}
	if s := steps[0]; s.Pick(s.Candidates[0]) != nil {
		t.Error("a tag of a package is picked")
	}
}

func TestTagsOfModules(t *testing.T) {
	t.Parallel()
	tags := []string{"sdk/wick/v2.1.0", "sdk/wick/v1.0.0", "wick/v1.0.0", "v2.1.0", "v3.0.0", "oil/v1.5.0"}
	for _, c := range [][3]string{{"example.org/lantern/sdk/wick/v2", "v2.1.0", "sdk/wick/v2.1.0"}, {"example.org/lantern/v2", "v2.1.0", "v2.1.0"},
		{"example.org/lantern", "v3.0.0+incompatible", "v3.0.0"}, {"example.org/lantern/oil", "v1.5.0", "oil/v1.5.0"}} {
		if got, ok := pickTag(c[0], c[1], tags); got != c[2] || !ok {
			t.Errorf("%s %s is %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestTagsOfVersions(t *testing.T) {
	t.Parallel()
	tags := []string{"v1.2.3", "react@19.0.0", "@oil/lamp@2.0.0", "lamp@3.0.0", "wick-v4.0.0", "sub/v5.0.0", "6.0.0", "release-7.0.0", "v8.0.1", "react@1.2.3"}
	for _, c := range [][3]string{{"react", "19.0.0", "react@19.0.0"}, {"react", "1.2.3", "react@1.2.3"}, {"other", "v1.2.3", "v1.2.3"}, {"@oil/lamp", "2.0.0", "@oil/lamp@2.0.0"},
		{"@oil/lamp", "3.0.0", "lamp@3.0.0"}, {"wick", "4.0.0", "wick-v4.0.0"}, {"example.org/sub", "v5.0.0", "sub/v5.0.0"}, {"x", "6.0.0", "6.0.0"},
		{"x", "7.0.0", "release-7.0.0"}, {"x", "8", "v8.0.1"}, {"x", "9.0.0", ""}} {
		if got, ok := pickTag(c[0], c[1], tags); got != c[2] || ok != (c[2] != "") {
			t.Errorf("%s %s is %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

var someLock = Lock{Docs: []Locked{
	{For: "npm:react", Uses: "19.0.0", Source: "react@19.0.0", How: HowRecipe, Name: "React", Version: "19.0.0", Commit: "0123456789abcdef"},
	{For: "go:example.org/oil", Uses: "v1.0.0", Source: "go:example.org/oil@v1.0.0", How: HowPackage, Name: "oil", Version: "1.0.0", Digest: "sha256:ab"},
	{For: "gem:\"q\\", Uses: "1", Missing: "no \"recipe\" ü"},
}}

func TestLocksComeBack(t *testing.T) {
	t.Parallel()
	raw := someLock.Format()
	back, err := ParseLock(raw)
	if err != nil {
		t.Fatal(err)
	}
	mixed := Lock{Docs: slices.Clone(someLock.Docs)}
	slices.Reverse(mixed.Docs)
	if string(back.Format()) != string(raw) || string(mixed.Format()) != string(raw) || len(back.Docs) != 3 {
		t.Errorf("it comes back as\n%s\nwas\n%s", back.Format(), raw)
	}
	want := head + `format = 1

[[docs]]
for = "gem:\"q\\"
uses = "1"
missing = "no \"recipe\" ü"

[[docs]]
for = "go:example.org/oil"
uses = "v1.0.0"
source = "go:example.org/oil@v1.0.0"
how = "package"
name = "oil"
version = "1.0.0"
digest = "sha256:ab"

[[docs]]
for = "npm:react"
uses = "19.0.0"
source = "react@19.0.0"
how = "recipe"
name = "React"
version = "19.0.0"
commit = "0123456789abcdef"
`
	if string(raw) != want {
		t.Errorf("it is\n%s", raw)
	}
}

func TestLocksThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{"": ErrLockDamaged, "format = 2": ErrLockNewer, "format = \"x\"": ErrLockDamaged, "[[docs": ErrLockDamaged,
		"format = 1\n<<<<<<< HEAD\n": ErrLockDamaged, "format = 1\n[[docs]]\nfor = \"npm:x\"\n": ErrLockDamaged, "format = 1\n[[docs]]\nsource = \"x\"\n": ErrLockDamaged,
		"format = 1\n[[docs]]\nfor = \"npm:x\"\nsource = \"--x\"\n":                 ErrLockDamaged,
		"format = 1\n[[docs]]\nfor = \"npm:x\"\nsource = \"x\"\ncommit = \"--x\"\n": ErrLockDamaged,
		"format = 1\na = " + strings.Repeat("[", 1<<20):                             ErrLockDamaged} {
		if _, err := ParseLock([]byte(text)); !errors.Is(err, want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %v", text, err)
		}
	}
	if l, err := ParseLock([]byte("format = 1\nlater = true\n")); err != nil || len(l.Docs) > 0 {
		t.Errorf("%+v %v", l, err)
	}
}

func TestEntriesOfALock(t *testing.T) {
	t.Parallel()
	l := Lock{Docs: slices.Clone(someLock.Docs)}
	react := dependency(ecosystem.Npm, "react", "19.0.0")
	if e, ok := l.Find(react); !ok || e.Name != "React" {
		t.Errorf("%+v", e)
	}
	if _, ok := l.Find(dependency(ecosystem.Npm, "react", "18.0.0")); ok {
		t.Error("another version is found")
	}
	l.Set(Locked{For: "npm:react", Uses: "19.0.0", Name: "other", Source: "x"})
	l.Set(Locked{For: "npm:react", Uses: "18.0.0", Name: "older", Source: "x"})
	l.Keep([]project.Dependency{react})
	if len(l.Docs) != 1 || l.Docs[0].Name != "other" {
		t.Errorf("%+v", l.Docs)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	held := []Held{{Name: "React", Version: "19.0.0", Commit: "0123456789abcdef"}, {Name: "oil", Version: "1.0.0", Digest: "sha256:ab"}}
	uses := []project.Dependency{dependency(ecosystem.Npm, "react", "19.0.0"), dependency(ecosystem.Go, "example.org/oil", "v1.0.0"), dependency(ecosystem.Gem, "\"q\\", "1")}
	differences := func(uses []project.Dependency, held []Held) string {
		var out []string
		for _, d := range Check(Make(uses, nil, nil), someLock, held) {
			if d.Text == "" {
				t.Errorf("%+v", d)
			}
			out = append(out, d.Kind+" "+d.For)
		}
		return strings.Join(out, ", ")
	}
	if got := differences(uses, held); got != "" {
		t.Errorf("nothing differs: %s", got)
	}
	changed := slices.Clone(uses)
	changed[0].Version = "19.1.0"
	changed = append(changed[:2], dependency(ecosystem.Npm, "wick", "1"))
	if got := differences(changed, held); got != "not_used gem:\"q\\, version npm:react, not_locked npm:wick" {
		t.Error(got)
	}
	if got := differences(uses, nil); got != "not_here go:example.org/oil, not_here npm:react" {
		t.Error(got)
	}
	other := []Held{{Name: "React", Version: "19.0.0", Commit: "ffff"}, {Name: "oil", Version: "1.0.0", Digest: "sha256:cd"}}
	if got := differences(uses, other); got != "differs go:example.org/oil, differs npm:react" {
		t.Error(got)
	}
}

// Whatever a lock file holds, it is read or refused, and every lock that was read comes back.
func FuzzParseLock(f *testing.F) {
	f.Add(someLock.Format())
	f.Add([]byte("format = 1\n[[docs]]\nfor = \"a\"\nmissing = \"\\u0001\\u0007\\u007f\\t\"\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		l, err := ParseLock(src)
		if err != nil {
			return
		}
		back, err := ParseLock(l.Format())
		if err != nil || string(back.Format()) != string(l.Format()) {
			t.Errorf("%q comes back as %q: %v", src, l.Format(), err)
		}
	})
}
