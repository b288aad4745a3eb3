package rst

import (
	"io/fs"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
)

// besides are the options of a page of a doc set.
func besides(path string, set setFiles) parse.Options {
	return parse.Options{
		Path: path,
		Open: func(name string) ([]byte, error) {
			o, err := set.Open(name)
			return o.Data, err
		},
		Survey: func(_ string, of func(parse.Files) any) any { return of(set) },
	}
}

// A project that has a domain of its own describes its settings and figures with it. Their options
// were lost, the settings were plain paragraphs, and nothing could be found by their names.
func TestObjectsOfOwnDomains(t *testing.T) {
	t.Parallel()
	d := read(t, lines("Lamps", "=====", "", "Settings", "--------", "",
		".. lamp:setting:: CONFIG lamp.wick.length INT 5", "   :reloadable:", "   :units: inches", "   :class: wide", "", "   How long the wick is.", "",
		".. lamp:figure:: global lamp.oil_left float", "   :type: gauge", ".. lamp:figure:: global lamp.lit integer", ".. lamp:figure:: global lamp.out integer", ""), parse.Options{Path: "a.rst"})
	want := lines("## Settings", "",
		"### 'lamp.wick.length'", "", "'CONFIG lamp.wick.length INT 5'", "", "- **Type**: 'INT'", "- **Default**: '5'", "- **Reloadable**: yes", "- **Units**: inches", "", "How long the wick is.", "",
		"### 'lamp.oil_left'", "", "'global lamp.oil_left float'", "", "- **Type**: 'float'", "- **Type**: gauge", "",
		"### 'lamp.lit'", "", "'global lamp.lit integer'", "", "- **Type**: 'integer'", "",
		"### 'lamp.out'", "", "'global lamp.out integer'", "", "- **Type**: 'integer'")
	if !strings.Contains(string(d.Text), want) {
		t.Errorf("the text is %s", d.Text)
	}
	var anchors []string
	for _, s := range d.Sections {
		anchors = append(anchors, s.Anchor)
	}
	if got := strings.Join(anchors, " "); got != "lamps settings lamp-setting-lamp.wick.length lamp-figure-lamp.oil_left lamp-figure-lamp.lit lamp-figure-lamp.out" {
		t.Errorf("the anchors are %s", got)
	}
	if len(d.Warnings) > 0 {
		t.Errorf("it warns: %q", d.Warnings)
	}
}

// Directives without a domain are of the one that the page or the project names.
func TestDefaultDomain(t *testing.T) {
	t.Parallel()
	own := lines(".. default-domain:: lamp", "", "Parts", "=====", "", ".. burner:: flat-wick", "   :result: light", "", "   Burns flat.")
	d := read(t, own, parse.Options{Path: "a.rst"})
	if want := lines("## 'flat-wick'", "", "- **Result**: light", "", "Burns flat."); !strings.Contains(string(d.Text), want) {
		t.Errorf("the text is %s", d.Text)
	}
	code := lines("Calls", "=====", "", ".. function:: int light(struct lamp *one)", "", "   Lights it.", "", ".. class:: bright", "", "Text.")
	for name, page := range map[string]string{"page": ".. default-domain:: c\n\n" + code, "project": code} {
		set := setFiles{}
		if name == "project" {
			set["conf.py"] = "primary_domain = 'c'\n"
		}
		d := read(t, page, besides("a.rst", set))
		if n := len(d.Sections); n < 2 || d.Sections[1].Anchor != "c.light" {
			t.Errorf("%s: the sections are %+v", name, d.Sections)
		}
	}
}

// References to pages, and tables of contents, show the titles of the pages, and titles from
// elsewhere have the substitutions of the page that shows them.
func TestTitlesOfOtherPages(t *testing.T) {
	t.Parallel()
	set := setFiles{
		"guide/oil.rst":  lines(".. |L| replace:: Lamp", "", ".. _fill:", "", "Oil for the |L|", "===============", "", "Text", "that goes on."),
		"guide/wick.txt": lines("=======", " Wicks", "=======", "", "Text."),
	}
	d := read(t, lines("Top", "===", "", ".. |L| replace:: Lantern", "", "See :doc:'guide/oil', :doc:'this <guide/oil>', :doc:'/guide/wick', :doc:'guide/none' and :ref:'fill'.",
		"", ".. toctree::", "", "   guide/oil", "   Its wick <guide/wick>", "   guide/wick", "   guide/none"), besides("index.rst", set))
	want := lines("See [Oil for the Lantern](guide/oil), [this](guide/oil), [Wicks](/guide/wick), [guide/none](guide/none) and [Oil for the Lantern](/guide/oil#fill).", "",
		"- [Oil for the Lantern](guide/oil)", "- [Its wick](guide/wick)", "- [Wicks](guide/wick)", "- [guide/none](guide/none)")
	if !strings.Contains(string(d.Text), want) {
		t.Errorf("the text is %s", d.Text)
	}
	opt := besides("index.rst", set)
	opt.Open = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	if d := read(t, ":doc:`guide/oil`\n", opt); !strings.Contains(string(d.Text), "[guide/oil](guide/oil)") {
		t.Errorf("a page takes the title of one that it cannot read: %s", d.Text)
	}
}

// The parts of a class of JavaScript have the ids that Sphinx gives them. They had ids of the kind that other domains
// have, so links to them led nowhere.
func TestObjectsOfJavaScript(t *testing.T) {
	t.Parallel()
	d := read(t, lines("Lamps", "=====", "", ".. js:class:: Lamp(oil)", "", "   A lamp.", "", "   .. js:method:: light([wick])", "", "      Light it.",
		"", ".. js:function:: trim(wick)", "", "   Trim."), parse.Options{Path: "a.rst"})
	var anchors []string
	for _, s := range d.Sections {
		anchors = append(anchors, s.Anchor)
	}
	if got := strings.Join(anchors, " "); got != "lamps Lamp Lamp.light trim" {
		t.Errorf("the anchors are %s", got)
	}
}

// A directive whose text Sphinx takes from code took the section's text that follows it for its own.
func TestTextBehindAnObjectMadeFromCode(t *testing.T) {
	t.Parallel()
	d := read(t, lines("Lamps", "=====", "", "Before.", "", ".. autofunction:: lamps.trim", "   :noindex:", "", "After.", "",
		"Next", "----", "", "Before.", "", ".. autofunction:: lamps.light", "", ".. autofunction:: lamps.snuff"), parse.Options{Path: "a.rst"})
	want := lines("# Lamps", "", "Before.", "", "**'lamps.trim'**", "", "After.", "",
		"## Next", "", "Before.", "", "### 'lamps.light', 'lamps.snuff'")
	if string(d.Text) != want {
		t.Errorf("\n%s\nwant\n%s", d.Text, want)
	}
}
