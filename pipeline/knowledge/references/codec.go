package references

import (
	"docent/pipeline/knowledge/references/wire"
)

// encodePage writes the data for showing edges; encodeFound the data for making them.
func encodePage(p *Page) []byte {
	w := &wire.Writer{}
	w.WriteString(p.Path)
	w.WriteString(p.Title)
	w.WriteString(p.URL)
	w.WriteString(p.Rev)
	w.WriteNumber(len(p.Places))
	for _, s := range p.Places {
		w.WriteString(s.Text)
		w.WriteString(s.Path)
		w.WriteString(s.Anchor)
		w.WriteNumber(s.Parent)
		w.WriteNumber(s.Line)
		w.WriteNumber(s.End - s.Line)
	}
	w.WriteNumber(len(p.Parts))
	for _, x := range p.Parts {
		w.WriteString(string(x.Kind))
		w.WriteNumber(x.Place)
		w.WriteNumber(x.Line)
		w.WriteNumber(x.Steps)
		for _, s := range []string{x.Name, x.Type, x.Default, x.Severity, x.Message} {
			w.WriteString(s)
		}
		w.WriteFlag(x.Required)
		w.WriteFlag(x.Mentioned)
	}
	return w.B
}

func decodePage(b []byte) (*Page, bool) {
	r := &wire.Reader{B: b}
	p := &Page{Path: r.ReadString(), Title: r.ReadString(), URL: r.ReadString(), Rev: r.ReadString()}
	p.Places = make([]Place, 0, r.ReadCount())
	for range cap(p.Places) {
		s := Place{Text: r.ReadString(), Path: r.ReadString(), Anchor: r.ReadString(), Parent: r.ReadNumber(), Line: r.ReadNumber()}
		s.End = s.Line + r.ReadNumber()
		p.Places = append(p.Places, s)
	}
	p.Parts = make([]Part, 0, r.ReadCount())
	for range cap(p.Parts) {
		x := Part{Kind: Kind(r.ReadString()), Place: r.ReadNumber(), Line: r.ReadNumber(), Steps: r.ReadNumber(), Name: r.ReadString(),
			Type: r.ReadString(), Default: r.ReadString(), Severity: r.ReadString(), Message: r.ReadString()}
		x.Required, x.Mentioned = r.ReadFlag(), r.ReadFlag()
		r.Bad = r.Bad || x.Place < 0 || x.Place >= len(p.Places)
		p.Parts = append(p.Parts, x)
	}
	return p, !r.Bad
}

func encodeFound(p *Page) []byte {
	w := &wire.Writer{}
	w.WriteString(p.Permalink)
	w.WriteNumber(len(p.Aliases))
	for _, a := range p.Aliases {
		w.WriteString(a)
	}
	w.WriteNumber(len(p.Anchors))
	for _, a := range p.Anchors {
		w.WriteString(a.Name)
		w.WriteNumber(a.Place)
	}
	w.WriteNumber(len(p.Includes))
	for _, f := range p.Includes {
		w.WriteString(f)
	}
	w.WriteNumber(len(p.Links))
	for _, l := range p.Links {
		for _, n := range []int{l.Place, l.Part, l.Line, l.Source} {
			w.WriteNumber(n)
		}
		for _, s := range []string{string(l.Type), l.Rule, l.Target, l.Match} {
			w.WriteString(s)
		}
		w.WriteScore(l.Score)
	}
	w.WriteNumber(p.LinksLeft)
	w.WriteNumber(len(p.Finds))
	for _, f := range p.Finds {
		for _, n := range []int{f.Place, f.Part, f.Line, f.Own, f.ByPart} {
			w.WriteNumber(n)
		}
		for _, s := range []string{string(f.Type), f.Rule, f.Target, f.By, f.Match} {
			w.WriteString(s)
		}
		w.WriteScore(f.Score)
		w.WriteFlag(f.Known)
	}
	return w.B
}

func decodeFound(p *Page, b []byte) bool {
	r := &wire.Reader{B: b}
	p.Permalink = r.ReadString()
	for range r.ReadCount() {
		p.Aliases = append(p.Aliases, r.ReadString())
	}
	p.Anchors = make([]Anchor, 0, r.ReadCount())
	for range cap(p.Anchors) {
		p.Anchors = append(p.Anchors, Anchor{Name: r.ReadString(), Place: r.ReadNumber()})
	}
	for range r.ReadCount() {
		p.Includes = append(p.Includes, r.ReadString())
	}
	p.Links = make([]Link, 0, r.ReadCount())
	for range cap(p.Links) {
		l := Link{Place: r.ReadNumber(), Part: r.ReadNumber(), Line: r.ReadNumber(), Source: r.ReadNumber(), Type: Type(r.ReadString()),
			Rule: r.ReadString(), Target: r.ReadString(), Match: r.ReadString(), Score: r.ReadScore()}
		r.Bad = r.Bad || !p.holdsNumbers(l.Place, l.Part, -1)
		p.Links = append(p.Links, l)
	}
	p.LinksLeft = r.ReadNumber()
	p.Finds = make([]Find, 0, r.ReadCount())
	for range cap(p.Finds) {
		f := Find{Place: r.ReadNumber(), Part: r.ReadNumber(), Line: r.ReadNumber(), Own: r.ReadNumber(), ByPart: r.ReadNumber(),
			Type: Type(r.ReadString()), Rule: r.ReadString(), Target: r.ReadString(), By: r.ReadString(), Match: r.ReadString()}
		f.Score, f.Known = r.ReadScore(), r.ReadFlag()
		r.Bad = r.Bad || !p.holdsNumbers(f.Place, f.Part, f.Own) || f.Type == Supersedes && f.ByPart >= len(p.Parts)
		p.Finds = append(p.Finds, f)
	}
	return !r.Bad
}

// holdsNumbers reports whether the page has a section and parts of these numbers.
func (p *Page) holdsNumbers(place, part, other int) bool {
	return place >= 0 && place < len(p.Places) && part < len(p.Parts) && other < len(p.Parts)
}

func encodeEdges(edges []edge, c Counts) []byte {
	w := &wire.Writer{}
	for _, n := range []int{c.Inside, c.Pages, c.Anchors, c.Elsewhere, c.Unsure, c.Left, len(edges)} {
		w.WriteNumber(n)
	}
	for _, e := range edges {
		for _, n := range []int{e.from.page, e.from.n, e.to.page, e.to.n, e.line, e.source, int(e.fault)} {
			w.WriteNumber(n)
		}
		for _, s := range []string{string(e.typ), e.rule, e.match, e.target} {
			w.WriteString(s)
		}
		w.WriteScore(e.score)
	}
	return w.B
}

func decodeEdges(b []byte) ([]edge, Counts, bool) {
	r := &wire.Reader{B: b}
	c := Counts{Inside: r.ReadNumber(), Pages: r.ReadNumber(), Anchors: r.ReadNumber(), Elsewhere: r.ReadNumber(), Unsure: r.ReadNumber(),
		Left: r.ReadNumber()}
	out := make([]edge, 0, r.ReadCount())
	for range cap(out) {
		e := edge{from: spot{r.ReadNumber(), r.ReadNumber()}, to: spot{r.ReadNumber(), r.ReadNumber()}, line: r.ReadNumber(),
			source: r.ReadNumber(), fault: Fault(r.ReadNumber())}
		e.typ, e.rule, e.match, e.target = Type(r.ReadString()), r.ReadString(), r.ReadString(), r.ReadString()
		e.score = r.ReadScore()
		out = append(out, e)
	}
	return out, c, !r.Bad
}
