package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/source"
)

// app is a terminal app with two themes and one action.
func app() App {
	return App{Themes: []string{"auto", "contrast"}, CheckKeys: func(keys map[string][]string) (out []Fault) {
		for action := range keys {
			if action != "copy-final" {
				out = append(out, Fault{Key: action, Message: "there is no such action"})
			}
		}
		return out
	}}
}

func load(t *testing.T, text string) (Config, []Fault) {
	t.Helper()
	path := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, faults, err := Load(path, true, app())
	if err != nil {
		t.Fatal(err)
	}
	return c, faults
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), Name)
	c, faults, err := Load(missing, false, app())
	if err != nil || len(faults) > 0 || c.Path != missing {
		t.Fatal(c, faults, err)
	}
	if c.Policy() != contract.DefaultRerankPolicy() || c.RerankerThreshold != contract.DefaultThreshold || c.MaxDocs != contract.DefaultMaxDocs || c.Domain != "tech_docs" {
		t.Errorf("defaults are %+v", c)
	}
	for _, v := range c.Values() {
		if v.Origin != Default || v.About == "" || v.Value == nil {
			t.Errorf("%+v", v)
		}
	}
	if _, _, err := Load(missing, true, app()); err == nil || !strings.Contains(err.Error(), "leave it out") {
		t.Errorf("a missing file that was asked for by name: %v", err)
	}
	if _, _, err := Load(t.TempDir(), false, app()); err == nil {
		t.Error("a folder is read as a file")
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	c, faults := load(t, "[search.tech_docs]\nreranker_enabled = false\nreranker_top_k = 7\nreranker_threshold = 0\nmax_docs = 5\nhybrid_enabled = false\nsynonym_file = \"words.txt\"\ndense_weight = 0.75\nsparse_weight = 0.25\nreranker_model = \"bge-reranker-v2-m3\"\nreranker_intents = [\"general\"]\nhypothetical_document = true\n[search]\nfallback_mode = \"error_on_total_failure\"\n[answer]\nextent = \"sections\"\nlines = 40\n[repository]\ndomain = \"mixed\"\ndefault_domain = \"legal\"\n[repository.path_overrides]\n\"*.md\" = \"tech_docs\"\n[routing.slice_type_to_route]\ntech_manual = \"tech_docs\"\n[graph.tech_docs]\nruleset = \"links\"\nthreshold = 0.5\nllm_assist_enabled = true\nllm_model = \"small\"\nstore_provenance = false\n[pdf]\nocr_mode = \"never\"\nocr_languages = [\"de\", \"chi_tra\"]\ntimeout = \"20m\"\n[sources]\nhosts = [\"git.example\"]\nsignature_keys = [\"RWRYc3XF8xuwsCLqi0LDeYnpYDJpu4yvWWt8FbaPtHtzoHhXgy/Y3jvx\"]\nrequire_signature = true\ncheck_every = \"24h\"\nrequests_per_second = 0.5\nsite_pages = 20000\nsite_megabytes = 900\nsite_depth = 30\nmirrors = [\"shelf\", \"https://docs.example/packages/\"]\n[store]\nindex = \"weaviate://search:8080/Team\"\ncatalog = \"postgres://me:secret@db/docs\"\n[server]\nlisten = \"127.0.0.1:0\"\npassword_hash = \"\"\nhosts = [\"docs.example\"]\npackages = \"shelf\"\nproxies = [\"127.0.0.1\", \"10.0.0.0/8\"]\ntraces = \"http://collector:4318\"\n[tui]\ntheme = \"contrast\"\nmouse = false\nwatch = false\n[tui.keys]\ncopy-final = [\"ctrl+y\"]\n"+modelsText)
	if len(faults) > 0 || c.RerankerEnabled || c.RerankerTopK != 7 || c.RerankerThreshold != 0 || c.MaxDocs != 5 || c.Domain != "mixed" ||
		c.RerankerModel != "bge-reranker-v2-m3" || !slices.Equal(c.RerankerIntents, []string{"general"}) || !c.Hypothetical ||
		c.Hybrid || c.DenseShare() != 0.75 {
		t.Errorf("%+v, %v", c, faults)
	}
	if c.SynonymFile != "words.txt" {
		t.Errorf("the list of synonyms is %q", c.SynonymFile)
	}
	if c.Extent != contract.ExtentSections || c.Lines != 40 {
		t.Errorf("an answer has the extent %s and %d lines", c.Extent, c.Lines)
	}
	if c.PDF.OCRMode != "never" || !slices.Equal(c.PDF.OCRLanguages, []string{"de", "chi_tra"}) || c.PDF.TimeLimit() != 20*time.Minute {
		t.Errorf("PDF is read as %+v", c.PDF)
	}
	if c.Graph.Ruleset != "links" || c.Graph.Threshold != 0.5 || c.Graph.Provenance || !c.GraphAssist || c.GraphModel != "small" {
		t.Errorf("the graph is made by %+v", c.Graph)
	}
	if c.Theme != "contrast" || c.Mouse || !slices.Equal(c.Keys["copy-final"], []string{"ctrl+y"}) {
		t.Errorf("theme %s, mouse %v, watch %v, keys %v", c.Theme, c.Mouse, c.Watch, c.Keys)
	}
	if !slices.Equal(c.SourceHosts, []string{"git.example"}) || c.SourcesCheckEvery() != 24*time.Hour {
		t.Errorf("documentation is fetched from %v, every %v", c.SourceHosts, c.SourcesCheckEvery())
	}
	if l := c.SiteLimits(); c.SourcesPerSecond != .5 || l != (source.Limits{Pages: 20_000, Bytes: 900 << 20, Depth: 30}) {
		t.Errorf("sites are fetched with %v requests a second, within %+v", c.SourcesPerSecond, l)
	}
	if m := c.MirrorPlaces(); len(m) != 2 || m[0] != c.PackagesFolder() || !filepath.IsAbs(m[0]) || m[1] != "https://docs.example/packages/" {
		t.Errorf("the mirrors are %v, the served packages are in %v", m, c.PackagesFolder())
	}
	if at, remote := c.IndexAddress(); !remote || at.Name != "Team" {
		t.Errorf("the indexes lie at %v, %v", at, remote)
	}
	if len(c.Proxies) != 2 || c.Proxies[0].String() != "127.0.0.1/32" || c.Proxies[1].String() != "10.0.0.0/8" {
		t.Errorf("the proxies are %v", c.Proxies)
	}
	if p := c.Policy(); p.Enabled || p.CandidateLimit != 7 || p.FallbackMode != contract.FallbackError {
		t.Errorf("the policy is %+v", p)
	}
	for _, v := range c.Values() {
		if v.Origin != File {
			t.Errorf("%s is said to come from %s", v.Key, v.Origin)
		}
	}
}

// The app begins with sections unless the file gives an extent, be it the default
// one.
func TestAnswerExtent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                  contract.ExtentSections,
		"[answer]\nlines = 3":               contract.ExtentSections,
		"[answer]\nextent = \"documents\"":  contract.ExtentDocuments,
		"[answer]\nextent = \"sections\"":   contract.ExtentSections,
		"[answer]\nextent = \"everything\"": contract.ExtentSections,
		"[tui]\nmouse = false":              contract.ExtentSections,
	} {
		if c, _ := load(t, text); c.AnswerExtent() != want {
			t.Errorf("%q: an answer has the extent %s", text, c.AnswerExtent())
		}
	}
}

// A fault names its key, and the default stands in the bad value's place.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, key, says string }{
		{"[search.tech_docs]\nreranker_top_k = 0", "search.tech_docs.reranker_top_k", "1 and 1000"},
		{"[search.tech_docs]\nreranker_top_k = 1001", "search.tech_docs.reranker_top_k", "1 and 1000"},
		{"[search.tech_docs]\nreranker_threshold = 1.01", "search.tech_docs.reranker_threshold", "0 and 1"},
		{"[search.tech_docs]\nreranker_threshold = nan", "search.tech_docs.reranker_threshold", "0 and 1"},
		{"[search.tech_docs]\nmax_docs = -1", "search.tech_docs.max_docs", "1 and 100"},
		{"[search.tech_docs]\ndense_weight = 1.5", "search.tech_docs.dense_weight", "0 and 1"},
		{"[search.tech_docs]\nsparse_weight = -1", "search.tech_docs.sparse_weight", "0 and 1"},
		{"[search.tech_docs]\nreranker_intents = [\"general\", \"curiosity\"]", "search.tech_docs.reranker_intents", "parameter_lookup"},
		{"[search]\nfallback_mode = \"panic\"", "search.fallback_mode", `"panic" is none of return_hybrid_candidates, error_on_total_failure`},
		{"[answer]\nextent = \"pages\"", "answer.extent", `"pages" is none of documents, sections`},
		{"[answer]\nlines = 0", "answer.lines", "1 and 2000"},
		{"[answer]\nlines = 2001", "answer.lines", "1 and 2000"},
		{"[answer]\nlines = \"many\"", "answer.lines", "whole number"},
		{"[repository]\ndomain = \"poetry\"", "repository.domain", "medical"},
		{"[sources]\ncheck_every = \"-1h\"", "sources.check_every", "between 0s and 8760h"}, {"[sources]\nrequests_per_second = -1", "sources.requests_per_second", "not between 0 and 1000"},
		{"[sources]\nmirrors = [\"ftp://a\"]", "sources.mirrors", "neither a folder nor an address"},
		{"[sources]\nsite_pages = 0", "sources.site_pages", "not between 1 and"}, {"[sources]\ncheck_every = \"daily\"", "sources.check_every", "such as 24h"},
		{"[graph.tech_docs]\nruleset = \"wild\"", "graph.tech_docs.ruleset", "default, links"},
		{"[graph.tech_docs]\nthreshold = 2", "graph.tech_docs.threshold", "0 and 1"},
		{"[tui]\ntheme = \"pink\"", "tui.theme", "contrast"},
		{"[tui.keys]\nup = 3", "tui.keys.up", "list of keys"},
		{"[tui.keys]\ncopy-finl = [\"z\"]", "tui.keys.copy-finl", "no such action"},
		{"[search.tech_docs]\nbuiltin_synonyms = true", "search.tech_docs.builtin_synonyms", "no list of synonyms of its own any more; take the line out"},
		{"[search.tech_docs]\nreranker_topk = 3", "search.tech_docs.reranker_topk", "unknown key; docent config show lists the keys; did you mean search.tech_docs.reranker_top_k"},
		{"[search", Name, ""},
		{"[search.tech_docs]\nmax_docs = \"many\"", "search.tech_docs.max_docs", "whole number"},
	} {
		c, faults := load(t, tt.text)
		if len(faults) != 1 || faults[0].Key != tt.key || !strings.Contains(faults[0].Message, tt.says) {
			t.Errorf("%q: %v", tt.text, faults)
		}
		// Callers that print the fault of a whole file add its name.
		if says := faults[0].Error(); strings.Contains(says, Name) || strings.HasPrefix(says, tt.key) != (tt.key != Name) {
			t.Errorf("%q says %q", tt.text, says)
		}
		for _, v := range c.Values() {
			if v.Origin != Default {
				t.Errorf("%q: %s has another value than the default: %v", tt.text, v.Key, v.Value)
			}
		}
		if c.RerankerTopK != 50 || c.MaxDocs != 3 || c.RerankerThreshold != .63 || c.Domain != "tech_docs" {
			t.Errorf("%q: %+v", tt.text, c)
		}
	}
}
