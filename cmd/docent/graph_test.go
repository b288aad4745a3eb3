package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The rules about imports are transitive: a package that imports a helper which
// imports the app depends on the app.

// graph maps the packages of the module to the packages of the module that they
// import. Tests are ignored.
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

// reach returns all transitive dependencies of a package, with the shortest path to
// each.
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

// concreteStores are the implementations of stores. The other packages in store
// (analysis, durable, lock, parallel) belong to no implementation.
var concreteStores = []string{"store/blobs", "store/catalog", "store/embeddings", "store/generation", "store/jobs", "store/lexical", "store/postgres", "store/sqlite", "store/vector", "store/weaviate"}

// phaseOf returns the folder of the phase that a package belongs to, or "".
func phaseOf(pkg string) string {
	if i := slices.IndexFunc(phases, func(folder string) bool { return under(pkg, folder) }); i >= 0 {
		return phases[i]
	}
	return ""
}

// paneOf returns the name of the pane that a package belongs to, or "".
func paneOf(pkg string) string {
	if rest, ok := strings.CutPrefix(pkg, "tui/pane/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return name
	}
	return ""
}

// commandGroups are the groups of commands, each about one subject. The other packages below
// cmd/internal/cli are what they stand on.
var commandGroups = []string{"asking", "comparing", "configuring", "helping", "indexing", "measuring", "modelling", "reading", "serving", "tending"}

// commandGroup returns the name of the group of commands that a package is, or "".
func commandGroup(pkg string) string {
	name, ok := strings.CutPrefix(pkg, "cmd/internal/cli/")
	if !ok || !slices.Contains(commandGroups, name) {
		return ""
	}
	return name
}

// pipelineLevels orders the folders of the pipeline: a package depends on levels below its
// own, and within its folder. The corpus, which phases and services read from, stands
// between phases and ingest. The folder "" is the pipeline's own package, which runs the
// phases.
var pipelineLevels = map[string]int{
	"service": 6, "eval": 5, "": 5, "knowledge": 4, "phase": 4, "corpus": 3, "ingest": 2, "source": 2, "question": 1, "text": 0, "contract": 0,
}

// pipelineFolder returns the folder of the pipeline that a package belongs to.
func pipelineFolder(pkg string) (folder string, ok bool) {
	if pkg == "pipeline" {
		return "", true
	}
	rest, ok := strings.CutPrefix(pkg, "pipeline/")
	folder, _, _ = strings.Cut(rest, "/")
	return folder, ok
}

// inPipelineOrder reports whether a package may depend on another by the order of the
// pipeline's folders. A phase may use the data read from pages (knowledge) and the code
// that reads it; knowledge knows no phase.
func inPipelineOrder(pkg, reached string) bool {
	from, ok := pipelineFolder(pkg)
	to, also := pipelineFolder(reached)
	if !ok || !also || from == to {
		return true
	}
	if from == "phase" && to == "knowledge" {
		return true
	}
	above, known := pipelineLevels[from]
	below, alsoKnown := pipelineLevels[to]
	return known && alsoKnown && below < above
}

// unreachable returns the reason why a package must not depend on another, directly
// or through others, "" if it may.
func unreachable(pkg, reached string) string {
	phase, pane := phaseOf(pkg), paneOf(pkg)
	switch {
	case under(pkg, "cmd/internal/cli") && pkg != "cmd/internal/cli" && commandGroup(reached) != "":
		return "groups of commands do not depend on each other, and what they stand on knows none; what two of them need stands below both"
	case under(pkg, "store") && !under(reached, "store"):
		return "store imports only packages of store"
	case under(pkg, "llm") && !under(reached, "llm"):
		return "llm imports only packages of llm"
	case pkg == "store/doc":
		return "store/doc imports no package of this module"
	case pkg == "pipeline/contract" && reached != "store/doc":
		return "pipeline/contract imports only store/doc"
	case under(pkg, "pipeline") && under(reached, "tui", "cmd"):
		return "the pipeline does not depend on its user interfaces"
	case under(pkg, "tui") && under(reached, "cmd"):
		return "cmd opens the app, not the other way round"
	case !inPipelineOrder(pkg, reached):
		return "in the pipeline, services stand above knowledge, phases and the corpus, these above ingest, ingest above question, question above text and contract"
	case phase != "" && reached == "pipeline":
		return "a phase does not depend on the pipeline that runs it"
	case phase != "" && phaseOf(reached) != "" && phase != phaseOf(reached):
		return "phases do not depend on each other; they exchange the types of pipeline/contract"
	case pane != "" && paneOf(reached) != "" && pane != paneOf(reached):
		return "panes do not depend on each other; they send intents to the root"
	case pane != "" && reached == "tui":
		return "a pane does not depend on the root"
	case pane != "" && slices.Contains(controllers, reached):
		return "a pane does not depend on the controller that shows it"
	case slices.Contains(controllers, pkg) && slices.Contains(controllers, reached) && pkg != reached:
		return "controllers do not depend on each other; the root passes events between them"
	case slices.Contains(controllers, pkg) && reached == "tui":
		return "a controller does not depend on the root; its Host interface says what it needs of it"
	case under(pkg, "tui/keymap", "tui/overlay", "tui/page", "tui/style", "tui/typeahead", "tui/widget") && (reached == "tui" || slices.Contains(controllers, reached) || paneOf(reached) != ""):
		return "the building blocks of panes do not depend on panes"
	}
	return ""
}

// wired returns the reason why a package must not import another directly, "" if it
// may. Only the package that wires the program imports implementations of stores.
func wired(pkg, imported string) string {
	if !slices.Contains(concreteStores, imported) || under(pkg, "store", "cmd/internal/app", "cmd/internal/dev") || strings.HasSuffix(pkg, "test") {
		return ""
	}
	return "only cmd/internal/app imports a concrete store; others take its interface"
}

// breach is a dependency that a rule forbids.
type breach struct{ pkg, reached string }

// stillToGo are the remaining breaches, with the change that each needs. An entry that is
// no longer needed fails.
var stillToGo = map[breach]string{}

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
	for _, name := range commandGroups {
		if _, ok := g["cmd/internal/cli/"+name]; !ok {
			t.Errorf("the group of commands %s is no package", name)
		}
	}
	for b, reason := range stillToGo {
		if !needed[b] {
			t.Errorf("%s no longer reaches %s: take the entry out of the table (%s)", b.pkg, b.reached, reason)
		}
	}
}

// The rules can fail, also for indirect dependencies.
func TestRulesOnImportsCanFail(t *testing.T) {
	t.Parallel()
	g := graph{
		"store/catalog": {"store/helper"}, "store/helper": {"pipeline/contract"}, "pipeline/contract": {"store/doc"}, "store/doc": {},
		"pipeline/phase/cite": {"pipeline/helper"}, "pipeline/helper": {"pipeline/phase/search", "pipeline"}, "pipeline/phase/search": {}, "pipeline": {},
		"tui/pane/hits": {"tui/widget"}, "tui/widget": {"tui/pane/sets", "tui"}, "tui/pane/sets": {}, "tui": {},
	}
	for _, b := range []breach{{"store/catalog", "pipeline/contract"}, {"pipeline/phase/cite", "pipeline/phase/search"}, {"pipeline/phase/cite", "pipeline"},
		{"tui/pane/hits", "tui/pane/sets"}, {"tui/pane/hits", "tui"}} {
		way := g.reach(b.pkg)[b.reached]
		if len(way) != 3 || unreachable(b.pkg, b.reached) == "" {
			t.Errorf("%s may reach %s by %v", b.pkg, b.reached, way)
		}
	}
	for _, b := range []breach{{"cmd/internal/cli/asking", "cmd/internal/cli/reading"}, {"cmd/internal/cli/driver", "cmd/internal/cli/asking"}, {"llm/ollama", "store/doc"}, {"store/doc", "store/catalog"}, {"pipeline/contract", "pipeline/question"},
		{"pipeline/ingest", "tui"}, {"tui", "cmd/internal/app"}} {
		if unreachable(b.pkg, b.reached) == "" {
			t.Errorf("%s may reach %s", b.pkg, b.reached)
		}
	}
	for _, b := range []breach{{"pipeline/ingest", "pipeline/knowledge/references"}, {"pipeline/ingest/parse", "pipeline/corpus"}, {"pipeline/knowledge/deprecation", "pipeline/phase/search"},
		{"pipeline/phase/search", "pipeline/service/home"}, {"pipeline/corpus", "pipeline/knowledge/versions"}, {"pipeline/question/kind", "pipeline/ingest/chunk"}, {"pipeline/text/spelling", "pipeline/question"},
		{"pipeline/contract", "pipeline/text/tokens"}, {"pipeline/knowledge/graph", "pipeline/eval"}, {"pipeline/ingest", "pipeline"}, {"pipeline/phase/cite", "pipeline/unheardof"}} {
		if unreachable(b.pkg, b.reached) == "" {
			t.Errorf("%s may reach %s", b.pkg, b.reached)
		}
	}
	for _, b := range []breach{{"cmd/internal/cli", "cmd/internal/cli/asking"}, {"cmd/internal/cli/indexing", "cmd/internal/cli/uploading"}, {"pipeline/service/home", "pipeline/knowledge/versions"}, {"pipeline/phase/search", "pipeline/knowledge/deprecation"}, {"pipeline/phase/search", "pipeline/corpus"},
		{"pipeline/corpus", "pipeline/ingest/lsa"}, {"pipeline/knowledge/references", "pipeline/ingest"}, {"pipeline/ingest", "pipeline/question/synonym"}, {"pipeline", "pipeline/contract"}, {"pipeline/ingest", "store"}} {
		if why := unreachable(b.pkg, b.reached); why != "" {
			t.Errorf("%s may not reach %s: %s", b.pkg, b.reached, why)
		}
	}
	for _, b := range []breach{{"pipeline/phase/search", "store/lexical"}, {"cmd/internal/cli", "store/catalog"}, {"tui/page", "store/blobs"}} {
		if wired(b.pkg, b.reached) == "" {
			t.Errorf("%s may import %s", b.pkg, b.reached)
		}
	}
	for _, b := range []breach{{"cmd/internal/app", "store/catalog"}, {"store/vector", "store/generation"}, {"pipeline/phase/search", "store/analysis"}, {"pipeline/corpus/corpustest", "store/catalog"}} {
		if why := wired(b.pkg, b.reached); why != "" {
			t.Errorf("%s may not import %s: %s", b.pkg, b.reached, why)
		}
	}
}
