package recipe

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"docent/pipeline/source"
)

const lantern = `name = "lantern"
aliases = ["lantern-js"]
about = "Lantern, lamps for the web"
kind = "git"
source = "https://github.com/example/lantern.git"
path = "docs"
tag = "v{version}"
url = "https://lantern.example/{major}.{minor}/{page}/"
leave_out = ["blog"]
licence = "MIT"
checked = "2026-11-28 at 1a2b3c4d5e6f"

[packages]
npm = ["lantern"]
go = ["example.org/lantern"]
pypi = ["Lantern_Lamp"]

[[versions]]
below = "2.0"
tag = "lantern-{major}_{minor}"
path = "doc"
`

func decoded(t *testing.T, text string) Recipe {
	t.Helper()
	r, err := decode("lantern.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestVersionIsTheNewestTagThatFits(t *testing.T) {
	t.Parallel()
	refs := strings.Fields("refs/heads/v30.0 refs/tags/v19.0.0 refs/tags/v19.0.0^{} v19.1.2 v19.1.10 v19.2.0-rc.1 v20.0.0-beta v3 v2.1 " +
		"vnext lantern-1_9 lantern-1_10 v2025-06-18")
	for _, c := range []struct{ version, want string }{
		{"19", "v19.1.10"}, {"v19", "v19.1.10"}, {"19.0", "v19.0.0"}, {"19.1.2", "v19.1.2"}, {"19.2", ""}, {"19.2.0-rc.1", "v19.2.0-rc.1"},
		{"19.2.0rc1", "v19.2.0-rc.1"}, {"20", ""}, {"2.1.0", "v2.1"}, {"3", "v3"}, {"30", ""}, {"1", "lantern-1_10"}, {"1.9.4", "lantern-1_9"},
		{"21", ""}, {"2025-06-18", "v2025-06-18"}, {"", "v2025-06-18"}, {"latest", "v2025-06-18"}, {"19.1.2+incompatible", "v19.1.2"},
	} {
		got, ok := decoded(t, lantern).Pick(c.version, refs)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q is %q, %v, want %q", c.version, got, ok, c.want)
		}
	}
}

func TestVersionsHaveAnOrder(t *testing.T) {
	t.Parallel()
	sorted := strings.Fields("1 2.0.0-dev.2 2.0.0a1 2.0.0-beta.2 2.0.0-beta.10 2.0.0rc1 2.0.0 2.0.0.post1 2.0.1.RELEASE 2.10 24.04 24.10.1.2")
	for i := range sorted {
		for j := range sorted {
			a, _ := parseVersion(sorted[i])
			b, _ := parseVersion(sorted[j])
			if got := compareVersions(a, b); got != 0 && got < 0 != (i < j) || got == 0 != (i == j) {
				t.Errorf("%s and %s compare as %d", sorted[i], sorted[j], got)
			}
		}
	}
}

func TestChoiceIsWhatIsFetched(t *testing.T) {
	t.Parallel()
	r := decoded(t, lantern)
	choose := func(version, ref string) source.Want {
		c, err := r.Choose(version)
		if err != nil {
			t.Fatal(err)
		}
		if c.Scheme == nil || c.Scheme.Tags != true {
			t.Fatalf("%q: the scheme is %+v", version, c.Scheme)
		}
		w, err := c.WithRef(ref)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := choose("19", "refs/tags/v19.1.2")
	if w.Ref != "v19.1.2" || w.Version != "19.1.2" || w.Path != "docs" || w.URLBase != "https://lantern.example/19.1/{page}/" || w.Licence != "MIT" ||
		w.Kind != source.KindGit || !slices.Equal(w.LeaveOut, []string{"blog"}) {
		t.Errorf("19 is %+v", w)
	}
	if w := choose("1.9", "lantern-1_9"); w.Path != "doc" || w.Version != "1.9" {
		t.Errorf("1.9 is %+v", w)
	}
	if w := choose("", "v1.4"); w.Path != "doc" {
		t.Errorf("the newest version lies in a range too, and is %+v", w)
	}
	c, err := r.Choose("main")
	if err != nil || c.Scheme != nil || c.Want.Ref != "main" || c.Want.Path != "docs" || c.Want.URLBase != "" {
		t.Errorf("main is %+v, %v", c, err)
	}
	for _, bad := range []string{"--upload-pack=x", "a..b", "x y", "ext::sh", strings.Repeat("9", 500)} {
		if c, err := r.Choose(bad); err == nil && c.Scheme == nil {
			t.Errorf("%q is taken as %+v", bad, c.Want)
		}
	}
}

func TestOneStateOfADocumentationSaysSo(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("tag = \"v{version}\"\n", "ref = \"main\"\n", "url = \"https://lantern.example/{major}.{minor}/{page}/\"\n", "").Replace(lantern)
	text, _, _ = strings.Cut(text, "[[versions]]")
	c, err := decoded(t, text).Choose("19")
	if err != nil || !c.Unversioned || c.Want.Ref != "main" || c.Want.Version != "" {
		t.Errorf("19 is %+v, %v", c, err)
	}
	folders := strings.Replace(text, `path = "docs"`, `path = "docs/v{major}.{minor}"`, 1)
	if c, err := decoded(t, folders).Choose("19.2.1"); err != nil || c.Unversioned || c.Want.Path != "docs/v19.2" {
		t.Errorf("19.2.1 is %+v, %v", c, err)
	}
	if _, err := decoded(t, folders).Choose("19"); err == nil || !strings.Contains(err.Error(), "needs more of the version") {
		t.Errorf("19 has no minor version: %v", err)
	}
}

func TestBadRecipesNameTheirFault(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, now, want string }{
		{`kind = "git"`, "kind = \"git\"\nwick = 1", "lantern.toml:5: wick: unknown key"},
		{`kind = "git"`, `kind = "recipe"`, "lantern.toml:4: kind: "},
		{`kind = "git"`, `kind = git`, "lantern.toml:4: "},
		{`path = "docs"`, `path = "docs/../.."`, "lantern.toml:6: path: "},
		{`path = "docs"`, `path = "/docs"`, ": path: "},
		{`path = "docs"`, `path = "-docs"`, ": path: "},
		{`tag = "v{version}"`, `tag = "--x{version}"`, "lantern.toml:7: tag: "},
		{`tag = "v{version}"`, `tag = "v{minor}"`, ": tag: "},
		{`tag = "v{version}"`, `tag = "v{year}"`, ": tag: "},
		{`tag = "v{version}"`, `tag = "v1"`, ": tag: "},
		{`tag = "v{version}"`, "tag = \"v{version}\"\nbranch = \"b{version}\"", ": branch: "},
		{"https://github.com/example/lantern.git", "ext::sh -c x", "lantern.toml:5: source: "},
		{"https://github.com/example/lantern.git", "--upload-pack=x", ": source: "},
		{"https://github.com/example/lantern.git", "https://-x.example/a", ": source: "},
		{"https://github.com/example/lantern.git", "https://me:secret@example.org/a", ": source: "},
		{"https://github.com/example/lantern.git", "/srv/lantern", ": source: "},
		{"https://lantern.example/{major}.{minor}/{page}/", "javascript:x", ": url: "},
		{`name = "lantern"`, `name = "../lantern"`, ": name: "},
		{`["lantern-js"]`, `["@x"]`, ": name: "},
		{"lamps for the web", `lamps\u001b[2J`, ": about: "},
		{`about = "Lantern, lamps for the web"`, "", ": about: "},
		{`["blog"]`, `["[a"]`, ": leave_out: "},
		{"2026-11-28 at 1a2b3c4d5e6f", "yesterday", ": checked: "},
		{`below = "2.0"`, `below = "two"`, ": versions.below: "},
		{`npm = ["lantern"]`, `npm = ["--flag"]`, ": packages.npm: "},
		{`npm = ["lantern"]`, `cpan = ["lantern"]`, ": packages.cpan: "},
	} {
		text := strings.Replace(lantern, c.old, c.now, 1)
		_, err := decode("lantern.toml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%s: the fault is %v, want %s", c.now, err, c.want)
		}
	}
	for _, good := range []string{"git@example.org:group/lantern.git", "ssh://git@example.org/lantern", "file:///srv/lantern.git"} {
		decoded(t, strings.Replace(lantern, "https://github.com/example/lantern.git", good, 1))
	}
}

func TestOwnRecipesReplace(t *testing.T) {
	t.Parallel()
	own := fstest.MapFS{
		"lantern.toml": {Data: []byte(lantern)},
		"flask.toml":   {Data: []byte(strings.NewReplacer(`"lantern"`, `"flask"`, `"lantern-js"`, `"reactjs"`).Replace(lantern))},
		"other.toml":   {Data: []byte(lantern)},
		"bad.toml":     {Data: []byte("name = ")},
		"notes.txt":    {Data: []byte("x")},
		"huge.toml":    {Data: make([]byte, mostBytes+1)},
	}
	book, faults := WithOwn(own)
	if len(faults) != 3 {
		t.Errorf("the faults are %v", faults)
	}
	if r, ok := book.Named("Flask"); !ok || !r.Own || r.Source != "https://github.com/example/lantern.git" {
		t.Errorf("flask is %+v", r)
	}
	if r, ok := book.Named("reactjs"); !ok || r.Name != "flask" {
		t.Errorf("an own alias counts before the program's: %+v", r)
	}
	if r, ok := book.Named("react"); !ok || r.Own {
		t.Errorf("react is %+v, %v", r, ok)
	}
	if got := book.NearestNames("lantren"); !slices.Contains(got, "lantern") {
		t.Errorf("near lantren are %q", got)
	}
}

func TestPackagesHaveRecipes(t *testing.T) {
	t.Parallel()
	book, _ := load(fstest.MapFS{"lantern.toml": {Data: []byte(lantern)}})
	for _, c := range []struct {
		ecosystem, name string
		want            bool
	}{{"npm", "lantern", true}, {"npm", "lanter", false}, {"go", "example.org/lantern/v2", true}, {"go", "example.org/lanterns", false},
		{"pypi", "lantern-lamp", true}, {"cargo", "lantern", false}} {
		if _, ok := book.ForPackage(c.ecosystem, c.name); ok != c.want {
			t.Errorf("%s of %s: %v", c.name, c.ecosystem, ok)
		}
	}
}

// A recipe may stand for all packages of a group of Maven; one that names the package goes first.
func TestGroupsOfMaven(t *testing.T) {
	t.Parallel()
	recipe := func(name, packages string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte("name = \"" + name + "\"\nabout = \"Lamps\"\nkind = \"git\"\nsource = \"https://git.example.org/x.git\"\npath = \"docs\"\n" +
			"checked = \"2026-11-28 at 1a2b3c4d5e6f\"\n[packages]\nmaven = [" + packages + "]\n")}
	}
	book, faults := load(fstest.MapFS{"oil.toml": recipe("oil", `"org.oil:*"`), "wick.toml": recipe("wick", `"org.oil:wick"`)})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for name, want := range map[string]string{"org.oil:lamp": "oil", "org.oil:wick": "wick", "org.oil.fog:lamp": "", "org.oilfield:lamp": ""} {
		if r, ok := book.ForPackage("maven", name); r.Name != want || ok != (want != "") {
			t.Errorf("%s has %q, want %q", name, r.Name, want)
		}
	}
}

func TestWordsFindRecipes(t *testing.T) {
	t.Parallel()
	book, _ := builtin()
	if got := book.Find([]string{"python", "web"}); !slices.ContainsFunc(got, func(r Recipe) bool { return r.Name == "flask" }) {
		t.Errorf("%d recipes, without flask", len(got))
	}
	if got := book.Find([]string{"git"}); len(got) < 2 || got[0].Name != "git" {
		t.Errorf("git is not first of %d", len(got))
	}
	if got := book.Find([]string{"nothing-has-this"}); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
	if got := book.NearestNames("reakt"); !slices.Contains(got, "react") {
		t.Errorf("near reakt are %q", got)
	}
}

// What the program brings must be whole: a test can check everything but the repositories
// themselves, which make recipes does.
func TestBuiltInRecipesAreWhole(t *testing.T) {
	t.Parallel()
	book, faults := builtin()
	for _, f := range faults {
		t.Error(f)
	}
	all := book.All()
	if len(all) < 150 {
		t.Errorf("there are only %d recipes", len(all))
	}
	for _, r := range all {
		switch {
		case !strings.HasPrefix(r.Source, "https://") || r.Kind != source.KindGit:
			t.Errorf("%s: the source is %s", r.Name, r.Source)
		case r.Path == "" || r.Checked == "":
			t.Errorf("%s: the folder or where it was seen is missing", r.Name)
		case strings.HasSuffix(r.About, "."):
			t.Errorf("%s: the line ends with a stop", r.Name)
		}
		for _, version := range []string{"", "7.8.9", "7"} {
			c, err := r.Choose(version)
			if err != nil {
				t.Errorf("%s@%s: %v", r.Name, version, err)
				continue
			}
			if c.Scheme == nil {
				continue
			}
			ref, ok := fillTemplate(c.Scheme.template.text, Version{Text: "7.8.9", Numbers: []int{7, 8, 9}})
			got, found := c.Scheme.Pick(version, []string{"x", ref})
			if w, err := c.WithRef(got); !ok || !found || got != ref || err != nil || w.Ref != ref {
				t.Errorf("%s@%s: of the ref %q %q is picked, %+v, %v", r.Name, version, ref, got, w, err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(lantern), "19")
	f.Fuzz(func(t *testing.T, text []byte, version string) {
		r, err := decode("x.toml", text)
		if err != nil {
			return
		}
		c, err := r.Choose(version)
		if err == nil && (strings.HasPrefix(c.Want.Ref, "-") || strings.Contains(c.Want.Path, "..") || strings.HasPrefix(c.Want.Address, "-")) {
			t.Errorf("%q of %q is %+v", version, text, c.Want)
		}
	})
}
