package page

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"docent/store/doc"
	"docent/tui/style"
)

func TestQuietLinks(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"see [oil](oil.md).":                          "see [oil](#).",
		"[a](a.md#x \"t\") and [b](../b/c_(d).md)":    "[a](# \"t\") and [b](#)",
		"[a](<a b.md>)":                               "[a](#)",
		"[a](/abs/path)":                              "[a](#)",
		"[a](https://example.org/x)":                  "[a](https://example.org/x)",
		"[a](mailto:keeper@example.org)":              "[a](mailto:keeper@example.org)",
		"[a](//example.org/x)":                        "[a](//example.org/x)",
		"![plan](plan.png) [![p](p.png)](page.md)":    "![plan](plan.png) [![p](p.png)](#)",
		"`[a](a.md)` and ``x ` [b](b.md)``":           "`[a](a.md)` and ``x ` [b](b.md)``",
		"```md\n[a](a.md)\n```\n[b](b.md)":            "```md\n[a](a.md)\n```\n[b](#)",
		"~~~\n```\n[a](a.md)\n~~~\n[b](b.md)":         "~~~\n```\n[a](a.md)\n~~~\n[b](#)",
		"    [code](a.md)\n    - [item](b.md)":        "    [code](a.md)\n    - [item](#)",
		"[oil]: oil.md \"Oil\"\n[web]: https://x.org": "[oil]: # \"Oil\"\n[web]: https://x.org",
		"[^1]: a note":                                "[^1]: a note",
		"\\[a](a.md":                                  "\\[a](a.md",
		"[broken](a\nb.md)":                           "[broken](a\nb.md)",
		"no links":                                    "no links",
	} {
		if got := quietLinks(in); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

// What a reader sees: the link's text, and no path that leads nowhere.
func TestRelativeLinksAreShownByTheirText(t *testing.T) {
	t.Parallel()
	p := Prepare(blocksPage(heading("Wicks"), doc.Block{Kind: doc.Paragraph, Text: "See [the settings](configuration.md) and [the shop](https://example.org/shop).\n"}))
	lines, err := (&Renderer{}).markdown(p.markdown(0), 76, style.NoColor)
	if err != nil {
		t.Fatal(err)
	}
	text := ansi.Strip(strings.Join(lines, "\n"))
	if !strings.Contains(text, "the settings and the shop https://example.org/shop.") {
		t.Errorf("got %q", text)
	}
}

func TestQuietLinksKeepsTheLines(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"[", "](", ")", "a.md", "`", "```", "\n", "]: ", "![", "<", ">", " ", "\\", "https://x", "灯"})).Draw(t, "parts"), "")
		got := quietLinks(in)
		if strings.Count(got, "\n") != strings.Count(in, "\n") || len(got) > len(in)+strings.Count(in, "]") {
			t.Fatalf("%q became %q", in, got)
		}
	})
}
