package indexing

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
)

// setsView prints the doc sets as a table.
func setsView(c *invocation.Call) driver.View {
	return driver.View{
		Aliases: []string{"ls", "list"},
		Example: `  docent sets --json | jq -r '.sets[].set'`,
		Show:    driver.Typed(func(answer library.SetsAnswer) error { return printSets(c, answer) }),
	}
}

func printSets(c *invocation.Call, answer library.SetsAnswer) error {
	infos := answer.Sets
	tw := tabwriter.NewWriter(c.IO.Out, 0, 4, 2, ' ', 0)
	// Vectors by a model have a column if there are any.
	column, title := func(library.SetInfo) string { return "" }, ""
	if slices.ContainsFunc(infos, func(s library.SetInfo) bool { return s.Vectors != nil }) {
		column, title = func(s library.SetInfo) string { return console.OneLine(vectorText(s)) + "\t" }, "VECTORS\t"
	}
	fmt.Fprintln(tw, "DOC SET\tPAGES\tSECTIONS\tSIZE\tFRESHNESS\t"+title+"FOLDER")
	for _, s := range infos {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\t%s%s\n", console.OneLine(s.Set), s.Pages, s.Sections, console.Bytes(s.Bytes), freshText(s),
			column(s),
			console.OneLine(s.Root))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, s := range infos {
		if s.Learned != nil {
			fmt.Fprintf(c.IO.Out, "%s: vectors: %s; docent update --settle %s learns them anew\n", console.OneLine(s.Set),
				console.OneLine(learnedText(*s.Learned)), console.OneLine(s.Set))
		}
	}
	return nil
}

// vectorText says it in a table: "ollama:bge-m3, not complete".
func vectorText(s library.SetInfo) string {
	switch {
	case s.Vectors == nil:
		return "built-in"
	case s.Vectors.Complete:
		return s.Vectors.Model
	}
	return s.Vectors.Model + ", not complete"
}

// freshText says how fresh a doc set is: "fresh", "1 new, 2 changed".
func freshText(s library.SetInfo) string {
	if s.Changes == nil {
		return s.Fresh
	}
	return s.Changes.String()
}

// learnedText says what learned vectors lack.
func learnedText(l library.LearnedInfo) string {
	var parts []string
	if l.Folded > 0 {
		parts = append(parts, plural.Count(l.Folded, "passage", "passages")+" folded in")
	}
	if l.Removed > 0 {
		parts = append(parts, plural.Count(l.Removed, "passage", "passages")+" removed")
	}
	if len(parts) == 0 {
		return l.Due
	}
	return strings.Join(parts, " and ") + " since they were learned"
}
