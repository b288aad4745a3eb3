package notebook_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/notebook"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	parsetest.Golden(t, notebook.Parser{}, parsetest.Sources(t, "testdata/*.ipynb"), *update)
}

// Every line of the text says on which line of the file it stands, whatever the order of
// the members of a cell and however its text is cut into strings.
func TestPlaces(t *testing.T) {
	t.Parallel()
	src := "{\"metadata\":{\"language_info\":{\"name\":\"R\"}},\n\"cells\":[{\"source\":[\"one \",\n\"and\\n\\ntwo\\n\",\n\"three\"],\n\"cell_type\":\"markdown\"},\n" +
		"{\"cell_type\":\"code\",\"source\":\"f()\\n````\\ng()\"}]}"
	d, err := notebook.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "a.ipynb"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, line := range strings.Split(strings.TrimSuffix(string(d.Text), "\n"), "\n") {
		got = append(got, fmt.Sprintf("%d %s", d.Location(i+1).Line, line))
	}
	if want := "2 one and|3 |3 two|4 three|6 |6 `````r|6 f()|6 ````|6 g()|6 `````"; strings.Join(got, "|") != want {
		t.Errorf("the lines are %q, want %q", strings.Join(got, "|"), want)
	}
}

// Notebooks before version 4 have worksheets, inputs and headings.
func TestOldNotebooks(t *testing.T) {
	t.Parallel()
	src := `{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"heading","level":2,"source":["Oil"]},{"cell_type":"code","input":["burn()"],"outputs":[]}]}]}`
	d, err := notebook.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "a.ipynb"})
	if err != nil || string(d.Text) != "## Oil\n\n```\nburn()\n```\n" {
		t.Errorf("%q, %v", d.Text, err)
	}
}

// A file that is no notebook is shown unchanged, with a warning.
func TestNoNotebook(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"", "{}", "[]", "{\"cells\":[{\"source\":[\"trim\"", "{\"cells\":[]} more", "trim\xff", "{\"cells\":[{\"cell_type\":}"} {
		d, err := notebook.Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: "a.ipynb"})
		if err != nil || len(d.Warnings) == 0 || !strings.Contains(d.Warnings[0], "no valid notebook") {
			t.Errorf("%q: %q, %v", src, d.Warnings, err)
		}
		if strings.Contains(src, "trim") && !strings.Contains(string(d.Text), "trim") {
			t.Errorf("%q is shown as %q", src, d.Text)
		}
	}
}

func hostile(n int) map[string]string {
	cells := func(c string) string { return `{"cells":[` + c + `]}` }
	md := func(s string) string { return `{"cell_type":"markdown","source":` + s + `}` }
	return map[string]string{
		"many cells":       cells(parsetest.Numbered(n, ",", `{"cell_type":"markdown","source":["# Wick %d"]}`)),
		"open fences":      cells(parsetest.Numbered(n, ",", `{"cell_type":"markdown","source":["~~~~ %d\n"]}`)),
		"deep":             cells(strings.Repeat("[", n) + strings.Repeat("]", n)),
		"deep outputs":     cells(`{"outputs":` + strings.Repeat(`[{"data":`, n) + "1" + strings.Repeat("}]", n) + `,"cell_type":"code"}`),
		"ticks":            cells(`{"cell_type":"code","source":"` + strings.Repeat("`", n) + `"}`),
		"a long line":      cells(md(`"` + strings.Repeat("wick ", n) + `"`)),
		"many strings":     cells(md("[" + strings.Repeat(`"w",`, n) + `"x"]`)),
		"control":          cells(md(`"\u0000\u001b[31m\ufeff a\u0007\r\n b"`)),
		"half surrogates":  cells(md(`"` + strings.Repeat(`\ud800`, n) + `"`)),
		"other kinds":      cells(`{"cell_type":7,"source":{"a":1}},{"cell_type":"heading","level":"x","source":"a"},7,null,"x"`),
		"empty heading":    cells(`{"cell_type":"heading","level":2,"source":[]},{"cell_type":"raw","source":""}`),
		"many outputs":     cells(`{"cell_type":"code","outputs":[` + strings.Repeat(`{"text":"a"},`, n) + `{"ename":"A","evalue":"b"}]}`),
		"a strange kernel": `{"metadata":{"language_info":{"name":"a\nb` + "`" + `"},"kernelspec":7},"cells":[{"cell_type":"code","source":"x"}]}`,
		"ends early":       cells(md(`["a",`))[:40],
	}
}

func TestHostile(t *testing.T) {
	t.Parallel()
	parsetest.Hostile(t, notebook.Parser{}, "a.ipynb", hostile, nil)
	parsetest.Canceled(t, notebook.Parser{}, "a.ipynb", hostile(4)["many cells"])
	if p := (notebook.Parser{}).Info(); p.Format != doc.FormatNotebook {
		t.Errorf("%+v", p)
	}
}

func FuzzParse(f *testing.F) {
	parsetest.FuzzParser(f, notebook.Parser{}, parse.Options{Path: "a.ipynb"},
		parsetest.AllSeeds(parsetest.Sources(f, "testdata/*.ipynb"), hostile(4))...)
}
