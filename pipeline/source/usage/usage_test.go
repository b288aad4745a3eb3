package usage_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/source/usage"
)

// folder writes a project without git.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// find looks for one form, and gives its uses as "file:line".
func find(t *testing.T, files map[string]string, form usage.Form) (uses []string, report usage.Report) {
	t.Helper()
	report, err := usage.Find(t.Context(), usage.Request{Dir: folder(t, files), Forms: []usage.Form{form}, Products: []string{"Lantern"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range report.Uses[0] {
		uses = append(uses, fmt.Sprintf("%s:%d", u.Path, u.Line))
	}
	return uses, report
}

func named(name string) usage.Form { return usage.Form{Names: []string{name}} }

func TestUses(t *testing.T) {
	t.Parallel()
	fn := func(name string) usage.Form { return usage.Form{Names: []string{name}, Call: true} }
	below := func(name string, parents ...string) usage.Form {
		return usage.Form{Names: []string{name}, Parents: [][]string{parents}}
	}
	for story, c := range map[string]struct {
		file, text string
		form       usage.Form
		want       string
		unclear    bool
	}{
		"a name of several words":                {"app.py", "x = 1\nkeep_oil_warm_overnight = 2\n", named("keep_oil_warm_overnight"), "app.py:2", false},
		"it is a whole word":                     {"app.py", "keep_oil_warm_overnight_too = 2\n", named("keep_oil_warm_overnight"), "", false},
		"a comment is no use":                    {"app.py", "# keep_oil_warm_overnight = 2\n", named("keep_oil_warm_overnight"), "", false},
		"a comment for the program is":           {"app.js", "// lantern-off no-soot-on-glass-panes\n", named("no-soot-on-glass-panes"), "app.js:1", false},
		"two words in such a comment":            {"app.js", "// lantern-off-next-line no-soot\n", named("no-soot"), "app.js:1", false},
		"the product's file of settings":         {".lanternrc", "{\"rules\": {\"no-soot\": 1}}\n", named("no-soot"), ".lanternrc:1", false},
		"two words in a file of the product":     {"app.py", "import lantern\nrun(oil_level=3)\n", named("oil_level"), "app.py:2", false},
		"short words in a file of the product":   {"app.py", "import lantern\nx = too_much_oil\n", named("too_much_oil"), "app.py:2", false},
		"short words in another file":            {"app.py", "too_much_oil = 3\n", named("too_much_oil"), "", false},
		"two words in another file":              {"app.py", "run(oil_level=3)\n", named("oil_level"), "", false},
		"a variable of the same name":            {"app.py", "import lantern\noil_level = 3\n", named("oil_level"), "", true},
		"a word in quotes":                       {"app.py", "import lantern\nget(\"oil_level\")\n", named("oil_level"), "app.py:2", false},
		"a linter's comment names no product":    {"app.js", "// lantern-off\nrun({ oilLevel: 3 })\n", named("oilLevel"), "", true},
		"a property of any object":               {"app.js", "import 'lantern';\nrun(options.oil)\n", named("options.oil"), "", true},
		"a common word":                          {"app.py", "import lantern\nname = 3\n", named("name"), "", true},
		"a common word that is imported":         {"app.py", "from lantern import (\n  other,\n  kindle,\n)\nkindle(1)\n", named("kindle"), "app.py:3 app.py:5", false},
		"imported from elsewhere":                {"app.py", "import lantern\nfrom stove import kindle\nkindle(1)\n", named("kindle"), "", true},
		"imported in JavaScript":                 {"app.ts", "import { kindle } from 'lantern/light';\nkindle();\n", fn("kindle"), "app.ts:1 app.ts:2", false},
		"required in JavaScript":                 {"app.js", "const { kindle } = require('lantern');\n", fn("kindle"), "app.js:1", false},
		"used in Rust":                           {"a.rs", "use lantern::light::{kindle, Wick};\n", fn("kindle"), "a.rs:1", false},
		"a function with its module":             {"app.py", "import lantern\nlantern.kindle(w)\n", fn("lantern.kindle"), "app.py:2", false},
		"a module written with two colons":       {"a.cc", "lantern::kindle(w);\n", fn("lantern.kindle"), "a.cc:1", false},
		"the last part of another module":        {"app.py", "import lantern\nfrom stove import kindle_now\nkindle_now()\n", fn("lantern.kindle_now"), "", true},
		"the last part that is imported":         {"app.py", "from lantern import kindle_now\n", fn("lantern.kindle_now"), "app.py:1", false},
		"a method":                               {"app.js", "import 'lantern';\nmine.trimWick(3)\n", fn("lamp.trimWick"), "app.js:2", false},
		"a property that is no method":           {"app.js", "import 'lantern';\nmine.trimWick = 3\n", fn("lamp.trimWick"), "", true},
		"keys in YAML":                           {"lantern.yml", "oil:\n  # a remark\n  level: 4\nother:\n  level: 5\n", named("oil.level"), "lantern.yml:3", false},
		"a dotted key in YAML":                   {"lantern.yaml", "a: 1\noil.level: 4\n", named("oil.level"), "lantern.yaml:2", false},
		"keys in a list of YAML":                 {"lantern.yml", "lamps:\n  - name: a\n    oil: {level: 3}\n", named("oil.level"), "lantern.yml:3", false},
		"text in a block of YAML":                {"lantern.yml", "note: |\n  oil:\n    level: 4\n", named("oil.level"), "", false},
		"keys of another product":                {"stove.yml", "oil:\n  level: 4\n", named("oil.level"), "", true},
		"a key below the documented one":         {"lantern.yml", "tank:\n  level: 4\nlevel: 3\n", below("level", "tank"), "lantern.yml:2", false},
		"a common key in the product's file":     {"lantern.yml", "port: 3\nother:\n  port: 4\n", named("port"), "lantern.yml:1", false},
		"a common key in another file":           {"stove.yml", "port: 3\n# lantern\n", named("port"), "", true},
		"a table of TOML":                        {"pyproject.toml", "[tool.stove]\nwick_size = 1\n[tool.lantern]\nwick_size = 2\n", named("wick_size"), "pyproject.toml:4", false},
		"an inline table":                        {"lantern.toml", "oil = { level = 3 }\n", named("oil.level"), "lantern.toml:1", false},
		"properties":                             {"lantern.properties", "oil.level=3\n", named("oil.level"), "lantern.properties:1", false},
		"JSON":                                   {"package.json", "{\"stove\": {\"wickSize\": 1},\n \"lantern\": {\"wickSize\": 2}}\n", named("wickSize"), "package.json:2", false},
		"an object of JavaScript":                {"lantern.config.js", "export default define({\n  oil: { level: run({ x: 1 }) },\n  tank: { level: 2 }\n})\n", named("oil.level"), "lantern.config.js:2", false},
		"a choice is no key":                     {"lantern.config.js", "const a = oil ? level : 3\n", named("level"), "", true},
		"a flag behind its command":              {"run.sh", "lantern --smoke=1\nstove --smoke\n", named("--smoke"), "run.sh:1", false},
		"a flag of a command of several lines":   {"run.sh", "lantern serve \\\n  --oil 3 \\\n  --smoke\n\n  --smoke\n", named("--smoke"), "run.sh:3", true},
		"a flag in a list":                       {"pod.yml", "image: lantern\nargs:\n  - \"lantern\"\n  - \"--smoke\"\n", named("--smoke"), "pod.yml:4", false},
		"a flag of another command":              {"run.sh", "stove --smoke # no lantern\n", named("--smokes"), "", false},
		"a longer flag":                          {"run.sh", "lantern --smoke-less\n", named("--smoke"), "", false},
		"a variable of the environment":          {"run.sh", "export LANTERN_OIL_LEVEL=3\n", named("LANTERN_OIL_LEVEL"), "run.sh:1", false},
		"a variable of the product's name":       {"run.sh", "LANTERN=lantern\n", named("LANTERN"), "", true},
		"a variable that others have":            {"run.sh", "export CLOUD_SECRET_ACCESS_KEY=3\n", named("CLOUD_SECRET_ACCESS_KEY"), "", false},
		"prose has names of several words":       {"guide.md", "Set keep_oil_warm_overnight for lantern, and oil_level.\n", named("keep_oil_warm_overnight"), "guide.md:1", false},
		"prose has no name of two words":         {"guide.md", "Set oil_level for lantern.\n", named("oil_level"), "", false},
		"a changelog is none":                    {"CHANGELOG.md", "Set keep_oil_warm_overnight.\n", named("keep_oil_warm_overnight"), "", false},
		"a lock file is none":                    {"lamp.lock", "keep_oil_warm_overnight\n", named("keep_oil_warm_overnight"), "", false},
		"packages of others are none":            {"node_modules/a/b.js", "keep_oil_warm_overnight\n", named("keep_oil_warm_overnight"), "", false},
		"a name that changed at one place alone": {"app.py", "keep_oil_warm_overnight = 2\n", usage.Form{Names: []string{"keep_oil_warm_overnight"}, Narrow: true}, "", false},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			uses, report := find(t, map[string]string{c.file: c.text}, c.form)
			if got := strings.Join(uses, " "); got != c.want {
				t.Errorf("uses are %q, want %q", got, c.want)
			}
			if report.Unclear[0] != c.unclear && c.want == "" {
				t.Errorf("unclear is %v, want %v", report.Unclear[0], c.unclear)
			}
		})
	}
}

func TestFilesThatAreNotRead(t *testing.T) {
	t.Parallel()
	text := "keep_oil_warm_overnight\n"
	dir := folder(t, map[string]string{"app.py": text, "big.py": text + strings.Repeat("x", 1<<20), "image.py": text + "\x00",
		"latin.py": text + "\xff", "docs/page.py": text})
	outside := folder(t, map[string]string{"secret.py": text})
	if runtime.GOOS != "windows" {
		for _, l := range [][2]string{{filepath.Join(outside, "secret.py"), "link.py"}, {outside, "linked"}} {
			if err := os.Symlink(l[0], filepath.Join(dir, l[1])); err != nil {
				t.Fatal(err)
			}
		}
	}
	report, err := usage.Find(t.Context(), usage.Request{Dir: dir, Forms: []usage.Form{named("keep_oil_warm_overnight")},
		Products: []string{"Lantern"}, Exclude: []string{filepath.Join(dir, "docs"), outside}})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Uses[0]) != 1 || report.Uses[0][0].Path != "app.py" || report.Files != 1 || report.LeftOut != 3 || report.Named {
		t.Errorf("%+v", report)
	}
}

func TestAProjectThatCannotBeRead(t *testing.T) {
	t.Parallel()
	if _, err := usage.Find(t.Context(), usage.Request{Dir: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := usage.Find(ctx, usage.Request{Dir: folder(t, map[string]string{"a": "b"})}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

// Code and settings come before prose.
func TestOrderOfUses(t *testing.T) {
	t.Parallel()
	text := "keep_oil_warm_overnight: 1\n"
	uses, _ := find(t, map[string]string{"a.md": text, "b.yml": text, "c.py": text}, named("keep_oil_warm_overnight"))
	if want := []string{"b.yml:1", "c.py:1", "a.md:1"}; !slices.Equal(uses, want) {
		t.Errorf("%q, want %q", uses, want)
	}
}

// Whatever a project's files hold, they are read.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"a: {b: [c", "[x\n'''", "`\\", "/*", "--a", "a::", "a.b.c.d", "\"\\", "- - a:", "{{}}", "@", "lantern@-"} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		names := []string{"lantern.yml", "lantern.toml", "lantern.json", "lantern.js", "lantern.py", "lantern.md"}
		for _, n := range names {
			if err := os.WriteFile(filepath.Join(dir, n), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		report, err := usage.Find(t.Context(), usage.Request{Dir: dir, Products: []string{"lantern"},
			Forms: []usage.Form{named("a.b"), named("--a"), named("a"), {Names: []string{"b"}, Parents: [][]string{{"a"}}}}})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, uses := range report.Uses {
			for _, u := range uses {
				if u.Line < 1 || u.Line > lines {
					t.Errorf("line %d of %d", u.Line, lines)
				}
			}
		}
	})
}
