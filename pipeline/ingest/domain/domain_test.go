package domain_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/ingest/domain"
	"docent/pipeline/ingest/parse/formats"
	"docent/store"
	"docent/store/doc"
)

// endings are the domains of files by their endings, as of a program that reads source
// code and Markdown.
var endings = map[string]string{".py": "code", ".go": "code", ".md": "tech_docs"}

func parse(t *testing.T, text string) domain.Repository {
	t.Helper()
	r, faults := domain.ParseRepository([]byte(text))
	if len(faults) > 0 {
		t.Fatalf("%q: %v", text, faults)
	}
	return r
}

// The precedence of the domain specification, a rule a line.
func TestPrecedence(t *testing.T) {
	t.Parallel()
	const overrides = `[repository.path_overrides]
"DOCS/API.md" = "legal"
"DOCS/API/*.md" = "medical"
"DOCS/**" = "tech_docs"
"*.md" = "code"
"a/b/*" = "legal"
"a/b/c/*" = "medical"
"?/**" = "code"
"vendor/" = "code"
"**/notes/**" = "medical"
`
	for _, tt := range []struct{ repository, file, domain, reason string }{
		{overrides, "DOCS/API.md", "legal", "path_override:DOCS/API.md"},
		{overrides, "DOCS/API/x.md", "medical", "path_override:DOCS/API/*.md"},
		{overrides, "DOCS/API/deep/x.md", "tech_docs", "path_override:DOCS/**"},
		{overrides, "DOCS/x.md", "tech_docs", "path_override:DOCS/**"},
		{overrides, "x.md", "code", "path_override:*.md"},
		{overrides, "other/y/x.md", "code", "path_override:*.md"},
		{overrides, "a/b/x", "legal", "path_override:a/b/*"},
		{overrides, "a/b/c/x", "medical", "path_override:a/b/c/*"},
		{overrides, "a/b/c/d/x", "code", "path_override:?/**"},
		{overrides, "vendor/x/y.txt", "code", "path_override:vendor/"},
		{overrides, "x/notes/y", "medical", "path_override:**/notes/**"},
		{overrides, "notes/y", "medical", "path_override:**/notes/**"},
		{overrides, "x.txt", "tech_docs", "default"},
		{"[repository]\ndomain = 'mixed'\ndefault_domain = 'legal'", "src/main.py", "code", "extension:.py"},
		{"[repository]\ndomain = 'mixed'\ndefault_domain = 'legal'", "notes.txt", "legal", "default_domain"},
		{"[repository]\ndomain = 'mixed'", "notes.txt", "tech_docs", "default"},
		{"[repository]\ndomain = 'legal'\ndefault_domain = 'medical'", "main.py", "legal", "repository.domain"},
		{"[repository]\ndomain = 'tech_docs'", "main.py", "tech_docs", "repository.domain"},
		{"[repository]\ndomain = 'code'", "main.PY", "code", "repository.domain"},
		{"[repository]\ndomain = 'code'", "README.md", "tech_docs", "extension:.md"},
		{"[repository]\ndomain = 'code'\n" + overrides, "contracts.md", "code", "path_override:*.md"},
		{"", "main.py", "tech_docs", "default"},
	} {
		r := domain.New(domain.Set{Domain: "tech_docs"}, parse(t, tt.repository), domain.Repository{}, endings)
		if got := r.Decide(tt.file); got.Domain != tt.domain || got.Reason != tt.reason {
			t.Errorf("%q: %s is %+v, want %s by %s", tt.repository, tt.file, got, tt.domain, tt.reason)
		}
	}
}

// What a person gives with the doc set counts before its file, the file before the home.
func TestWhoSaysSo(t *testing.T) {
	t.Parallel()
	own := domain.Repository{Domain: "legal"}
	home := domain.Repository{Domain: "code", Default: "medical", Overrides: map[string]string{"*.x": "medical"}}
	for _, tt := range []struct {
		set       domain.Set
		own       domain.Repository
		file      string
		of, given string
	}{
		{domain.Set{Domain: "code", Given: true}, own, "a.go", "code", "code"},
		{domain.Set{Domain: "code"}, own, "a.go", "legal", "legal"},
		{domain.Set{Domain: "mixed", Given: true}, own, "a", "mixed", "medical"},
		{domain.Set{Domain: "code"}, domain.Repository{}, "a.x", "code", "medical"},
		{domain.Set{Domain: "code"}, domain.Repository{Overrides: map[string]string{}}, "a.x", "code", "tech_docs"},
	} {
		r := domain.New(tt.set, tt.own, home, endings)
		if got := r.Decide(tt.file); r.Domain() != tt.of || got.Domain != tt.given {
			t.Errorf("%+v with %+v is %s, and %s is %+v", tt.set, tt.own, r.Domain(), tt.file, got)
		}
	}
	var none *domain.Rules
	if got := none.Decide("main.py"); got.Domain != "tech_docs" || none.Domain() != "tech_docs" {
		t.Errorf("without rules: %+v", got)
	}
}

// All endings that a parser reads have a domain.
func TestEndings(t *testing.T) {
	t.Parallel()
	all, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	rules, faults := domain.Settings{}.RulesOf(store.Set{Root: t.TempDir(), Domain: "mixed", DomainGiven: true}, all)
	if got := rules.Decide("docs/a.rst"); len(faults) > 0 || got.Domain != "tech_docs" || got.Reason != "extension:.rst" {
		t.Errorf("%+v, %v", got, faults)
	}
}

// A glob with ** matches as the definition says: by trying every place.
func TestGlobsAgainstTheirDefinition(t *testing.T) {
	t.Parallel()
	var slow func(pattern, file []string) bool
	slow = func(pattern, file []string) bool {
		switch {
		case len(pattern) == 0:
			return len(file) == 0
		case pattern[0] == "**":
			return slow(pattern[1:], file) || len(file) > 0 && slow(pattern, file[1:])
		case len(file) == 0:
			return false
		}
		ok, err := filepath.Match(pattern[0], file[0])
		return err == nil && ok && slow(pattern[1:], file[1:])
	}
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "*", "**", "?b"}), 2, 6).Draw(t, "pattern")
		file := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "ab"}), 1, 6).Draw(t, "file")
		glob := strings.Join(pattern, "/")
		r := domain.New(domain.Set{}, domain.Repository{Overrides: map[string]string{glob: "legal"}}, domain.Repository{}, nil)
		if got, want := r.Decide(strings.Join(file, "/")).Domain == "legal", slow(pattern, file); got != want {
			t.Fatalf("%s matches %v: %v, want %v", glob, file, got, want)
		}
	})
}

// Many ** of a hostile file cost no more than both lengths multiplied.
func TestGlobsAreQuick(t *testing.T) {
	t.Parallel()
	glob := strings.Repeat("**/a/", 200) + "b"
	r := domain.New(domain.Set{}, domain.Repository{Overrides: map[string]string{glob: "legal"}}, domain.Repository{}, nil)
	if r.Decide(strings.Repeat("a/", 2000)+"c").Domain == "legal" {
		t.Error("it matches")
	}
}

func TestFaultsOfADocSetsFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"[repository]\ndomain = \"poetry\"", `docent.toml:2: repository.domain: "poetry" is none of code, tech_docs, legal, medical, mixed`},
		{"[repository]\ndefault_domain = \"mixed\"", `docent.toml:2: repository.default_domain: "mixed" is none of code, tech_docs, legal, medical`},
		{"[repository]\n\ndomian = \"code\"", "docent.toml:3: repository.domian: unknown key; it can be domain, default_domain, path_overrides and url_base; did you mean domain?"},
		{"[repository]\nurl_base = \"docs\"", `docent.toml:2: repository.url_base: "docs" is no http or https URL`},
		{"[repository]\ndomain = 3", "docent.toml:2: repository.domain: it must be a text in quotes"},
		{"repository = 3", "docent.toml:1: repository: it must be a table: [repository]"},
		{"[repository]\npath_overrides = 3", "docent.toml:2: repository.path_overrides: it must be a table of domains by path, such as \"DOCS/**\" = \"tech_docs\""},
		{"[repository.path_overrides]\n\"a.md\" = \"code\"\n\"b\" = \"mixed\"", `docent.toml:3: repository.path_overrides."b": "mixed" is none of`},
		{"[repository.path_overrides]\n\"a[\" = \"code\"", `docent.toml:2: repository.path_overrides."a[": a [ has no ]`},
		{"[repository.path_overrides]\n\"../x\" = \"code\"", `docent.toml:2: repository.path_overrides."../x": it is no path inside the doc set`},
		{"[repository.path_overrides]\n\"a**b\" = \"code\"", `** stands between slashes alone`},
		{"[repository.path_overrides]\n\"*.{md,rst}\" = \"code\"", `braces stand for themselves`},
		{"[repository.path_overrides]\n'a\\b' = \"code\"", `folders are parted by /`},
		{"[models]\nengine = \"auto\"", "docent.toml:1: models: a doc set's own docent.toml holds [repository] alone"},
		{"[repository\n", "docent.toml:2: expected"},
	} {
		_, faults := domain.ParseRepository([]byte(tt.text))
		if len(faults) != 1 || !strings.Contains(faults[0].String(), tt.want) {
			t.Errorf("%q: %v", tt.text, faults)
		}
	}
}

// The rest of a file with a fault counts; a folder of that name is not read.
func TestLoad(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if r, faults := domain.LoadRepository(root); len(faults) > 0 || r.Domain != "" {
		t.Errorf("%+v, %v", r, faults)
	}
	file := filepath.Join(root, domain.FileName)
	if err := os.WriteFile(file, []byte("[repository]\ndomain = \"legal\"\nx = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, faults := domain.LoadRepository(root); len(faults) != 1 || r.Domain != "legal" {
		t.Errorf("%+v, %v", r, faults)
	}
	if err := os.WriteFile(file, []byte(strings.Repeat("#\n", 200<<10)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, faults := domain.LoadRepository(root); len(faults) != 1 || !strings.Contains(faults[0].String(), "256 KB") {
		t.Errorf("%v", faults)
	}
	other := t.TempDir()
	if err := os.Symlink(file, filepath.Join(other, domain.FileName)); err != nil {
		t.Skip(err)
	}
	if _, faults := domain.LoadRepository(other); len(faults) != 1 || !strings.Contains(faults[0].String(), "no regular file") {
		t.Errorf("a link: %v", faults)
	}
}

// The naming rule of the domain specification.
func TestIndexName(t *testing.T) {
	t.Parallel()
	for _, tt := range [][5]string{
		{"emb_tech_docs", "llmc", "per-repo", "", "emb_tech_docs_llmc"},
		{"emb_tech_docs", "llmc", "", "", "emb_tech_docs_llmc"},
		{"emb_tech_docs", "llmc", "per-repo", "_b", "emb_tech_docs_llmc_b"},
		{"emb_tech_docs", "llmc", "shared", "_b", "emb_tech_docs"},
	} {
		if got := domain.IndexName(tt[0], tt[1], tt[2], tt[3]); got != tt[4] {
			t.Errorf("%v: %s", tt, got)
		}
	}
}

// test_domain_routing of the domain specification: each document gets its slice type, and
// by that its route, index and profile.
func TestDomainRouting(t *testing.T) {
	t.Parallel()
	r := domain.Routing{
		SliceTypes: map[string]string{"tech_api_reference": "api", "legal_contract": "legal"},
		Routes:     map[string]domain.Route{"api": {Profile: "bge", Index: "emb_api", Sharing: "shared"}, "legal": {Profile: "lawyer", Suffix: "-eu"}},
	}
	soap := []doc.Block{{Text: "Subjective"}, {Text: "Objective: 120/80"}, {Text: "Plan"}}
	for _, tt := range []struct {
		domain                string
		d                     doc.Document
		slice, index, profile string
	}{
		{"tech_docs", doc.Document{Path: "guide/install.md"}, "tech_manual", "emb_tech_docs_Lamp@1", ""},
		{"tech_docs", doc.Document{Path: "docs/api/lamps.md"}, "tech_api_reference", "emb_api", "bge"},
		{"tech_docs", doc.Document{Path: "openapi.json", Format: doc.FormatJSON}, "tech_api_reference", "emb_api", "bge"},
		{"code", doc.Document{Path: "main.go"}, "code", "emb_code_Lamp@1", ""},
		{"legal", doc.Document{Path: "supply.md", Title: "Supply Agreement"}, "legal_contract", "emb_legal_Lamp@1-eu", "lawyer"},
		{"legal", doc.Document{Path: "x.md", Title: "Regulation (EU) 2016/679"}, "legal_regulation", "emb_legal_Lamp@1-eu", "lawyer"},
		{"medical", doc.Document{Path: "visit.md", Blocks: soap}, "medical_clinical", "emb_medical_Lamp@1", ""},
		{"medical", doc.Document{Path: "trial.md"}, "medical_research", "emb_medical_Lamp@1", ""},
	} {
		slice := domain.SliceType(tt.domain, tt.d)
		got := r.RouteFor(domain.Decision{Domain: tt.domain}, slice, doc.Ref{Name: "Lamp", Version: "1"})
		if slice != tt.slice || got.Index != tt.index || got.Profile != tt.profile {
			t.Errorf("%s of %s is %s: %+v", tt.d.Path, tt.domain, slice, got)
		}
	}
}
