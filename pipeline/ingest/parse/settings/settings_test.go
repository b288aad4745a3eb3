package settings_test

import (
	"errors"
	"flag"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/settings"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, settings.Parser{}, parsetest.Sources(t, "testdata/*.yaml"), *update)
}

func parsePage(t *testing.T, src string, opt parse.Options) doc.Document {
	t.Helper()
	return parsetest.Document(t, settings.Parser{}, src, opt)
}

// A file is one of settings if comments explain its keys; manifests, lists and data are none.
func TestWhichFilesAreSettings(t *testing.T) {
	t.Parallel()
	explained := "# How long it is.\na: 1\n# Which colour it has.\nb:\n  # Where it stands, and why.\n  c: 2\n"
	for src, want := range map[string]bool{
		explained: true, "# -- one\na: 1\n# -- two\nb: 2\n# -- three\nc: 3\n": true, "a: 1\nb: 2\n": false, "": false,
		"apiVersion: v1\nkind: A\n" + explained: false, "openapi: 3.0.0\n" + explained: false, "# only\n# comments are here, many\n": false,
	} {
		if (settings.Parser{}).Info().Sniff([]byte(src)) != want {
			t.Errorf("%q is a file of settings: %v", src, !want)
		}
	}
	for _, src := range []string{"- a\n- b\n", "", "# nothing\n", "a"} {
		_, err := settings.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "a.yaml"})
		if _, ok := errors.AsType[parse.LeftOut](err); !ok {
			t.Errorf("%q: %v", src, err)
		}
	}
}

// A file that is no valid YAML is shown unchanged, with a warning.
func TestNoYAML(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"# a\na: [\nwick: x\n", "a: {{ .Values.wick }}: b\n", "\ta: wick\n", "a: *wick\n"} {
		d := parsePage(t, src, parse.Options{Path: "a.yaml"})
		if len(d.Warnings) == 0 || !strings.Contains(string(d.Text), "wick") {
			t.Errorf("%q is %q, with the warnings %q", src, d.Text, d.Warnings)
		}
	}
}

// Signs of comments in texts are no comments, and comments between keys are those of the next
// one.
func TestComments(t *testing.T) {
	t.Parallel()
	d := parsePage(t, "a: 'x # y' # said\nb: \"# no\"\nc:\n  d: |\n    # in it\n    text\n  # of e\n  e: 1\n\n  # of none\n# of f\nf: 2\n---\n# of g\ng: 3\n", parse.Options{Path: "a.yaml"})
	want := "- `b`: `\"# no\"`\n\n## a\n\n**Type:** string. Default: `'x # y'`.\n\nsaid\n\n## c\n\n- `c.d`:\n\n  ```yaml\n  # in it\n  text\n  ```\n\n### c.e\n\n" +
		"**Type:** int. Default: `1`.\n\nof e\n\nof none\n\n## f\n\n**Type:** int. Default: `2`.\n\nof f\n\n## g\n\n**Type:** int. Default: `3`.\n\nof g\n"
	if string(d.Text) != want {
		t.Errorf("the page is\n%s\nwant\n%s", d.Text, want)
	}
}

func hostile(n int) map[string]string {
	deep := ""
	for i := range min(n, 200) {
		deep += strings.Repeat(" ", i) + "# explained here\n" + strings.Repeat(" ", i) + "a:\n"
	}
	return map[string]string{
		"many keys":     parsetest.Numbered(n, "\n", "# a key of many\nk%d: 1"),
		"bare keys":     parsetest.Numbered(n, "\n", "k%d: 1"),
		"deep":          deep,
		"flow":          "a: " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n",
		"open flow":     "# a\na: " + strings.Repeat("{", n),
		"comments":      "a: 1\n" + strings.Repeat("# wick\n", n),
		"blocks":        "a: 1\n" + strings.Repeat("# wick\n# b: 1\n\n", n) + "c: 2\n",
		"documents":     strings.Repeat("---\n# of a\na: 1\n", n),
		"params":        parsetest.Numbered(n, "\n", "# @param a.b%d [x] text") + "\na:\n  c: 1\n",
		"aliases":       "a: &a [1]\nb: &b [*a, *a]\nc: [*b, *b]\n# said of d\nd: *b\n",
		"own alias":     "a: &a\n  b: *a\n",
		"merges":        "a: &a {b: 1}\nc:\n  <<: *a\n",
		"keys":          "? [a, b]\n: c\n? |\n  x\n: d\n\"e\\nf\": 1\n# of g\n\"g h\": 2\n",
		"same keys":     "a: 1\nb: 2\n# more\nc: {a: 1}\n",
		"long lines":    "# " + strings.Repeat("wick ", n) + "\na: " + strings.Repeat("x", n) + "\n",
		"quotes":        "a: \"" + strings.Repeat("\\\"#", n) + "\"\n# b\nb: '" + strings.Repeat("''", n) + "'\n",
		"control":       "# a\x01\x1b[31m\na: 1\n",
		"not UTF-8":     "# f\xfcr\na: 1\n",
		"schemas":       strings.Repeat("# @schema\n# type: x\n", n) + "a: 1\n",
		"backticks":     "# " + strings.Repeat("`[a](", n) + "\na: 1\n",
		"carriage":      "# a\r\na: 1\r\n\r\n# b\r\nb:\r\n  - c\r\n",
		"tabs":          "a:\n  - b\n\t# c\n",
		"a title alone": "a:\n",
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, settings.Parser{}, "a.yaml", hostile, func(t *testing.T, name, src string, d doc.Document) {
		if len(d.Text) > 20*len(src)+1<<20 {
			t.Errorf("%s: %d bytes became %d", name, len(src), len(d.Text))
		}
	})
	parsetest.Canceled(t, settings.Parser{}, "a.yaml", "# a\na: 1\n")
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, settings.Parser{}, parse.Options{Path: "a.yaml"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.yaml"), hostile(4))...)
}
