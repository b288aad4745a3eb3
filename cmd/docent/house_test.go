package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"docent/cmd/internal/cli"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/terminal"
	"docent/cmd/internal/config"
	"docent/tui/keymap"
)

// The rules of the code: which packages may import which, what libraries must not
// do, and that the manual and the help match the program.

// root is the module's folder.
const root = "../.."

const module = "docent/"

// goFile is one parsed file of the module.
type goFile struct {
	path    string // relative to the module's folder, with slashes
	pkg     string // folder of the file, with slashes
	test    bool
	imports []string // imported packages of this module, without the module's name
	file    *ast.File
}

// readModule parses every Go file of the module, ordered by path.
func readModule(t *testing.T) (*token.FileSet, []goFile) {
	t.Helper()
	set := token.NewFileSet()
	var files []goFile
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin") {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		f, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		g := goFile{path: rel, pkg: rel[:strings.LastIndex(rel, "/")], test: strings.HasSuffix(rel, "_test.go"), file: f}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if name, ok := strings.CutPrefix(name, module); ok {
				g.imports = append(g.imports, name)
			}
		}
		files = append(files, g)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d Go files were found under %s", len(files), root)
	}
	return set, files
}

// under reports whether a package is one of the folders or below one.
func under(pkg string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return pkg == f || strings.HasPrefix(pkg, f+"/") })
}

// phases are the packages with one phase each. Package pipeline combines them; they
// do not import each other.
var phases = []string{"pipeline/phase/optimize", "pipeline/phase/route", "pipeline/phase/merge", "pipeline/phase/search", "pipeline/phase/rerank",
	"pipeline/phase/extract", "pipeline/phase/process", "pipeline/phase/cite"}

// shared maps the packages of the pipeline that a phase may import to the reason.
var shared = map[string]string{
	"pipeline/ingest/lsa":            "vectors learned from a doc set: a question is folded in",
	"pipeline/contract/model":        "asking a model: finding it, a budget, the form of an answer, and what is said where it fails",
	"pipeline/ingest/embed":          "by which model a doc set's stored vectors were made",
	"pipeline/contract":              "the types that the phases say to each other",
	"pipeline/question":              "reading a question: language, terms, names of doc sets",
	"pipeline/corpus":                "the opened home, for reading",
	"pipeline/ingest":                "a file's way to a document, of which phases need the parsing",
	"pipeline/ingest/chunk":          "a document's passages",
	"pipeline/text/fingerprint":      "which pages are nearly the same",
	"pipeline/knowledge/deprecation": "hits and pages that say of themselves that they are deprecated",
	"pipeline/text/tokens":           "how many tokens of a model a text takes",
	"pipeline/text/sanitize":         "what of a document's text must not reach a terminal",
	"pipeline/text/pattern":          "regular expressions that are compiled when they are first used",
	"pipeline/text/plural":           "numbers with their nouns",
	"pipeline/text/shorten":          "texts that are too long for a message",
	"pipeline/text/spacing":          "white space, and texts as they are compared",
	"pipeline/ingest/parse":          "source bytes to documents",
}

// controllers are the parts of the app that keep its state, one package each.
var controllers = []string{"tui/asking", "tui/browsing", "tui/running", "tui/reading", "tui/shelf", "tui/comparing", "tui/keeping", "tui/listing", "tui/touring"}

// forbidden returns the reason why a package must not import another directly, "" if
// it may.
func forbidden(pkg, imported string) string {
	if why := unreachable(pkg, imported); why != "" {
		return why
	}
	isShared := func() bool {
		for folder := range shared {
			if under(imported, folder) {
				return true
			}
		}
		return false
	}
	switch {
	case under(pkg, "cmd/internal/config", "cmd/internal/sessions", "cmd/internal/app", "cmd/internal/desktop") && under(imported, "tui"):
		return "the terminal app is one door: only the package that opens it knows it"
	case under(pkg, "tui") && under(imported, "llm"):
		return "the app uses models only through the pipeline"
	case phaseOf(pkg) != "" && phaseOf(imported) == "" && under(imported, "pipeline") && !isShared():
		return "the packages that phases may share are listed in this test, with the reason"
	}
	return ""
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	_, files := readModule(t)
	n := 0
	for _, f := range files {
		if f.test {
			continue // tests may import every package
		}
		for _, imported := range f.imports {
			n++
			if why := forbidden(f.pkg, imported); why != "" {
				t.Errorf("%s imports %s: %s", f.path, imported, why)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d imports were looked at", n)
	}
	for name := range shared {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			t.Errorf("the table of what phases share: %v", err)
		}
	}
	// The rules can fail.
	for _, breach := range [][2]string{{"store/catalog", "pipeline"}, {"llm/ollama", "store/doc"}, {"store/doc", "store/catalog"},
		{"pipeline/phase/search", "pipeline/phase/rerank"}, {"pipeline/phase/cite", "pipeline"}, {"pipeline/phase/route", "pipeline/eval"},
		{"pipeline/ingest", "tui"}, {"cmd/internal/config", "tui/keymap"}, {"cmd/internal/sessions", "tui"}, {"tui", "cmd/internal/app"}, {"tui/pane/hits", "tui/pane/sets"}, {"tui/pane/hits", "tui"},
		{"tui/pane/hits", "tui/running"}, {"tui/asking", "tui/running"}, {"tui/shelf", "tui"}, {"tui/widget", "tui/pane/hits"}} {
		if forbidden(breach[0], breach[1]) == "" {
			t.Errorf("%s may import %s", breach[0], breach[1])
		}
	}
}

// The root of the app only passes messages on. More files would mean that it has
// state of its own again.
func TestTheRootOfTheAppIsSmall(t *testing.T) {
	t.Parallel()
	_, files := readModule(t)
	n, found := 0, map[string]bool{}
	for _, f := range files {
		if f.pkg == "tui" && !f.test {
			n++
		}
		found[f.pkg] = true
	}
	if n == 0 || n > 10 {
		t.Errorf("tui has %d files: at most ten, the rest is a controller's", n)
	}
	for _, c := range controllers {
		if !found[c] {
			t.Errorf("there is no controller %s", c)
		}
	}
}

// forbiddenUses are the functions that libraries must not use. Output, the
// environment and the process belong to cmd. nil: the whole package.
var forbiddenUses = map[string][]string{
	"os": {"Getenv", "LookupEnv", "Environ", "Setenv", "Unsetenv", "ExpandEnv", "Exit", "Stdin", "Stdout", "Stderr", "Args",
		"UserHomeDir", "UserConfigDir", "UserCacheDir", "Chdir"},
	"fmt":     {"Print", "Printf", "Println"},
	"log":     nil,
	"syscall": {"Exit", "Getenv", "Environ"},
	"flag":    nil,
}

func TestLibrariesNeverPrintExitOrReadTheEnvironment(t *testing.T) {
	t.Parallel()
	set, files := readModule(t)
	n := 0
	for _, f := range files {
		// Packages for tests have names that end in test; they may use flags.
		if f.test || under(f.pkg, "cmd") || strings.HasSuffix(f.pkg, "test") {
			continue
		}
		n++
		for _, fault := range uses(set, f.file) {
			t.Error(fault)
		}
	}
	if n < 50 {
		t.Errorf("only %d files were looked at", n)
	}
	// The rule can fail.
	bad, err := parser.ParseFile(set, "bad.go", `package bad
import ("fmt"; env "os"; "log")
func f() { fmt.Println(env.Getenv("HOME")); log.Print(1); println(2); env.Exit(1) }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := uses(set, bad); len(got) != 5 {
		t.Errorf("5 faults are in the bad file, found were %q", got)
	}
}

// uses lists the forbidden functions that a file uses.
func uses(set *token.FileSet, f *ast.File) []string {
	names := map[string]string{} // from a package's name in this file to its path
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if _, ok := forbiddenUses[path]; !ok {
			continue
		}
		name := path
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
	}
	var found []string
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok {
				return true
			}
			path, ok := names[x.Name]
			if !ok {
				return true
			}
			if list := forbiddenUses[path]; list == nil || slices.Contains(list, n.Sel.Name) {
				found = append(found, fmt.Sprintf("%s: a library uses %s.%s", set.Position(n.Pos()), path, n.Sel.Name))
			}
		case *ast.CallExpr:
			if x, ok := n.Fun.(*ast.Ident); ok && (x.Name == "println" || x.Name == "print") {
				found = append(found, fmt.Sprintf("%s: a library uses %s", set.Position(n.Pos()), x.Name))
			}
		}
		return true
	})
	return found
}

// slowImports are packages that wait for a disk, a network or another process. The
// app must not import them: its backend is passed in, and is called in commands.
var slowImports = []string{"os", "io/fs", "io/ioutil", "path/filepath", "embed", "net", "database", "syscall", "plugin", "docent/store",
	"github.com/blevesearch", "modernc.org", "golang.org/x/sys", "golang.org/x/net"}

// mayImport maps the exceptions to the reason.
var mayImport = map[string]string{
	"docent/store/doc": "the types of documents; they read nothing",
	"os/exec":          "the editor's command, which Bubble Tea runs in the app's place",
}

// waits reports whether a package is one of slowImports and no exception.
func waits(imported string) bool {
	if mayImport[imported] != "" {
		return false
	}
	return slices.ContainsFunc(slowImports, func(s string) bool { return imported == s || strings.HasPrefix(imported, s+"/") })
}

// The event loop never waits: no package of the app accesses a disk, a network or a
// process, or sleeps.
func TestTheAppImportsNothingThatWaits(t *testing.T) {
	t.Parallel()
	set, files := readModule(t)
	n := 0
	used := map[string]bool{}
	for _, f := range files {
		// tuitest reads and writes goldens.
		if f.test || !under(f.pkg, "tui") || strings.HasSuffix(f.pkg, "test") {
			continue
		}
		for _, spec := range f.file.Imports {
			n++
			imported, _ := strconv.Unquote(spec.Path.Value)
			used[imported] = true
			if waits(imported) {
				t.Errorf("%s: the app imports %s: it is given what it needs, and calls it in a command", set.Position(spec.Pos()), imported)
			}
		}
		ast.Inspect(f.file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Sleep" {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" {
					t.Errorf("%s: the app sleeps", set.Position(n.Pos()))
				}
			}
			return true
		})
	}
	if n < 60 {
		t.Errorf("only %d imports were looked at", n)
	}
	for name := range mayImport {
		if !used[name] {
			t.Errorf("nothing of the app imports %s: it need not be in the list", name)
		}
	}
	// The rule can fail.
	for _, bad := range []string{"os", "os/signal", "net", "net/http", "database/sql", "docent/store/catalog", "modernc.org/sqlite"} {
		if !waits(bad) {
			t.Errorf("the app may import %s", bad)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	_, files := readModule(t)
	docs, names := map[string]string{}, map[string]string{}
	for _, f := range files {
		if f.test {
			continue
		}
		names[f.pkg] = f.file.Name.Name
		if f.file.Doc != nil && len(f.file.Doc.Text()) > len(docs[f.pkg]) {
			docs[f.pkg] = f.file.Doc.Text()
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(names)) {
		want := "Package " + names[pkg] + " "
		if names[pkg] == "main" {
			want = "Command "
		}
		switch doc := docs[pkg]; {
		case doc == "":
			t.Errorf("%s has no package comment: what is it for, what does it refuse to do?", pkg)
		case !strings.HasPrefix(doc, want):
			t.Errorf("%s: its comment begins %q, not %q", pkg, strings.SplitN(doc, "\n", 2)[0], want)
		case len(strings.Fields(doc)) < 8:
			t.Errorf("%s: %q says too little", pkg, doc)
		}
	}
}

// Package initialization costs start-up time: no package has an init function.
func TestNoInitFunctions(t *testing.T) {
	t.Parallel()
	set, files := readModule(t)
	for _, f := range files {
		for _, d := range f.file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: an init function", set.Position(fn.Pos()))
			}
		}
	}
}

// The top level contains only known folders and files.
func TestTopLevelFolders(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("this is no checkout: %v", err)
	}
	allowed := []string{"cmd", "tui", "pipeline", "store", "llm", "testdata", "Makefile", "README.md", "LICENSE", "NOTICE", "go.mod", "go.sum"}
	seen := map[string]bool{}
	for file := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		top, _, _ := strings.Cut(file, "/")
		if !seen[top] && !strings.HasPrefix(top, ".") && !slices.Contains(allowed, top) {
			t.Errorf("%s is at the top level, where only %s and dot files are", top, strings.Join(allowed, ", "))
		}
		seen[top] = true
	}
	if !seen["go.mod"] {
		t.Errorf("git ls-files lists no go.mod: %q", slices.Sorted(maps.Keys(seen)))
	}
}

// manualPage returns the text of a page of the manual.
func manualPage(t *testing.T, name string) string {
	t.Helper()
	raw, err := manual.ReadFile("manual/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// docent runs a command that needs no home, in this process, and returns its standard output.
func docent(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	io := console.IO{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }}
	if code := cli.Main(io, manual, args); code != 0 {
		t.Fatalf("docent %q: exit code %d\n%s%s", args, code, out.String(), errs.String())
	}
	return out.String()
}

// commands returns the names of the commands in the program's help.
func commands(t *testing.T) []string {
	t.Helper()
	_, list, ok := strings.Cut(docent(t, "help"), "\nCommands:\n")
	list, more, _ := strings.Cut(list, "\n\nMore commands (docent help COMMAND):\n")
	var names []string
	for line := range strings.Lines(list) {
		names = append(names, strings.Fields(line)[0])
	}
	more, _, _ = strings.Cut(more, "\n")
	names = append(names, strings.Fields(more)...)
	if !ok || len(names) < 10 {
		t.Fatalf("the help lists the commands %q", names)
	}
	return names
}

// The manual describes every command and flag of the help, and no other command.
func TestManualKnowsEveryCommand(t *testing.T) {
	t.Parallel()
	page := manualPage(t, "commands.md")
	flag := regexp.MustCompile(`--[a-z][a-z-]+`)
	all := commands(t)
	for _, name := range all {
		_, section, ok := strings.Cut(page, "\n## docent "+name)
		if !ok {
			t.Errorf("commands.md has no section \"## docent %s\"", name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n## ")
		if !strings.Contains(page, "`docent "+name) {
			t.Errorf("commands.md's table does not list docent %s", name)
		}
		_, flags, _ := strings.Cut(docent(t, "help", name), "\nFlags:\n")
		flags, _, _ = strings.Cut(flags, "\nEverywhere:")
		for line := range strings.Lines(flags) {
			for _, f := range flag.FindAllString(line, 1) {
				if f != "--help" && !strings.Contains(section, "`"+f+"`") && !strings.Contains(section, "`"+f+" ") {
					t.Errorf("commands.md does not tell of docent %s %s", name, f)
				}
			}
		}
	}
	for _, m := range regexp.MustCompile("(?m)^## docent ([a-z]+)").FindAllStringSubmatch(page, -1) {
		if !slices.Contains(all, m[1]) {
			t.Errorf("commands.md has docent %s, the program does not", m[1])
		}
	}
	global, _, _ := strings.Cut(docent(t, "help"), "\nExample:")
	_, global, _ = strings.Cut(global, "\nFlags:\n")
	for _, f := range flag.FindAllString(global, -1) {
		if !strings.Contains(page, f) {
			t.Errorf("commands.md does not tell of %s", f)
		}
	}
}

// keyNames maps Bubble Tea's names of keys to those in the manual.
var keyNames = strings.NewReplacer("pgdown", "pgdn", "up", "↑", "down", "↓", "left", "←", "right", "→")

// The manual lists every key of the app, with the same description as the app's help.
func TestManualKnowsEveryKey(t *testing.T) {
	t.Parallel()
	page := manualPage(t, "keys.md")
	rows := map[string]string{} // from descriptions to cells with keys
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) == 2 && strings.HasPrefix(line, "| ") {
			does := strings.TrimSuffix(cells[1], " |")
			rows[does] += cells[0]
		}
	}
	n := 0
	for _, b := range keymap.Table() {
		cell, ok := "", false
		for _, does := range slices.Sorted(maps.Keys(rows)) {
			if strings.HasPrefix(does, b.Help) {
				cell, ok = cell+rows[does], true
			}
		}
		if !ok {
			t.Errorf("keys.md has no row %q (%s)", b.Help, b.Label)
			continue
		}
		for _, k := range b.Keys {
			n++
			if len(k) == 1 && k > "1" && k < "8" && strings.Contains(cell, "`1` to `8`") {
				continue
			}
			name := keyNames.Replace(k)
			if k == "pgup" {
				name = k
			}
			if !strings.Contains(cell, "`"+name+"`") {
				t.Errorf("keys.md: the row %q lacks the key `%s`", b.Help, name)
			}
		}
	}
	if n < 30 {
		t.Errorf("only %d keys were looked for", n)
	}
}

// The manual names every action whose keys can be chosen.
func TestManualKnowsEveryAction(t *testing.T) {
	t.Parallel()
	page := manualPage(t, "keys.md")
	for _, b := range keymap.Table() {
		if name := string(b.Action); b.Action != keymap.NthPhase && !strings.Contains(page, "`"+name+"`") {
			t.Errorf("keys.md does not name the action %s", b.Action)
		}
	}
}

// config lint accepts the manual's example of keys.
func TestManualKeysExample(t *testing.T) {
	t.Parallel()
	_, example, ok := strings.Cut(manualPage(t, "keys.md"), "```toml\n")
	example, _, _ = strings.Cut(example, "```")
	file := filepath.Join(t.TempDir(), "docent.toml")
	if err := os.WriteFile(file, []byte(example), 0o600); err != nil || !ok {
		t.Fatal(err, ok)
	}
	if c, faults, err := config.Load(file, true, terminal.AppSettings()); err != nil || len(faults) > 0 || len(c.Keys) == 0 {
		t.Errorf("the manual's example of keys: %v, %v", faults, err)
	}
}

// The manual lists every configuration key with its default.
func TestManualKnowsEveryConfigurationKey(t *testing.T) {
	t.Parallel()
	page := manualPage(t, "configuration.md")
	c, faults, err := config.Load(filepath.Join(t.TempDir(), "docent.toml"), false, terminal.AppSettings())
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	values := c.Values()
	for _, v := range values {
		row := regexp.MustCompile("(?m)^\\| `" + regexp.QuoteMeta(v.Key) + "` \\|.*$").FindString(page)
		if row == "" {
			t.Errorf("configuration.md has no row for %s", v.Key)
			continue
		}
		if want := fmt.Sprintf("%#v", v.Value); !strings.Contains(row, "`"+want+"`") {
			t.Errorf("configuration.md does not say that %s is %s: %s", v.Key, want, row)
		}
	}
	// The manual's example sets all keys to their defaults.
	_, example, _ := strings.Cut(page, "```toml\n")
	example, _, ok := strings.Cut(example, "```")
	file := filepath.Join(t.TempDir(), "docent.toml")
	if err := os.WriteFile(file, []byte(example), 0o600); err != nil || !ok {
		t.Fatal(err)
	}
	e, faults, err := config.Load(file, true, terminal.AppSettings())
	if err != nil || len(faults) > 0 {
		t.Fatalf("the manual's example: %v, %v", faults, err)
	}
	for i, v := range e.Values() {
		if v.Value != values[i].Value || v.Origin != config.File {
			t.Errorf("the manual's example sets %s to %v (%s), the default is %v", v.Key, v.Value, v.Origin, values[i].Value)
		}
	}
}

// The links between the manual's pages have existing targets.
func TestManualLinks(t *testing.T) {
	t.Parallel()
	entries, err := manual.ReadDir("manual")
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)
	n := 0
	for _, e := range entries {
		for _, m := range link.FindAllStringSubmatch(manualPage(t, e.Name()), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			n++
			if _, err := manual.ReadFile("manual/" + m[1]); errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s links to %s, which is not there", e.Name(), m[1])
			}
		}
	}
	if n == 0 {
		t.Error("no link was looked at")
	}
}

// The example at the end of every help text works.
func TestExamplesOfTheHelpWork(t *testing.T) {
	t.Parallel()
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	dir := t.TempDir()
	for _, d := range []string{"docs/kubernetes", "k130", ".local/share/bash-completion/completions"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for f, text := range map[string]string{"docs/kubernetes/pods.md": "# Pods\n\nWhales come in pods.\n", "k130/pods.md": "# Pods\n\nWhales swim in pods.\n",
		"go.mod": "module shop\n\nrequire example.org/lamp v1.0.0\n"} {
		if err := os.WriteFile(filepath.Join(dir, f), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "XDG_") && !strings.HasPrefix(v, "HOME=") {
			env = append(env, v)
		}
	}
	env = append(env, "HOME="+dir, "DOCENT_HOME="+homeWithManual(t), "NO_COLOR=1")
	run := func(line string) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		cmd := exec.CommandContext(ctx, sh, "-c", line)
		cmd.Dir, cmd.Env, cmd.WaitDelay = dir, env, time.Second
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%s: %v\n%s%s", line, err, out, errs.String())
		}
		if len(out) == 0 && errs.Len() == 0 && !strings.Contains(line, ">") {
			t.Errorf("%s: prints nothing", line)
		}
	}
	older := "docent add k130 --name Kubernetes --version 1.30"
	run(older)
	_, jq := exec.LookPath("jq")
	n := 0
	for _, name := range append(commands(t), "") {
		help := docent(t, append(strings.Fields(name), "--help")...)
		_, example, ok := strings.Cut(help, "\nExample:\n")
		if lines := strings.Count(help, "\n"); lines > 40 {
			t.Errorf("docent %s --help has %d lines, which no screen shows", name, lines)
		}
		if !ok || strings.TrimSpace(example) == "" {
			t.Errorf("docent %s --help does not end with an example:\n%s", name, help)
			continue
		}
		for line := range strings.Lines(example) {
			line = strings.TrimSpace(line)
			if line == "" || jq != nil && strings.Contains(line, "jq") {
				continue
			}
			if line == "docent watch" || strings.HasPrefix(line, "docent serve") { // they go on until they are interrupted: TestWatch and TestServe… run them
				continue
			}
			if strings.HasPrefix(line, "docent add github.com/") { // it needs a network; sources.txtar adds a repository from the disk
				continue
			}
			if strings.HasPrefix(line, "claude ") { // another program's; TestAnAgentUsesDocent runs what it starts
				continue
			}
			n++
			run(line)
			if name == "rm" {
				run(older) // impact, one of the commands behind the others, compares it
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d examples were run", n)
	}
}
