package versions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/knowledge/versions"
	"docent/pipeline/text/fingerprint"
	"docent/store/doc"
)

// page reads Markdown as a page.
func page(t testing.TB, path, text string) versions.Page {
	t.Helper()
	d, err := markdown.ParseMarkdown([]byte(text), parse.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return versions.Page{Path: path, Title: d.Title, Text: text, Print: fingerprint.OfText(text), Sections: versions.ReadSections(d.Text, d.Sections)}
}

func compare(before, after []versions.Page) *versions.Comparison {
	return versions.Compare(before, after, versions.MatchPages(before, after), func(j int) int { return len(after[j].Sections) })
}

// told lists what a comparison found, a line each.
func told(c *versions.Comparison, before, after []versions.Page) string {
	var b strings.Builder
	name := func(pages []versions.Page, at versions.At) string {
		if at.Page < 0 {
			return "-"
		}
		return pages[at.Page].Path + "#" + pages[at.Page].Sections[at.Section].Path
	}
	for _, d := range c.Pages {
		if !d.Differs() {
			continue
		}
		paths := [2]string{"-", "-"}
		if d.Before >= 0 {
			paths[0] = before[d.Before].Path
		}
		if d.After >= 0 {
			paths[1] = after[d.After].Path
		}
		fmt.Fprintf(&b, "%s %s %s\n", d.Status, paths[0], paths[1])
		for _, s := range d.Sections {
			fmt.Fprintf(&b, "  %s %s %s", s.Status, name(before, s.Before), name(after, s.After))
			if s.Edited {
				b.WriteString(" edited")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

const (
	trim  = "Cut the wick to a quarter of an inch with sharp scissors before each lighting, and take the burnt piece out of the bowl."
	fill  = "Pour clean oil through a funnel until the mark, wipe what was spilled, and wait ten minutes before you light the lamp again."
	store = "Keep lamps upright in a dry room, away from curtains and children, with the bowl emptied and the chimney wrapped in paper."
)

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		before, after map[string]string
		want          string
	}{
		{"the same", map[string]string{"a.md": "# A\n\n" + trim + "\n"}, map[string]string{"a.md": "# A\n\n" + trim + "\n"}, ""},
		{"blanks alone", map[string]string{"a.md": "# A\n\n" + trim + "\n"}, map[string]string{"a.md": "# A\r\n\r\n" + trim + "  \r\n\r\n\r\n"}, ""},
		{"a changed text", map[string]string{"a.md": "# A\n\n## B\n\nOne.\n\n## C\n\nTwo.\n"}, map[string]string{"a.md": "# A\n\n## B\n\nOne!\n\n## C\n\nTwo.\n"},
			"changed a.md a.md\n  changed a.md#A > B a.md#A > B\n"},
		{"added and removed", map[string]string{"a.md": "# A\n\n## B\n\nOne.\n"}, map[string]string{"a.md": "# A\n\n## C\n\n" + trim + "\n"},
			"changed a.md a.md\n  removed a.md#A > B -\n  added - a.md#A > C\n"},
		{"another heading", map[string]string{"a.md": "# A\n\n## Trimming\n\n" + trim + "\n"}, map[string]string{"a.md": "# A\n\n## How to trim\n\n" + trim + "\n"},
			"changed a.md a.md\n  changed a.md#A > Trimming a.md#A > How to trim\n"},
		{"another order", map[string]string{"a.md": "# A\n\n## B\n\n" + trim + "\n\n## C\n\n" + fill + "\n\n## D\n\n" + store + "\n"},
			map[string]string{"a.md": "# A\n\n## D\n\n" + store + "\n\n## B\n\n" + trim + "\n\n## C\n\n" + fill + "\n"},
			"changed a.md a.md\n  moved a.md#A > D a.md#A > D\n"},
		{"below another heading", map[string]string{"a.md": "# A\n\n## B\n\nOne.\n\n### E\n\n" + trim + "\n\n## C\n\nTwo.\n"},
			map[string]string{"a.md": "# A\n\n## B\n\nOne.\n\n## C\n\nTwo.\n\n### E\n\n" + trim + " Then light it.\n"},
			"changed a.md a.md\n  moved a.md#A > B > E a.md#A > C > E edited\n"},
		{"the same heading twice", map[string]string{"a.md": "# A\n\n## B\n\n### Example\n\nOne.\n\n### Example\n\nTwo.\n"},
			map[string]string{"a.md": "# A\n\n## B\n\n### Example\n\nNone.\n\n### Example\n\nOne.\n\n### Example\n\nTwo.\n"},
			"changed a.md a.md\n  added - a.md#A > B > Example\n"},
		{"examples of other things", map[string]string{"a.md": "# A\n\n## B\n\n" + trim + "\n\n### Example\n\n" + store + "\n"},
			map[string]string{"a.md": "# A\n\n## C\n\n" + fill + "\n\n### Example\n\nNothing of all that is ever found in the other one, whatever one does with these words.\n"},
			"changed a.md a.md\n  removed a.md#A > B -\n  removed a.md#A > B > Example -\n  added - a.md#A > C\n  added - a.md#A > C > Example\n"},
		{"to another page", map[string]string{"a.md": "# A\n\nOne.\n\n## Trim\n\n" + trim + "\n", "b.md": "# B\n\nTwo.\n"},
			map[string]string{"a.md": "# A\n\nOne.\n", "b.md": "# B\n\nTwo.\n\n## Care\n\n" + trim + "\n"},
			"changed a.md a.md\n  moved a.md#A > Trim b.md#B > Care edited\nchanged b.md b.md\n  moved a.md#A > Trim b.md#B > Care edited\n"},
		{"another path", map[string]string{"trim.md": "# Trim\n\n" + trim + "\n"}, map[string]string{"guide/wicks.md": "# Wicks\n\n" + trim + "\n"},
			"renamed trim.md guide/wicks.md\n  changed trim.md#Trim guide/wicks.md#Wicks\n"},
		{"another folder and the same title", map[string]string{"old/index.md": "# Oil\n\n" + fill + "\n"}, map[string]string{"new/index.md": "# Oil\n\n" + store + "\n"},
			"renamed old/index.md new/index.md\n  changed old/index.md#Oil new/index.md#Oil\n"},
		{"the same title of another page", map[string]string{"oil/a.md": "# Overview\n\n" + fill + "\n"}, map[string]string{"wicks/b.md": "# Overview\n\n" + store + "\n"},
			"added - wicks/b.md\n  added - wicks/b.md#Overview\nremoved oil/a.md -\n  removed oil/a.md#Overview -\n"},
		{"another ending", map[string]string{"a.md": "# A\n\n" + trim + "\n"}, map[string]string{"A.mdx": "# A\n\n" + trim + "\n"}, ""},
		{"a title in the front matter", map[string]string{"a.md": "# A\n\nOne.\n\n## B\n\n" + trim + "\n"}, map[string]string{"a.mdx": "---\ntitle: A\n---\n\nOne.\n\n## B\n\n" + trim + "\n"},
			"changed a.md a.mdx\n  changed a.md#A a.mdx#\n"},
	} {
		pages := func(all map[string]string) (out []versions.Page) {
			for path, text := range all {
				out = append(out, page(t, path, text))
			}
			slices.SortFunc(out, func(a, b versions.Page) int { return strings.Compare(a.Path, b.Path) })
			return out
		}
		before, after := pages(tt.before), pages(tt.after)
		if got := told(compare(before, after), before, after); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestUnrelated(t *testing.T) {
	t.Parallel()
	before := []versions.Page{page(t, "changelog.md", "# Changelog\n\n"+trim+"\n"), page(t, "a.md", "# A\n\n"+fill+"\n")}
	after := []versions.Page{page(t, "changelog.md", "# Changelog\n\n"+store+"\n")}
	if compare(before, after).Related(before, after) {
		t.Error("two doc sets with nothing but a file's name in common are related")
	}
	if !compare(before, before[:1]).Related(before, before[:1]) {
		t.Error("a doc set is not related to a part of it")
	}
}

// A page that cannot be read is compared with nothing, and its partner neither.
func TestUnread(t *testing.T) {
	t.Parallel()
	gone := page(t, "a.md", "# A\n\n"+trim+"\n")
	gone.Unread, gone.Sections = "its file is gone", nil
	before, after := []versions.Page{gone}, []versions.Page{page(t, "a.md", "# A\n\n"+fill+"\n")}
	c := compare(before, after)
	if got := told(c, before, after); got != "" || c.OfPages != (versions.Counts{}) {
		t.Errorf("got %s%+v", got, c.OfPages)
	}
}

// Many sections, all with the same heading and text, end soon.
func TestManySections(t *testing.T) {
	t.Parallel()
	many := func(last string) []versions.Section {
		sections := make([]doc.Section, 100_000)
		var text strings.Builder
		for i := range sections {
			start := text.Len()
			body := "nothing new here"
			if i%7 == 0 {
				body = fmt.Sprintf("line %d of %s", i, last)
			}
			fmt.Fprintf(&text, "## Example\n\n%s\n", body)
			sections[i] = doc.Section{Index: i, Level: 2, Text: "Example", Path: []string{"Example"}, Parent: -1, Span: doc.Span{Start: start, End: text.Len(), StartLine: 3*i + 1, EndLine: 3*i + 3}}
		}
		return versions.ReadSections([]byte(text.String()), sections)
	}
	before, after := many("old"), many("new")
	of := versions.MatchSections(before, after)
	for i, j := range of {
		if j < 0 || before[i].Words != after[j].Words {
			t.Fatalf("section %d has the partner %d", i, j)
		}
	}
}

// What DiffLines says turns the one text into the other, and lines that it leaves out are
// the same.
func TestDiffLines(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"a", "b", "c", "d", "", "one", "two", "three"})
	rapid.Check(t, func(t *rapid.T) {
		before, after := rapid.SliceOfN(line, 0, 40).Draw(t, "before"), rapid.SliceOfN(line, 0, 40).Draw(t, "after")
		apply(t, before, after)
	})
}

type failer interface{ Fatalf(string, ...any) }

func apply(t failer, before, after []string) []versions.Change {
	changes := versions.DiffLines(before, after)
	var got []string
	at, to := 0, 0
	for _, c := range changes {
		if c.Before < at || c.After < to || c.Before == c.BeforeEnd && c.After == c.AfterEnd {
			t.Fatalf("change %+v of %+v", c, changes)
		}
		got = append(got, before[at:c.Before]...)
		got = append(got, after[c.After:c.AfterEnd]...)
		if len(got) != c.AfterEnd {
			t.Fatalf("change %+v stands elsewhere", c)
		}
		at, to = c.BeforeEnd, c.AfterEnd
	}
	if got = append(got, before[at:]...); !slices.Equal(got, after) {
		t.Fatalf("%q becomes %q and not %q by %+v", before, got, after, changes)
	}
	return changes
}

// The fewest changes are found where they are few.
func TestDiffLinesIsShort(t *testing.T) {
	t.Parallel()
	before := strings.Split("a b c a b b a x y", " ")
	after := strings.Split("c b a b a c x z y", " ")
	n := 0
	for _, c := range apply(t, before, after) {
		n += c.BeforeEnd - c.Before + c.AfterEnd - c.After
	}
	if n > 6 {
		t.Errorf("%d lines differ, 6 are enough", n)
	}
}

// Texts that would cost the product of their lengths, or a deep recursion.
func TestDiffLinesIsBounded(t *testing.T) {
	t.Parallel()
	const n = 50_000
	other, same, reversed := make([]string, n), make([]string, n), make([]string, n)
	repeated, repeatedToo := make([]string, n), make([]string, n)
	for i := range n {
		same[i], other[i], reversed[n-1-i] = fmt.Sprint("line ", i), fmt.Sprint("other ", i), fmt.Sprint("line ", i)
		repeated[i], repeatedToo[i] = fmt.Sprint(i%7), fmt.Sprint(i*i%11)
	}
	for _, pair := range [][2][]string{{same, other}, {same, reversed}, {repeated, repeatedToo}, {same, same}, {same, nil}} {
		apply(t, pair[0], pair[1])
	}
	if c := versions.DiffLines(same, same); len(c) != 0 {
		t.Errorf("the same text has %d changes", len(c))
	}
}
