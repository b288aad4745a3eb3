// Package nameindex is the form in which the names of a bundle of documentation lie next to
// its pages: which name is documented on which page, at which anchor.
//
// It refuses to read a file.
package nameindex

import (
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/text/sanitize"
)

// File is the name of the index, in the folder of the pages: a line a name, with the name,
// its kind, the path of its page and its anchor there, and a tab between them.
const File = "docent-names.tsv"

// Entry is a name. Without an anchor it names the whole page.
type Entry struct{ Name, Kind, Path, Anchor string }

// Format writes entries, in an order that does not depend on theirs.
func Format(entries []Entry) []byte {
	clean := func(s string) string { return strings.Join(strings.Fields(sanitize.Line(s)), " ") }
	lines := make([]string, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, clean(e.Name)+"\t"+clean(e.Kind)+"\t"+clean(e.Path)+"\t"+clean(e.Anchor)+"\n")
	}
	slices.Sort(lines)
	return []byte(strings.Join(slices.Compact(lines), ""))
}

// Parse reads what Format wrote. The error names the line that is damaged.
func Parse(raw []byte) ([]Entry, error) {
	var out []Entry
	for line := range strings.Lines(string(raw)) {
		parts := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(parts) != 4 {
			return nil, fmt.Errorf("line %d has %d parts in place of 4", len(out)+1, len(parts))
		}
		out = append(out, Entry{parts[0], parts[1], parts[2], parts[3]})
	}
	return out, nil
}
