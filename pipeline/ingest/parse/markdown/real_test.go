package markdown

import (
	"slices"
	"testing"
)

// namesOf are the headings of a page with their anchors.
func namesOf(t *testing.T, src string) (title string, names []string) {
	t.Helper()
	d := parsed(t, src)
	for _, s := range d.Sections {
		if s.Level > 0 {
			names = append(names, s.Text+" #"+s.Anchor)
		}
	}
	return d.Title, names
}

// A documentation of 2 671 sections wrote the name of each behind its title, as a comment
// of MDX: the comment was a part of all titles, and all links to the names were broken.
// Another one wrote them in brackets.
func TestNamesOfHeadingsInComments(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"# useLamp {/*uselamp*/}":           "useLamp #uselamp",
		"## Usage {/* #use-it */}":          "Usage #use-it",
		"## Usage of `a` {/*usage*/} ":      "Usage of a #usage",
		"## Usage {/* still to be done */}": "Usage #usage",
		"## Usage {#own}":                   "Usage #own",
		"## Usage [#own]":                   "Usage #own",
		"## Usage[#lösung] ":                "Usage #lösung",
		"## Usage of `a` [toc] [#own]":      "Usage of a #own",
		"## Usage [!toc]":                   "Usage #usage",
		"## Lamps burn [#120]":              "Lamps burn [#120] #lamps-burn-120",
		"## Lamps [a]":                      "Lamps [a] #lamps-a",
		"## A set {1, 2}":                   "A set {1, 2} #a-set-1-2",
		"## Open {/* end":                   "Open {/* end #open--end",
	} {
		if _, got := namesOf(t, src+"\n\nText.\n"); !slices.Equal(got, []string{want}) {
			t.Errorf("%q is %q, want %q", src, got, want)
		}
	}
}

// Front matter that began with a comment was read as a title and a paragraph: 150 pages
// had the name "NOTE: this file is made by a program".
func TestFrontMatterThatBeginsWithAComment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src, title string
		names      []string
	}{
		"a comment":        {lines("---", "# made by a program", "title: Okapis", "---", "Text."), "Okapis", nil},
		"several":          {lines("---", "", "# one", "", "# two", "title: Okapis", "# three", "kind: animal", "---", "# Life"), "Okapis", []string{"Life #life"}},
		"TOML":             {lines("+++", "# one", "title = 'Okapis'", "+++", "Text."), "Okapis", nil},
		"nothing else":     {lines("---", "# internal", "---", "", "# Okapis"), "Okapis", []string{"Okapis #okapis"}},
		"keys with margin": {lines("---", " title: Okapis", " kind: animal", "---", "Text."), "Okapis", nil},
		"a blank before":   {lines(" ---", "title: Okapis", "kind: animal", "---", "# Life"), "Okapis", []string{"Life #life"}},
		"a rule's blank":   {lines(" ---", "They are: shy.", "", "# Okapis"), "Okapis", []string{"Okapis #okapis"}},
		"a rule":           {lines("---", "# Okapis", "", "They are shy.", "", "---", "", "More."), "Okapis", []string{"Okapis #okapis"}},
		"no end":           {lines("---", "# Okapis", "", "Note: they are shy."), "Okapis", []string{"Okapis #okapis"}},
	} {
		title, names := namesOf(t, c.src)
		if title != c.title || !slices.Equal(names, c.names) {
			t.Errorf("%s: the page is %q with %q, want %q with %q", name, title, names, c.title, c.names)
		}
	}
}

// A fence that was opened eight columns in, in a component in a list, and closed at four
// made code of the rest of the page.
func TestFencesInComponentsEndAtAnyIndentation(t *testing.T) {
	t.Parallel()
	src := lines("## First", "", "<Steps>", "1. Write it.", "", "    <Tabs>", "      <Tab name=\"a\">", "        ```json", "        {", "          \"a\": 1",
		"        }", "    ```", "      </Tab>", "    </Tabs>", "", "2. Run it.", "", "    ```sh", "    run", "    ```", "</Steps>", "", "## Second", "", "Text.")
	if _, got := namesOf(t, src); !slices.Equal(got, []string{"First #first", "Second #second"}) {
		t.Errorf("the headings are %q", got)
	}
	src = lines("<Tabs>", "  <Tab>", "      ```sh", "  run", "  ```", "  </Tab>", "</Tabs>", "", "## After")
	if _, got := namesOf(t, src); !slices.Equal(got, []string{"After #after"}) {
		t.Errorf("the headings are %q", got)
	}
}

// "###" alone was a section without a name.
func TestAnEmptyHeadingNamesNoSection(t *testing.T) {
	t.Parallel()
	d := parsed(t, lines("# Okapis", "", "Text.", "", "###", "", "More.", "", "##", "", "## Life"))
	if len(d.Sections) != 2 || d.Sections[1].Text != "Life" {
		t.Errorf("the sections are %+v", d.Sections)
	}
}
