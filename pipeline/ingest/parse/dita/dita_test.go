package dita_test

import (
	"context"
	"embed"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/dita"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/store/doc"
)

var update = flag.Bool("update", false, "rewrite the golden renditions")

// docSet are the files that lie in a folder.
type docSet struct {
	dir string
	all []string
}

func (s docSet) Open(p string) (parse.Opened, error) {
	src, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(p)))
	return parse.Opened{Data: src}, err
}

func (s docSet) List(endings ...string) []string {
	return slices.DeleteFunc(slices.Clone(s.all), func(f string) bool { return !slices.Contains(endings, path.Ext(f)) })
}

// inDocSet gives a page its doc set.
func inDocSet(file, title string, of parse.Files) parse.Options {
	return parse.Options{Path: file, FallbackTitle: title, Files: of.List, UseAll: func(...string) {},
		Open: func(p string) ([]byte, error) {
			opened, err := of.Open(p)
			return opened.Data, err
		},
		Survey: func(_ string, make func(parse.Files) any) any { return make(of) }}
}

// options gives a page its doc set: all the files that lie in a folder.
func options(t testing.TB, dir, file string, all []string) parse.Options {
	t.Helper()
	return inDocSet(file, parse.DefaultTitle(file, doc.LayoutTree), docSet{dir, all})
}

func list(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func parseFile(t testing.TB, dir, file string) doc.Document {
	t.Helper()
	return parseIn(t, dita.New(), dir, file, list(t, dir))
}

func parseIn(t testing.TB, p *dita.Parser, dir, file string, all []string) doc.Document {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Parse(context.Background(), src, options(t, dir, file, all))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

//go:embed testdata/set
var testdata embed.FS

const set = "testdata/set"

// The renditions of a small doc set that has most of DITA. go test -update rewrites them.
func TestRenditions(t *testing.T) {
	t.Parallel()
	for _, file := range list(t, set) {
		d := parseFile(t, set, file)
		golden := filepath.Join("testdata", "golden", strings.ReplaceAll(file, "/", "_")+".md")
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, d.Text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != string(d.Text) {
			t.Errorf("%s is %v\n%s", file, err, d.Text)
		}
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	sources := map[string][]byte{}
	for _, file := range list(t, set) {
		src, err := os.ReadFile(filepath.Join(set, file))
		if err != nil {
			t.Fatal(err)
		}
		sources[file] = src
	}
	sources["latin.dita"] = []byte("<?xml version='1.0' encoding='ISO-8859-1'?>\n<topic id='a'><title>Caf\xe9</title></topic>")
	sources["broken.dita"] = []byte("<topic><title>Broken</title><body><p>one\n<b>two</p></body>")
	parsetest.TestParser(t, dita.New(), sources)
}

// Sections have the anchors that DITA-OT's HTML has.
func TestAnchors(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"tools.dita":          "tools tools__syntax tools__spades settings tools__depth tools__angle signs rust",
		"tasks/planting.dita": "planting planting__ex what-to-do-next",
		"glossary.xml":        "words npk loam",
	} {
		d := parseFile(t, set, file)
		var got []string
		for _, s := range d.Sections {
			got = append(got, s.Anchor)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the anchors of %s are %q", file, got)
		}
	}
}

// Each line of a text stands on the line of the source that the map says; text from
// another file has the line of the reference.
func TestPlaces(t *testing.T) {
	t.Parallel()
	d := parseFile(t, set, "tasks/planting.dita")
	source := strings.Split(string(d.Source), "\n")
	lines := strings.Split(string(d.Text), "\n")
	for text, in := range map[string]string{
		"when the soil":       "when the soil",
		"Put the pots":        "Put the pots",
		"Wear gloves":         `conkeyref="ware/gloves"`,
		"Two stakes":          `conrefend`,
		"> Never plant":       `conkeyref="ware/frost"`,
		"| Shade":             "<choption>Shade",
		"--bed tomatoes":      "--bed tomatoes",
		"[Put the pots":       `href="#planting/harden"`,
		"## In a greenhouse":  "In a greenhouse",
		"2. Optional: Choose": "Choose a place",
	} {
		at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, text) })
		if at < 0 {
			t.Errorf("no line has %q", text)
			continue
		}
		if place := d.Location(at + 1); place.Line < 1 || !strings.Contains(source[place.Line-1], in) {
			t.Errorf("%q stands at %+v: %q", text, place, source[max(0, place.Line-1)])
		}
	}
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "1. Put the pots") })
	if place := d.Location(at + 1); place.Element != "planting__harden" {
		t.Errorf("the step is the element %q", place.Element)
	}
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	d := parseFile(t, set, "tasks/planting.dita")
	if d.Title != "Planting tomatoes" {
		t.Errorf("the title is %q", d.Title)
	}
	for _, want := range []string{"topic type: task", "revision: 2.1", "Tomatoes", "How to plant tomatoes", "Ada Gardener", "tomatoes: planting out", "seedlings"} {
		if !slices.Contains(strings.Split(d.About, "\n"), want) {
			t.Errorf("%q is not in what is said of the page: %q", want, d.About)
		}
	}
	procedures := 0
	for _, b := range d.Blocks {
		if b.Kind == doc.Procedure {
			procedures++
		}
	}
	if procedures != 1 {
		t.Errorf("the task has %d procedures", procedures)
	}
}

// The words of the domain specification for a topic: its kind, its id and revision, its
// prerequisites. A file has those of its first topic.
func TestTopicMetadata(t *testing.T) {
	t.Parallel()
	m := parseFile(t, set, "tasks/planting.dita").Metadata
	if m.TopicType != "task" || m.TopicID != "planting" || m.TopicRev != "2.1" {
		t.Errorf("%+v", m)
	}
	if len(m.Prereqs) != 3 || !strings.Contains(strings.ToLower(m.Prereqs[0]), "gloves") || strings.ContainsAny(strings.Join(m.Prereqs, ""), "*<>`") {
		t.Errorf("the prerequisites are %q", m.Prereqs)
	}
	src := "<dita><concept id='a'><title>A</title></concept><task id='b'><title>B</title><taskbody><prereq>" + strings.Repeat("<p>x</p>", 50) + "</prereq></taskbody></task></dita>"
	d, err := dita.New().Parse(t.Context(), []byte(src), parse.Options{Path: "a.dita"})
	if err != nil || d.Metadata.TopicType != "concept" || len(d.Metadata.Prereqs) > 20 {
		t.Errorf("%+v, %v", d.Metadata, err)
	}
}

// An unresolved reference has a warning, and its target's name replaces it.
func TestUnresolved(t *testing.T) {
	t.Parallel()
	d := parseFile(t, set, "tasks/pruning.dita")
	if !strings.Contains(string(d.Text), "[#pruning/missing]") || len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "line 6") {
		t.Errorf("%q, %s", d.Warnings, d.Text)
	}
	// Without its doc set a page is read all the same.
	src, err := os.ReadFile(filepath.Join(set, "tasks/planting.dita"))
	if err != nil {
		t.Fatal(err)
	}
	alone, err := dita.New().Parse(context.Background(), src, parse.Options{Path: "tasks/planting.dita", FallbackTitle: "planting"})
	if err != nil || alone.Title != "Planting tomatoes" || !strings.Contains(string(alone.Text), "[ware/gloves]") || !strings.Contains(strings.Join(alone.Warnings, "\n"), "without its doc set") {
		t.Errorf("%v, %q, %s", err, alone.Warnings, alone.Text)
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		head string
		want bool
	}{
		{`<?xml version="1.0"?><!DOCTYPE topic PUBLIC "-//OASIS//DTD DITA Topic//EN" "topic.dtd"><topic id="a">`, true},
		{`<!DOCTYPE bookmap PUBLIC "-//OASIS//DTD DITA BookMap//EN" "bookmap.dtd" [<!ENTITY a "b">]><bookmap>`, true},
		{`<!DOCTYPE concept PUBLIC "urn:example:lamps:dita:concept" "urn:example:lamps:dita:concept"><concept id="a">`, true},
		{`<!-- a --><concept id="a"><title>A</title>`, true},
		{`<concept xmlns:ditaarch="x" ditaarch:DITAArchVersion="1.3" id="a">`, true},
		{`<?xml-model href="urn:oasis:names:tc:dita:rng:topic.rng"?><topic id="a"/>`, true},
		{`<map><topicref href="a.dita"/></map>`, true},
		{`<dita><topic id="a"><title>A</title>`, true},
		{"\xff\xfe<\x00t\x00o\x00p\x00i\x00c\x00>\x00<\x00t\x00i\x00t\x00l\x00e\x00>\x00", true},
		{`<task name="build"><echo/></task>`, false},
		{`<project><title>x</title></project>`, false},
		{`<map><entry key="a"/></map>`, false},
		{`<!DOCTYPE html><title>x</title>`, false},
		{`<!-- <topic><title>no</title> --><plugin id="a"/>`, false},
		{`plain text about <topic> and more`, false},
		{"", false},
	} {
		if got := dita.SniffDITA([]byte(tt.head)); got != tt.want {
			t.Errorf("%q is DITA: %v", tt.head, got)
		}
	}
}

var titleTag = regexp.MustCompile(`(?s)<title[^>]*>(.*?)</title>`)
var anyTag = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)

// Every topic of the documentation of DITA-OT parses, and its title is the text of its
// first title element.
func TestCorpus(t *testing.T) {
	t.Parallel()
	dir := filepath.FromSlash("../../../../../shared/data/corpora/dita-ot-docs")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the documentation of DITA-OT is not here: ", err)
	}
	pages, titles := 0, 0
	p, all := dita.New(), list(t, dir)
	for _, file := range all {
		if e := path.Ext(file); e != ".dita" && e != ".ditamap" {
			continue
		}
		pages++
		d := parseIn(t, p, dir, file, all)
		m := titleTag.FindSubmatch(d.Source)
		if m == nil {
			continue
		}
		if strings.Contains(string(m[0]), "keyref") || strings.Contains(string(m[0]), "<xml") || strings.Contains(string(m[0]), "booktitle") {
			continue // words that do not stand in the title itself
		}
		text := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&#xA0;", "\u00a0").Replace(anyTag.ReplaceAllString(string(m[1]), ""))
		titles++
		if want := strings.Join(strings.Fields(text), " "); d.Title != want {
			t.Errorf("the title of %s is %q, want %q", file, d.Title, want)
		}
		if n := len(d.Blocks); n < 1 {
			t.Errorf("%s has %d blocks", file, n)
		}
		for _, w := range d.Warnings {
			if strings.Contains(w, "XML") || strings.Contains(w, "plain text") {
				t.Errorf("%s: %s", file, w)
			}
		}
	}
	if pages < 300 || titles < 250 {
		t.Errorf("%d pages, %d titles", pages, titles)
	}
}

// What two publications say in the same place is told apart: "the New button on the toolbarNew
// button".
func TestTextsOfSeveralPublications(t *testing.T) {
	t.Parallel()
	src := `<!DOCTYPE topic PUBLIC "-//OASIS//DTD DITA Topic//EN" "topic.dtd"><topic id="a"><title>Lamps</title><body><p>Press ` +
		`<ph product="street">the <uicontrol>Light</uicontrol></ph><ph product="house"><uicontrol>Wick</uicontrol></ph> button ` +
		`<b platform="a">one</b> <b platform="b">two</b><i product="a">three</i><i product="a">four</i>.</p></body></topic>`
	d, err := dita.New().Parse(t.Context(), []byte(src), parse.Options{Path: "a.dita"})
	if want := "# Lamps\n\nPress the **Light** / **Wick** button **one** **two***three**four*.\n"; err != nil || string(d.Text) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, d.Text, want)
	}
}

// "./p" is an element of the topic that the reference stands in, or of the file that it names:
// links within text that another page takes led to a topic of that page.
func TestElementsOfTheSameTopic(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.dita": `<topic id="a"><title>A</title><body><p>See <xref href="b.dita#./oil"/>.</p><p conref="b.dita#./wick"/><section id="own"><title>Own</title>` +
			`<p>See <xref href="#./own"/>.</p></section></body></topic>`,
		"b.dita": `<topic id="b"><title>B</title><body><p id="wick">Ask <xref href="#./oil"/>.</p><section id="oil"><title>Oil</title><p>Burns.</p></section></body></topic>`,
	}
	want := "# A\n\nSee [Oil](b.dita#b__oil).\n\nAsk [Oil](b.dita#b__oil).\n\n## Own\n\nSee [Own](#a__own).\n"
	if d := readFrom(t, files, "a.dita"); string(d.Text) != want {
		t.Errorf("the page is\n%s, want\n%s", d.Text, want)
	}
}
