package asciidoc_test

import (
	"strings"
	"testing"

	"docent/pipeline/ingest/parse/asciidoc"
	"docent/pipeline/ingest/parse/parsetest"
)

// Tables as Asciidoctor reads them: the specification of a cell is no part of its text.
func TestTables(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ src, want string }{
		"a style at the beginning of a line": {
			"|===\n|Wick |Use\n\n|flat\na|For a lantern.\n^s|round\n>.^|For a lamp.\n|===",
			"| Wick | Use |\n| --- | --- |\n| flat | For a lantern. |\n| round | For a lamp. |"},
		"a letter in a cell without blanks": {
			"|===\n|a|e|c\n|===", "| | | |\n| --- | --- | --- |\n| a | e | c |"},
		"spans and repetitions": {
			"[cols=\"3*\"]\n|===\n2+|Both |c\n.2+|tall |e |f\n|g |h\n3*|same\n|===",
			"| | | |\n| --- | --- | --- |\n| Both |  | c |\n| tall | e | f |\n|  | g | h |\n| same | same | same |"},
		"a cell with blocks": {
			"[cols=\"1,1a\",opts=header]\n|===\n|Oil |Use\n|whale\n|Burns:\n\n* bright\n* long\n\n[source,sh]\n----\nburn\noil\n----\n|===",
			"| Oil | Use |\n| --- | --- |\n| whale | Burns:<br>• bright<br>• long<br>`burn`<br>`oil` |"},
		"a table in a cell": {
			"[cols=\"1,1a\"]\n|===\n|whale\n|Kinds:\n\n!===\n!Oil !Use\n\n!`old`\n!lamps\n!===\n\nNo others.\n|===", "| | |\n| --- | --- |\n| whale | Kinds:<br>Oil · Use<br>`old` · lamps<br>No others. |"},
		"code with marks in a cell": {
			"[cols=\"1a\"]\n|===\n|\n----\nburn() // <1>\n----\n<1> It *burns*.\n|===", "| |\n| --- |\n| `burn()`<br>• It **burns**. |"},
		"a head in columns with a style": {
			"[cols=\"1m,1\"]\n|===\n|Oil |Use\n\n|whale |lamps\n|===", "| Oil | Use |\n| --- | --- |\n| `whale` | lamps |"},
		"options that say nothing of a head": {
			"[%autowidth]\n|===\n|Oil |Price\n\n|whale |9\n|===", "| Oil | Price |\n| --- | --- |\n| whale | 9 |"},
		"values with commas": {
			"[format=csv]\n|===\nOil,Price\n\n\"whale, old\",9\n|===\n\n,===\nlamp,1\n,===",
			"| Oil | Price |\n| --- | --- |\n| whale, old | 9 |\n\n| | |\n| --- | --- |\n| lamp | 1 |"},
		"longer lines around a table": {
			"|====\n|Oil |Use\n\n|whale |lamps\n|====", "| Oil | Use |\n| --- | --- |\n| whale | lamps |"},
		"a number of columns": { // it is not the width of one
			"[cols=2,options=\"header\"]\n|===\n| Lamp | Oil\n| old\n| whale\n\n| new | olive\n|===", "| Lamp | Oil |\n| --- | --- |\n| old | whale |\n| new | olive |"},
		"columns without a width": {
			"[cols=\"2,,\"]\n|===\n| a\n| b\n| c\n|===", "| | | |\n| --- | --- | --- |\n| a | b | c |"},
		"columns that are spanned alone": {
			"|===\n2.9+|All\n|a |b\n|===", "| | |\n| --- | --- |\n| All |  |\n| a | b |"},
	} {
		if got := strings.TrimSpace(string(parsed(t, "= Lantern\n\n"+c.src+"\n").Text)); got != "# Lantern\n\n"+c.want {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	spans := "|===\n|a |b |c\n\n" + strings.Repeat("60.999+|\n60*|x\n", 20) + "|===\n"
	parsetest.TestParser(t, asciidoc.Parser{}, map[string][]byte{"spans.adoc": []byte(spans)})
	if d := parsed(t, spans); len(d.Text) > 1<<20 {
		t.Errorf("the spans of %d bytes make %d", len(spans), len(d.Text))
	}
}
