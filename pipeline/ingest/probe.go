package ingest

import (
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/ingest/chunk"
	"docent/store"
	"docent/store/analysis"
	"docent/store/doc"
)

// ProbePassages is how this program cuts and analyses a text of its own: programs that give the
// same bytes make the same index of the same pages. The text has what the analysis treats in
// different ways: endings, accents, names of programs, numbers, several languages, a long
// paragraph, a table, code.
func ProbePassages() []byte {
	const words = "The lamps' keepers were trimming wicks hourly; configured maxLampHeight, -lamp-oil=2.5kg and oil_tank.v1 " +
		"naïvely. Die Laternenwärter prüften Öle. Los faros no se apagarán. 灯台の油を注ぐ。灯塔 HPA (Horizontal Pod Autoscaler). "
	section := doc.Section{Level: 1, Text: "Oil & wicks", Anchor: "oil", Path: []string{"Oil & wicks"}, Parent: -1}
	d := doc.Document{Title: "Lamps", Path: "lamps.md", Sections: []doc.Section{section}}
	for i, text := range []string{words, strings.Repeat(words+"\n", 40), "height\t2 m\tof the lamp\nwidth\t1 m\tof the lamp", ""} {
		at := doc.Span{StartLine: i + 1, EndLine: i + 1, Start: i, End: i + 1}
		b := doc.Block{Kind: []doc.BlockKind{doc.Paragraph, doc.List, doc.Table, doc.Code}[i], Text: text, Span: at}
		if text == "" {
			b.Code, b.Lang = "func Trim(w Wick) error { return nil } // HTTPServer\n", "go"
		}
		d.Blocks = append(d.Blocks, b)
	}
	var out []byte
	a := analysis.New()
	for _, p := range Passages(d, chunk.SplitPage(d, chunk.Options{}), nil) {
		out = fmt.Appendf(out, "%d.%d", p.Chunk, p.Part)
		for f, text := range p.Fields {
			out = fmt.Appendf(out, "\n%s %s", store.Field(f), strings.Join(a.Terms(text), " "))
		}
		short := make([]string, 0, len(p.Abbreviations))
		for _, s := range p.Abbreviations {
			short = append(short, s.Short+" "+s.Long)
		}
		slices.Sort(short)
		out = fmt.Appendf(out, "\n%s\n", strings.Join(short, "; "))
	}
	return out
}
