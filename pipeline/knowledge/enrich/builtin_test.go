package enrich

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
)

const lamps = `# Trimming wicks

import Lamp from './lamp'

**Note:** lamps get hot.

However, some lamps have none. A *wick* is the cotton that carries the oil to the flame. See [Oil](oil.md).

## Before you begin

* You need a cold lamp.
* Requires ` + "`lampctl`" + ` 2.0 or later.

## Cut the wick

For more information, see the manual. Use ` + "`lampctl trim`" + ` to cut the wick to **wick length** on each node of the cluster. The wick length counts.

` + "```bash\nsudo lampctl trim --length 5\n```" + `

> [!WARNING]
> Hot oil burns the skin.

Note: In some countries, wicks are made of wool.

## Ways of trimming

There are two ways of trimming:

- by hand
- by machine

## Tables

### Of oil
### Of cotton

## What's next

- [Burning oil](burn.md)
- [The lamp handbook](https://lamps.example.org/handbook)
`

func read(t testing.TB, name, text string) *Page {
	t.Helper()
	reg, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	d, err := reg.Parse(t.Context(), []byte(text), parse.File{Path: name, Layout: "tree"})
	if err != nil {
		t.Fatal(err)
	}
	return ReadPage("Lantern@2.1", d)
}

func TestTheBuiltinEngine(t *testing.T) {
	t.Parallel()
	p := read(t, "wicks.md", lamps)
	by := map[string]Enrichment{}
	for _, s := range p.AllSpans() {
		e := p.Builtin(s.Section)
		if err := e.Check(); err != nil {
			t.Errorf("%q: %v: %+v", s.SectionPath, err, e)
		}
		if again := read(t, "wicks.md", lamps).Builtin(s.Section); !reflect.DeepEqual(e, again) {
			t.Errorf("%q a second time: %+v, %+v", s.SectionPath, e, again)
		}
		by[s.Title] = e
	}
	for title, want := range map[string]string{
		"Trimming wicks":   "A wick is the cotton that carries the oil to the flame.",
		"Cut the wick":     "Use lampctl trim to cut the wick to wick length on each node of the cluster.",
		"Ways of trimming": "There are two ways of trimming: by hand; by machine",
		"Tables":           "Tables: Of oil; Of cotton",
		"Of oil":           "Of oil",
	} {
		if got := by[title].Summary; got != want {
			t.Errorf("%s: %q, want %q", title, got, want)
		}
	}
	cut := by["Cut the wick"]
	if !cut.CodeExamples || cut.Audience != admin || !slices.Contains(cut.KeyConcepts, "lampctl trim") || !slices.Contains(cut.KeyConcepts, "wick length") {
		t.Errorf("%+v", cut)
	}
	if !slices.Equal(cut.Warnings, []string{"Hot oil burns the skin."}) {
		t.Errorf("warnings %q", cut.Warnings)
	}
	if got := strings.Join(by["Before you begin"].Prerequisites, "; "); !strings.Contains(got, "a cold lamp") || !strings.Contains(got, "lampctl") {
		t.Errorf("prerequisites %q", got)
	}
	if got := by["What's next"].RelatedTopics; !slices.Contains(got, "Burning oil") {
		t.Errorf("related %q", got)
	}
	options := read(t, "options.md", "# Options\n\n| Option | Type | Description |\n| --- | --- | --- |\n| `--length` | int | How much of the wick stays, in mm. |\n| `--dry` | bool | Nothing is cut. |\n").Builtin(0)
	if want := []Parameter{{"--length", "int", "How much of the wick stays, in mm."}, {"--dry", "bool", "Nothing is cut."}}; !slices.Equal(options.Parameters, want) {
		t.Errorf("%+v", options.Parameters)
	}
	if by["Tables"].CodeExamples || by["Tables"].Audience != mixed {
		t.Errorf("%+v", by["Tables"])
	}
}

// Underscores inside of names and shortcodes are no emphasis: "tooltip term" was a concept
// of each page of Kubernetes that has a glossary_tooltip term_id.
func TestUnderscoresInNamesAreNoEmphasis(t *testing.T) {
	t.Parallel()
	got := read(t, "a.md", "# Lamps\n\nThe {{< lamp_tooltip term_id=\"wick\" >}} and the old_lamp burns_well today. An _oil lamp_ is (_very old_).\n").Builtin(Whole).KeyConcepts
	if !slices.Contains(got, "oil lamp") || !slices.Contains(got, "very old") {
		t.Errorf("emphasis is missing in %q", got)
	}
	if slices.ContainsFunc(got, func(c string) bool { return strings.Contains(c, "tooltip") || strings.Contains(c, "lamp burns") }) {
		t.Errorf("parts of names in %q", got)
	}
}

// What a setting does is said first, also where that is no whole sentence; sentences behind
// it that define a value or begin with a condition were taken instead.
func TestSummariesOfSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"The port to use for the lamp. An empty string means the default port.", "The port to use for the lamp."},
		{"Whether to keep the flame small. If this is set to true, the wick lasts longer than the oil.", "Whether to keep the flame small."},
		{"Keep the flame across nights. Lower levels are cheaper, and higher levels burn brighter.", "Keep the flame across nights."},
		{"This is a gas-specific setting.\n\nWhen it is set to false, no gas is let in at the beginning.", "When it is set to false, no gas is let in at the beginning."},
		{"Most people need none of this here. Wicks are cotton that carries oil.", "Wicks are cotton that carries oil."},
	} {
		if got := read(t, "a.md", "# All\n\n## wick\n\n"+tt.text+"\n").Summary(1); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// A page's spans have the ids of the specification, with ~2 for a path that repeats, and
// hashes that change with their text alone.
func TestSpans(t *testing.T) {
	t.Parallel()
	const text = "# A\n\nOne.\n\n## B\n\nTwo.\n\n## B\n\nThree.\n"
	p, q := read(t, "a.md", text), read(t, "a.md", strings.Replace(text, "Three", "Four", 1))
	a, b := p.AllSpans(), q.AllSpans()
	var ids []string
	for i, s := range a {
		ids = append(ids, s.ID)
		if changed := a[i].Hash != b[i].Hash; changed != (s.Section == Whole || s.SectionPath == "A > B~2") {
			t.Errorf("%q: changed is %v", s.SectionPath, changed)
		}
	}
	if got := SpanIDs("Lantern@2.1/a.md", p.d.Sections); !slices.Equal(got, ids) {
		t.Errorf("%q, %q", got, ids)
	}
	if s, ok := p.FindSpan("A > B~2"); !ok || s.ID != a[3].ID || s.ID == a[2].ID || p.Text(s, 100) != "## B\n\nThree.\n" {
		t.Errorf("%+v %v", s, ok)
	}
	if _, ok := p.FindSpan("A > C"); ok {
		t.Error("a section that is not there is found")
	}
}

// Hostile pages end soon, with valid enrichments.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":    "",
		"sections": "# T\n\n" + strings.Repeat("## S\n\nA section about lamps and oil. See [b](b.md).\n\n", 3000),
		"scripts":  "# <script>alert(1)</script>\n\n" + strings.Repeat("The `<script>` tag loads a lamp. ", 2000),
		"a word":   "# T\n\n" + strings.Repeat("a", 1<<20),
		"a list":   "# T\n\n" + strings.Repeat("- **lamp** `oil`\n", 20_000),
		"dots":     "# T\n\n" + strings.Repeat(". ", 100_000),
		"stars":    "# T\n\n" + strings.Repeat("**a", 100_000),
	} {
		p := read(t, "x.md", text)
		for i, s := range p.AllSpans() {
			if i > 50 && i < 2900 {
				continue
			}
			if e := p.Builtin(s.Section); e.Check() != nil {
				t.Errorf("%s, %q: %v: %+v", name, s.SectionPath, e.Check(), e)
			}
		}
	}
}

// The file of records: the last one of a section counts, a torn or damaged line does not,
// and a file that is mostly out of date is rewritten.
func TestRecords(t *testing.T) {
	t.Parallel()
	record := func(i int, summary string) Record {
		id := fmt.Sprintf("%016x", i)
		return Record{SpanID: id, FilePath: "a.md", SectionPath: "A > B", Hash: "h", Engine: "builtin",
			Enrichment: Enrichment{SpanID: id, Summary: summary, Audience: mixed, KeyConcepts: []string{}, Parameters: []Parameter{}, Prerequisites: []string{}, Warnings: []string{}, RelatedTopics: []string{}}}
	}
	var raw []byte
	for i := range 40 {
		line, err := Encode(record(i, "first"))
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, line...)
	}
	second, err := Encode(record(1, "second"))
	if err != nil {
		t.Fatal(err)
	}
	raw = append(raw, second...)
	torn := append(slices.Clone(raw), second[:len(second)/2]...)
	for name, file := range map[string][]byte{"whole": raw, "torn": torn, "torn and gone on": append(append(slices.Clone(torn), '\n'), second...)} {
		f := OpenFile(file)
		if r, ok := f.Get(record(1, "").SpanID); !ok || !reflect.DeepEqual(r, record(1, "second")) {
			t.Errorf("%s: %+v %v", name, r, ok)
		}
		if all, damaged := f.AllRecords(); len(all) != 40 || (damaged > 0) != (name == "torn") {
			t.Errorf("%s: %d records, %d damaged", name, len(all), damaged)
		}
	}
	// Any byte of a line may flip.
	for at := range second {
		flipped := slices.Clone(raw)
		flipped[len(raw)-len(second)+at] ^= 4
		if r, ok := OpenFile(flipped).Get(record(1, "").SpanID); ok && r.Enrichment.Summary != "second" && r.Enrichment.Summary != "first" {
			t.Fatalf("with byte %d flipped it is %+v", at, r)
		}
	}
	if _, ok := OpenFile(raw).Compact(nil); ok {
		t.Error("a file of which one line does not count is written anew")
	}
	small, ok := OpenFile(raw).Compact(map[string]bool{record(1, "").SpanID: true})
	if all, damaged := OpenFile(small).AllRecords(); !ok || len(all) != 1 || damaged != 0 || all[0].Enrichment.Summary != "second" {
		t.Errorf("%v, %+v, %d damaged", ok, all, damaged)
	}
}

func FuzzOpen(f *testing.F) {
	line, err := Encode(Record{SpanID: "0123456789abcdef", Enrichment: Enrichment{SpanID: "0123456789abcdef", Summary: "a", Audience: mixed}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add(append(line[:len(line)/2], line...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		file := OpenFile(raw)
		records, damaged := file.AllRecords()
		if len(records) > file.Len() || damaged < file.Damaged() || file.Totals().Truncated > file.Len() {
			t.Fatalf("%d records, %d damaged of %d", len(records), damaged, file.Len())
		}
		for _, r := range records {
			if r.Enrichment.Check() != nil {
				t.Fatalf("%+v", r)
			}
			if _, ok := file.EngineOf(r.SpanID); !ok {
				t.Fatalf("%s is not found", r.SpanID)
			}
		}
		if small, ok := file.Compact(nil); ok {
			if again, damaged := OpenFile(small).AllRecords(); damaged != 0 || len(again) != len(records) {
				t.Fatalf("%d of %d records are left, %d damaged", len(again), len(records), damaged)
			}
		}
	})
}

// FindSpan is the span of a section path; "" is the page.
func (p *Page) FindSpan(sectionPath string) (Span, bool) {
	if sectionPath == "" {
		return p.SpanOf(Whole), true
	}
	i := slices.Index(p.paths, sectionPath)
	if i < 0 {
		return Span{}, false
	}
	return p.SpanOf(i), true
}
