package references

import (
	"encoding/binary"
	"math"
)

// writer writes numbers and texts one behind the other.
type writer struct{ b []byte }

func (w *writer) writeNumber(n int)    { w.b = binary.AppendVarint(w.b, int64(n)) }
func (w *writer) writeString(s string) { w.writeNumber(len(s)); w.b = append(w.b, s...) }
func (w *writer) writeBytes(b []byte)  { w.writeNumber(len(b)); w.b = append(w.b, b...) }
func (w *writer) writeFlag(ok bool)    { w.writeNumber(map[bool]int{true: 1}[ok]) }
func (w *writer) writeScore(f float64) { w.writeNumber(int(math.Round(f * 1000))) }

// parser reads what a writer wrote. After something that cannot have been written it is
// bad, and gives nothing.
type parser struct {
	b   []byte
	bad bool
}

func (p *parser) readNumber() int {
	v, n := binary.Varint(p.b)
	if n <= 0 || v > math.MaxInt32 || v < math.MinInt32 {
		p.bad, p.b = true, nil
		return 0
	}
	p.b = p.b[n:]
	return int(v)
}

// readCount reads how many items follow; each takes at least a byte.
func (p *parser) readCount() int {
	n := p.readNumber()
	if n < 0 || n > len(p.b) {
		p.bad, p.b = true, nil
		return 0
	}
	return n
}

func (p *parser) readBytes() []byte {
	n := p.readCount()
	out := p.b[:n]
	p.b = p.b[n:]
	return out
}

func (p *parser) readString() string { return string(p.readBytes()) }
func (p *parser) readFlag() bool     { return p.readNumber() == 1 }
func (p *parser) readScore() float64 { return float64(p.readNumber()) / 1000 }

// encodePage writes the data for showing edges; encodeFound the data for making them.
func encodePage(p *Page) []byte {
	w := &writer{}
	w.writeString(p.Path)
	w.writeString(p.Title)
	w.writeString(p.URL)
	w.writeString(p.Rev)
	w.writeNumber(len(p.Places))
	for _, s := range p.Places {
		w.writeString(s.Text)
		w.writeString(s.Path)
		w.writeString(s.Anchor)
		w.writeNumber(s.Parent)
		w.writeNumber(s.Line)
		w.writeNumber(s.End - s.Line)
	}
	w.writeNumber(len(p.Parts))
	for _, x := range p.Parts {
		w.writeString(string(x.Kind))
		w.writeNumber(x.Place)
		w.writeNumber(x.Line)
		w.writeNumber(x.Steps)
		for _, s := range []string{x.Name, x.Type, x.Default, x.Severity, x.Message} {
			w.writeString(s)
		}
		w.writeFlag(x.Required)
		w.writeFlag(x.Mentioned)
	}
	return w.b
}

func decodePage(b []byte) (*Page, bool) {
	r := &parser{b: b}
	p := &Page{Path: r.readString(), Title: r.readString(), URL: r.readString(), Rev: r.readString()}
	p.Places = make([]Place, 0, r.readCount())
	for range cap(p.Places) {
		s := Place{Text: r.readString(), Path: r.readString(), Anchor: r.readString(), Parent: r.readNumber(), Line: r.readNumber()}
		s.End = s.Line + r.readNumber()
		p.Places = append(p.Places, s)
	}
	p.Parts = make([]Part, 0, r.readCount())
	for range cap(p.Parts) {
		x := Part{Kind: Kind(r.readString()), Place: r.readNumber(), Line: r.readNumber(), Steps: r.readNumber(), Name: r.readString(),
			Type: r.readString(), Default: r.readString(), Severity: r.readString(), Message: r.readString()}
		x.Required, x.Mentioned = r.readFlag(), r.readFlag()
		r.bad = r.bad || x.Place < 0 || x.Place >= len(p.Places)
		p.Parts = append(p.Parts, x)
	}
	return p, !r.bad
}

func encodeFound(p *Page) []byte {
	w := &writer{}
	w.writeString(p.Permalink)
	w.writeNumber(len(p.Aliases))
	for _, a := range p.Aliases {
		w.writeString(a)
	}
	w.writeNumber(len(p.Anchors))
	for _, a := range p.Anchors {
		w.writeString(a.Name)
		w.writeNumber(a.Place)
	}
	w.writeNumber(len(p.Includes))
	for _, f := range p.Includes {
		w.writeString(f)
	}
	w.writeNumber(len(p.Links))
	for _, l := range p.Links {
		for _, n := range []int{l.Place, l.Part, l.Line, l.Source} {
			w.writeNumber(n)
		}
		for _, s := range []string{string(l.Type), l.Rule, l.Target, l.Match} {
			w.writeString(s)
		}
		w.writeScore(l.Score)
	}
	w.writeNumber(p.LinksLeft)
	w.writeNumber(len(p.Finds))
	for _, f := range p.Finds {
		for _, n := range []int{f.Place, f.Part, f.Line, f.Own, f.ByPart} {
			w.writeNumber(n)
		}
		for _, s := range []string{string(f.Type), f.Rule, f.Target, f.By, f.Match} {
			w.writeString(s)
		}
		w.writeScore(f.Score)
		w.writeFlag(f.Known)
	}
	return w.b
}

func decodeFound(p *Page, b []byte) bool {
	r := &parser{b: b}
	p.Permalink = r.readString()
	for range r.readCount() {
		p.Aliases = append(p.Aliases, r.readString())
	}
	p.Anchors = make([]Anchor, 0, r.readCount())
	for range cap(p.Anchors) {
		p.Anchors = append(p.Anchors, Anchor{Name: r.readString(), Place: r.readNumber()})
	}
	for range r.readCount() {
		p.Includes = append(p.Includes, r.readString())
	}
	p.Links = make([]Link, 0, r.readCount())
	for range cap(p.Links) {
		l := Link{Place: r.readNumber(), Part: r.readNumber(), Line: r.readNumber(), Source: r.readNumber(), Type: Type(r.readString()),
			Rule: r.readString(), Target: r.readString(), Match: r.readString(), Score: r.readScore()}
		r.bad = r.bad || !p.holdsNumbers(l.Place, l.Part, -1)
		p.Links = append(p.Links, l)
	}
	p.LinksLeft = r.readNumber()
	p.Finds = make([]Find, 0, r.readCount())
	for range cap(p.Finds) {
		f := Find{Place: r.readNumber(), Part: r.readNumber(), Line: r.readNumber(), Own: r.readNumber(), ByPart: r.readNumber(),
			Type: Type(r.readString()), Rule: r.readString(), Target: r.readString(), By: r.readString(), Match: r.readString()}
		f.Score, f.Known = r.readScore(), r.readFlag()
		r.bad = r.bad || !p.holdsNumbers(f.Place, f.Part, f.Own) || f.Type == Supersedes && f.ByPart >= len(p.Parts)
		p.Finds = append(p.Finds, f)
	}
	return !r.bad
}

// holdsNumbers reports whether the page has a section and parts of these numbers.
func (p *Page) holdsNumbers(place, part, other int) bool {
	return place >= 0 && place < len(p.Places) && part < len(p.Parts) && other < len(p.Parts)
}

func encodeEdges(edges []edge, c Counts) []byte {
	w := &writer{}
	for _, n := range []int{c.Inside, c.Pages, c.Anchors, c.Elsewhere, c.Unsure, c.Left, len(edges)} {
		w.writeNumber(n)
	}
	for _, e := range edges {
		for _, n := range []int{e.from.page, e.from.n, e.to.page, e.to.n, e.line, e.source, int(e.fault)} {
			w.writeNumber(n)
		}
		for _, s := range []string{string(e.typ), e.rule, e.match, e.target} {
			w.writeString(s)
		}
		w.writeScore(e.score)
	}
	return w.b
}

func decodeEdges(b []byte) ([]edge, Counts, bool) {
	r := &parser{b: b}
	c := Counts{Inside: r.readNumber(), Pages: r.readNumber(), Anchors: r.readNumber(), Elsewhere: r.readNumber(), Unsure: r.readNumber(),
		Left: r.readNumber()}
	out := make([]edge, 0, r.readCount())
	for range cap(out) {
		e := edge{from: spot{r.readNumber(), r.readNumber()}, to: spot{r.readNumber(), r.readNumber()}, line: r.readNumber(),
			source: r.readNumber(), fault: Fault(r.readNumber())}
		e.typ, e.rule, e.match, e.target = Type(r.readString()), r.readString(), r.readString(), r.readString()
		e.score = r.readScore()
		out = append(out, e)
	}
	return out, c, !r.bad
}
