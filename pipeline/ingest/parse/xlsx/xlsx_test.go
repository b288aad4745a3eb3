package xlsx_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/parsetest"
	"docent/pipeline/ingest/parse/xlsx"
	"docent/store/doc"
)

// makeFile packs a workbook of sheets. The last one is hidden if there are more than two.
func makeFile(tb testing.TB, sheets ...string) []byte {
	tb.Helper()
	parts := map[string]string{
		"docProps/core.xml":                   `<c><dc:title>Lamps</dc:title><cp:keywords>oil</cp:keywords></c>`,
		"xl/worksheets/_rels/sheet1.xml.rels": `<Relationships><Relationship Id="rId1" Type="x/hyperlink" Target="https://lantern.example/a" TargetMode="External"/></Relationships>`,
		"xl/sharedStrings.xml": `<sst><si><t>Oil</t></si><si><t>Hours</t></si><si><r><t>Rape </t></r><r><t>*oil*</t></r><rPh><t>no</t></rPh></si>` +
			`<si><t>Prices of oil</t></si><si><t>Whale_x000D_` + "\n" + `sperm</t></si><si><t>Land</t></si></sst>`,
		"xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="#,##0.00\ [$€-407]"/><numFmt numFmtId="171" formatCode="dd/mm/yyyy"/></numFmts>` +
			`<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="9"/></cellXfs></styleSheet>`,
	}
	ids, rels := "", ""
	for i, s := range sheets {
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = `<worksheet><dimension ref="A1"/>` + s + `</worksheet>`
		state := ""
		if i == 2 {
			state = ` state="hidden"`
		}
		ids += fmt.Sprintf(`<sheet name="Sheet %c" sheetId="%d"%s r:id="rId%d"/>`, 'A'+i, i+4, state, i+7)
		rels += fmt.Sprintf(`<Relationship Id="rId%d" Type="x/worksheet" Target="/xl/worksheets/sheet%d.xml"/>`, i+7, i+1)
	}
	parts["xl/workbook.xml"] = `<workbook><workbookPr/><sheets>` + ids + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = `<Relationships>` + rels + `</Relationships>`
	return parsetest.Archive(tb, parts)
}

func sheets() []string {
	return []string{
		`<sheetData><row r="1"><c r="B1" t="s"><v>3</v></c></row>` +
			`<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="F2" t="inlineStr"><is><t>Price</t></is></c><c r="G2" t="str"><f>"D"</f><v>Since</v></c></row>` +
			`<row r="3"><c r="B3" t="s"><v>2</v></c><c r="C3"><f>3*3</f><v>9</v></c><c r="F3" s="1"><v>1234.5</v></c><c r="G3" s="2"><v>45413</v></c></row>` +
			`<row r="4"><c r="B4" t="s"><v>4</v></c><c r="C4"><v>0.30000000000000004</v></c><c r="F4" s="3"><v>0.25</v></c><c r="G4" t="e"><v>#N/A</v></c></row>` +
			`<row r="7"><c r="A7" t="s"><v>0</v></c></row></sheetData><hyperlinks><hyperlink ref="A7" r:id="rId1"/></hyperlinks>`,
		`<sheetData><row><c t="s"><v>5</v></c><c t="s"><v>0</v></c></row><row><c t="inlineStr"><is><t>Fen</t></is></c><c t="s"><v>2</v></c></row>` +
			`<row r="3"><c/><c r="B3" t="s"><v>4</v></c></row></sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells>`,
		`<sheetData><row><c t="inlineStr"><is><t>Secret</t></is></c></row></sheetData>`,
	}
}

const want = "## Sheet A\n\nPrices of oil\n\n| Oil | Hours | Price | Since |\n| --- | --- | --- | --- |\n| Rape \\*oil\\* | 9 | 1,234.50 € | 01/05/2024 |\n" +
	"| Whale<br>sperm | 0.3 | 25% | #N/A |\n\n[Oil](https://lantern.example/a)\n\n" +
	"## Sheet B\n\n| Land | Oil |\n| --- | --- |\n| Fen | Rape \\*oil\\* |\n| Fen | Whale<br>sperm |\n"

// Sheets are sections, tables are parted by empty rows, a cell shows its text, number or date
// as Excel does, and a merged cell has its text in each of its rows.
func TestRendition(t *testing.T) {
	t.Parallel()
	d, err := xlsx.Parser{}.Parse(t.Context(), makeFile(t, sheets()...), parse.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if string(d.Text) != want {
		t.Errorf("the text is\n%s\nwant\n%s", d.Text, want)
	}
	if d.Title != "Lamps" || d.About != "oil" || len(d.Warnings) > 0 || d.Location(1) != (doc.Location{Page: 1}) || d.Location(doc.CountLines(d.Text)) != (doc.Location{Page: 2}) {
		t.Errorf("title %q, about %q, warnings %q, places %+v", d.Title, d.About, d.Warnings, d.Map)
	}
}

func TestSuite(t *testing.T) {
	t.Parallel()
	parsetest.TestParser(t, xlsx.Parser{}, map[string][]byte{"a.xlsx": makeFile(t, sheets()...), "empty.xlsx": makeFile(t)})
	parsetest.Canceled(t, xlsx.Parser{}, "a.xlsx", string(makeFile(t, sheets()...)))
}

// A file that is no workbook fails with a code; a damaged one is read in part, with a warning,
// and one that is too large is cut with a warning.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		src  []byte
		code parse.Code
	}{
		"no archive":        {[]byte("<html>"), parse.UnsupportedFormat},
		"of Excel 97":       {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), parse.UnsupportedFormat},
		"an archive":        {parsetest.Archive(t, map[string]string{"a.txt": "a"}), parse.UnsupportedFormat},
		"a damaged archive": {makeFile(t, sheets()...)[:300], parse.CorruptFile},
	} {
		_, err := xlsx.Parser{}.Parse(t.Context(), tt.src, parse.Options{})
		if failed, ok := errors.AsType[*parse.Failed](err); !ok || failed.Code != tt.code || failed.Reason == "" {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	cell := func(at, text string) string {
		return `<c r="` + at + `" t="inlineStr"><is><t>` + text + `</t></is></c>`
	}
	begins := `<sheetData><row>` + cell("A1", "begins") + cell("B1", "x") + `</row>`
	for name, tt := range map[string]struct {
		body string
		said bool
	}{
		"cut":          {begins + `<row><c t="inlineStr"><is><t>and`, true},
		"entities":     {begins + `<row>` + cell("A2", "&lol;") + `</row></sheetData>`, true},
		"deep":         {begins + strings.Repeat("<row>", 50_000), true},
		"wide":         {begins + `<row>` + cell("ZZZ2", "far") + `</row></sheetData>`, true},
		"long":         {begins + strings.Repeat(`<row>`+cell("", "x")+`</row>`, 21_000) + `</sheetData>`, true},
		"a number":     {begins + `<row><c t="s"><v>99999</v></c><c t="s"><v>-1</v></c><c s="-4"><v>1e400</v></c></row></sheetData>`, false},
		"merged":       {begins + strings.Repeat(`<row>`+cell("B2", "x")+`</row>`, 15_000) + `</sheetData>` + strings.Repeat(`<mergeCell ref="A1:A20000"/>`, 20_000), true},
		"of one text":  {`<sheetData><row>` + cell("A1", "begins") + `</row>` + strings.Repeat(`<row><c t="inlineStr"><is><t>`+strings.Repeat("long ", 6000)+`</t></is></c></row>`, 300) + `</sheetData>`, true},
		"strange area": {begins + `</sheetData><mergeCell ref="B9:A1"/><mergeCell ref=":"/><mergeCell ref="AAAAAAAA1:1"/>`, false},
	} {
		d, err := xlsx.Parser{}.Parse(t.Context(), makeFile(t, tt.body), parse.Options{})
		if err != nil || !strings.Contains(string(d.Text), "begins") {
			t.Errorf("%s: %v, %.100q", name, err, d.Text)
		}
		if tt.said != (len(d.Warnings) > 0) {
			t.Errorf("%s: warnings %q", name, d.Warnings)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range sheets() {
		f.Add(s, "#,##0.00")
	}
	f.Add(sheets()[0], `[h]:mm;"a"\b_c*d[$x-1]0/0E+0%,`)
	f.Fuzz(func(t *testing.T, sheet, code string) {
		parsetest.Promises(t, xlsx.Parser{}, makeFile(t, sheet), parse.Options{Path: "a.xlsx"})
		xlsx.ShownNumber(1234.5, code, false)
	})
}
