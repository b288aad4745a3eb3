package cli

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"docent/pipeline/service/library"
)

// setsView prints the doc sets as a table.
func (c *command) setsView() view {
	return view{
		aliases: []string{"ls", "list"},
		example: `  docent sets --json | jq -r '.sets[].set'`,
		show:    typedAnswer(c.printSets),
	}
}

func (c *command) printSets(answer library.SetsAnswer) error {
	infos := answer.Sets
	tw := tabwriter.NewWriter(c.io.Out, 0, 4, 2, ' ', 0)
	// Vectors by a model have a column if there are any.
	column, title := func(library.SetInfo) string { return "" }, ""
	if slices.ContainsFunc(infos, func(s library.SetInfo) bool { return s.Vectors != nil }) {
		column, title = func(s library.SetInfo) string { return oneLine(vectorText(s)) + "\t" }, "VECTORS\t"
	}
	fmt.Fprintln(tw, "DOC SET\tPAGES\tSECTIONS\tSIZE\tFRESHNESS\t"+title+"FOLDER")
	for _, s := range infos {
		fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\t%s%s\n", oneLine(s.Set), s.Pages, s.Sections, bytesText(s.Bytes), freshText(s), column(s),
			oneLine(s.Root))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, s := range infos {
		if s.Learned != nil {
			fmt.Fprintf(c.io.Out, "%s: vectors: %s; docent update --settle %s learns them anew\n", oneLine(s.Set),
				oneLine(learnedText(*s.Learned)), oneLine(s.Set))
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
		parts = append(parts, plural(l.Folded, "passage", "passages")+" folded in")
	}
	if l.Removed > 0 {
		parts = append(parts, plural(l.Removed, "passage", "passages")+" removed")
	}
	if len(parts) == 0 {
		return l.Due
	}
	return strings.Join(parts, " and ") + " since they were learned"
}
