package indexing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/library"
	"docent/pipeline/text/plural"
)

// setsView writes the doc sets as a table.
func setsView(c *invocation.Call) driver.View {
	return driver.View{
		Aliases: []string{"ls", "list"},
		Use:     "[NAME...]",
		Long: `Lists the doc sets, or only those that are named: Name@version, or Name for all
its versions.`,
		Example:  `  docent sets --json | jq -r '.sets[].set'`,
		Complete: completing.Sets(c),
		Text:     driver.Written(writeSets),
	}
}

func writeSets(answer library.SetsAnswer, to driver.Paper) {
	infos := answer.Sets
	columns := []setColumn{
		{"DOC SET", func(s library.SetInfo) string { return s.Set }},
		{"PAGES", func(s library.SetInfo) string { return strconv.Itoa(s.Pages) }},
		{"SECTIONS", func(s library.SetInfo) string { return strconv.Itoa(s.Sections) }},
		{"SIZE", func(s library.SetInfo) string { return console.Bytes(s.Bytes) }},
		{"FRESHNESS", freshText},
	}
	// Vectors by a model have a column if there are any.
	if slices.ContainsFunc(infos, func(s library.SetInfo) bool { return s.Vectors != nil }) {
		columns = append(columns, setColumn{"VECTORS", vectorText})
	}
	// On a terminal the folder has the room that the others leave: sections and sizes go where
	// that is little.
	room := to.Width - widthOfColumns(columns, infos)
	for _, spare := range []string{"SECTIONS", "SIZE"} {
		if to.Width > 0 && room < leastFolder {
			columns = slices.DeleteFunc(columns, func(col setColumn) bool { return col.title == spare })
			room = to.Width - widthOfColumns(columns, infos)
		}
	}
	table := driver.NewTable()
	table.Row("%s", rowText(columns, func(col setColumn) string { return col.title })+"FOLDER")
	for _, s := range infos {
		place := console.OneLine(placeText(s))
		if to.Width > 0 {
			place = console.CutPath(place, max(room, leastFolder/2))
		}
		table.Row("%s", rowText(columns, func(col setColumn) string { return console.OneLine(col.text(s)) })+place)
	}
	table.Write(to)
	for _, s := range infos {
		if s.Learned != nil {
			to.Line(fmt.Sprintf("%s: vectors: %s; docent update --settle %s learns them anew", s.Set, learnedText(*s.Learned), s.Set))
		}
	}
}

// leastFolder is how wide the column of folders is at least, where other columns can go for it.
const leastFolder = 24

// setColumn is a column of the table of doc sets.
type setColumn struct {
	title string
	text  func(library.SetInfo) string
}

// rowText is a row of the columns in front of the last one.
func rowText(columns []setColumn, text func(setColumn) string) string {
	var b strings.Builder
	for _, col := range columns {
		b.WriteString(text(col) + "\t")
	}
	return b.String()
}

// widthOfColumns is how wide columns are in the table, with the blanks behind them.
func widthOfColumns(columns []setColumn, infos []library.SetInfo) int {
	sum := 0
	for _, col := range columns {
		wide := console.Widest(col.title)
		for _, s := range infos {
			wide = max(wide, console.Widest(console.OneLine(col.text(s))))
		}
		sum += wide + 2
	}
	return sum
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
