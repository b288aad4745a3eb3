package deprecation_test

import (
	"strings"
	"testing"

	"docent/pipeline/knowledge/deprecation"
)

func TestSection(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ title, text, want, since string }{
		{"Oil lamps (deprecated)", "## Oil lamps (deprecated) {#oil}\n\nThey burn.\n", "Oil lamps (deprecated)", ""},
		{"Wicks", "## Wicks\n\nDeprecated since version 3.2.\n", "Deprecated since version 3.2.", "3.2"},
		{"Wicks", "## Wicks\n\n*Deprecated since version 3.2*: Use candles instead.\n", "Deprecated since version 3.2: Use candles instead.", "3.2"},
		{"Wicks", "## Wicks\n\n> [!WARNING]\n> **Deprecated**: use candles.\n", "Deprecated: use candles.", ""},
		{"Wicks", "## Wicks\n\n::: deprecated\nUse candles.\n:::\n", "::: deprecated", ""},
		{"Wicks", "## Wicks\n\n!!! warning \"Deprecated\"\n    Use candles.\n", "!!! warning \"Deprecated\"", ""},
		{"Wicks", "## Wicks\n\n<span class=\"badge\">Deprecated</span>\n", "<span class=\"badge\">Deprecated</span>", ""},
		{"Wicks", "## Wicks\n\n{{< feature-state for_k8s_version=\"v1.21\" state=\"deprecated\" >}}\n", "{{< feature-state for_k8s_version=\"v1.21\" state=\"deprecated\" >}}", "1.21"},
		{"Wicks", "## Wicks\n\nThis section is deprecated.\n", "This section is deprecated.", ""},
		{"`lamp wick`", "### `lamp wick`\n\nIt lights.\n\nThe `lamp wick` command has been deprecated in favor of `lamp light`.\n", "The lamp wick command has been deprecated in favor of lamp light.", ""},
		{"wick(1)", "DEPRECATED\n\nUse light(1).\n", "DEPRECATED", ""},
	} {
		got, ok := deprecation.Section(tt.title, tt.text)
		if !ok || got.Text != tt.want || got.Since != tt.since {
			t.Errorf("%q: %+v, %v", tt.text, got, ok)
		}
		if lines := strings.Split(tt.text, "\n"); ok && !strings.Contains(strings.ToLower(lines[got.Line]), "deprecated") {
			t.Errorf("%q: line %d", tt.text, got.Line)
		}
	}
}

// What tells of deprecated things is not deprecated.
func TestSectionInPassing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"## Locate use of deprecated APIs\n\nRun it.\n",
		"## Wicks\n\n*Deprecated since version 3.2*: The `whitelist` argument is deprecated.\n",
		"## Wicks\n\nThe `trim` flag is deprecated.\n",
		"## Wicks\n\n```\nDeprecated: use candles.\n```\n",
		"## Wicks\n\n- Deprecated: the flag `trim`.\n",
		"## Wicks\n\n- **trim** (string)\n\n  Deprecated: no longer used.\n",
		"## Wicks\n\n| flag | |\n| --- | --- |\n| trim | Deprecated: use cut |\n",
		"## Wicks\n\n<table>\n<tr><td>\n<p>trim</p>\n\nDeprecated: no longer has any effect.\n\n</td></tr></table>\n",
		"## 2.0\n\n**Deprecated**\n\n- the flag `trim`\n",
		"## Wicks\n\nA wick that was\ndeprecated in 1.29. It burns.\n",
		"## Wicks\n\nDeprecated metrics are slated for deletion.\n",
		"## Wicks\n\nThey are not obsolete.\n",
	} {
		if got, ok := deprecation.Section("Wicks", text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestMatter(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]deprecation.Notice{
		"---\ntitle: A\ndeprecated: true\n---\n":                 {Line: 2, Text: "deprecated: true"},
		"---\ndeprecated: Use B.\nsuperseded_by: b.md\n---\n":    {Line: 1, Text: "deprecated: Use B.", By: "b.md"},
		"---\nstatus: Deprecated\n---\n":                         {Line: 1, Text: "status: Deprecated"},
		"---\nreplaced-by: \"b.md\"\n---\n":                      {Line: 1, Text: "replaced-by: \"b.md\"", By: "b.md"},
		"+++\ndeprecated = true\n+++\n":                          {Line: 1, Text: "deprecated = true"},
		"---\ndeprecated_since: 4.2\n---\n":                      {Line: 1, Text: "deprecated_since: 4.2", Since: "4.2"},
		"---\r\ntitle: A\r\ndeprecated: yes\r\n---\r\nMore.\r\n": {Line: 2, Text: "deprecated: yes"},
	} {
		if got, ok := deprecation.Matter(head); !ok || got != want {
			t.Errorf("%q: %+v, %v", head, got, ok)
		}
	}
	for _, head := range []string{"", "# A\n\ndeprecated: true\n", "---\ndeprecated: false\n---\n", "---\nstatus: stable\n---\n", "---\nfields:\n  deprecated: true\n---\n",
		"---\ndeprecated: true\n", "---\nsupersedes: old.md\n---\n", "---\ndeprecated: []\n---\n", "---\ndeprecated:\n---\n"} {
		if got, ok := deprecation.Matter(head); ok {
			t.Errorf("%q: %+v", head, got)
		}
	}
}

func FuzzSection(f *testing.F) {
	f.Add("Wicks", "## Wicks\n\n> [!WARNING]\n> **Deprecated**\n")
	f.Add("", "<Deprecated>\n")
	f.Fuzz(func(t *testing.T, title, text string) {
		got, ok := deprecation.Section(title, text)
		if ok && (got.Line < 0 || got.Line > strings.Count(text, "\n") || got.Text == "") {
			t.Errorf("%+v", got)
		}
	})
}
