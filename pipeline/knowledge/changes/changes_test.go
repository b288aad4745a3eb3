package changes_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/markdown"
	"docent/pipeline/knowledge/changes"
	"docent/pipeline/knowledge/parameters"
	"docent/store/doc"
)

// version reads pages of Markdown, by their paths.
func version(t testing.TB, older *changes.Version, pages map[string]string) *changes.Version {
	t.Helper()
	v := changes.NewVersion(older)
	for _, path := range slices.Sorted(maps.Keys(pages)) {
		d, err := markdown.ParseMarkdown([]byte(pages[path]), parse.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		p := changes.Page{Path: path, Title: d.Title, Text: d.Text, Sections: d.Sections}
		paths := doc.SectionPaths(d.Sections)
		for _, x := range parameters.ReadParameters(d) {
			p.Parameters = append(p.Parameters, changes.Name{Name: x.Name, Aliases: x.Aliases, Type: x.Type, Default: x.Default,
				Description: x.Description, Form: x.Form,
				Place: changes.Place{Path: path, SectionPath: paths[x.Section], Lines: [2]int{x.First, x.Last}}})
		}
		v.Add(p)
	}
	return v
}

// story is what became of names, a line each.
func story(found []changes.Change) string {
	var out []string
	for _, c := range found {
		l := fmt.Sprintf("%s %s", c.Name, c.Kind)
		if c.Replacement != "" {
			l += " " + c.Replacement
		}
		if c.From != "" {
			l += " " + c.From + " → " + c.To
		}
		if c.Perhaps != "" {
			l += "?"
		}
		out = append(out, l)
	}
	return strings.Join(out, "; ")
}

// table is a page with a table of settings: rows of name, type, default and description.
func table(rows ...string) string {
	return "# Settings\n\n| setting | type | default | description |\n| --- | --- | --- | --- |\n" + strings.Join(rows, "\n") + "\n"
}

const wick = "| `wick_length` | int | `6` | How long the wick is, in millimetres. |"

func TestWhatBecameOfAName(t *testing.T) {
	t.Parallel()
	before := map[string]string{"settings.md": table(wick, "| `oil` | string | | Which oil is burned. |")}
	oil := "| `oil` | string | | Which oil is burned. |"
	for name, c := range map[string]struct {
		after map[string]string
		want  string
	}{
		"nothing":                      {before, ""},
		"it is gone":                   {map[string]string{"settings.md": table(oil)}, "wick_length removed"},
		"its page is gone":             {map[string]string{"other.md": table(oil)}, "wick_length removed"},
		"it stands on another page":    {map[string]string{"other.md": table(wick, oil)}, ""},
		"it is told of in text":        {map[string]string{"settings.md": table(oil) + "\nGive `wick_length` in the file.\n"}, ""},
		"it is told of among changes":  {map[string]string{"settings.md": table(oil), "changelog.md": "# Changes\n\n`wick_length` was new in 1.\n"}, "wick_length removed"},
		"a sentence removes it":        {map[string]string{"settings.md": table(oil) + "\nThe option `wick_length` was removed in 2.\n"}, "wick_length removed"},
		"a sentence removes two":       {map[string]string{"settings.md": table(oil) + "\n- Removed `soot` and `wick_length`.\n"}, "wick_length removed"},
		"a sentence renames it":        {map[string]string{"settings.md": table(oil) + "\n`wick_length` has been renamed to `wick_size`.\n"}, "wick_length renamed wick_size"},
		"a sentence of another order":  {map[string]string{"settings.md": table(oil) + "\nRenamed `wick_length` to `wick_size`.\n"}, "wick_length renamed wick_size"},
		"a heading tells its old name": {map[string]string{"settings.md": table(oil) + "\n## `wickSize`\n\nRenamed from `wick_length` in 2.\n"}, "wick_length renamed wickSize"},
		"a table of old and new names": {map[string]string{"settings.md": table(oil) + "\n| Lantern 1 | Lantern 2 |\n| --- | --- |\n| `wick_length` | `wick_size` |\n"}, "wick_length renamed wick_size"},
		"a list of old and new names":  {map[string]string{"settings.md": table(oil), "migration.md": "# Migration\n\n- `wick_length` → `wick_size`\n"}, "wick_length renamed wick_size"},
		"a list of what was removed":   {map[string]string{"settings.md": table(oil), "new.md": "# New\n\n## Removed options\n\n- `wick_length`: use `wick_size` instead\n"}, "wick_length removed wick_size"},
		"its description has a name":   {map[string]string{"settings.md": table(oil, "| `wick_size` | int | `6` | How long the wick is, in millimetres. |")}, "wick_length renamed wick_size"},
		"another spelling":             {map[string]string{"settings.md": table(oil, "| `wickLength` | int | `6` | The wick. |")}, "wick_length renamed wickLength"},
		"another default":              {map[string]string{"settings.md": table(strings.Replace(wick, "`6`", "`7`", 1), oil)}, "wick_length default 6 → 7"},
		"the same default in words":    {map[string]string{"settings.md": table(strings.Replace(wick, "`6`", "`6.0`", 1), oil)}, ""},
		"a default in words":           {map[string]string{"settings.md": table(strings.Replace(wick, "`6`", "as long as needed", 1), oil)}, "wick_length default 6 → as long as needed?"},
		"a default with a remark":      {map[string]string{"settings.md": table(strings.Replace(wick, "`6`", "`6` in winter", 1), oil)}, ""},
		"another type":                 {map[string]string{"settings.md": table(strings.Replace(wick, "int", "string", 1), oil)}, "wick_length type int → string"},
		"another word for its type":    {map[string]string{"settings.md": table(strings.Replace(wick, "int", "Integer", 1), oil)}, ""},
		"it is deprecated in its row":  {map[string]string{"settings.md": table(strings.Replace(wick, "How", "Deprecated: use `wick_size`. How", 1), oil)}, "wick_length deprecated wick_size"},
		"it is deprecated in text":     {map[string]string{"settings.md": table(wick, oil) + "\n`wick_length` is deprecated. Use `wick_size` instead.\n"}, "wick_length deprecated wick_size"},
		"a part of it is deprecated":   {map[string]string{"settings.md": table(wick, oil) + "\nThe value for `wick_length` is deprecated.\n"}, ""},
		"it is not deprecated":         {map[string]string{"settings.md": table(wick, oil) + "\n`wick_length` is no longer deprecated.\n"}, ""},
		"others that are deprecated":   {map[string]string{"settings.md": table(strings.Replace(wick, "How", "Warns of deprecated wicks. How", 1), oil)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old := version(t, nil, before)
			found := changes.Compare(old, version(t, old, c.after))
			if got := story(found); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			for _, x := range found {
				if x.Before.Path != "settings.md" || x.Before.Lines[0] != 5 {
					t.Errorf("it was documented at %+v", x.Before)
				}
			}
		})
	}
}

func TestNamesOfHeadings(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{
		"`lamp.trim(wick[, length])`":  "lamp.trim removed",
		"lamp.trim(wick)":              "lamp.trim removed",
		"Class: LampKeeper":            "LampKeeper removed",
		"`.toShine()`":                 "toShine removed",
		"server.port":                  "server.port removed",
		"`lamp::trim`":                 "lamp.trim removed",
		"`douse()` *(deprecated)*":     "douse removed",
		"Trim the wick (twice)":        "",
		"Overview":                     "",
		"lantern.yml":                  "",
		"Version 1.2":                  "",
		"Class: the first of the lamp": "",
	} {
		before := version(t, nil, map[string]string{"api.md": "# API\n\n## " + heading + "\n\nSomething about it.\n"})
		if got := story(changes.Compare(before, version(t, before, nil))); got != want {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}

func TestPagesAboutOneName(t *testing.T) {
	t.Parallel()
	before := version(t, nil, map[string]string{"rules/no-soot.md": "# no-soot\n\nNo soot.\n", "rules/no-oil.md": "# Clean glass (no-oil)\n\nNo oil.\n",
		"first-steps.md": "# First steps\n\nLight it.\n", "rules/no-rust.md": "# no-rust\n\nNo rust.\n"})
	after := version(t, before, map[string]string{"rules/no-oil.md": "---\ndeprecated: true\n---\n# Clean glass (no-oil)\n\nNo oil.\n",
		"rules/no-rust.md": "# no-rust\n\nNo rust at all.\n"})
	if got := story(changes.Compare(before, after)); got != "no-oil deprecated; no-soot removed" {
		t.Error(got)
	}
}

// A name that stands below keys says below which, and one of several places which changed.
func TestFormsOfAName(t *testing.T) {
	t.Parallel()
	before := version(t, nil, map[string]string{
		"a.md": "# Settings\n\n## [server]\n\n### port\n\nDefault: `80`\n\nThe port.\n",
		"b.md": "# Settings\n\n## [client]\n\n### port\n\nDefault: `90`\n\nThe port.\n"})
	after := version(t, before, map[string]string{
		"a.md": "# Settings\n\n## [server]\n\n### port\n\nDefault: `81`\n\nThe port.\n",
		"b.md": "# Settings\n\n## [client]\n\n### port\n\nDefault: `90`\n\nThe port.\n"})
	found := changes.Compare(before, after)
	if len(found) != 1 || story(found) != "port default 80 → 81" || !found[0].Partial ||
		!slices.EqualFunc(found[0].Parents, [][]string{{"server"}}, slices.Equal) || found[0].After.Lines[0] != 5 {
		t.Errorf("%s: %+v", story(found), found)
	}
}

// flags is a page of a command with a list of its flags.
func flags(command string, names ...string) string {
	text := "# lantern " + command + "\n\nWorks at the lamp.\n\n## Options\n\n"
	for _, n := range names {
		text += "- `" + n + "`: how the lamp burns with it.\n"
	}
	return text
}

// A flag that one command lost is gone for it, although others have it.
func TestFlagsOfSomeCommands(t *testing.T) {
	t.Parallel()
	before := map[string]string{"trim.md": flags("trim", "--smoke", "--length", "--quiet"), "light.md": flags("light", "--smoke", "--oil")}
	section := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "## Options\n\n", ""), "# ", "## ")
	}
	one := func(pages map[string]string) map[string]string {
		return map[string]string{"commands.md": "# Commands\n\n" + section(pages["trim.md"]) + "\n" + section(pages["light.md"])}
	}
	light := flags("light", "--smoke", "--oil")
	for name, c := range map[string]struct {
		after map[string]string
		want  string
	}{
		"nothing":                   {before, ""},
		"one lost it":               {map[string]string{"trim.md": flags("trim", "--length", "--quiet"), "light.md": light}, "--smoke removed [trim]"},
		"its page is gone":          {map[string]string{"light.md": light}, "--length removed []; --quiet removed []"},
		"its text names it":         {map[string]string{"trim.md": flags("trim", "--length", "--quiet") + "\nAs with `--smoke`.\n", "light.md": light}, ""},
		"a sentence says it":        {map[string]string{"trim.md": flags("trim", "--length", "--quiet") + "\n`--smoke` was removed in 2.\n", "light.md": light}, "--smoke removed [trim]"},
		"it moved to a page of all": {map[string]string{"trim.md": flags("trim", "--length", "--quiet"), "light.md": light, "all.md": flags("all", "--smoke")}, ""},
		"its page was written anew": {map[string]string{"trim.md": flags("trim", "--quiet", "--fast"), "light.md": light + "- `--length`: how the lamp burns with it.\n"}, ""},
	} {
		for form, shape := range map[string]func(map[string]string) map[string]string{
			"pages": func(p map[string]string) map[string]string { return p }, "sections": one,
		} {
			if form == "sections" && (c.after["trim.md"] == "" || c.after["all.md"] != "") {
				continue
			}
			old := version(t, nil, shape(before))
			var got []string
			for _, x := range changes.Compare(old, version(t, old, shape(c.after))) {
				got = append(got, fmt.Sprintf("%s %s %v", x.Name, x.Kind, x.Commands))
				if x.Name == "--smoke" && (x.After == nil || !x.Partial) {
					t.Errorf("%s in %s: %+v", name, form, x)
				}
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("%s in %s: %q, want %q", name, form, got, c.want)
			}
		}
	}
}

func TestInCommon(t *testing.T) {
	t.Parallel()
	a := version(t, nil, map[string]string{"a.md": table(wick, "| `oil` | string | | Which oil is burned. |")})
	b := version(t, a, map[string]string{"a.md": table(wick)})
	none := version(t, nil, map[string]string{"a.md": "# Nothing\n"})
	if got := changes.InCommon(a, b); got != .5 {
		t.Errorf("%v", got)
	}
	if got := changes.InCommon(none, b); got != 1 {
		t.Errorf("a version without names: %v", got)
	}
}

// Any pages are compared, and every change names a line of the page.
func FuzzCompare(f *testing.F) {
	f.Add(table(wick), "`wick_length` was renamed to `x`.")
	f.Add("# A\n\n## `b()`\n", "| a | b |\n|--|--|\n| `b` |")
	f.Add("```\n--a", "- `a` →")
	f.Fuzz(func(t *testing.T, a, b string) {
		before := version(t, nil, map[string]string{"a.md": a})
		after := version(t, before, map[string]string{"a.md": b})
		for _, c := range changes.Compare(before, after) {
			if c.Before.Lines[0] < 1 || c.Before.Lines[0] > doc.CountLines([]byte(a)) {
				t.Errorf("line %d of %q", c.Before.Lines[0], a)
			}
		}
	})
}
