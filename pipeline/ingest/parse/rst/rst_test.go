package rst

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/rst/inline"
)

type rendition struct{ name, src, want string }

// lines joins lines: sources and renditions are full of backticks.
func lines(s ...string) string { return strings.ReplaceAll(strings.Join(s, "\n"), "'", "`") + "\n" }

// renditions are pieces of reStructuredText with what they become. "'" stands for a
// backtick.
func renditions() []rendition {
	return slices.Concat(inlineRenditions(), blockRenditions(), tableRenditions(), directiveRenditions(), objectRenditions())
}

func inlineRenditions() []rendition {
	return []rendition{
		{"marks", lines("Trim *it* **well** with ''trim --all'', 2 * 3 * 4, *args, x**2, \\*not\\* and 'a title'."),
			lines("Trim *it* **well** with 'trim --all', 2 * 3 * 4, \\*args, x\\*\\*2, \\*not\\* and *a title*.")},
		{"joined", lines("re\\ *mark*\\ able ''a''\\s"), lines("re*mark*able 'a's")},
		{"marks side by side", lines("Default: ''\"'':class:'lamps.Lamp'\\ ''\"'', *a*:kbd:'b' but not:kbd:'c'."),
			lines("Default: '\"''lamps.Lamp''\"', *a*'b' but not:kbd:*c*.")},
		{"literal over lines keeps the lines of the page", lines("Use ''trim", "--all'' or", "not."), lines("Use 'trim --all'", "or", "not.")},
		{"roles", lines(":func:'trim', :meth:'~lamps.Lamp.light', :class:'!Lamp', :class:'the lamp <lamps.Lamp>', :file:'/usr/{name}/x',",
			":kbd:'Ctrl+C', :guilabel:'&Save', :menuselection:'File --> Open', :term:'wick', :abbr:'LED (light)', :pep:'8', :ticket:'123', 'x':sub:"),
			lines("'trim()', 'light()', 'Lamp', 'the lamp', '/usr/name/x',",
				"'Ctrl+C', **Save**, **File → Open**, wick, LED (light), [PEP 8](https://peps.python.org/pep-0008/), #123, x")},
		{"roles of a project's own", lines(":variable:'CMAKE_BUILD_TYPE', :variable:'X <A_<B>_C>', :user:'ana'"), lines("'CMAKE_BUILD_TYPE', X, ana")},
		{"links to pages", lines(":doc:'/guide/oil', :doc:'the guide <guide/index>', :doc:'x.rst'"),
			lines("[guide/oil](/guide/oil), [the guide](guide/index), [x.rst](x)")},
		{"links", lines("Oil_, 'oil'_, 'the site <https://lamps.example.org/a_b>'_, 'two", "lines <https://two.example.org>'_ and", "'anon'__, https://bare.example.org/x_y. nowhere_", "",
			".. _oil: https://oil.example.org/", "__ https://anon.example.org/"),
			lines("[Oil](https://oil.example.org/), [oil](https://oil.example.org/), [the site](https://lamps.example.org/a_b), [two",
				"lines](https://two.example.org) and", "[anon](https://anon.example.org/), <https://bare.example.org/x_y>. nowhere\\_")},
		{"indirect targets", lines("one_ two_ loop_", "", ".. _one: two_", ".. _two: https://e.example.org", ".. _loop: pool_", ".. _pool: loop_"),
			lines("[one](https://e.example.org) [two](https://e.example.org) loop\\_")},
		{"labels", lines("See :ref:'here', :ref:'this <HERE>', :ref:'there', :ref:'that <there>' and 'The wick'_.", "", ".. _here:", "", "The wick", "--------"),
			lines("See [The wick](#here), [this](#here), [there](label:there), [that](label:there) and [The wick](#here).", "", "# The wick")},
		{"substitutions", lines("|a| |b| |c| |none|", "", ".. |a| replace:: *oil* |b|", ".. |b| unicode:: U+2122", ".. |c| replace:: |c|"),
			lines("*oil* ™ ™ |c| |none|")},
		{"footnotes", lines("a [1]_ b [#]_ c [#n]_ [CIT]_", "", ".. [1] One.", ".. [#] Two.", ".. [#n] Three.", ".. [CIT] Book.", "   More."),
			lines("a [1] b [2] c [3] [CIT]", "", "[1] One.", "", "[2] Two.", "", "[3] Three.", "", "[CIT] Book.", "More.")},
	}
}

func blockRenditions() []rendition {
	return []rendition{
		{"sections in any adornment", lines("====", "Top", "====", "", "One", "~~~~", "", "Deep", "^^^^", "", "Two", "~~~~", "", "Next", "===="),
			lines("# Top", "", "## One", "", "### Deep", "", "## Two", "", "### Next")},
		{"sections in only", lines("A", "=", "", ".. only:: html", "", "   In", "   ^^", "", "   Text.", "", "B", "-", "", "C", "^"),
			lines("# A", "", "## In", "", "Text.", "", "## B", "", "### C")},
		{"a title that jumps", lines("A", "=", "", "B", "-", "", "C", "~", "", "D", "=", "", "E", "~"), lines("# A", "", "## B", "", "### C", "", "# D", "", "## E")},
		{"numbers", lines("#. one", "#. two", "", "   .. code-block:: sh", "", "      trim", "", "#. three", "", "a. alpha", "b. beta", "", "(iv) four", "(v) five", "", "3) c"),
			lines("1. one", "2. two", "", "   '''sh", "   trim", "   '''", "", "3. three", "", "1) alpha", "2) beta", "", "4. four", "5. five", "", "3) c")},
		{"no list", lines("A. Einstein was", "a physicist."), lines("A. Einstein was", "a physicist.")},
		{"bullets", lines("* a", "", "  b", "", "  - c", "* d"), lines("- a", "", "  b", "  - c", "", "- d")},
		{"definitions", lines("wick : part", "  Burns.", "", "oil", "  Feeds.", "", "  More."), lines("- **wick : part**", "  Burns.", "- **oil**", "  Feeds.", "", "  More.")},
		{"fields", lines("Text.", "", ":param str name: who", ":raises DarkError: where", ":returns: a lamp"),
			lines("Text.", "", "- 'name' (str): who", "- Raises 'DarkError': where", "- Returns: a lamp")},
		{"options", lines("-a, --all     all of them", "--wick=LEN   the length"), lines("- **'-a, --all'**", "  all of them", "- **'--wick=LEN'**", "  the length")},
		{"line block", lines("| one", "| two", "  goes on"), lines("one\\", "two goes on")},
		{"doctest", lines(">>> trim()", "42", "", "After."), lines("'''pycon", ">>> trim()", "42", "'''", "", "After.")},
		{"literal", lines("Say::", "", "    a", "      b", "", "::", "", "  c", "", "Quoted::", "", "> d", "> e"),
			lines("Say:", "", "'''", "a", "  b", "'''", "", "'''", "c", "'''", "", "Quoted:", "", "'''", "> d", "> e", "'''")},
		{"quote", lines("A", "", "   said", "", "B"), lines("A", "", "> said", "", "B")},
		{"comments", lines(".. not shown", "   nor this", "", "Shown.", "", "..", "", "   quoted"), lines("Shown.", "", "> quoted")},
		{"transition", lines("A", "", "-----", "", "B"), lines("A", "", "***", "", "B")},
		{"tabs", lines("-\ta", "", "\tb"), lines("- a", "", "  b")},
		{"metadata", lines(":orphan:", ":description: All", "", "T", "="), lines("# T")},
	}
}

func tableRenditions() []rendition {
	return []rendition{
		{"simple", lines("=====  ======", "A      B", "=====  ======", "1      one", "       more", "2      ''a|b''", "=====  ======"),
			lines("| A | B |", "| --- | --- |", "| 1 | one more |", "| 2 | 'a\\|b' |")},
		{"simple with joined columns", lines("=== === ===", "a       c", "------- ---", "1   2   3", "=== === ===", "1   2   3", "=== === ==="),
			lines("| a 1 | 2 | c 3 |", "| --- | --- | --- |", "| 1 | 2 | 3 |")},
		{"grid with spans", lines("+-----+-----------+", "| a   | b         |", "+=====+===========+", "| 1   | wide      |", "|     +-----+-----+", "|     | x   | - y |", "+-----+-----+-----+", "| last row        |", "+-----------------+"),
			lines("| a | b |  |", "| --- | --- | --- |", "| 1 | wide |  |", "| 1 | x | • y |", "| last row |  |  |")},
		{"wide signs in a grid", lines("+------+--+", "| lamp |✅|", "+------+--+", "| wick |⭐|", "+------+--+"), lines("| | |", "| --- | --- |", "| lamp | ✅ |", "| wick | ⭐ |")},
		{"wide characters", lines("====  ==", "灯油  b", "====  =="), lines("| | |", "| --- | --- |", "| 灯油 | b |")},
		{"class of styles", lines(".. class:: oil-table", "", "====  ==", "lamp  b", "====  ==", "", ".. class:: Lamp(oil)", "", "   Burns."),
			lines("| | |", "| --- | --- |", "| lamp | b |", "", "# class `Lamp(oil)`", "", "Burns.")},
		{"list table", lines(".. list-table:: Oils", "   :header-rows: 1", "", "   * - Name", "     - Use", "   * - Whale", "     - never"),
			lines("**Oils**", "", "| Name | Use |", "| --- | --- |", "| Whale | never |")},
		{"csv table", lines(".. csv-table::", "   :header: \"x\", \"y\"", "", "   1, \"a, *b*\""), lines("| x | y |", "| --- | --- |", "| 1 | a, *b* |")},
		{"without an end", lines("=== ===", "a   b", "", "After."), lines("'''", "=== ===", "a   b", "'''", "", "After.")},
	}
}

func directiveRenditions() []rendition {
	return []rendition{
		{"notes", lines(".. note:: Keep it", "   dry.", "", ".. Warning::", "", "   Hot.", "", ".. admonition:: Look", "   :class: tip", "", "   Now."),
			lines("> [!NOTE]", "> Keep it", "> dry.", "", "> [!WARNING]", "> Hot.", "", "> [!TIP]", "> **Look**", ">", "> Now.")},
		{"versions", lines(".. versionadded:: 2.0", ".. versionchanged:: 2.1 The wick", "   is round.", "", ".. deprecated:: 3", "", "   Use gas."),
			lines("*New in version 2.0*.", "", "*Changed in version 2.1*: The wick", "is round.", "", "*Deprecated since version 3*: Use gas.")},
		{"code", lines(".. highlight:: sh", "", ".. code-block:: python", "   :caption: lamp.py", "   :linenos:", "", "   def light():", "       pass", "", ".. console::", "", "   $ trim", "", "So::", "", "  trim"),
			lines("**lamp.py**", "", "'''python", "def light():", "    pass", "'''", "", "'''console", "$ trim", "'''", "", "So:", "", "'''sh", "trim", "'''")},
		{"toctree", lines(".. toctree::", "   :maxdepth: 2", "   :caption: Guide", "", "   oil", "   The wick </guide/wick>", "   self", "", ".. toctree::", "   :hidden:", "", "   gone"),
			lines("**Guide**", "", "- [oil](oil)", "- [The wick](/guide/wick)")},
		{"contents, index, raw", lines(".. redirect-from::", "", "   Old/Place", "", ".. contents::", "   :depth: 1", "", ".. index:: a, b", "", ".. raw:: html", "", "   <b>x</b>", "", "Text."), lines("Text.")},
		{"only and tabs", lines(".. only:: html", "", "   Shown.", "", ".. tabs::", "", "   .. tab:: Linux", "", "      apt"), lines("Shown.", "", "**Linux**", "", "apt")},
		{"figures", lines(".. figure:: a.png", "   :alt: A lamp", "", "   Its caption.", "", ".. image:: b.png"), lines("![A lamp](a.png)", "", "Its caption.")},
		{"mathematics", lines(".. math::", "", "   a^2", "", "or :math:'b_1'"), lines("'''math", "a^2", "'''", "", "or 'b_1'")},
		{"parsed literal", lines(".. parsed-literal::", "", "   a *b*", "     ''c''"), lines("'''", "a b", "  c", "'''")},
		{"glossary", lines(".. glossary::", "", "   wick", "   cord", "     Burns."), lines("- **wick, cord**", "  Burns.")},
		{"rubric", lines("T", "=", "", ".. rubric:: Notes", "", ".. centered:: Mid"), lines("# T", "", "## Notes", "", "**Mid**")},
		{"unknown", lines(".. lantern:: a", "   :x: y", "", "   Text."), lines("a", "", "Text.")},
		{"a name for what follows", lines(".. lantern:: wick", "", "The wick", "--------", "", ".. lantern:: oil", "", "Text.", "", ".. lamp-versionadded:: 3"),
			lines("# The wick", "", "'wick'", "", "oil", "", "Text.", "", "*New in version 3*.")},
		{"title in a note", lines(".. note::", "", "   T", "   -", "", "   Text."), lines("> [!NOTE]", "> **T**", ">", "> Text.")},
	}
}

func objectRenditions() []rendition {
	return []rendition{
		{"what Sphinx shows of a setting", lines(".. confval:: lamp_theme", "   :type: ''str''", "   :default: ''amber''", "   :no-index:", "", "   Its glow."),
			lines("# 'lamp_theme'", "", "- **Type**: 'str'", "- **Default**: 'amber'", "", "Its glow.")},
		{"a constant", lines(".. py:data:: LEVEL", "   :type: int", "   :value: 3"), lines("# 'LEVEL'", "", "- **Type**: int", "- **Value**: 3")},
		{"a setting before its title", lines(".. setting:: TEST_WICK", "", "''WICK''", "--------", "", "Default: 3."), lines("# 'WICK'", "", "'TEST_WICK'", "", "Default: 3.")},
		{"a signature below its title", lines("''wick''", "--------", "", ".. attribute:: Lamp.wick", "", "Text."), lines("# 'wick'", "", "'Lamp.wick'", "", "Text.")},
		{"classes", lines("Lamps", "-----", "", ".. class:: Lamp(oil, *, wick=None)", "", "   A lamp.", "", "   .. method:: light()", "", "      Light it.", "", ".. function:: trim(a)", "              trim(a, b)", "", "   Trim."),
			lines("# Lamps", "", "## class 'Lamp(oil, *, wick=None)'", "", "A lamp.", "", "### 'light()'", "", "Light it.", "", "## 'trim(a)', 'trim(a, b)'", "", "Trim.")},
		{"text after an object belongs to the section around it", lines("Lamps", "-----", "", ".. data:: oil", "", "   Feeds.", "", "All lamps.", "", ".. data:: wick", "", "   Burns."),
			lines("# Lamps", "", "- **'oil'**", "  Feeds.", "", "All lamps.", "", "## 'wick'", "", "Burns.")},
		{"a class below the title that names it", lines("''Lamp'' objects", "--------------", "", ".. class:: Lamp(oil)", "", "   A lamp.", "", "   .. attribute:: oil", "   .. attribute:: wick", "", "      Parts."),
			lines("# 'Lamp' objects", "", "class 'Lamp(oil)'", "", "A lamp.", "", "## 'oil', 'wick'", "", "Parts.")},
		{"a class below its title before other text", lines("Lamp", "----", "", ".. class:: Lamp", "", "   A lamp.", "", "   .. attribute:: oil", "", "      Feeds.", "", "Lamps are hot."),
			lines("# Lamp", "", "A lamp.", "", "- **'oil'**", "  Feeds.", "", "Lamps are hot.")},
		{"options whose text stands beside them", lines("trim", "----", "", ".. program:: trim", "", "Trims.", "", ".. option:: --all, -a", "", "All.", "", ".. option:: -q", "", "Quiet."),
			lines("# trim", "", "Trims.", "", "## '--all, -a'", "", "All.", "", "## '-q'", "", "Quiet.")},
	}
}

func TestRenditions(t *testing.T) {
	t.Parallel()
	all := renditions()
	sources := map[string][]byte{}
	for _, tt := range all {
		sources[tt.name] = []byte(tt.src)
		if got := string(read(t, tt.src, parse.Options{Path: "guide/a.rst"}).Text); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
	parsetest.TestParser(t, Parser{}, sources)
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	src := lines(".. _Top_Label:", ".. _second label:", "", "Über uns & more!", "================", "", "Tags", "----", "", "See 'x <https://e.org>'_ [1]_", "",
		"Tags", "----", "", ".. _Wicks: https://e.org", "", "Wicks", "-----", "", "2. Setup", "--------", "", "灯", "--", "",
		".. module:: lamps", "", "Core", "----", "", ".. class:: Lamp", "", "   Text.", "", "   .. classmethod:: make(x)", "", "      Text.", "",
		".. py:function:: lamps.trim(a)", "", "   Text.", "", ".. program:: trim", "", ".. option:: --all=X, -a", "", "   Text.", "",
		".. confval:: lamp_theme", "", "   Text.", "", ".. envvar:: LAMP", "", "   Text.", "", ".. c:function:: int light(lamp *l)", "", "   Text.", "", "..  setting:: WICK", "", "Wick", "----")
	var got []string
	for _, s := range read(t, src, parse.Options{Path: "a.rst"}).Sections {
		got = append(got, s.Anchor)
	}
	// The footnote reference takes id1, the second "Tags" is id2; the name of the link
	// "x" and the target "Wicks" have ids too.
	want := []string{"second-label", "tags", "id2", "id3", "setup", "id4", "core", "lamps.Lamp", "lamps.Lamp.make", "lamps.trim",
		"cmdoption-trim-all", "confval-lamp_theme", "envvar-LAMP", "c.light", "setting-WICK"}
	if !slices.Equal(got, want) {
		t.Errorf("the anchors are\n%q, want\n%q", got, want)
	}
}

func TestMakeID(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"What's new in 3.2?": "what-s-new-in-3-2", "3.2 release": "release", "Straße Ørsted": "strasze-orsted",
		"a_b": "a-b", "--x--": "x", "灯": "", "ﬁx": "fix", "é": "e"} {
		if got := inline.MakeID(name); got != want {
			t.Errorf("the id of %q is %q, want %q", name, got, want)
		}
	}
}

func TestLinksAndPlaces(t *testing.T) {
	t.Parallel()
	src := lines("T", "=", "", "One ''a", "b'' two", "three :doc:'/x/y'", "", "- :ref:'far <Far Away>'")
	d := read(t, src, parse.Options{Path: "a.rst"})
	if d.Title != "T" || len(d.Links) != 2 || d.Links[0].Target != "/x/y" || d.Links[1].Target != "label:far%20away" {
		t.Errorf("title %q, links %+v", d.Title, d.Links)
	}
	for _, l := range d.Links {
		if at := d.Location(l.Line).Line; at != map[string]int{"x/y": 6, "far": 8}[l.Text] {
			t.Errorf("%q stands in line %d of the source", l.Text, at)
		}
	}
}

func TestTablesOfContents(t *testing.T) {
	t.Parallel()
	src := lines("T", "=", "", "Text.", "", ".. toctree::", "   :hidden:", "", "   Oil <oil>", "   wick", "", ".. toctree::", "   :glob:", "", "   care/*", "   https://e.org")
	files := func(endings ...string) []string {
		return []string{"guide/a.rst", "guide/care/clean.rst", "guide/care/trim.txt", "guide/oil.rst", "guide/care/deep/x.rst"}
	}
	d := read(t, src, parse.Options{Path: "guide/a.rst", Files: files})
	if want := lines("# T", "", "Text.", "", "- [guide/care/clean](/guide/care/clean)", "- [guide/care/trim](/guide/care/trim)", "- <https://e.org>"); string(d.Text) != want {
		t.Errorf("%s\nwant\n%s", d.Text, want)
	}
	var got []string
	for _, l := range d.Links {
		got = append(got, l.Target)
	}
	if want := []string{"oil", "wick", "/guide/care/clean", "/guide/care/trim", "https://e.org"}; !slices.Equal(got, want) {
		t.Errorf("links to %q, want %q", got, want)
	}
}

func TestIncludedFiles(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"guide/part.inc": "Part\n----\n\n.. _in part:\n\nInside, :ref:`in part`.\n",
		"snippets/a.py":  "import x\n\n# begin\ndef light():\n    pass\n# end\n",
		"t.csv":          "a,b\n1,2\n",
	}
	open := func(p string) ([]byte, error) {
		if s, ok := files[p]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("it is not there")
	}
	src := lines("Top", "===", "", ".. include:: part.inc", "", "After.", "", ".. literalinclude:: /snippets/a.py", "   :language: python", "   :start-after: # begin", "   :end-before: # end", "",
		".. literalinclude:: /snippets/a.py", "   :lines: 1,4-5", "", ".. csv-table::", "   :file: /t.csv", "   :header-rows: 1")
	d := read(t, src, parse.Options{Path: "guide/a.rst", Open: open})
	want := lines("# Top", "", "## Part", "", "Inside, [in part](#in-part).", "", "After.", "", "'''python", "def light():", "    pass", "'''", "",
		"'''py", "import x", "def light():", "    pass", "'''", "", "| a | b |", "| --- | --- |", "| 1 | 2 |")
	if string(d.Text) != want || len(d.Warnings) > 0 {
		t.Errorf("%s\nwant\n%s\nwarnings %q", d.Text, want, d.Warnings)
	}
	if at := d.Location(5).Line; at != 4 {
		t.Errorf("what is included stands in line %d, not in that of the directive", at)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	d := read(t, lines("T", "=", "", ".. lantern:: a", "", "   Text.", "", "End::", "", "no code"), parse.Options{Path: "a.rst"})
	if len(d.Warnings) != 2 || !strings.HasPrefix(d.Warnings[0], "line 4: the directive \"lantern\"") || !strings.HasPrefix(d.Warnings[1], "line 10: ") {
		t.Errorf("warnings %q", d.Warnings)
	}
}

// The name of a project's own label, directly before a title, is no text.
func TestUnknownLabels(t *testing.T) {
	t.Parallel()
	d := read(t, lines("T", "=", "", ".. wick-ref:: lamps-trim", ".. see:: b", "", "Trim", "----", "", ".. wick-ref:: flat", "", "Text.", "", ".. own-label:: c", "", "====", "Care", "====", "", "Text."),
		parse.Options{Path: "a.rst"})
	if want := lines("# T", "", "## Trim", "", "flat", "", "Text.", "", "### Care", "", "Text."); string(d.Text) != want || len(d.Warnings) != 1 {
		t.Errorf("%s\nwant\n%s\n%q", d.Text, want, d.Warnings)
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		lines("Lamps", "=====", "", "See :ref:'x'."):          true,
		lines("=====", "Lamps", "=====", "", "Text."):         true,
		lines(".. _x:", "", ".. toctree::", "", "   a"):       true,
		lines("A", "=====", "", "Text", "", "B", "----"):      true,
		lines("Copyright", "", "Permission is granted ..."):   false,
		lines("Django>=3.2", "sphinx"):                        false,
		lines("# Markdown", "", "Use 'x' and", "'''", "a"):    false,
		lines("log 1", "-----------------------------", "ok"): false,
		"": false,
		lines("Some text.", "", ".. and more: of it", "..."): false,
	} {
		if got := sniffRST([]byte(src)); got != want {
			t.Errorf("%q: %v", src, got)
		}
	}
}

func TestParseEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Parser{}).Parse(ctx, []byte("a"), parse.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// setFiles are the files of a doc set, in memory.
type setFiles map[string]string

func (s setFiles) Open(name string) (parse.Opened, error) {
	text, ok := s[name]
	if !ok {
		return parse.Opened{}, fs.ErrNotExist
	}
	return parse.Opened{Data: []byte(text)}, nil
}

func (s setFiles) List(endings ...string) []string {
	var list []string
	for name := range s {
		if slices.Contains(endings, path.Ext(name)) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// Labels of other pages lead there, with the title of the section that they stand before.
func TestLabelsOfOtherPages(t *testing.T) {
	t.Parallel()
	set := setFiles{
		"guide/oil.rst": lines("Oil", "===", "", ".. _old-oil:", ".. _Kinds of oil:", "", "----------------", "Kinds of ''oil''", "----------------", "", ".. _a table:", "", "+--+", "|x |", "+--+", ""),
		"ref/all.txt":   lines(".. _old-oil:", "", "Second", "------", "", ".. _`with: colon`:", "", "Colon", "~~~~~"),
	}
	var opened []string
	d := read(t, lines("T", "=", "", "See :ref:'old-oil', :ref:'that <kinds of oil>', :ref:'a table',", ":ref:'missing' and :ref:'own'.", "", ".. _own:", "", "Own", "---"), parse.Options{
		Path: "a.rst",
		Open: func(name string) ([]byte, error) {
			opened = append(opened, name)
			o, err := set.Open(name)
			return o.Data, err
		},
		Survey: func(_ string, of func(parse.Files) any) any { return of(set) },
	})
	want := "See [Kinds of oil](/guide/oil#kinds-of-oil), [that](/guide/oil#kinds-of-oil), [a table](/guide/oil#a-table),\n[missing](label:missing) and [Own](#own)."
	if !strings.Contains(string(d.Text), want) {
		t.Errorf("the text is %s", d.Text)
	}
	if len(opened) != 3 || opened[0] != "guide/oil.rst" {
		t.Errorf("it took titles from %q", opened)
	}
}
