package asciidoc_test

import (
	"strings"
	"testing"
)

// Code in which attributes and marks are replaced, and quotes with the name of who said them.
func TestSubstitutionsAndCredits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"none":              {"----\nlamp *{oil}* _x_\n----", "```\nlamp *{oil}* _x_\n```"},
		"attributes":        {"[source,sh,subs=\"attributes+,+macros\"]\n----\nlamp {oil} {wick}\n----", "```sh\nlamp whale {wick}\n```"},
		"marks":             {"[source,sh,subs=+quotes]\n----\n*lamp -l* _FILE_ a*b*c snake_case_name\n----", "```sh\nlamp -l FILE a*b*c snake_case_name\n```"},
		"marks with roles":  {"[source,sh,subs=+quotes]\n----\nlamp [.var]_FILE_ x[.y] a[1]_b_ [#z.w]#it#\n----", "```sh\nlamp FILE x[.y] a[1]b it\n```"},
		"all, in a listing": {"[listing,subs=normal]\nlamp *{oil}*", "```\nlamp whale\n```"},
		"a quote":           {"[quote, Ann Lamplighter, Lamps]\n____\nTrim it.\n____", "> Trim it.\n>\n> — Ann Lamplighter, Lamps"},
		"a quote of a line": {"[quote,attribution=Ann]\nTrim it.", "> Trim it.\n>\n> — Ann"},
		"a verse":           {"[verse, Ann]\nTrim\nit.", "Trim\\\nit.\n\n— Ann"},
		"of nobody":         {"[quote]\nTrim it.", "> Trim it."},
	} {
		if got := strings.TrimSpace(string(parsed(t, "= Lantern\n:oil: whale\n\n"+c.src+"\n").Text)); got != "# Lantern\n\n"+c.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// An example that is part of a file stands at the margin where its block asks for it, as most in
// Spring's manuals do.
func TestIndentOfCode(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"[source,c,indent=0]\n----\n        light();\n\n          trim();\n----\n": "```c\nlight();\n\n  trim();\n```\n",
		"[source,c,indent=2]\n----\n        light();\n----\n":                      "```c\n  light();\n```\n",
		"[source,c]\n----\n    light();\n----\n":                                   "```c\n    light();\n```\n",
		":source-indent: 0\n\n[source,c]\n----\n    light();\n----\n":              "```c\nlight();\n```\n",
		"[source,c,indent=99999999]\n----\n    light();\n----\n":                   "```c\n    light();\n```\n",
	} {
		if got := string(parsed(t, src).Text); got != want {
			t.Errorf("%q is\n%s\nwant\n%s", src, got, want)
		}
	}
}
