package references

import (
	"encoding/binary"
	"math"
)

// writer writes numbers and texts one behind the other.
type writer struct{ b []byte }

func (w *writer) num(n int)       { w.b = binary.AppendVarint(w.b, int64(n)) }
func (w *writer) str(s string)    { w.num(len(s)); w.b = append(w.b, s...) }
func (w *writer) raw(b []byte)    { w.num(len(b)); w.b = append(w.b, b...) }
func (w *writer) flag(ok bool)    { w.num(map[bool]int{true: 1}[ok]) }
func (w *writer) score(f float64) { w.num(int(math.Round(f * 1000))) }

// parser reads what a writer wrote. After something that cannot have been written it is
// bad, and gives nothing.
type parser struct {
	b   []byte
	bad bool
}

func (p *parser) num() int {
	v, n := binary.Varint(p.b)
	if n <= 0 || v > math.MaxInt32 || v < math.MinInt32 {
		p.bad, p.b = true, nil
		return 0
	}
	p.b = p.b[n:]
	return int(v)
}

// count reads how many items follow; each takes at least a byte.
func (p *parser) count() int {
	n := p.num()
	if n < 0 || n > len(p.b) {
		p.bad, p.b = true, nil
		return 0
	}
	return n
}

func (p *parser) raw() []byte {
	n := p.count()
	out := p.b[:n]
	p.b = p.b[n:]
	return out
}

func (p *parser) str() string    { return string(p.raw()) }
func (p *parser) flag() bool     { return p.num() == 1 }
func (p *parser) score() float64 { return float64(p.num()) / 1000 }

// encodePage writes the data for showing edges; encodeFound the data for making them.
func encodePage(p *Page) []byte {
	w := &writer{}
	w.str(p.Path)
	w.str(p.Title)
	w.str(p.URL)
	w.str(p.Rev)
	w.num(len(p.Places))
	for _, s := range p.Places {
		w.str(s.Text)
		w.str(s.Path)
		w.str(s.Anchor)
		w.num(s.Parent)
		w.num(s.Line)
		w.num(s.End - s.Line)
	}
	w.num(len(p.Parts))
	for _, x := range p.Parts {
		w.str(string(x.Kind))
		w.num(x.Place)
		w.num(x.Line)
		w.num(x.Steps)
		for _, s := range []string{x.Name, x.Type, x.Default, x.Severity, x.Message} {
			w.str(s)
		}
		w.flag(x.Required)
		w.flag(x.Mentioned)
	}
	return w.b
}

func decodePage(b []byte) (*Page, bool) {
	r := &parser{b: b}
	p := &Page{Path: r.str(), Title: r.str(), URL: r.str(), Rev: r.str()}
	p.Places = make([]Place, 0, r.count())
	for range cap(p.Places) {
		s := Place{Text: r.str(), Path: r.str(), Anchor: r.str(), Parent: r.num(), Line: r.num()}
		s.End = s.Line + r.num()
		p.Places = append(p.Places, s)
	}
	p.Parts = make([]Part, 0, r.count())
	for range cap(p.Parts) {
		x := Part{Kind: Kind(r.str()), Place: r.num(), Line: r.num(), Steps: r.num(), Name: r.str(), Type: r.str(), Default: r.str(), Severity: r.str(), Message: r.str()}
		x.Required, x.Mentioned = r.flag(), r.flag()
		r.bad = r.bad || x.Place < 0 || x.Place >= len(p.Places)
		p.Parts = append(p.Parts, x)
	}
	return p, !r.bad
}

func encodeFound(p *Page) []byte {
	w := &writer{}
	w.str(p.Permalink)
	w.num(len(p.Aliases))
	for _, a := range p.Aliases {
		w.str(a)
	}
	w.num(len(p.Anchors))
	for _, a := range p.Anchors {
		w.str(a.Name)
		w.num(a.Place)
	}
	w.num(len(p.Includes))
	for _, f := range p.Includes {
		w.str(f)
	}
	w.num(len(p.Links))
	for _, l := range p.Links {
		for _, n := range []int{l.Place, l.Part, l.Line, l.Source} {
			w.num(n)
		}
		for _, s := range []string{string(l.Type), l.Rule, l.Target, l.Match} {
			w.str(s)
		}
		w.score(l.Score)
	}
	w.num(p.LinksLeft)
	w.num(len(p.Finds))
	for _, f := range p.Finds {
		for _, n := range []int{f.Place, f.Part, f.Line, f.Own, f.ByPart} {
			w.num(n)
		}
		for _, s := range []string{string(f.Type), f.Rule, f.Target, f.By, f.Match} {
			w.str(s)
		}
		w.score(f.Score)
		w.flag(f.Known)
	}
	return w.b
}

func decodeFound(p *Page, b []byte) bool {
	r := &parser{b: b}
	p.Permalink = r.str()
	for range r.count() {
		p.Aliases = append(p.Aliases, r.str())
	}
	p.Anchors = make([]Anchor, 0, r.count())
	for range cap(p.Anchors) {
		p.Anchors = append(p.Anchors, Anchor{r.str(), r.num()})
	}
	for range r.count() {
		p.Includes = append(p.Includes, r.str())
	}
	p.Links = make([]Link, 0, r.count())
	for range cap(p.Links) {
		l := Link{Place: r.num(), Part: r.num(), Line: r.num(), Source: r.num(), Type: Type(r.str()), Rule: r.str(), Target: r.str(), Match: r.str(), Score: r.score()}
		r.bad = r.bad || !p.holds(l.Place, l.Part, -1)
		p.Links = append(p.Links, l)
	}
	p.LinksLeft = r.num()
	p.Finds = make([]Find, 0, r.count())
	for range cap(p.Finds) {
		f := Find{Place: r.num(), Part: r.num(), Line: r.num(), Own: r.num(), ByPart: r.num(), Type: Type(r.str()), Rule: r.str(), Target: r.str(), By: r.str(), Match: r.str()}
		f.Score, f.Known = r.score(), r.flag()
		r.bad = r.bad || !p.holds(f.Place, f.Part, f.Own) || f.Type == Supersedes && f.ByPart >= len(p.Parts)
		p.Finds = append(p.Finds, f)
	}
	return !r.bad
}

// holds reports whether the page has a section and parts of these numbers.
func (p *Page) holds(place, part, other int) bool {
	return place >= 0 && place < len(p.Places) && part < len(p.Parts) && other < len(p.Parts)
}

func encodeEdges(edges []edge, c Counts) []byte {
	w := &writer{}
	for _, n := range []int{c.Inside, c.Pages, c.Anchors, c.Elsewhere, c.Unsure, c.Left, len(edges)} {
		w.num(n)
	}
	for _, e := range edges {
		for _, n := range []int{e.from.page, e.from.n, e.to.page, e.to.n, e.line, e.source, int(e.fault)} {
			w.num(n)
		}
		for _, s := range []string{string(e.typ), e.rule, e.match, e.target} {
			w.str(s)
		}
		w.score(e.score)
	}
	return w.b
}

func decodeEdges(b []byte) ([]edge, Counts, bool) {
	r := &parser{b: b}
	c := Counts{Inside: r.num(), Pages: r.num(), Anchors: r.num(), Elsewhere: r.num(), Unsure: r.num(), Left: r.num()}
	out := make([]edge, 0, r.count())
	for range cap(out) {
		e := edge{from: spot{r.num(), r.num()}, to: spot{r.num(), r.num()}, line: r.num(), source: r.num(), fault: Fault(r.num())}
		e.typ, e.rule, e.match, e.target = Type(r.str()), r.str(), r.str(), r.str()
		e.score = r.score()
		out = append(out, e)
	}
	return out, c, !r.bad
}
