package rst

import (
	"errors"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
)

// Each of these was read wrongly in documentation that the program had not seen before.
func TestWhatRealPagesTaught(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, src, want string }{
		{"a signature on the line below its directive",
			lines("Lamps", "=====", "", "First", "-----", "", ".. function::", "   trim(wick)", "", "   Cuts the wick.", "",
				".. signature::", "  lamp(LIGHT <wick>", "       [<oil>])", "  lamp(DOUSE)", "  :target: LIGHT", "", "  Both of them."),
			lines("# Lamps", "", "## First", "", "### 'trim(wick)'", "", "Cuts the wick.", "", "### 'lamp(LIGHT <wick> [<oil>])', 'lamp(DOUSE)'", "",
				"Both of them.")},
		{"an object without a name describes the page's own", // CMake's pages of diagnostics were empty
			lines("SMOKE", "-----", "", ".. diagnostic::", "  :default: warn", "", "  Warn about smoke."),
			lines("# SMOKE", "", "- **Default**: warn", "", "Warn about smoke.")},
		{"a note's own lines are no argument",
			lines("T", "=", "", ".. note::", "   Oil burns.", "", ".. admonition::", "   Mind", "", "   The flame."),
			lines("# T", "", "> [!NOTE]", "> Oil burns.", "", "> [!NOTE]", "> **Mind**", ">", "> The flame.")},
		{"places in a text, and names that nothing has",
			lines("T", "=", "", "See 'whale oil'_, 'lost'_, wide_.", "", ".. _wide: 'nothing at all'_", "", "The _'Whale Oil' burns (_'rape",
				"oil'), see 'rape oil'_."),
			lines("# T", "", "See [whale oil](#whale-oil), lost, wide\\_.", "", "The Whale Oil burns (rape", "oil), see [rape oil](#rape-oil).")},
		{"the role of text in backticks alone",
			lines(".. default-role:: math", "", "T", "=", "", `See '\Delta t', :title:'oil'.`),
			lines("# T", "", `See '\Delta t', *oil*.`)},
		{"a formula keeps its backslashes",
			lines("T", "=", "", `Burns for :math:'\Delta t \cdot \pi' days.`),
			lines("# T", "", `Burns for '\Delta t \cdot \pi' days.`)},
		{"the names of a summary",
			lines("T", "=", "", ".. autosummary::", "   :toctree: generated", "", "   ~lamps.core.trim", "   fill"),
			lines("# T", "", "- 'trim'", "- 'fill'")},
		{"an unknown directive quotes nobody",
			lines("T", "=", "", ".. lantern::", "   Text one.", "", "   .. lantern::", "", "         Text two."),
			lines("# T", "", "Text one.", "", "Text two.")},
		{"changes of a version",
			lines("T", "=", "", ".. changelog::", "   :version: 2.1", "   :released: May 3", "", "   .. change::", "      :tags: bug, wick",
				"      :tickets: 12, 13", "", "      It no longer smokes."),
			lines("# T", "", "## 2.1", "", "Released: May 3", "", `- **bug, wick**: It no longer smokes.`, "", "  References: #12, #13")},
		{"a variable of a shell is no module of JavaScript",
			lines("T", "=", "", "export LAMP=lit in the profile of (all) users."),
			lines("# T", "", "export LAMP=lit in the profile of (all) users.")},
		{"markup of another format, and footnotes before a colon",
			lines("T", "=", "", "One |br| two [3]_ [4]_:", "", ".. |br| raw:: html", "", "   <br>"),
			lines("# T", "", "One two [3] [4]:")},
		{"a break between two words",
			lines("T", "=", "", "One\\ |br|\\ two.", "", ".. |br| raw:: html", "", "   <br />"),
			lines("# T", "", "One two.")},
		{"cards with head, foot and button", // where each led was lost, and ^^^ and +++ were text
			lines("T", "=", "", ".. grid:: 1 2", "   :gutter: 2", "", "   .. grid-item-card::", "      :img-top: a.svg", "", "      Trim", "      ^^^", "",
				"      Cut the wick.", "", "      +++", "", "      .. button-ref:: care/trim", "         :color: red", "", "         How to trim", "",
				"   .. card:: Oil", "", "      Fill it.", "", "      .. button-link:: https://oil.example", "         :expand:"),
			lines("# T", "", "**Trim**", "", "Cut the wick.", "", "[How to trim](care/trim)", "", "**Oil**", "", "Fill it.", "",
				"<https://oil.example>")},
		{"bold in bold",
			lines("T", "=", "", ".. rubric:: The **big** lamp", ".. table:: The **old** one", "", "   == ==", "   a  b", "   == =="),
			lines("# T", "", "## The **big** lamp", "", "**The old one**", "", "| | |", "| --- | --- |", "| a | b |")},
	} {
		if got := string(read(t, tt.src, parse.Options{Path: "guide/a.rst"}).Text); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// What a theme makes pages from was indexed, with {{ fullname }} as its title.
func TestTemplatesAreNoPages(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{"_templates/autosummary/class.rst": true, "guide/_themes/a.rst": true, "guide/class.rst": false} {
		_, err := Parser{}.Parse(t.Context(), []byte("{{ fullname }}\n======\n\n.. oil:: {{ fullname }}\n"), parse.Options{Path: file})
		var out parse.LeftOut
		if errors.As(err, &out) != want {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := (Parser{}).Parse(t.Context(), []byte("Lamps\n=====\n\nNo marks.\n"), parse.Options{Path: "_templates/a.rst"}); err != nil {
		t.Errorf("a page among templates: %v", err)
	}
}

// Sphinx looks for an included file from the page, docutils from the file that includes it.
func TestIncludesAreSoughtFromThePageFirst(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"guide/inc/a.txt":      ".. include:: inc/b.txt\n\n.. include:: near.txt\n",
		"guide/inc/b.txt":      "From the page.\n",
		"guide/inc/near.txt":   "From the file.\n",
		"guide/conf.py":        "project = 'Lamps'\nversion = '4.2'\n",
		"modules/trim.cmake":   "#[=======[.rst:\nTrim\n----\n\nCuts |version| wicks.\n#]=======]\nfunction(trim)\n",
		"guide/deep/inc/b.txt": "Of another page.\n",
	}
	open := func(p string) ([]byte, error) {
		if s, ok := files[p]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("it is not there")
	}
	d := read(t, lines("T", "=", "", ".. include:: inc/a.txt", "", ".. cmake-module:: ../modules/trim.cmake"), parse.Options{Path: "guide/a.rst", Open: open})
	want := lines("# T", "", "From the page.", "", "From the file.", "", "## Trim", "", "Cuts 4.2 wicks.")
	if string(d.Text) != want || len(d.Warnings) > 0 {
		t.Errorf("%s\nwant\n%s\nwarnings %q", d.Text, want, d.Warnings)
	}
	d = read(t, lines("T", "=", "", ".. include:: inc/none.txt"), parse.Options{Path: "guide/a.rst", Open: open})
	if len(d.Warnings) != 1 || !strings.Contains(d.Warnings[0], "inc/none.txt is not included") {
		t.Errorf("warnings %q", d.Warnings)
	}
}

// What a project says of text in backticks alone holds where the page says nothing: formulas
// lost their backslashes.
func TestDefaultRoleOfTheProject(t *testing.T) {
	t.Parallel()
	open := func(p string) ([]byte, error) {
		if p == "conf.py" {
			return []byte("default_role = 'math'\n"), nil
		}
		return nil, errors.New("it is not there")
	}
	for page, want := range map[string]string{
		lines("T", "=", "", `See '\Delta t', :title:'oil'.`):                                 lines("# T", "", `See '\Delta t', *oil*.`),
		lines(".. default-role:: strong", "", "T", "=", "", `See 'oil' and :math:'\Delta'.`): lines("# T", "", `See **oil** and '\Delta'.`),
	} {
		if d := read(t, page, parse.Options{Path: "guide/a.rst", Open: open}); string(d.Text) != want {
			t.Errorf("%s\nis\n%s\nwant\n%s", page, d.Text, want)
		}
	}
}

// Names that the project defines around each page were shown in their marks, |lamp|, and links
// of its own roles were lost. Its conf.py may lie above the folder that was added.
func TestNamesOfTheProject(t *testing.T) {
	t.Parallel()
	conf := strings.Join([]string{`rst_prolog = """`, `.. |lamp| replace:: the *Old* lamp`, `.. include:: /parts.inc`, `"""`,
		`rst_epilog = '.. _wick: https://wick.example\n'`, `release = '4.2'`,
		`extlinks = {'issue': ('https://git.example/issues/%s', 'issue %s'), 'src': ('https://git.example/src/%s', None)}`}, "\n")
	for _, at := range []string{"conf.py", "../conf.py"} {
		open := func(p string) ([]byte, error) {
			switch p {
			case at:
				return []byte(conf), nil
			case "parts.inc":
				return []byte(".. |oil| replace:: oil of |release|\n"), nil
			}
			return nil, errors.New("it is not there")
		}
		d := read(t, lines("T", "=", "", "Light |lamp| with |oil| and a wick_, see :issue:'7' and :src:'the code <a.c>', |none|."),
			parse.Options{Path: "guide/a.rst", Open: open})
		want := lines("# T", "", "Light the *Old* lamp with oil of 4.2 and a [wick](https://wick.example), see "+
			"[issue 7](https://git.example/issues/7) and [the code](https://git.example/src/a.c), |none|.")
		if string(d.Text) != want {
			t.Errorf("%s:\n%s\nwant\n%s", at, d.Text, want)
		}
	}
}
