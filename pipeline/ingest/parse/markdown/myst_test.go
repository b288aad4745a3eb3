package markdown

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"docent/pipeline/ingest/hostiletest"
	"docent/pipeline/ingest/parse"
)

// The notes, tabs and tables of contents of documentation in MyST were code, which search
// finds worse and answers never quote, and its roles stood in the text.
func TestMySTDirectives(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"a note with options", lines("# L", "", ":::{warning} Mind the {term}`flame`", ":class: big", ":name: hot", "", "Oil **burns**.", "", "- a", ":::", "", "End."),
			`1 heading "L"|3-10 admonition! "Mind the flame\nOil burns.\na"|12 paragraph "End."`},
		{"tabs with code in them", lines("````{tab-set}", "```{tab-item} Oil", "~~~sh", "trim", "~~~", "```", "```{tab-item} Gas", "Turn it.", "```", "````"),
			`1 meta ""|2 paragraph "Oil"|3-5 code sh "" "trim"|6 meta ""|7 paragraph "Gas"|8 paragraph "Turn it."|9 meta ""|10 meta ""`},
		{"code with options", lines("```{code-block} python", ":linenos:", "", "light()", "```", "", ":::{code} go", "---", "lineno-start: 3", "---", "trim()", ":::"),
			`1-5 code python "" "light()"|7-12 code go "" "trim()"`},
		{"a table of contents", lines("```{toctree}", ":maxdepth: 2", "", "oil", "The wick <care/wick>", "```"),
			`1 meta ""|2 meta ""|4-5 list "oil\nThe wick"|6 meta ""`},
		{"labels, comments, breaks", lines("(top)=", "# L", "", "% of the author", "Text.", "", "+++", "", "More."),
			`1 meta ""|2 heading "L"|4 meta ""|5 paragraph "Text."|7 meta ""|9 paragraph "More."`},
		{"roles", lines("(a)=", "", "See {ref}`the wick <wick>`, {func}`~lamp.trim`, {py:class}`Lamp`, {math}`\\pi`, {octicon}`alert`[](oil.md) and `{ref}`."),
			`1 meta ""|3 paragraph "See the wick, trim(), Lamp, \\pi, oil and {ref}." "trim()\nLamp\n\\pi\n{ref}"`},
		{"versions and steps of docs-builder", lines("Oil {applies_to}`stack: ga 9.1` burns.", "", ":::{stepper}", "::::{step} Fill it", "With oil.", "::::", ":::"),
			`1 paragraph "Oil (stack: ga 9.1) burns."|3 meta ""|4 paragraph "Fill it"|5 paragraph "With oil."|6 meta ""|7 meta ""`},
		{"in a list, of a version, a card", lines("- a", "", "  ```{tip}", "  Fill it.", "  ```", "", "```{versionadded} 1.2", "It is.", "```", "", ":::{card} Lamp", "Head", "^^^", "Body", ":::"),
			`1-5 list "a\nFill it."|7 paragraph "New in version 1.2"|8 paragraph "It is."|9 meta ""|11 paragraph "Lamp"|12 paragraph "Head"|13 meta ""|14 paragraph "Body"|15 meta ""`},
		{"a button, a picture", lines("```{button-ref} care/wick", ":color: red", "", "Trim it", "```", "", "```{image} a.png", ":alt: x", "```"),
			`1 meta ""|2 meta ""|4 paragraph "Trim it"|5 meta ""|7 meta ""|8 meta ""|9 meta ""`},
		{"directives that are not known are code", lines("```{note}", "a", "```", "", "```{autolamp} x", "b", "```"),
			`1-3 admonition "a"|5-7 code {autolamp} "x" "b"`},
		{"chunks of R are no directives", lines("```{r setup}", "library(lamp)", "```", "", "% 5", "x {y}`z`"),
			`1-3 code {r "" "library(lamp)"|5-6 paragraph "% 5 x {y}z" "z"`},
		{"a page that speaks of roles has none", lines("The role `{ref}`, and:", "", "% 5", "", "+++"),
			"1 paragraph \"The role {ref}, and:\" \"{ref}\"|3 paragraph \"% 5\"|5 paragraph \"+++\""},
		{"a role in the head of a fence makes no fence", lines("(a)=", "", "```{note} Mind {term}`it`", "", "End."),
			`1 meta ""|3 paragraph "` + "```{note} Mind {term}it" + `" "it"|5 paragraph "End."`},
	} {
		d, err := ParseMarkdown([]byte(tt.src), parse.Options{Path: "a.md"})
		var got []string
		for _, b := range d.Blocks {
			s := fmt.Sprint(b.Span.StartLine)
			if b.Span.Lines() > 1 {
				s += fmt.Sprintf("-%d", b.Span.EndLine)
			}
			s += " " + string(b.Kind)
			if b.Warning {
				s += "!"
			}
			if b.Lang != "" {
				s += " " + b.Lang
			}
			s += fmt.Sprintf(" %q", b.Text)
			if b.Code != "" {
				s += fmt.Sprintf(" %q", b.Code)
			}
			got = append(got, s)
		}
		if all := strings.Join(got, "|"); err != nil || all != tt.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, all, tt.want)
		}
	}
}

func TestMySTLinks(t *testing.T) {
	t.Parallel()
	d, err := ParseMarkdown([]byte("# L\n\n{ref}`The Wick <Wick-Care>` {doc}`care/oil` {doc}`/a <b>` {numref}`fig x`\n\n```{toctree}\noil\n```\n\n```{button-ref} wick\nGo\n```\n"), parse.Options{Path: "a.md"})
	var got []string
	for _, l := range d.Links {
		got = append(got, l.Text+"|"+l.Target)
	}
	if want := []string{"The Wick|label:wick-care", "oil|care/oil", "/a|b", "oil|oil", "Go|label:wick"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, the links are %q, want %q", err, got, want)
	}
}

// Pages of directives that never end, and of roles that never close, take time by their size.
func TestHostileMyST(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	for name, of := range map[string]func(n int) string{
		"open frames":  func(n int) string { return strings.Repeat("```{note}\n", n) },
		"open code":    func(n int) string { return strings.Repeat("```{code} a\n:x: y\n", n) },
		"open colons":  func(n int) string { return strings.Repeat(":::{code} a\n", n) },
		"open options": func(n int) string { return strings.Repeat("```{note}\n---\na\n", n) },
		"trees":        func(n int) string { return strings.Repeat("```{toctree}\na\n", n) },
		"buttons": func(n int) string {
			return "```{button-ref} a\n" + strings.Repeat(":a: b\n", n) + strings.Repeat("c\n", n)
		},
		"roles":  func(n int) string { return "(a)=\n" + strings.Repeat("{ref}``` ", n) },
		"braces": func(n int) string { return "(a)=\n" + strings.Repeat("{", n) + strings.Repeat("[](", n/40) + "}`" },
		"ticks":  func(n int) string { return "(a)=\n{x}`" + strings.Repeat("` `` ", n) },
	} {
		took := hostiletest.ProcessorTime(func() {
			if _, err := ParseMarkdown([]byte(of(40_000)), parse.Options{Path: "a.md"}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if took > 20*time.Second {
			t.Errorf("%s: %v", name, took)
		}
	}
}
