package project

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"docent/pipeline/source/ecosystem"
)

func kinds(p Project) (out []string) {
	for _, f := range p.Findings {
		out = append(out, f.Kind+" "+f.File)
	}
	return out
}

func TestLinksThatLeaveTheFolderAreNotFollowed(t *testing.T) {
	t.Parallel()
	outside := writeProject(t, map[string]string{"secret.json": `{"dependencies": {"secret": "1.0.0"}}`, "in.lock": ``})
	dir := writeProject(t, map[string]string{"real.mod": "module x\n\nrequire example.org/wick v1.0.0\n"})
	if err := os.Symlink(filepath.Join(outside, "secret.json"), filepath.Join(dir, "package.json")); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	if err := os.Symlink("real.mod", filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	p := readProject(t, dir)
	if got := listing(p); got != "go:example.org/wick@v1.0.0 go.mod:3\n! unreadable package.json\n" {
		t.Errorf("it uses\n%s", got)
	}
}

func TestFoldersAndMissingFoldersAreNoFiles(t *testing.T) {
	t.Parallel()
	dir := writeProject(t, map[string]string{"Cargo.toml/x": "", "go.mod": "module x\n"})
	if p := readProject(t, dir); len(p.Dependencies)+len(p.Findings) > 0 {
		t.Errorf("%+v", p)
	}
	if _, err := Read(context.Background(), filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is missing: %v", err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := Read(ended, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("a reading that was ended: %v", err)
	}
}

func TestHugeFilesAreNotRead(t *testing.T) {
	t.Parallel()
	dir := writeProject(t, map[string]string{"package.json": `{"dependencies": {"oil": "1.0.0"}}`})
	for name, size := range map[string]int64{"package-lock.json": mostLock + 1, "pom.xml": mostManifest + 1} {
		file, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(file.Truncate(size), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	p := readProject(t, dir)
	if got := fmt.Sprint(kinds(p)); got != "[too_large pom.xml too_large package-lock.json no_lock package.json]" {
		t.Error(got)
	}
	if len(p.Dependencies) != 1 || p.Dependencies[0].Version != "1.0.0" {
		t.Errorf("%+v", p.Dependencies)
	}
}

// A stack that overflows cannot be recovered from: brackets are counted before they are read.
func TestDeepNestingIsRefused(t *testing.T) {
	t.Parallel()
	const deep = 1 << 19
	for name, content := range map[string]string{
		"Cargo.toml":     "a = " + strings.Repeat("[", deep),
		"pyproject.toml": "a = " + strings.Repeat("{a=", deep),
		"package.json":   `{"dependencies": ` + strings.Repeat("[", deep),
		"composer.json":  `{"require": ` + strings.Repeat(`{"a":`, deep),
		"pom.xml":        strings.Repeat("<project>", deep/4),
	} {
		p := readProject(t, writeProject(t, map[string]string{name: content}))
		if got := fmt.Sprint(kinds(p)); got != "[damaged "+name+"]" || len(p.Dependencies) > 0 {
			t.Errorf("%s: %s %v", name, got, p.Findings)
		}
	}
	for _, fine := range []string{`a = "[[[[[[" # [[[[`, "a = '''\n" + strings.Repeat("[", 300) + "\n'''", "a = \"\"\"" + strings.Repeat("{", 300) + "\"\"\"",
		strings.Repeat("[[a]]\n", 300), `a = "\"[" ` + strings.Repeat("\nb = '{'", 300)} {
		if NestsTooDeeply([]byte(fine)) {
			t.Errorf("%.40q… is refused", fine)
		}
	}
}

func TestBoundsOfWhatAProjectNames(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range mostDependencies + 10 {
		fmt.Fprintf(&many, "package-%d==1.0\n", i)
	}
	for i := range mostFindings + 10 {
		fmt.Fprintf(&many, ";%d\n", i)
	}
	p := readProject(t, writeProject(t, map[string]string{"requirements.txt": many.String()}))
	if len(p.Dependencies) != mostDependencies || len(p.Findings) != mostFindings {
		t.Errorf("%d dependencies and %d findings", len(p.Dependencies), len(p.Findings))
	}
	if got := p.Findings[0].Kind; got != tooLarge {
		t.Errorf("the first finding is %v", p.Findings[0])
	}
}

// Texts of files reach a terminal as findings: none may control it.
func TestFindingsControlNoTerminal(t *testing.T) {
	t.Parallel()
	p := readProject(t, writeProject(t, map[string]string{
		"package.json":      "{\"dependencies\": {\"a\\u001b[31m\": \"1\", \"b\": \"\\u001b]0;x\\u0007\"}}",
		"requirements.txt":  "-r ../\x1b[31m\nhttp://\x1b[2J\n",
		"docent.toml":       "[[docs]]\nsource = \"x\\u001b[31m\"\n",
		"package-lock.json": `{"lockfileVersion": 3, "packages": {"node_modules/b": {"version": "1\u001b[0m"}}}`,
	}))
	if len(p.Findings) < 4 || len(p.Dependencies) != 1 {
		t.Errorf("%d findings, %v", len(p.Findings), p.Dependencies)
	}
	for _, f := range p.Findings {
		if strings.ContainsFunc(f.String(), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%q", f.String())
		}
	}
	for _, d := range p.Dependencies {
		if strings.ContainsFunc(fmt.Sprintf("%+v", d), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%+v", d)
		}
	}
}

// fuzzFile feeds a file, with other, sound files, to the readers. Whatever it
// holds, reading ends, names are those of packages, and lines are in the file.
func fuzzFile(f *testing.F, name string, beside map[string]string) {
	fixtures, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(fixtures) == 0 {
		f.Fatal(err)
	}
	for _, fixture := range fixtures {
		archive, err := txtar.ParseFile(fixture)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if filepath.Base(file.Name) == name {
				f.Add(file.Data)
			}
		}
	}
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, src []byte) {
		content := fstest.MapFS{name: {Data: src}}
		for other, text := range beside {
			content[other] = &fstest.MapFile{Data: []byte(text)}
		}
		p, err := readFiles(context.Background(), content)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range p.Dependencies {
			if d.Ecosystem != "" && ecosystem.CheckName(d.Ecosystem, d.Name) != nil || ecosystem.CheckVersion(d.Ecosystem, d.Version) != nil && d.Ecosystem != "" {
				t.Errorf("%+v is a dependency", d)
			}
			if file, ok := content[d.File]; !ok || d.Line < 1 || d.Line > strings.Count(string(file.Data), "\n")+1 {
				t.Errorf("%+v stands nowhere", d)
			}
		}
		for _, finding := range p.Findings {
			if len(finding.Text) > 1000 || strings.ContainsFunc(finding.Text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q is said", finding.Text)
			}
		}
	})
}

const (
	somePackage = `{"dependencies": {"oil": "^1.0.0", "@light/flame": "^2.0.0"}, "workspaces": ["a/*"]}`
	someProject = "[project]\nname = \"x\"\ndependencies = [\"oil-lamp\", \"glow\"]\n"
	someCrate   = "[package]\nname = \"lid\"\n[dependencies]\noil = \"1\"\nflame = \"0.2\"\n"
)

func FuzzGoMod(f *testing.F)       { fuzzFile(f, "go.mod", nil) }
func FuzzGoWork(f *testing.F)      { fuzzFile(f, "go.work", map[string]string{"go.mod": "module x\n"}) }
func FuzzPackageJSON(f *testing.F) { fuzzFile(f, "package.json", nil) }
func FuzzPackageLock(f *testing.F) {
	fuzzFile(f, "package-lock.json", map[string]string{"package.json": somePackage})
}
func FuzzPnpmLock(f *testing.F) {
	fuzzFile(f, "pnpm-lock.yaml", map[string]string{"package.json": somePackage})
}
func FuzzPnpmMembers(f *testing.F) {
	fuzzFile(f, "pnpm-workspace.yaml", map[string]string{"package.json": somePackage})
}
func FuzzYarnLock(f *testing.F) {
	fuzzFile(f, "yarn.lock", map[string]string{"package.json": somePackage})
}
func FuzzBunLock(f *testing.F) {
	fuzzFile(f, "bun.lock", map[string]string{"package.json": somePackage})
}
func FuzzPyproject(f *testing.F) { fuzzFile(f, "pyproject.toml", nil) }
func FuzzUVLock(f *testing.F) {
	fuzzFile(f, "uv.lock", map[string]string{"pyproject.toml": someProject})
}
func FuzzPoetryLock(f *testing.F) {
	fuzzFile(f, "poetry.lock", map[string]string{"pyproject.toml": someProject})
}
func FuzzRequirements(f *testing.F) {
	fuzzFile(f, "requirements.txt", map[string]string{"more.in": "wick\n"})
}
func FuzzCargo(f *testing.F) { fuzzFile(f, "Cargo.toml", nil) }
func FuzzCargoLock(f *testing.F) {
	fuzzFile(f, "Cargo.lock", map[string]string{"Cargo.toml": someCrate})
}
func FuzzGemfile(f *testing.F)     { fuzzFile(f, "Gemfile", nil) }
func FuzzGemfileLock(f *testing.F) { fuzzFile(f, "Gemfile.lock", nil) }
func FuzzComposer(f *testing.F)    { fuzzFile(f, "composer.json", nil) }
func FuzzComposerLock(f *testing.F) {
	fuzzFile(f, "composer.lock", map[string]string{"composer.json": `{"require": {"lantern/oil": "^1", "lantern/flame": "*"}}`})
}
func FuzzMaven(f *testing.F)   { fuzzFile(f, "pom.xml", nil) }
func FuzzCatalog(f *testing.F) { fuzzFile(f, "libs.versions.toml", nil) }
func FuzzOwn(f *testing.F)     { fuzzFile(f, "docent.toml", nil) }
