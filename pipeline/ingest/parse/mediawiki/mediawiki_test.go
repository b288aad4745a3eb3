package mediawiki_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/mediawiki"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, mediawiki.Parser{}, parsetest.Sources(t, "testdata/*.mediawiki"), *update)
}

func parsePage(t *testing.T, src string, opt parse.Options) doc.Document {
	t.Helper()
	return parsetest.Document(t, mediawiki.Parser{}, src, opt)
}

// Markup that is left open, in the wrong order or nested is read as MediaWiki shows it, and
// nothing of the text goes with it.
func TestInline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"It's '''bold''' and ''it's italic''", "It's **bold** and *it's italic*"},
		{"'''open\nnext line", "**open**\nnext line"},
		{"'''a ''b''''' c ''d", "**a *b*** c *d*"},
		{"'''''both'' bold'''", "***both* bold**"},
		{"[[unclosed and {{also\n\nnext ]] }}", "[[unclosed and {{also\n\nnext ]] }}"},
		{"a <!-- hidden\nstill --> b", "a b"},
		{"a <!-- never closed\nb", "a\nb"},
		{"<foo> is no tag, <span class=x>this</span> is; 1 < 2", "\\<foo> is no tag, this is; 1 < 2"},
		{"&lt;b&gt; &amp; <nowiki>[[x]] '''y'''</nowiki>", "\\<b> & [[x]] '''y'''"},
		{"<code>a_b * <nowiki>''c''</nowiki></code> <tt>d</tt>", "`a_b * ''c''` `d`"},
		{"{{abbr|AC|alternating current}} {{{1|default}}} {{PAGENAME}}", "AC alternating current default"},
		{"[https://a.example/x?a=b text] [https://a.example] [not a link]", "[text](https://a.example/x?a=b) [https://a.example](https://a.example) [not a link\\]"},
		{"[[:Category:Lamps|all lamps]] [[Category:X]]", "all lamps"},
		{"x<ref>note</ref> y", "x[1] y\n\n[1] note"},
		{"x<ref name=a/> y<ref name=\"a\">note</ref>", "x[1] y[1]\n\n[1] note"},
		{"* a\n** b\n*# c\n* d", "- a\n  - b\n\n  1. c\n\n- d"},
		{"# a\n#: more\n# b\n\n# c", "1. a\n\n   more\n\n2. b\n\n1) c"},
		{": indented\n:: deeper", "indented\n\ndeeper"},
		{"; term: text\n: more", "- **term**\n  text\n\n  more"},
		{"* code: <pre>\na  b\n</pre>\n* next", "- code:\n\n  ```\n  a  b\n  ```\n\n- next"},
		{"{|\n| a || b\n|-\n| c || d\n== Next ==\ntext", "| | |\n| --- | --- |\n| a | b |\n| c | d |\n\n## Next\n\ntext"},
		{"<div>one</div><div>two</div>", "one\n\ntwo"},
		{"<blockquote>\nsaid\n\nmore\n</blockquote>after", "> said\n>\n> more\n\nafter"},
	} {
		d := parsePage(t, tt.src, parse.Options{Path: "a.wiki"})
		if got := strings.TrimSuffix(string(d.Text), "\n"); got != tt.want {
			t.Errorf("%q is read as\n%q, want\n%q", tt.src, got, tt.want)
		}
	}
}

// A link leads to the file of a page, whatever spelling of its name it has; to a page that
// the doc set does not have it is text.
func TestLinksLeadToFiles(t *testing.T) {
	t.Parallel()
	folder := files.InFolder(t.TempDir(), func() []string {
		return []string{"guide/Lantern.wiki", "guide/Trim_the_wick.wiki", "Oil-kinds.mediawiki", "guide/Lantern/Parts.wiki"}
	})
	d := parsePage(t, "[[trim the wick]] [[Oil kinds#The best one|oil]] [[Nowhere]] [[#Here]] [[/Parts]]", parse.Options{Path: "guide/Lantern.wiki",
		Survey: func(_ string, of func(parse.Files) any) any { return of(folder) }})
	want := "[trim the wick](Trim_the_wick.wiki) [oil](../Oil-kinds.mediawiki#The_best_one) Nowhere [Here](#Here) [/Parts](Lantern/Parts.wiki)\n"
	if string(d.Text) != want {
		t.Errorf("the links are\n%s, want\n%s", d.Text, want)
	}
}

func TestRedirectsAreLeftOut(t *testing.T) {
	t.Parallel()
	src := []byte("#REDIRECT [[Oil lamp]]\n")
	_, err := mediawiki.Parser{}.Parse(t.Context(), src, parse.Options{Path: "a.wiki"})
	if left, ok := errors.AsType[parse.LeftOut](err); !ok || !strings.Contains(left.Error(), "Oil lamp") {
		t.Errorf("the error is %v", err)
	}
	for head, want := range map[string]bool{"== Oil ==\n": true, "see [[Oil]]": true, "'''Oil''' burns": true, "{{note|x}}": true,
		"%title Oil\n== Oil ==": false, "#summary Oil\n= Oil =": false, "plain text": false, "": false} {
		if (mediawiki.Parser{}).Info().Sniff([]byte(head)) != want {
			t.Errorf("%q is wikitext: %v", head, !want)
		}
	}
}

func hostile(n int) map[string]string {
	return map[string]string{
		"open templates":  strings.Repeat("{{a|", n),
		"nested":          strings.Repeat("{{a|", n) + strings.Repeat("}}", n),
		"open links":      strings.Repeat("[[a|", n),
		"nested links":    strings.Repeat("[[a|", n) + "x" + strings.Repeat("]]", n),
		"mixed":           strings.Repeat("{{[[", n) + strings.Repeat("}}]]", n),
		"closes":          strings.Repeat("}}]]|}", n),
		"quotes":          strings.Repeat("'''a''b", n),
		"many quotes":     strings.Repeat("'", n),
		"comments":        strings.Repeat("<!--\n", n),
		"open pre":        strings.Repeat("<pre>\n", n),
		"open tags":       strings.Repeat("<ref><blockquote><ul><li>", n),
		"closing tags":    strings.Repeat("</ref></blockquote></ul></li>\n", n),
		"many refs":       strings.Repeat("<ref name=a>x</ref>", n),
		"a note of notes": strings.Repeat("<ref>", n) + "x" + strings.Repeat("</ref>", n),
		"open tables":     strings.Repeat("{|\n| a\n", n),
		"nested tables":   strings.Repeat("{|\n|\n", n) + strings.Repeat("|}\n", n),
		"wide":            "{|\n|" + strings.Repeat("a||", n) + "\n|}",
		"spans":           "{|\n| rowspan=99999 colspan=99999 | a\n" + strings.Repeat("|-\n| b\n", n) + "|}",
		"deep list":       strings.Repeat("*#:;", n) + " x\n",
		"lists":           strings.Repeat("*# a\n#* b\n;c\n::d\n", n),
		"headings":        parsetest.Numbered(n, "\n", "== H %d =="),
		"signs":           strings.Repeat("=", n) + "\n" + strings.Repeat("-", n) + "\n==\n= =\n",
		"urls":            strings.Repeat("http", n) + strings.Repeat(" [http://a", n),
		"codes":           strings.Repeat("<code>", n) + "x",
		"bold tags":       strings.Repeat("<b>", n) + strings.Repeat("</b>", n),
		"control":         "a\x00\x01\x02 \x1b[31m\x07 {{a|\x021\x02}}\n",
		"not UTF-8":       "f\xfcr ''x''\n",
		"a long line":     strings.Repeat("wick <x ", n),
		"redirect":        "a\n#REDIRECT [[",
		"indented":        strings.Repeat(" code '''x'''\n", n),
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, mediawiki.Parser{}, "a.wiki", hostile, func(t *testing.T, name, src string, d doc.Document) {
		if len(d.Text) > 8*len(src)+1<<20 {
			t.Errorf("%s: %d bytes became %d", name, len(src), len(d.Text))
		}
	})
	parsetest.Canceled(t, mediawiki.Parser{}, "a.wiki", "== A ==\n")
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, mediawiki.Parser{}, parse.Options{Path: "a.wiki"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.mediawiki"), hostile(4))...)
}
