package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The rules on imports hold for what a package reaches through others too: a
// package that imports a helper which imports the app knows the app.

// graph is the module's packages with what they import of the module, tests left
// out.
type graph map[string][]string

func readGraph(t *testing.T) graph {
	t.Helper()
	_, files := readModule(t)
	g := graph{}
	for _, f := range files {
		if f.test {
			continue
		}
		g[f.pkg] = append(g[f.pkg], f.imports...)
	}
	for pkg, imports := range g {
		slices.Sort(imports)
		g[pkg] = slices.Compact(imports)
	}
	return g
}

// reach gives every package that pkg reaches, with the shortest way to it.
func (g graph) reach(pkg string) map[string][]string {
	ways := map[string][]string{pkg: {pkg}}
	for queue := []string{pkg}; len(queue) > 0; queue = queue[1:] {
		for _, next := range g[queue[0]] {
			if ways[next] == nil {
				ways[next] = append(slices.Clone(ways[queue[0]]), next)
				queue = append(queue, next)
			}
		}
	}
	delete(ways, pkg)
	return ways
}

// concreteStores are the implementations of stores. What belongs to no store
// (analysis, durable, lock, parallel) is left out.
var concreteStores = []string{"store/blobs", "store/catalog", "store/embeddings", "store/generation", "store/lexical", "store/sqlite", "store/vector"}

// unreachable says why a package may not reach another, directly or through
// others, "" if it may.
func unreachable(pkg, reached string) string {
	phase := func(p string) string {
		i := slices.IndexFunc(phases, func(f string) bool { return under(p, f) })
		if i < 0 {
			return ""
		}
		return phases[i]
	}
	pane := func(p string) string {
		rest, _ := strings.CutPrefix(p, "tui/pane/")
		if rest == p {
			return ""
		}
		name, _, _ := strings.Cut(rest, "/")
		return name
	}
	switch {
	case under(pkg, "store") && !under(reached, "store"):
		return "store knows nobody but itself"
	case under(pkg, "llm") && !under(reached, "llm"):
		return "llm knows nobody but itself"
	case pkg == "store/doc":
		return "store/doc is a leaf"
	case pkg == "pipeline/contract" && reached != "store/doc":
		return "the contract is made of its own types and those of store/doc"
	case under(pkg, "pipeline") && under(reached, "tui", "cmd"):
		return "the pipeline does not know who watches it"
	case under(pkg, "tui") && under(reached, "cmd"):
		return "the app is opened by cmd, not the other way"
	case phase(pkg) != "" && reached == "pipeline":
		return "a phase does not know the pipeline that runs it"
	case phase(pkg) != "" && phase(reached) != "" && phase(pkg) != phase(reached):
		return "phases meet in pipeline through contract's types"
	case pane(pkg) != "" && pane(reached) != "" && pane(pkg) != pane(reached):
		return "panes ask the root with intents"
	case pane(pkg) != "" && reached == "tui":
		return "a pane does not know the root"
	}
	return ""
}

// wired says why a package may not import another directly, "" if it may: what
// implements a store is known to the place that wires.
func wired(pkg, imported string) string {
	if !slices.Contains(concreteStores, imported) || under(pkg, "store", "cmd/internal/app", "cmd/internal/dev") || strings.HasSuffix(pkg, "test") {
		return ""
	}
	return "only cmd/internal/app imports a concrete store; others take its interface"
}

// breach is an import that a rule forbids and that is still there.
type breach struct{ pkg, reached string }

// stillToGo are the breaches that are left, with what has to happen. An entry that
// is no longer needed fails.
var stillToGo = map[breach]string{
	{"pipeline/ingest", "store/catalog"}:   "ingest takes store.Catalog",
	{"pipeline/ingest", "store/lexical"}:   "ingest takes store.Index",
	{"pipeline/ingest", "store/vector"}:    "ingest takes store.Index",
	{"pipeline/embed", "store/embeddings"}: "embed takes the cache's interface",
	{"pipeline/home", "store/catalog"}:     "the service is given its stores",
	{"pipeline/home", "store/embeddings"}:  "the service is given its stores",
	{"pipeline/home", "store/generation"}:  "the service is given its stores",
	{"pipeline/home", "store/lexical"}:     "the service is given its stores",
	{"pipeline/home", "store/sqlite"}:      "errors of stores are package store's",
}

func TestImportsRunOneWayThroughOthersToo(t *testing.T) {
	t.Parallel()
	g := readGraph(t)
	needed := map[breach]bool{}
	report := func(pkg, reached, why string, way []string) {
		b := breach{pkg, reached}
		if needed[b] = true; stillToGo[b] == "" {
			t.Errorf("%s reaches %s (%s): %s", pkg, reached, strings.Join(way, " → "), why)
		}
	}
	n := 0
	for _, pkg := range slices.Sorted(maps.Keys(g)) {
		ways := g.reach(pkg)
		n += len(ways)
		for _, reached := range slices.Sorted(maps.Keys(ways)) {
			if _, ok := g[reached]; !ok {
				t.Errorf("%s imports %s, which is no package", pkg, reached)
			}
			if why := unreachable(pkg, reached); why != "" {
				report(pkg, reached, why, ways[reached])
			}
			if len(ways[reached]) == 2 {
				if why := wired(pkg, reached); why != "" {
					report(pkg, reached, why, ways[reached])
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d ways were looked at", n)
	}
	for b, reason := range stillToGo {
		if !needed[b] {
			t.Errorf("%s no longer reaches %s: take the entry out of the table (%s)", b.pkg, b.reached, reason)
		}
	}
}

// The rules can fail, through another package too.
func TestRulesOnImportsCanFail(t *testing.T) {
	t.Parallel()
	g := graph{
		"store/catalog": {"store/helper"}, "store/helper": {"pipeline/contract"}, "pipeline/contract": {"store/doc"}, "store/doc": {},
		"pipeline/cite": {"pipeline/helper"}, "pipeline/helper": {"pipeline/search", "pipeline"}, "pipeline/search": {}, "pipeline": {},
		"tui/pane/hits": {"tui/widget"}, "tui/widget": {"tui/pane/sets", "tui"}, "tui/pane/sets": {}, "tui": {},
	}
	for _, b := range []breach{{"store/catalog", "pipeline/contract"}, {"pipeline/cite", "pipeline/search"}, {"pipeline/cite", "pipeline"},
		{"tui/pane/hits", "tui/pane/sets"}, {"tui/pane/hits", "tui"}} {
		way := g.reach(b.pkg)[b.reached]
		if len(way) != 3 || unreachable(b.pkg, b.reached) == "" {
			t.Errorf("%s may reach %s by %v", b.pkg, b.reached, way)
		}
	}
	for _, b := range []breach{{"llm/ollama", "store/doc"}, {"store/doc", "store/catalog"}, {"pipeline/contract", "pipeline/question"},
		{"pipeline/ingest", "tui"}, {"tui", "cmd/internal/app"}} {
		if unreachable(b.pkg, b.reached) == "" {
			t.Errorf("%s may reach %s", b.pkg, b.reached)
		}
	}
	for _, b := range []breach{{"pipeline/search", "store/lexical"}, {"cmd/internal/cli", "store/catalog"}, {"tui/page", "store/blobs"}} {
		if wired(b.pkg, b.reached) == "" {
			t.Errorf("%s may import %s", b.pkg, b.reached)
		}
	}
	for _, b := range []breach{{"cmd/internal/app", "store/catalog"}, {"store/vector", "store/generation"}, {"pipeline/search", "store/analysis"}, {"pipeline/corpus/corpustest", "store/catalog"}} {
		if why := wired(b.pkg, b.reached); why != "" {
			t.Errorf("%s may not import %s: %s", b.pkg, b.reached, why)
		}
	}
}
