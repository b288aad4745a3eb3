package reading

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/wording"
	"docent/pipeline/contract"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/service/graph"
	"docent/pipeline/text/plural"
)

// graphView prints relations as a tree or for Graphviz, and broken links as a list.
func graphView(c *invocation.Call) driver.View {
	var dot bool
	return driver.View{
		AtOnce: true,
		Use:    "SET/PAGE[#SECTION]",
		Long: `Prints what leads from a page, or from the section at an anchor, and what leads
there: links, prerequisites, warnings, related pages and what was replaced.
With --broken it lists the links of doc sets or pages that lead nowhere, and exits
with 1 if any do.`,
		Example:  `  docent graph "Docent_Manual/Getting started"`,
		Complete: completeGraph(c),
		Usage:    map[string]string{"threshold": "show relations from this `SCORE` on (default: the configuration's)"},
		Flags:    func(fl *pflag.FlagSet) { fl.BoolVar(&dot, "dot", false, "print the graph for Graphviz") },
		Values:   map[string]cobra.CompletionFunc{"threshold": completing.Words()},
		Check: driver.Typed(func(req graph.NamedRequest) error {
			switch {
			case req.Broken && dot:
				return contract.Invalid("dot", "--broken and --dot exclude each other; give one of them")
			case dot && c.JSON:
				return contract.Invalid("dot", "--dot and --json exclude each other; give one of them")
			case req.Broken && req.Threshold != nil:
				return contract.Invalid("threshold", "--broken lists links, which have no threshold; leave --threshold out")
			case !req.Broken && len(req.Names) == 0:
				return failure.UsageError("docent graph takes a page; docent graph --help has an example")
			}
			return nil
		}),
		Show: func(answer any) error {
			switch r := answer.(type) {
			case graph.BrokenLinks:
				printBroken(c, r)
			case graph.References:
				if dot {
					return printDot(c.IO.Out, r)
				}
				printTree(c, r)
			}
			return nil
		},
		After: func(answer any) error {
			failed := false
			switch r := answer.(type) {
			case graph.BrokenLinks:
				failed = len(r.Broken) > 0
			case graph.References:
				failed = len(r.From)+len(r.To)+len(r.Parts) == 0
			}
			if failed {
				return failure.ExitCode(failure.CodeNothing)
			}
			return nil
		},
	}
}

// completeGraph completes with pages, or with doc sets for --broken until a stroke is typed.
func completeGraph(c *invocation.Call) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if broken, err := cmd.Flags().GetBool("broken"); err == nil && broken && !strings.Contains(typed, "/") {
			return completing.Sets(c)(cmd, args, typed)
		}
		return completing.Pages(c)(cmd, args, typed)
	}
}

// printTree prints relations as a tree.
func printTree(c *invocation.Call, r graph.References) {
	fmt.Fprintf(c.IO.Out, "%s\n", console.OneLine(placeName(r.Node)))
	for _, side := range []struct {
		way   int
		all   []references.Relation
		arrow string
	}{{0, r.From, "→"}, {1, r.To, "←"}} {
		for _, t := range references.EdgeTypes() {
			first := true
			for _, x := range side.all {
				if x.Type != t {
					continue
				}
				if first {
					fmt.Fprintf(c.IO.Out, "%s %s\n", side.arrow, wording.Said[t][side.way])
					first = false
				}
				printRelation(c, r, x)
			}
		}
	}
	counts := map[references.Kind]int{}
	for _, p := range r.Parts {
		counts[p.Kind]++
		if p.Kind == references.Procedure {
			fmt.Fprintf(c.IO.Out, "procedure of %s, line %d\n", countSteps(p.StepsCount), p.Line)
		}
	}
	if n := counts[references.Parameter]; n > 0 {
		fmt.Fprintf(c.IO.Out, "parameters: %d\n", n)
	}
	if len(r.From)+len(r.To) == 0 {
		c.Note("nothing leads here or from here with a score of at least %.2f", r.Threshold)
	}
}

func countSteps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

func printRelation(c *invocation.Call, r graph.References, x references.Relation) {
	var line string
	switch {
	case x.Other == nil:
		line = x.Target
	case x.Other.Kind == references.Warning:
		line = x.Other.Severity + ": " + x.Other.Message
	default:
		line = placeName(*x.Other)
	}
	if x.Target != "" && x.Other != nil {
		line += "  (no place " + x.Target + ")"
	}
	if r.Node.SectionPath == "" && x.In != nil {
		if in := sectionPathBelowTitle(r.Node.Title, x.In.SectionPath); in != "" {
			line += "  [" + in + "]"
		}
	}
	fmt.Fprint(c.IO.Out, c.Wrapped("   ", fmt.Sprintf("%s  %.2f", console.OneLine(line), x.Score), 6))
}

// sectionPathBelowTitle is the path of a section without the title of its page, which stands at the top.
func sectionPathBelowTitle(title, path string) string {
	if path == title {
		return ""
	}
	return strings.TrimPrefix(wording.ShownPath(path), wording.ShownPath(title)+contract.SectionPath)
}

// placeName is a node as docent graph takes it, with a parameter's name.
func placeName(n references.Node) string {
	name := n.DocSet + "/" + n.Path
	if n.Anchor != "" {
		name += "#" + n.Anchor
	}
	if n.Kind == references.Parameter {
		return n.Name + "  " + name
	}
	return name + "  " + n.Title
}

// printDot prints relations for Graphviz. Everything from documents is a quoted text.
func printDot(w io.Writer, r graph.References) error {
	var b strings.Builder
	b.WriteString("digraph references {\n\trankdir=LR;\n\tnode [shape=box];\n")
	named := map[string]bool{}
	node := func(id, label, shape string) string {
		if !named[id] {
			named[id] = true
			fmt.Fprintf(&b, "\t%s [label=%s%s];\n", quoteDot(id), quoteDot(label), shape)
		}
		return quoteDot(id)
	}
	place := func(n *references.Node, x references.Relation) string {
		switch {
		case n == nil:
			return node("target: "+x.Target, x.Target, ", style=dashed")
		case n.Kind == references.Warning:
			return node(n.ID, n.Severity+": "+n.Message, ", shape=note")
		case n.Kind == references.Parameter:
			return node(n.ID, n.Name, ", shape=ellipse")
		}
		return node(n.ID, n.Title+"\n"+n.Path, "")
	}
	edge := func(x references.Relation, from, to string) {
		fmt.Fprintf(&b, "\t%s -> %s [label=%s];\n", from, to, quoteDot(string(x.Type)))
	}
	node(r.Node.ID, r.Node.Title+"\n"+r.Node.Path, ", style=bold")
	for _, x := range r.From {
		edge(x, place(x.In, x), place(x.Other, x))
	}
	for _, x := range r.To {
		edge(x, place(x.Other, x), place(x.In, x))
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// quoteDot is a text in quotes for Graphviz.
func quoteDot(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(console.OneLine(l))
	}
	return `"` + strings.Join(lines, `\n`) + `"`
}

// printBroken lists the links that lead nowhere, those that miss the same page or folder in one line.
func printBroken(c *invocation.Call, found graph.BrokenLinks) {
	places, single := graph.GroupMissing(found.Broken)
	for _, p := range places {
		first, second := p.Examples[0], p.Examples[1]
		fmt.Fprintf(c.IO.Out, "%s\n", console.OneLine(fmt.Sprintf("%s: no such page, %d links, as in %s:%d and %s:%d", p.Target, p.Links,
			first.Path, cmp.Or(first.SourceLine, first.Line), second.Path, cmp.Or(second.SourceLine, second.Line))))
	}
	for _, b := range single {
		what := "no such page"
		if b.Missing == references.NoAnchor.String() {
			what = "no such place on the page"
		}
		fmt.Fprintf(c.IO.Out, "%s\n", console.OneLine(
			fmt.Sprintf("%s/%s:%d: %s: %s", b.DocSet, b.Path, cmp.Or(b.SourceLine, b.Line), b.Target, what)))
	}
	for _, b := range found.Unsure {
		fmt.Fprintf(c.IO.Out, "%s\n", console.OneLine(
			fmt.Sprintf("%s/%s:%d: %s: unsure: %s", b.DocSet, b.Path, cmp.Or(b.SourceLine, b.Line), b.Target, b.Unsure)))
	}
	for _, s := range found.Sets {
		name := s.DocSet
		if s.Page != "" {
			name += "/" + s.Page
		}
		c.Note("%s: %s", name, describeTargets(s))
	}
}

// describeTargets says how many links of a doc set or a page lead where. Groups without links are left out,
// except the right and the wrong ones.
func describeTargets(s graph.LinkCounts) string {
	inside := " to pages of it"
	if s.Page != "" {
		inside = " to pages of its doc set"
	}
	out := []string{
		plural.Count(s.Inside, "link leads", "links lead") + inside,
		fmt.Sprintf("%d to nowhere", s.Pages), fmt.Sprintf("%d to no such place of their page", s.Anchors),
	}
	for _, x := range []struct {
		n    int
		what string
	}{{s.Unsure, "unsure"}, {s.Redirected, "redirected"}, {s.Files, "to files"}, {s.Elsewhere, "elsewhere"}} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	text := strings.Join(out, ", ")
	if s.Left > 0 {
		text += fmt.Sprintf("; %s not read, behind the %d that are read of a page", plural.Count(s.Left, "link was", "links were"),
			references.MostLinks)
	}
	return text
}
