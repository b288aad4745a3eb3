package parameters_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"docent/pipeline/ingest/hostiletest"
	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/text/sanitize"
	"docent/store/doc"
)

func read(t testing.TB, name, src string) (doc.Document, []parameters.Parameter) {
	t.Helper()
	reg, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	d, err := reg.Parse(context.Background(), []byte(src), parse.File{Path: name, Layout: doc.LayoutTree})
	if err != nil {
		t.Fatal(err)
	}
	return d, parameters.ReadParameters(d)
}

// written is a parameter on one line, as the tests compare it.
func written(d doc.Document, p parameters.Parameter) string {
	s := strings.Join(append([]string{p.Name}, p.Aliases...), ",")
	for _, x := range [...]struct{ name, value string }{{"type", p.Type}, {"default", p.Default}} {
		if x.value != "" {
			s += fmt.Sprintf(" %s=%s", x.name, x.value)
		}
	}
	if p.Required {
		s += " required"
	}
	return s + fmt.Sprintf(" %s %d-%d/%d %s", p.Form, p.First, p.Last, p.Header, p.Description)
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ about, file, src, want string }{
		{"a flag with a dash for a stream", "a.pod", "=head1 OPTIONS\n\n=over 4\n\n=item B<-U> SOCKET\n\n=item B<--unix=>SOCKET\n\n=item B<-U ->\n\n=item B<--unix ->\n\nListens.\n\n" +
			"=item B<-o ->, B<--out ->\n\nWrites.\n\n=back\n", "--unix,-U type=SOCKET item 3-4/0 Listens.\n--out,-o item 5-6/0 Writes."},
		{"types in words behind names", "a.md", "# Lamp\n\n* `wick` Integer (optional) - How long. Default is `3`.\n* `oil` string | [Oil](oil.md)[] (required) *Linux* _macOS_ -\n  " +
			"Which oil.\n* `burn` Burner (optional) - What burns.\n* `by` Record\\<string, number\\> - By name.\n* `opts` Object (optional)\n  * `dim` boolean - Dims.\n* `spark` {Function|null} Called.\n",
			"wick type=Integer default=3 item 3-3/0 How long. Default is 3.\noil type=string | Oil[] required item 4-5/0 Which oil.\n" +
				"burn type=Burner item 6-6/0 What burns.\nby type=Record<string, number> item 7-7/0 By name.\n" +
				"opts type=Object item 8-8/0 \ndim,opts.dim type=boolean item 9-9/0 Dims.\nspark type=Function|null item 10-10/0 Called."},
		{"sentences and names without a description have no types", "a.md", "# Lamp\n\n* `wick` string\n* `oil` Burns - slowly\n* `dim` list of lamps - all\n* `glow` string of light in a lamp\n" +
			"* `spark` time - and again\n* `lit`Integer - no blank\n", ""},
		{"flags below a heading that names something else", "a.md", "# lamp trim\n\n## Flags\n\n| Value | Type | Description |\n|---|---|---|\n" +
			"| `--wick-length` | duration | How long. |\n| `-f, --force` | - | Trims all. |\n\n| Value | Type | Means |\n|---|---|---|\n| `wick_cut` | word | Cut. |\n| `wick_long` | word | Long. |\n",
			"--wick-length type=duration row 7-7/5 How long.\n--force,-f row 8-8/5 Trims all."},
		{"a table with all columns", "a.md", "# Lamp\n\n| Option | Type | Default | Required | Description |\n|---|---|---|---|---|\n| `wick` | int | `3` | yes | How *long* it [is](x.md). |\n| `oil\\|fuel` | string | - | no | Which <b>oil</b>. |\n",
			"wick type=int default=3 required row 5-5/3 How long it is."},
		{"names in code under a heading that says what they are", "a.md", "# Lamp\n\n| Variable | Purpose |\n|---|---|\n| `LAMP_OIL` | Which oil. Defaults to `rye`. |\n| `LAMP_WICK` | How long. |\n",
			"LAMP_OIL default=rye row 5-5/3 Which oil. Defaults to rye.\nLAMP_WICK row 6-6/3 How long."},
		{"a default without a full stop", "a.md", "# Lamp\n\n- **lamp.user** (string)\n\n  user is optional: default is admin More info: https://lamps.example.org/users.md\n",
			"lamp.user type=string default=admin item 3-5/0 user is optional: default is admin More info: https://lamps.example.org/users.md"},
		{"an optional value with a default", "a.md", "# lamp\n\n<table>\n<tr>\n<td colspan=\"2\">--check string[=&quot;strict&quot;]&nbsp;&nbsp;Default: &quot;strict&quot;</td>\n</tr>\n<tr>\n<td></td><td>Checks.</td>\n</tr>\n</table>\n",
			"--check type=string default=\"strict\" row 4-9/0 Checks."},
		{"brackets within a type", "a.md", "# Lamp\n\n## Options\n\n- **`--oil=FILE[:ro|:new]`**\n  Reads it.\n- **`--wick [SIZE]`**\n  Cuts it.\n- **`LAMP_TRIM ([wick], [oil])`**\n  Trims it.\n- **`--dim (low) (high)`**\n  Dims it.\n",
			"--oil type=FILE[:ro|:new] item 5-6/0 Reads it.\n--wick type=SIZE item 7-8/0 Cuts it.\nLAMP_TRIM type=[wick], [oil] item 9-10/0 Trims it.\n--dim type=(low) (high) item 11-12/0 Dims it."},
		{"arguments of a call that are many", "a.md", "# Lamp\n\n## Macros\n\n- **`LAMP_LIGHT (wick, oil, [when-it-burns], [when-it-does-not = LAMP_FAILURE])`**\n  Lights it.\n- **`LAMP_TOLD (it is said at length, and by many people who were there, that it was lit)`**\n  No.\n",
			"LAMP_LIGHT type=wick, oil, [when-it-burns], [when-it-does-not =… item 5-6/0 Lights it."},
		{"several defaults", "a.md", "# Lamp\n\n| Field | Description |\n|---|---|\n| `wick_length` | Millimetres. Defaults: 600 for oil, wax, and tar; 30 for gas. Trim it, or it smokes. |\n| `glass_kind` | Defaults: clear, at home |\n",
			"wick_length default=600 for oil, wax, and tar; 30 for gas row 5-5/3 Millimetres. Defaults: 600 for oil, wax, and tar; 30 for gas. Trim it, or it smokes.\nglass_kind default=clear, at home row 6-6/3 Defaults: clear, at home"},
		{"names in code without such a heading", "a.md", "# Lamp\n\n| What | |\n|---|---|\n| `lamp.oil` | Which oil. |\n| `lamp.wick` | How long. |\n",
			"lamp.oil row 5-5/3 Which oil.\nlamp.wick row 6-6/3 How long."},
		{"names with what stands for a value", "a.md", "# Lamp\n\n- **wick=N**\n  How long.\n- **`glow=on|off`**\n  Whether.\n- **oil = on/off**\n  Which.\n- **size=5**\n  A size.\n- **lid=true**\n  No.\n- **glass=file**\n  A file.\n",
			"wick type=N item 3-4/0 How long.\nglow type=on|off item 5-6/0 Whether.\noil type=on/off item 7-8/0 Which.\nglass type=file item 13-14/0 A file."},
		{"keywords of a manual page", "lamp.5", ".Dd today\n.Dt LAMP 5\n.Os\n.Sh DESCRIPTION\nIt is lit.\n.Bl -tag\n.It Ic lamp Cm max-oil Ar size\nHow much.\n.It Cm Wick\nHow long.\n.It Cm glass Op Ar kind\nWhich.\n.El\n",
			"max-oil,lamp max-oil type=size item 5-6/0 How much.\nWick item 7-8/0 How long.\nglass type=kind item 9-10/0 Which."},
		{"defaults in brackets behind headings", "a.md", "# Lamp\n\n## wick_length (default: $lamp_wick)\n\nHow long.\n\n## oil (default: Lamp >= 3: rye; Lamp < 3: rape)\n\nWhich.\n\n## Lighting it (default)\n\nNo.\n",
			"wick_length default=$lamp_wick heading 3-6/0 How long.\noil default=Lamp >= 3: rye; Lamp < 3: rape heading 7-10/0 Which."},
		{"defaults and types of the parameters of a module", "lamp.4", ".Dd today\n.Dt LAMP 4\n.Os\n.Sh DESCRIPTION\nIt has parameters:\n.Bl -tag\n.It Sy lamp_wick Ns = Ns Sy 3 Ns mm Pq int\nHow long.\n.It Sy lamp_glow Ns = Ns Sy 1 Ns | Ns 0 Pq uint\nWhether.\n.It Sy lamp_oil Ns = Pq string\nWhich.\n.It Cm file Ns = Ns Ar path\nA file.\n.El\n",
			"lamp_wick type=int default=3mm item 5-6/0 How long.\nlamp_glow type=uint default=1 item 7-8/0 Whether.\nlamp_oil type=string item 9-10/0 Which.\nfile type=path item 11-12/0 A file."},
		{"help that begins at the margin", "a.md", "# Lamp\n\n```\n--wick '3'\n  How long.\n--oil ''\n  Which oil.\n--mix '{\"rye\": 1, \"rape\": 2}'\n  Both.\n```\n\n```diff\n-import oil\n   as fuel\n--no such\n+new\n```\n",
			"--wick default=3 item 4-5/0 How long.\n--oil item 6-7/0 Which oil.\n--mix default={\"rye\": 1, \"rape\": 2} item 8-9/0 Both."},
		{"a part of the value that may be missing", "a.md", "# Lamp\n\n- `--oil KIND[@YEAR]`: Which oil.\n- `--wick [LENGTH]`: How long.\n",
			"--oil type=KIND[@YEAR] item 3-3/0 Which oil.\n--wick type=LENGTH item 4-4/0 How long."},
		{"names with a plus", "a.md", "# Lamp\n\n## Flags\n\n- **+oil**\n  Burns oil.\n", "+oil item 5-6/0 Burns oil."},
		{"a default behind the name, in the code", "a.md", "# Lamp\n\n## Options\n\n- `oilKind = 'rape'`: which oil\n- `smokes = false`: whether it smokes\n- `trim = () => 1`: how\n",
			"oilKind default='rape' item 5-5/0 which oil\nsmokes default=false item 6-6/0 whether it smokes"},
		{"commands and files are no parameters", "a.md", "# Lamp\n\n| Command | Does |\n|---|---|\n| `lamp-light` | Lights. |\n| `lamp-trim` | Trims. |\n\n| Lies in | |\n|---|---|\n| `lamp.yaml` | All of it. |\n| `lamp.toml` | All of it. |\n", ""},
		{"a grid table", "a.md", "# Lamp\n\n+-----------+--------------+\n| Option    | Description  |\n+===========+==============+\n| `wick_mm` | How long it  |\n|           | is.          |\n+-----------+--------------+\n| `oil.use` | Which.       |\n+-----------+--------------+\n",
			"wick_mm row 6-7/4 How long it is.\noil.use row 9-9/4 Which."},
		{"a table in Chinese", "a.md", "# 灯\n\n| 参数 | 类型 | 默认值 | 必填 | 说明 |\n|---|---|---|---|---|\n| `wick` | 整数 | 3 | 是 | 灯芯的长度 |\n",
			"wick type=整数 default=3 required row 5-5/3 灯芯的长度"},
		{"rows of flags in HTML", "a.md", "# lamp\n\n<table>\n<tbody>\n<tr>\n<td colspan=\"2\">-w, --wick int&nbsp;&nbsp;&nbsp;Default: 3</td>\n</tr>\n<tr>\n<td></td><td><p>How long it is.</p></td>\n</tr>\n<tr>\n<td colspan=\"2\">--oil string=\"rye\"</td>\n</tr>\n<tr>\n<td></td><td>Which oil.</td>\n</tr>\n</tbody>\n</table>\n",
			"--wick,-w type=int default=3 row 5-10/0 How long it is.\n--oil type=string row 11-16/0 Which oil."},
		{"a list", "a.md", "# Lamp\n\n- `wick_length` (int, default 3, required): How long.\n  It burns.\n- `-q`, `--quiet`: Says nothing.\n- `lamp_oil` is what burns.\n- `true`: yes\n",
			"wick_length type=int default=3 required item 3-4/0 How long. It burns.\n--quiet,-q item 5-5/0 Says nothing."},
		{"a list that its lead announces", "a.md", "# Lamp\n\nThese fields are known:\n\n* `oil`: Which oil.\n\nThese are not:\n\n* `water`: Never.\n", "oil item 5-5/0 Which oil."},
		{"nested lists: values belong to the parameter, fields of it are their own", "a.md", "# Lamp\n\n- **spec** ([]Spec), required\n\n  What it is.\n\n  - `\"A\"` is one\n  - `\"B\"` is another\n\n  - **spec.oil** (string)\n\n    Which oil.\n\n- **status** (Status)\n\n  How it is.\n",
			"spec type=[]Spec required item 3-8/0 What it is.\nspec.oil type=string item 10-12/0 Which oil.\nstatus type=Status item 14-16/0 How it is."},
		{"properties that a quote declares", "a.md", "# Lamp\n\n## Properties\n\n### wick?\n\n> `optional` **wick**: `number`\n\nHow long.\n\n---\n\n### oil\n\n> **oil**: `string`\n\nWhich.\n\n### care?\n\n> Trim it.\n",
			"wick type=number heading 5-12/0 How long.\noil type=string heading 13-18/0 Which."},
		{"a plain word in code among names", "a.md", "# Lamp\n\n<table>\n<tr><td>Key</td><td>Documentation</td></tr>\n<tr><td>`wick_max`</td><td>How long.</td></tr>\n<tr><td>`oil_max`</td><td>How much.</td></tr>\n<tr><td>`flame`</td><td>How bright.</td></tr>\n</table>\n",
			"wick_max row 5-5/4 How long.\noil_max row 6-6/4 How much.\nflame row 7-7/4 How bright."},
		{"headings with a default below", "a.md", "# Lamps\n\n## OIL\n\nDefault: `'rye'` (a grain)\n\nWhich oil.\n\n## Care\n\nTrim it.\n", "OIL default='rye' heading 3-8/0 Which oil."},
		{"headings with a list of what they are", "a.md", "# Lamps\n\n### `wickLength`\n\nHow long it is.\n\n* **Scope**: any\n* **Type**: integer, in mm\n* **Default**: `3`\n", "wickLength type=integer default=3 heading 3-9/0 How long it is."},
		{"a heading with a note alone", "a.md", "# Lamps\n\n### `lamp.wick`\n\n> [!NOTE]\n> **Notice**\n>\n> It is deprecated; use `lamp.oil`.\n", "lamp.wick heading 3-8/0 It is deprecated; use lamp.oil."},
		{"a note that says that it goes", "a.md", "# Lamps\n\n### `lamp.wick`\n\nHow long it is.\n\n> [!NOTE]\n> Wicks burn.\n\n> [!WARNING]\n> It is deprecated.\n", "lamp.wick heading 3-11/0 How long it is. It is deprecated."},
		{"headings that are command lines", "a.md", "# lamp\n\n## `lamp-shop light`\n\nDefault: none\n\n## -f trim --force wick\n\nTrims.\n\n## `lamp-wick integer`\n\nDefault: 3\n", "lamp-wick type=integer default=3 heading 11-13/0 "},
		{"flags as headings", "a.md", "# lamp\n\n## `--wick LENGTH`, `-w LENGTH`\n\nHow long it is.\n", "--wick,-w type=LENGTH heading 3-5/0 How long it is."},
		{"directives", "a.rst", "Lamp\n====\n\n.. option:: --wick <length>, -w <length>\n\n   How long. Default: 3.\n\n.. envvar:: LAMP_HOME\n\n   Where it is.\n\n.. py:function:: trim(a)\n\n   Trims it.\n",
			"--wick,-w type=length default=3 heading 3-6/0 How long. Default: 3.\nLAMP_HOME heading 7-10/0 Where it is.\ntrim type=(a) heading 11-13/0 Trims it."},
		{"a directive without a text, whose text stands below it", "a.rst", "Lamp\n====\n\n.. envvar:: LAMP_HOME\n\nOne says it by an environment variable, :envvar:`LAMP_HOME`.\n\nThe sign is this:\n\n``LAMP_DARK``\n\nNights with ``LAMP_DARK`` are long.\n",
			"LAMP_HOME item 3-5/0 One says it by an environment variable, LAMP_HOME."},
		{"fields of a function", "a.rst", "Lamp\n====\n\n.. py:function:: trim(wick_length)\n\n   :param int wick_length: how long\n", "wick_length type=int item 5-5/0 how long"},
		{"definitions in DITA", "a.dita", "<?xml version=\"1.0\"?>\n<!DOCTYPE reference PUBLIC \"-//OASIS//DTD DITA Reference//EN\" \"reference.dtd\">\n<reference id=\"a\"><title>Lamp</title><refbody><section><title>Parameters</title><parml><plentry><pt><parmname>wick</parmname></pt><pd>How long.</pd></plentry></parml></section></refbody></reference>\n", "wick item 5-6/0 How long."},
		{"definitions in HTML", "a.html", "<html><head><title>Lamp</title></head><body><main><h1>Lamp</h1><p>Some words about the lamp, which has two options.</p><dl><dt><code>--wick</code> <em>int</em></dt><dd><p>How long. Default: 3.</p></dd></dl></main></body></html>", "--wick type=int default=3 item 5-6/0 How long. Default: 3."},
		{"a schema", "a.json", `{"$schema":"http://json-schema.org/draft-07/schema#","title":"Lamp","description":"A lamp.","type":"object","required":["wick"],"properties":{"wick":{"type":"integer","default":3,"description":"How long it is."}}}`, "wick type=integer default=3 required heading 5-9/0 How long it is."},
		{"a manual page", "wick.1", ".TH WICK 1\n.SH NAME\nwick \\- trim it\n.SH OPTIONS\n.TP\n\\fB\\-l\\fR \\fIlength\\fR\nHow long it stays.\n", "-l type=length item 7-8/0 How long it stays."},
		{"settings in italics in a manual page", "lamp.7", ".TH LAMP 7\n.SH Files\n.TP\n.IR lamp_wick \" (integer; default: 1; since Lamp 2.2)\"\nHow long it is.\n.TP\n.I oil\nIt burns.\n",
			"lamp_wick type=integer default=1 item 3-4/0 How long it is."},
		{"arguments in italics", "a.rst", "Lamp\n====\n\nThe parameters are:\n\n  - *wick* is how long\n    it is.\n  - *oil*: which oil\n  - *Note* well: it burns.\n\nIts parts are:\n\n  - *glass* is clear.\n",
			"wick item 5-6/0 is how long it is.\noil item 7-7/0 which oil"},
		{"a type in brackets behind a heading", "a.md", "# Lamp\n\n### `wick_size` (`integer`)\n\nHow long it is. The default is 3.\n\n### oil_kind (string)\n\nWhich oil.\n\n### Trimming (boolean)\n\nOr not.\n",
			"wick_size type=integer default=3 heading 3-6/0 How long it is. The default is 3.\noil_kind type=string heading 7-10/0 Which oil."},
		{"a variable as heading", "a.md", "# Lamp\n\n## LAMP_OIL\n\nWhich oil.\n\n## LAMP_ARGS and LAMP_ARGS_name\n\nMore of them.\n\n## Care\n\nTrim it.\n",
			"LAMP_OIL heading 3-6/0 Which oil.\nLAMP_ARGS,LAMP_ARGS_name heading 7-10/0 More of them."},
		{"names of errors look like variables", "a.md", "# Lamp\n\n## Errors\n\n### LAMP_BROKEN\n\nThe glass is broken.\n", ""},
		{"a page about a variable", "a.rst", "LAMPFLAGS\n---------\n\nThis is an environment variable.\n\n*New in version 3.1*.\n\nHow it burns.\n", "LAMPFLAGS heading 1-7/0 This is an environment variable. How it burns."},
		{"capitals that are no variable", "a.md", "# lamp\n\n## SYNOPSIS\n\n`lamp` [_options_]\n\n## WHY\n\nLamps have many options.\n", ""},
		{"a heading that says what its name is", "a.md", "# Lamp\n\n### The `oil-kind` field\n\nWhich oil.\n\n### The `wick` and `glass` fields\n\nWhat else.\n\n### The `lamp` command\n\nLights it.\n",
			"oil-kind heading 3-6/0 Which oil.\nwick,glass heading 7-10/0 What else."},
		{"a text that says of a heading's name what it is", "a.md", "# Lamp\n\n### oil\n\nThe `oil` setting controls what burns.\n\n### Burning slowly with `damper`\n\nUse the `damper` keyword.\n\n### Burning with `fire`\n\nThere is `fire` in it.\n",
			"oil heading 3-6/0 The oil setting controls what burns.\ndamper heading 7-10/0 Use the damper keyword."},
		{"a dash of three hyphens", "a.md", "# Lamp\n\n* `LAMP_HOME` --- Where it is.\n", "LAMP_HOME item 3-3/0 Where it is."},
		{"definitions in HTML within Markdown", "a.md", "# lamp\n\n<dl>\n\n<dt id=\"w\"><a href=\"#w\"><code>-w</code> <em>LENGTH</em>…</a></dt>\n<dt><code>--wick</code> <em>LENGTH</em>…</dt>\n<dd><p>How <b>long</b> it is.\nDefault: 3.</p>\n</dd>\n\n<dt><code>--dark</code></dt>\n<dd>No light.</dd>\n\n<dt>Lamp oil</dt>\n<dd>It burns.</dd>\n</dl>\n",
			"--wick,-w type=LENGTH default=3 item 5-9/0 How long it is. Default: 3.\n--dark item 11-12/0 No light."},
		{"terms with one text", "a.adoc", "= lamp(1)\n\n== OPTIONS\n\n`--trim`::\n`--no-trim`::\n\tTrims the wick.\n\n`--burn[=<mode>]`::\n\tHow it burns.\n\n`--size[=<width>[,<height>]]`::\n\tHow large.\n\n`--[no-]glass`::\n\tWith a glass.\n",
			"--trim,--no-trim item 5-7/0 Trims the wick.\n--burn type=mode item 8-9/0 How it burns.\n--size type=width item 10-11/0 How large.\n--glass,--no-glass item 12-13/0 With a glass."},
		{"the form of a file", "a.md", "# Lamp\n\n```yaml\nlamp:\n  # How long to burn.\n  # It goes out then.\n  [ burn_time: <duration> | default = 1m ]\n\n  # What burns.\n  oils:\n    [ - <oil> ... ]\n  [ <name>: <value> ... ]\n  wick: <length>\n```\n",
			"burn_time,lamp.burn_time type=duration default=1m key 5-7/0 How long to burn. It goes out then.\noils,lamp.oils type=oil key 9-10/0 What burns.\nwick,lamp.wick type=length key 13-13/0 "},
		{"comments in examples", "a.md", "# Lamp\n\n```toml\n# lamp.toml\nname = \"a # b\"\n[burn]\njobs = 1   # number of flames, defaults to 1\nplain = 2\n```\n\n```yaml\nlamp:\n  # Which oil it burns\n  oil: rye\n  glass: clear   # or milky\n  # the second lamp\n  - name: b\n```\n\n```go\n# no comment here\noil: x\n```\n",
			"burn.jobs default=1 example 7-7/0 number of flames, defaults to 1\noil,lamp.oil example 13-14/0 Which oil it burns\nglass,lamp.glass example 15-15/0 or milky"},
		{"the help of a program", "a.md", "# lamp\n\n```\n$ lamp --help\nUsage: lamp [flags]\n\nFlags:\n  -w, --wick=LENGTH   How long it is.\n      --oil.kind=rye  Which oil\n                      burns. See --wick.\n" +
			"      --lists=NAME ...\n                      More of them.\n      --at=\"0.0.0.0:80\"\n                      Where.\n  -q, --quiet         Says nothing.\n```\n\n```sh\nlamp \\\n  --wick 3 \\\n  --oil.kind rye\n```\n",
			"--wick,-w type=LENGTH item 8-8/0 How long it is.\n--oil.kind default=rye item 9-10/0 Which oil burns. See --wick.\n--lists type=NAME item 11-12/0 More of them.\n--at default=0.0.0.0:80 item 13-14/0 Where.\n--quiet,-q item 15-15/0 Says nothing."},
		{"the help of a program in Go", "a.md", "# lamp\n\n```\nUsage of lamp:\n  -oil string\n    \tWhich oil. (default \"rye\")\n  -wick int\n    \tHow long it is.\n```\n",
			"-oil type=string default=\"rye\" item 5-6/0 Which oil. (default \"rye\")\n-wick type=int item 7-8/0 How long it is."},
		{"the environment of a manual page", "wick.pod", "=head1 ENVIRONMENT\n\n=over\n\n=item WICKLIB\n\nWhere wicks lie.\n\n=back\n\n=head1 Development environment\n\n=over\n\n=item LAMP\n\nIt is lit.\n\n=back\n\n=cut\n",
			"WICKLIB item 3-4/0 Where wicks lie."},
		{"variables and functions of Perl", "lamp.pod", "=head1 NAME\n\n=over\n\n=item Lamp->oil_kind( EXPR )\n\n=item $OIL_KIND\n\n=item $!\n\nWhich oil.\n\n=item trim WICK,LENGTH\n\n=item trim WICK\n\nCuts it.\n\n" +
			"=item the WICK is long\n\nTrim it.\n\n=back\n\n=cut\n",
			"$OIL_KIND,$! item 3-4/0 Which oil.\ntrim item 5-6/0 Cuts it."},
		{"flags in the comments of a form", "a.md", "# Lamp\n\n```yaml\n# How long to burn.\n# CLI flag: -lamp.burn-time\n[burn_time: <duration> | default = 1m]\n```\n",
			"burn_time,-lamp.burn-time type=duration default=1m key 4-6/0 How long to burn. CLI flag: -lamp.burn-time"},
		{"a type in code below its word", "a.md", "# Lamp\n\n## oil {#oil}\n\nWhich oil.\n\n- **Type**\n\n  ```ts\n  oil: string\n  ```\n\n- **Details**\n\n  It burns.\n\n" +
			"## care\n\nTrim it.\n\n- **Often**\n\n  ```ts\n  trim()\n  ```\n",
			"oil heading 3-16/0 Which oil."},
		{"bold names with underscores", "a.md", "# Lamp\n\n| Variable | Purpose |\n|---|---|\n| __LAMP_OIL__ | Which oil. |\n", "LAMP_OIL row 5-5/3 Which oil."},
		{"a flag behind an option", "a.md", "# Lamp\n\n## Options\n\n- **`BURN_LONG` (`-J`)**\n\n  It burns long.\n", "BURN_LONG,-J item 5-7/0 It burns long."},
		{"a choice behind an option", "a.md", "# Lamp\n\n## Options\n\n- **oil:kind = [ whale \\| rye ]**\n\n  Which oil.\n", "oil:kind type=whale | rye item 5-7/0 Which oil."},
		{"a term that is called type", "a.md", "# Lamp\n\n## Options\n\nThe lamp has these.\n\ntype\n: (`string`) Which kind.\n",
			"type type=string item 7-8/0 Which kind."},
		{"terms with a text behind a colon", "a.md", "# Lamp\n\n## Lighting\n\n`--wick length`\n: How long.\n\n`--oil kind` (rare)\n\n: Which oil, `rye`\n  or another. Default: `rye`.\n\n--hours time\n: When.\n\n`--old`\n`--gone`\n: Nothing.\n\nWick\n: A thread, and no parameter.\n\n: A text without a term.\n",
			"--wick type=length item 5-6/0 How long.\n--oil type=kind default=rye item 8-11/0 Which oil, rye or another. Default: rye.\n--hours type=time item 13-14/0 When.\n--old,--gone item 16-18/0 Nothing."},
		{"fields of a request with a text behind a colon", "a.md", "# Lamp\n\n## Form data parameters\n\nlamp_name\n: {{<required>}} String. What it is called.\n\nhours\n: Integer. How long. Defaults to 7.\nAt least 1.\nlid\n: Whether.\n",
			"lamp_name type=String required item 5-6/0 What it is called.\nhours type=Integer default=7 item 8-10/0 How long. Defaults to 7. At least 1.\nlid item 11-12/0 Whether."},
		{"a text behind a colon below a heading", "a.md", "# Lamp\n\n#### `LAMP_OIL=<kind>`\n\n: Which oil.\n", "LAMP_OIL type=kind heading 3-5/0 Which oil."},
		{"types in code below headings", "a.md", "# Lamp\n\n## lamp.oil\n\n`string = 'rye'` `[string]`\n\nWhich oil.\n\n### wick\n\n`false` `number`\n\nHow long.\n\n### glass\n\n`clear` `milky`\n\nHow it looks.\n\n### Care\n\n`string`\n\nTrim it.\n",
			"lamp.oil type=string, [string] default='rye' heading 3-8/0 Which oil.\nwick type=false, number heading 9-14/0 How long."},
		{"attributes of a shortcode below headings", "a.md", "# Lamp\n\n### oil\n\n{{< setting type=\"string\" default=\"rye\" required=\"no\" >}}\n\nWhich oil.\n\n### wick\n\n{{< setting type=\"integer\" required=\"yes\" >}}\n\nHow long.\n\n### glass\n\n{{< figure type=\"wide\" src=\"a.png\" >}}\n\nIt is clear.\n",
			"oil type=string default=rye heading 3-8/0 Which oil.\nwick type=integer required heading 9-14/0 How long."},
		{"flags and variables stated below a heading", "a.md", "# Lamp\n\n### `oil`\n\n**Command line:** `-o KIND`, `--oil-kind KIND`\n\n**Environment variable**: `LAMP_OIL`\n\nWhich oil.\n\n### Care\n\n**Environment**: `LAMP_CARE`\n\nTrim it.\n",
			"oil,--oil-kind,-o,LAMP_OIL type=KIND heading 3-10/0 Which oil."},
		{"a placeholder of several words", "a.md", "# Lamp\n\n### [`LAMP_TIMES=<times of day>`](#t) {#t}\n\n: When it burns.\n", "LAMP_TIMES type=times of day heading 3-5/0 "},
		{"functions that items and headings declare", "a.md", "# Lamp\n\n- `trim(wick, by)`: cuts it\n- `lamp(8)`: a page\n- `shine()` - lights it\n\n## glass.polish(cloth)\n\nIt gleams.\n\n## Wick(s)\n\nMany.\n\n## `Lamp(oil)`\n\nMakes one.\n\n## Lamps(old)\n\nNo more.\n",
			"trim type=(wick, by) item 3-3/0 cuts it\nshine item 5-5/0 lights it\nglass.polish type=(cloth) heading 7-10/0 It gleams.\nLamp type=(oil) heading 15-18/0 Makes one."},
		{"plain words among the names of a function's arguments", "a.md", "# Lamp\n\n## lamp.make()\n\nIt makes one.\n\n* `oil_kind`: which oil\n* `wick_length`: how long\n* `glass_kind`: which glass\n* `lid`: the lid\n* `foot`: the foot\n",
			"lamp.make heading 3-11/0 It makes one.\noil_kind item 7-7/0 which oil\nwick_length item 8-8/0 how long\nglass_kind item 9-9/0 which glass\nlid item 10-10/0 the lid\nfoot item 11-11/0 the foot"},
		{"arguments below a signature", "a.md", "# Lamp\n\n### lamp.light()\n\n```\nlamp.light(oil: string, wick: int)\n```\n\nIt burns.\n\n* `oil`: which oil\n* `wick`: how long\n\n### lamp.shine(how)\n\nIt shines.\n\n* `dimly`: little\n* `brightly`: much\n",
			"lamp.light heading 3-13/0 It burns.\noil item 11-11/0 which oil\nwick item 12-12/0 how long\nlamp.shine type=(how) heading 14-19/0 It shines."},
		{"brackets without a sign behind them", "a.md", "# Lamp\n\n- `oil` (*since 2.1*) which oil\n- `wick` (int) how long\n- `glass` (see below) is clear\n",
			"oil item 3-3/0 which oil\nwick type=int item 4-4/0 how long"},
		{"a list within a note", "a.rst", "Lamp\n====\n\n.. note::\n\n    Besides them there are parameters for the oil:\n\n    - **oil_kind** (*Optional*): Which oil.\n    - **oil_age** (*Optional*, int): How old.\n",
			"oil_kind item 5-5/0 Which oil.\noil_age type=int item 6-6/0 How old."},
		{"fields below fields", "a.md", "# Lamp\n\n## Options\n\n- `lamp` (object): All of it, with these fields:\n  - `oil`: which oil, one of\n    - `rye`: a grain\n  - `wick` (object): it burns\n    - `length` (int): how long\n",
			"lamp type=object item 5-5/0 All of it, with these fields:\noil,lamp.oil item 6-6/0 which oil, one of\nrye,lamp.oil.rye item 7-7/0 a grain\nwick,lamp.wick type=object item 8-8/0 it burns\nlength,lamp.wick.length type=int item 9-9/0 how long"},
		{"plain words among names in a list", "a.md", "# Lamp\n\nThe lamp has this:\n\n- `wick_max`: how long\n- `oil_max`: how much\n- `flame`: how bright\n\nAnd this:\n\n- `night`: dark\n- `day`: bright\n- `wick_min`: how short\n",
			"wick_max item 5-5/0 how long\noil_max item 6-6/0 how much\nflame item 7-7/0 how bright\nwick_min item 13-13/0 how short"},
		{"labels in bold under a heading that announces them", "a.md", "# Lamp\n\n## Settings\n\n- **oil_kind** – which oil\n- **oil_age** – how old\n- **flame** – how bright\n\n## Care\n\n- **oil_can** – fill it\n- **dust** – wipe it\n",
			"oil_kind item 5-5/0 which oil\noil_age item 6-6/0 how old\nflame item 7-7/0 how bright"},
		{"options of Vim's help", "lamp.txt", "*lamp.txt*\tFor Lamp version 9.\n\n\t\t\t\t*'wick'* *'wi'*\n'wick' 'wi'\t\tnumber\t(default 3 for oil,\n\t\t\t\t\t5 otherwise)\n\t\t\tglobal\n\t\t\t{only available with oil}\n\tHow long it is.\n\n\tTrim it.\n\t\t\t\t*'glow'*\n'glow'\t\t\tboolean\t(default off)\n\t\t\tlocal to window\n\tWhether it glows.\n\n'it' is a word.\n",
			"wick,wi type=number default=3 for oil item 4-10/0 How long it is. Trim it.\nglow type=boolean default=off item 12-14/0 Whether it glows."},
		{"markup that must not run", "a.md", "# Lamp\n\n| Option | Default |  Description |\n|---|---|---|\n| `oil` | a\x1b[31m\u202eb | x <script>alert(1)</script> &#27;[2J &lt;b&gt; y |\n", "oil default=ab row 5-5/3 x <b> y"},
	} {
		d, found := read(t, tt.file, tt.src)
		var got []string
		for _, p := range found {
			got = append(got, written(d, p))
		}
		if s := strings.Join(got, "\n"); !strings.HasPrefix(s, tt.want) || tt.want == "" && s != "" || strings.Count(s, "\n") != strings.Count(tt.want, "\n") && tt.about != "a table with all columns" {
			t.Errorf("%s:\n%s\ngives\n%s\nwant\n%s", tt.about, d.Text, s, tt.want)
		}
	}
}

// Hostile pages take time in proportion to their size, and the stored fields keep their
// limits. The limit on time is generous: it fails where the time grows with the square of
// the size.
func TestHostile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs on one goroutine: the race detector has nothing to find")
	}
	long := strings.Repeat("_a `b [c]( <a ** ", 60_000)
	for about, src := range map[string]string{
		"a table of 30 000 rows":   "# A\n\n| Option | Type | Description |\n|---|---|---|\n" + strings.Repeat("| `wick_length` | int | How long it is. |\n", 30_000),
		"cells of 1 MB":            "# A\n\n| Option | Type | Description |\n|---|---|---|\n" + strings.Repeat("| `wick_length` | "+long+" | "+long+" |\n", 4),
		"names of 1 MB":            "# A\n\n| Option | Type |\n|---|---|\n| `" + strings.Repeat("x", 1<<20) + "` | int |\n| `ok_name` | int |\n\n- `" + strings.Repeat("y", 1<<20) + "`: x\n- `an_item`: text\n",
		"20 000 definitions":       "# A\n\n" + strings.Repeat("- **`wick_length`** (int)\n  How long.\n", 20_000),
		"nested without end":       "# A\n\n" + nested(1000),
		"open tags and shortcodes": "# A\n\n| Option | Type | Description |\n|---|---|---|\n" + strings.Repeat("| `wick_length` | {{< {{< <script <!-- | "+strings.Repeat("<script> {{< ", 200)+" |\n", 2000),
		"definitions in HTML":      "# A\n\n<dl>" + strings.Repeat("<dt><code>--wick</code><dd>How long <dt", 20_000) + "></dl>\n",
		"terms without a text":     "# A\n\n" + strings.Repeat("- **`--wick`**\n", 15_000) + "  How long.\n",
		"a file of many keys":      "# A\n\n```yaml\n" + strings.Repeat("# How long it is\nwick: 3 # "+strings.Repeat("'", 100)+"\n", 10_000) + "```\n",
		"keys without an end":      "# A\n\n```yaml\n" + deepKeys(2000) + "```\n",
		"a table in HTML":          "# A\n\n<table>" + strings.Repeat("<tr><td colspan=2>--wick int Default: 3<tr><td><td>How long", 15_000) + "</table>\n",
	} {
		var d doc.Document
		parsed := hostiletest.ProcessorTime(func() { d, _ = read(t, "a.md", src) })
		var found []parameters.Parameter
		if took := hostiletest.ProcessorTime(func() { found = parameters.ReadParameters(d) }); took > 4*time.Second+10*parsed {
			t.Errorf("%s: %v, the page is parsed in %v", about, took, parsed)
		}
		if len(found) == 0 || len(found) > parameters.MostPerPage {
			t.Errorf("%s: %d parameters", about, len(found))
		}
		for _, p := range found {
			checkBounds(t, about, d, p)
		}
	}
}

func deepKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "wick_length: # how long\n")
	}
	return b.String()
}

func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", 2*min(i, 50)) + "- `wick_length`: how long\n")
	}
	return b.String()
}

func checkBounds(t testing.TB, about string, d doc.Document, p parameters.Parameter) {
	t.Helper()
	for what, x := range map[string]struct {
		text string
		most int
	}{"name": {p.Name, parameters.MostName}, "type": {p.Type, parameters.MostType}, "default": {p.Default, parameters.MostDefault}, "description": {p.Description, parameters.MostDescription}} {
		if n := utf8.RuneCountInString(x.text); n > x.most || !utf8.ValidString(x.text) || strings.ContainsFunc(x.text, sanitize.Unsafe) || strings.Contains(x.text, "\n") {
			t.Fatalf("%s: the %s has %d characters: %.80q", about, what, n, x.text)
		}
	}
	if p.Name == "" || p.Section < 0 || p.Section >= len(d.Sections) || p.First < 1 || p.Last < p.First || p.Last > d.Lines+1 || len(p.Aliases) > parameters.MostAliases {
		t.Fatalf("%s: %+v, a page of %d lines", about, p, d.Lines)
	}
}

// The stored fields keep their limits, whatever a page holds.
func FuzzRead(f *testing.F) {
	f.Add("a.md", "# A\n\n| Option | Type |\n|---|---|\n| `x` | int |\n\n- **y** (string): z {{< x >}} <b>\n\n## --z=1\n\nDefault: 1\n")
	f.Add("a.md", "# A\n\n<table><tr><td colspan=2>--x int Default: 3</td></tr><tr><td></td><td>y</td></tr></table>\n")
	f.Add("a.md", "# A\n\n## --z=\x0f\n\nDef")
	f.Add("a.md", "# A\n\n<dl><dt><code>--x</code> <em>y\x0f</em></dt><dt>z<dd>a<dl><dt>b<dd>c</dl>\n\n## x_y (integer)\n\n- `--a`\n- `--b[=<c>]`\n  d\n")
	f.Add("a.md", "# A\n\n```yaml\na:\n  # b c\n  [ d: <e\x0f> | default = f\x0f ]\n```\n\n```toml\n[a]\nb = 1 # c d\x0f\n```\n")
	f.Add("a.rst", "A\n=\n\n.. option:: --x <y>, -z\n\n   :type: int\n\n:param int x: y\n")
	f.Fuzz(func(t *testing.T, name, src string) {
		if name != "a.md" && name != "a.rst" {
			name = "a.md"
		}
		reg, err := formats.AllParsers()
		if err != nil {
			t.Fatal(err)
		}
		d, err := reg.Parse(context.Background(), []byte(src), parse.File{Path: name, Layout: doc.LayoutTree})
		if err != nil {
			return
		}
		for _, p := range parameters.ReadParameters(d) {
			checkBounds(t, src, d, p)
		}
	})
}
