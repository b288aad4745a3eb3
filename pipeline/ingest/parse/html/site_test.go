package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/store/doc"
)

// sentences is prose of n sentences about a subject.
func sentences(subject string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "<p>Of the %s, part %d is kept dry.</p>\n", subject, i)
	}
	return b.String()
}

// headingList are the headings of a page with their names.
func headingList(d doc.Document) []string {
	var all []string
	for _, s := range d.Sections {
		if s.Level > 0 {
			all = append(all, s.Text+" #"+s.Anchor)
		}
	}
	return all
}

// The release notes of a database began in the middle: nine tenths of the page were one
// list, and the title, the date and the advice above it were dropped with all the
// headings around it.
func TestSiblingsOfTheLongestPartBelongToThePage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"a title and an introduction above one long list": {
			"<div class='navheader'><a href='a.html'>Prev</a> <a href='b.html'>Next</a></div><div class='sect1' id='LOCK-KINDS'>" +
				"<div class='titlepage'><div><div><h2 class='title'>7.3. Kinds of Locks</h2></div></div></div>" +
				"<p>Boats meet two kinds.</p><div class='variablelist'><dl><dt>Weir lock</dt><dd>" + sentences("weir", 60) + "</dd></dl></div></div>",
			[]string{"7.3. Kinds of Locks #LOCK-KINDS"},
		},
		"one long section between short ones": {
			"<div class='page'><h1>Canals</h1><section id='depth'><h2>Depth</h2><p>A fathom.</p></section><section id='gates'><h2>Gates</h2>" +
				sentences("gate", 60) + "</section><section id='tolls'><h2>Tolls</h2><p>A penny.</p></section></div>",
			[]string{"Canals #~canals", "Depth #depth", "Gates #gates", "Tolls #tolls"},
		},
		"articles side by side": {
			"<div><article><h2 id='a'>Spring</h2>" + sentences("field", 30) + "</article><article><h2 id='b'>Autumn</h2>" +
				sentences("barn", 15) + "</article></div>",
			[]string{"Spring #a", "Autumn #b"},
		},
		"a section next to the article of <main>": {
			"<main><article><h1>Oars</h1>" + sentences("oar", 50) + "</article><section><h2 id='care'>Care</h2><p>Oil them.</p></section></main>",
			[]string{"Oars #~oars", "Care #care"},
		},
		"a menu in the table of the layout": {
			"<table><tr><td><h1>Lock Board</h1><h2>Sluices</h2></td></tr></table><table><tr><td><ul>" +
				strings.Repeat("<li><a href='x.html'>Sluice news</a>", 9) + "</ul></td><td>" + sentences("sluice", 60) + "</td></tr></table>",
			[]string{"Lock Board #~lock-board", "Sluices #~sluices"},
		},
		"a small heading above the page's": {
			"<div class=all><div><h4>Kind</h4></div><div><h1>Weirs</h1>" + sentences("weir", 60) + "</div><div><h2 id=x>Fish</h2><p>They climb.</p></div></div>",
			[]string{"Weirs #~weirs", "Fish #x"},
		},
		"what the site puts around it": {
			"<div id='header'><h1>River Board</h1></div><div class='sidebar'><h3>About us</h3><p>We measure water.</p></div>" +
				"<div id='text'><h1>Gauges</h1>" + sentences("gauge", 60) + "</div><aside><h3>News</h3><p>It rained.</p></aside>",
			[]string{"Gauges #~gauges"},
		},
	} {
		d := parsed(t, "<title>T</title><body>"+c.body)
		if got := headingList(d); strings.Join(got, "|") != strings.Join(c.want, "|") || strings.Contains(string(d.Text), "news") {
			t.Errorf("%s: the headings are %q, want %q, of\n%.300s", name, got, c.want, d.Text)
		}
	}
	d := parsed(t, "<title>T</title><body><div class=sect1><div class=titlepage><h2>Kinds</h2></div><p>Boats meet two.</p><dl><dt>Weir</dt><dd>"+
		sentences("weir", 60)+"</dl></div>")
	if !strings.Contains(string(d.Text), "Boats meet two.") {
		t.Errorf("the introduction is lost:\n%.200s", d.Text)
	}
}

// Texinfo writes the notes of a page below it, each under a heading that is its number.
// They were lost, and the marks in the text led nowhere.
func TestFootnotesOfTexinfoStandBelowThePage(t *testing.T) {
	t.Parallel()
	d := parsed(t, "<title>Sails</title><body><div class='top' id='Sails'><h1>Sails</h1>"+sentences("sail", 40)+
		"<p>Linen lasts.<a id='DOCF1' href='#FOOT1'><sup>1</sup></a></p></div><div class='footnote'><hr><h4 class='footnotes-heading'>Footnotes</h4>"+
		"<h5><a id='FOOT1' href='#DOCF1'>(1)</a></h5><p>If it is aired.</p></div>")
	text := string(d.Text)
	if !strings.Contains(text, "**(1)**\n\nIf it is aired.") {
		t.Errorf("the note is not below its number:\n%s", text[max(0, len(text)-200):])
	}
	if got := headingList(d); strings.Join(got, "|") != "Sails #Sails|Footnotes #~footnotes" {
		t.Errorf("the headings are %q", got)
	}
}

// The banner, the motto, the path of pages and the licence were the first and last lines
// of each page, and so of answers and summaries.
func TestPartsOfTheSiteAreNotThePage(t *testing.T) {
	t.Parallel()
	licence := "<div class='footer'><p>2021 The Board. " + strings.Repeat("The texts are under the licence of the water board. ", 6) + "</p></div>"
	for name, body := range map[string]string{
		"a logo and a motto":  "<div><a href='index.html'><img src='l.png' alt='River Board'></a><div class='tagline'>Slow. Wet. Deep.</div></div><div><h1>Gauges</h1>%s</div>",
		"logos":               "<p id='title'><a href='p'><img alt='River Board'></a><a href='d'><img alt='Slow'></a></p><h1>Gauges</h1>%s",
		"a path and a notice": "<div class='head' id='h'><div class='navigationbar'><ul><li>Slow</li><li><a href='i.html'>River Board</a></li></ul></div></div><div class='content'><h1>Gauges</h1>%s</div>" + licence,
		"a notice in a table": "<h1>Gauges</h1>%s<table width='100%%'><tr><td align='left'></td><td align='right'><div class='copyright-footer'>2021 The Board" +
			"<p>" + strings.Repeat("The texts are under the licence of the water board. ", 6) + "</p></div></td></tr></table>",
		"a slot of a script": "<div class='c'><div class='sidebar'><div class='sidebar-content' id='sidebar-content'></div></div><h1>Gauges</h1>%s</div>",
	} {
		d := parsed(t, "<title>Gauges</title><body>"+fmt.Sprintf(body, sentences("gauge", 10)))
		text := string(d.Text)
		if !strings.HasPrefix(text, "# Gauges\n") || strings.Contains(text, "Board") || strings.Contains(text, "Slow") {
			t.Errorf("%s: it is read as\n%s", name, text)
		}
		if got := headingList(d); len(got) != 1 || got[0] != "Gauges #~gauges" {
			t.Errorf("%s: the headings are %q", name, got)
		}
	}
	d := parsed(t, "<title>T</title><body><p><a href='x'><img alt='Linked'></a></p><p>No heading is here, and the picture is the text's.</p>")
	if !strings.Contains(string(d.Text), "Linked") {
		t.Errorf("the picture of a page without a heading is lost: %s", d.Text)
	}
}

// A setting with a short description stayed an item of the section of the setting before
// it, so that a citation named the wrong one.
func TestAllTermsOfAListAreSectionsOrNone(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("It limits the depth of a boat. ", 20)
	d := parsed(t, "<title>T</title><main><h2>Limits</h2><dl><dt id=draught>draught</dt><dd>"+long+
		"</dd><dt id=tow>tow</dt><dd>Off.</dd><dt>lamp</dt><dd>On.</dd></dl></main>")
	if got := strings.Join(headingList(d), "|"); got != "Limits #~limits|draught #draught|tow #tow|lamp #~lamp" {
		t.Errorf("the headings are %q", got)
	}
	d = parsed(t, "<title>T</title><main><h2>Limits</h2><dl><dt id=draught>draught</dt><dd>Deep.</dd><dt id=tow>tow</dt><dd>Off.</dd></dl></main>")
	if got := strings.Join(headingList(d), "|"); got != "Limits #~limits" {
		t.Errorf("short terms are sections: %q", got)
	}
}

// The layout of a theme is a whole page with a title, and was one of the documentation.
func TestTemplatesOfSites(t *testing.T) {
	t.Parallel()
	src := "<html><head><title>Lock Board</title></head><body>{% block body %}<p>Text of the layout.</p>{% endblock %}</body></html>"
	for file, left := range map[string]bool{"_themes/river/layout.html": true, "docs/_templates/page.html": true, "docs/layout.html": false, "layouts/page.html": false} {
		_, err := Parser{}.Parse(t.Context(), []byte(src), parse.Options{Path: file})
		if why, ok := err.(parse.LeftOut); ok != left || ok && !strings.Contains(string(why), "template") {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// Of a short page of Doxygen the whole body is the content: its title stands in it as a
// group. The groups of a class are no part of its name.
func TestTitlesOfDoxygen(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"<div class=contents><div class=textblock><p>To be written.</p></div></div>":         "Lamp care",
		"<div class=contents><div class=textblock>" + sentences("lamp", 40) + "</div></div>": "Lamp care",
	} {
		d := parsed(t, "<title>Zoo: Lamp care</title><meta name=generator content='Doxygen 1.9'><body><div class=header><div class=headertitle>"+
			"<div class=title>Lamp care<div class=ingroups><a href=a>Lamps</a> &raquo; <a href=b>Care</a></div></div></div></div>"+src)
		if d.Title != want || len(d.Sections) != 1 || d.Sections[0].Text != want {
			t.Errorf("the page is %q with the sections %+v:\n%.200s", d.Title, d.Sections, d.Text)
		}
	}
}

// The page on which javadoc explains its pages kept 14 of 807 words: its parts have the class that
// older pages give to the name of their package.
func TestHelpOfJavadoc(t *testing.T) {
	t.Parallel()
	d := parsed(t, "<title>Help</title><body><main><h1>Help</h1><div class='sub-title'><h2 id='n'>Navigation</h2>"+sentences("gauge", 4)+
		"</div><div class='sub-title'>org.example.river</div></main>")
	if got := headingList(d); !slices.Contains(got, "Navigation #n") || strings.Contains(string(d.Text), "org.example") {
		t.Errorf("%q\n%s", got, d.Text)
	}
}

// The name of a class in Chinese was no title, for it was cut within its first letter, and what the class is for stood
// in a list of one item.
func TestPagesOfJavadoc(t *testing.T) {
	t.Parallel()
	d := parsed(t, `<title>Lamp (lamps 1 API)</title><body><div class="header"><div class="subTitle">org.lamps</div>
<h2 class="title">类 Lamp</h2></div><div class="contentContainer"><div class="description"><ul class="blockList"><li class="blockList">
<hr><pre>public class Lamp</pre><div class="block">它燃烧。</div></li></ul></div><div class="summary"><ul class="blockList"><li class="blockList">
<h3>方法概要</h3><p>没有。</p></li></ul></div></div>`)
	if got, want := string(d.Text), "# 类 Lamp\n\n***\n\n```\npublic class Lamp\n```\n\n它燃烧。\n\n### 方法概要\n\n没有。\n"; got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}

// TypeDoc puts its settings next to each page, and a list of the names above the members.
func TestPagesOfTypeDoc(t *testing.T) {
	t.Parallel()
	d := parsed(t, `<title>Lamp</title><body><div class="container-main"><div class="col-content"><h1>Interface Lamp</h1><p>It burns.</p>
<section class="tsd-panel tsd-index-panel"><h5>Index</h5><h3>Methods</h3><a href="#trim">trim</a></section>
<section><h2>Methods</h2><h3 id="trim">trim</h3><p>Trims it.</p></section></div>
<div class="col-sidebar"><div class="page-menu"><div class="tsd-navigation settings"><h3>Settings</h3><p>Theme</p></div></div></div></div>`)
	if got, want := string(d.Text), "# Interface Lamp\n\nIt burns.\n\n## Methods\n\n### trim\n\nTrims it.\n"; got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}
