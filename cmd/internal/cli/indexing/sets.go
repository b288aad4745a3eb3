package indexing

import (
	"fmt"
	"slices"
	"strings"

	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
)

// setsView writes the doc sets as a table.
func setsView() driver.View {
	return driver.View{
		Aliases: []string{"ls", "list"},
		Example: `  docent sets --json | jq -r '.sets[].set'`,
		Text:    driver.Written(writeSets),
	}
}

func writeSets(answer library.SetsAnswer, to driver.Paper) {
	infos := answer.Sets
	table := driver.NewTable()
	// Vectors by a model have a column if there are any.
	column, title := func(library.SetInfo) string { return "" }, ""
	if slices.ContainsFunc(infos, func(s library.SetInfo) bool { return s.Vectors != nil }) {
		column, title = func(s library.SetInfo) string { return console.OneLine(vectorText(s)) + "\t" }, "VECTORS\t"
	}
	table.Row("DOC SET\tPAGES\tSECTIONS\tSIZE\tFRESHNESS\t" + title + "FOLDER")
	for _, s := range infos {
		table.Row("%s\t%d\t%d\t%s\t%s\t%s%s", console.OneLine(s.Set), s.Pages, s.Sections, console.Bytes(s.Bytes), freshText(s),
			column(s), console.OneLine(placeText(s)))
	}
	table.Write(to)
	for _, s := range infos {
		if s.Learned != nil {
			to.Line(fmt.Sprintf("%s: vectors: %s; docent update --settle %s learns them anew", s.Set, learnedText(*s.Learned), s.Set))
		}
	}
}

// placeText says where a doc set's documents come from: the folder, or the source that they were
// fetched from.
func placeText(s library.SetInfo) string {
	if s.Origin == nil {
		return s.Root
	}
	return s.Origin.Source
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
