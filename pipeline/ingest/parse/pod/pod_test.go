package pod_test

import (
	"errors"
	"flag"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/files"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/pod"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, pod.Parser{}, parsetest.Sources(t, "testdata/*.pod"), *update)
}

func parsePage(t *testing.T, src string, opt parse.Options) doc.Document {
	t.Helper()
	return parsetest.Document(t, pod.Parser{}, src, opt)
}

// Codes in each other, over lines, with brackets in them, and those that are left open.
func TestCodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"B<a I<b> C<c>>", "**a *b* `c`**"},
		{"C<< a->b >> C<<< x >> y >>> C<a->b>", "`a->b` `x >> y` `a-`b>"},
		{"C<open and B<x", "C\\<open and B\\<x"},
		{"I<over\ntwo> lines\nand three", "*over two* lines\nand three"},
		{"L<x|http://a.example/b> L<http://a.example> L<printf(3)>", "[x](http://a.example/b) [http://a.example](http://a.example) printf(3)"},
		{"L<perlfunc/open> L<\"Here\"> L</There and on>", "open in perlfunc [Here](#Here) [There and on](#There-and-on)"},
		{"=over\n\n=item * a\n\n=item 1\n\n=back\n\ntext", "- a\n\ntext"},
		{"=item a\n\nno list\n\n=back\n\n=back", "- **a**\n  no list"},
		{"=begin html\n\n<b>\n\n=head1 B", "\\<b>\n\n# B"},
		{"=unknown text\n\nmore", "text\n\nmore"},
		{"=over\n\nindented\n\n=back", "indented"},
	} {
		d := parsePage(t, "=pod\n\n"+tt.src+"\n", parse.Options{Path: "a.pod"})
		if got := strings.TrimSuffix(string(d.Text), "\n"); got != tt.want {
			t.Errorf("%q is read as\n%q, want\n%q", tt.src, got, tt.want)
		}
	}
}

// Of a module only the documentation is read, with its lines; one without any is left out.
func TestModules(t *testing.T) {
	t.Parallel()
	d := parsePage(t, "package A;\n\n=head1 NAME\n\nA - the lamp\n\n=cut\n\nsub a { 1 }\n\n=head2 a\n\nLights it.\n", parse.Options{Path: "lib/A.pm"})
	if string(d.Text) != "# NAME\n\nA - the lamp\n\n## a\n\nLights it.\n" || d.Title != "A" || d.About != "the lamp" || d.Location(7).Line != 13 {
		t.Errorf("the page is %q, called %q (%q), with the places %v", d.Text, d.Title, d.About, d.Map)
	}
	_, err := pod.Parser{}.Parse(t.Context(), []byte("package A;\n1;\n"), parse.Options{Path: "lib/A.pm"})
	if _, ok := errors.AsType[parse.LeftOut](err); !ok {
		t.Errorf("a module without documentation: %v", err)
	}
	d = parsePage(t, "=encoding latin1\n\nK\xe4fig\n", parse.Options{Path: "a.pod"})
	if string(d.Text) != "Käfig\n" || len(d.Warnings) > 0 {
		t.Errorf("%q, %q", d.Text, d.Warnings)
	}
}

// A link to a module leads to its file, and to the section there.
func TestLinksLeadToFiles(t *testing.T) {
	t.Parallel()
	folder := files.InFolder(t.TempDir(), func() []string { return []string{"lib/Lamp/Base.pm", "lib/Lamp/Guide.pod", "lib/Lamp.pm"} })
	d := parsePage(t, "=pod\n\nL<Lamp::Base> L<guide|Lamp::Guide/Trim it> L<Lamp::Gone> L<Lamp>\n", parse.Options{Path: "lib/Lamp/Guide.pod",
		Survey: func(_ string, of func(parse.Files) any) any { return of(folder) }})
	if want := "[Lamp::Base](Base.pm) [guide](Guide.pod#Trim-it) Lamp::Gone [Lamp](../Lamp.pm)\n"; string(d.Text) != want {
		t.Errorf("the links are\n%s, want\n%s", d.Text, want)
	}
}

// A link to a manual page leads to the page that has the name below its heading NAME, or as its file:
// of several to that in the folder of the chapter, and to none in the folder of another one.
func TestLinksLeadToManualPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for file, text := range map[string]string{
		"man1/lamp.pod":        "=head1 NAME\n\nlamp - a lamp\n",
		"man3/lamp_new.pod":    "=head1 NAME\n\nlamp_new, lamp_free,\nlamp - functions of lamps\n\n=head1 SYNOPSIS\n\nwick - no name\n",
		"filters/lamp-oil.pod": "=head1 NAME\n\nlamp-oil, wax - oil\n",
		"filters/wax.pod":      "=head1 NAME\n\nwax - wax\n",
		"man1/wick.pod.in":     "=head1 NAME\n\nwick - @VERSION@\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Join(dir, path.Dir(file)), 0o777), os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	folder := files.InFolder(dir, func() []string {
		return []string{"filters/lamp-oil.pod", "filters/wax.pod", "man1/lamp.pod", "man1/wick.pod.in", "man3/lamp_new.pod"}
	})
	src := "=pod\n\nL<lamp(1)> L<lamp(3)> L<lamp(8)> L<lamp_free(3)> L<free|lamp_free(3)/RETURN VALUES> L<lamp-oil(1)> L<wick(1)> L<oil(1)> L<wax(1)> " +
		"L<sh(1)/Pipes> L<lamp_new(3ossl)>\n"
	d := parsePage(t, src, parse.Options{Path: "man1/light.pod", Survey: func(_ string, of func(parse.Files) any) any { return of(folder) }})
	want := "[lamp(1)](lamp.pod) [lamp(3)](../man3/lamp_new.pod) lamp(8) [lamp_free(3)](../man3/lamp_new.pod) " +
		"[free](../man3/lamp_new.pod#RETURN-VALUES) [lamp-oil(1)](../filters/lamp-oil.pod) [wick(1)](wick.pod.in) oil(1) [wax(1)](../filters/wax.pod) Pipes in sh(1) " +
		"[lamp_new(3ossl)](../man3/lamp_new.pod)\n"
	if string(d.Text) != want {
		t.Errorf("the links are\n%s, want\n%s", d.Text, want)
	}
}

func hostile(n int) map[string]string {
	return map[string]string{
		"nested codes": "=pod\n\n" + strings.Repeat("B<I<", n) + "x" + strings.Repeat(">>", n),
		"open codes":   "=pod\n\n" + strings.Repeat("C<", n),
		"open runs":    "=pod\n\n" + strings.Repeat("C<< ", n),
		"mixed runs":   "=pod\n\n" + strings.Repeat("C<< B<", n) + strings.Repeat(" >>", n),
		"links":        "=pod\n\n" + strings.Repeat("L<a|L<b|", n) + strings.Repeat(">", n),
		"lists":        strings.Repeat("=over\n\n=item a\n\n", n),
		"items":        strings.Repeat("=item a\n\n", n),
		"backs":        strings.Repeat("=back\n\n=end\n\n", n),
		"begins":       strings.Repeat("=begin html\n\n", n),
		"headings":     parsetest.Numbered(n, "\n\n", "=head1 H%d"),
		"same heads":   strings.Repeat("=head2 x\n\n", n),
		"code":         "=pod\n\n" + strings.Repeat("\t a\n\n", n),
		"entities":     "=pod\n\n" + strings.Repeat("E<99999999999>E<x>E<0>E<7>", n),
		"signs":        "=pod\n\n" + strings.Repeat("=", n) + "\n=head9 x\n=head0\n=\n",
		"control":      "=pod\n\na\x00\x01 \x1b[31m\x07 B<b\x00c>\n",
		"not UTF-8":    "=pod\n\nf\xfcr I<x>\n",
		"no commands":  strings.Repeat("wick ", n),
		"index":        "=pod\n\n" + strings.Repeat("X<a>", n),
		"numbers":      "=over\n\n" + strings.Repeat("=item 999999999\n\n", n),
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, pod.Parser{}, "a.pod", hostile, func(t *testing.T, name, src string, d doc.Document) {
		if len(d.Text) > 8*len(src)+1<<20 {
			t.Errorf("%s: %d bytes became %d", name, len(src), len(d.Text))
		}
	})
	parsetest.Canceled(t, pod.Parser{}, "a.pod", "=head1 A\n")
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, pod.Parser{}, parse.Options{Path: "a.pod"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.pod"), hostile(4))...)
}

// Modules that Pod::Weaver completes when they are packed: the name is that of the package, and
// methods and attributes are headings below that of their kind, to which links lead.
func TestWoven(t *testing.T) {
	t.Parallel()
	src := "package Lamp::Oil;\n# ABSTRACT: what burns in a lamp\n\n=head1 DESCRIPTION\n\nIt burns. See L</trim>.\n\n=attr kind\n\nOf oil.\n\n" +
		"=method trim( $wick )\n\nTrims it.\n\n=method light\n\nLights it.\n\n=head1 SEE ALSO\n\n=cut\n\n1;\n"
	d := parsePage(t, src, parse.Options{Path: "lib/Lamp/Oil.pm"})
	want := "# DESCRIPTION\n\nIt burns. See [trim](#trim).\n\n# ATTRIBUTES\n\n## kind\n\nOf oil.\n\n# METHODS\n\n## trim( $wick )\n\n" +
		"Trims it.\n\n## light\n\nLights it.\n\n# SEE ALSO\n"
	if string(d.Text) != want || d.Title != "Lamp::Oil" || !strings.Contains(d.About, "what burns") {
		t.Errorf("%q, %q:\n%s", d.Title, d.About, d.Text)
	}
}
