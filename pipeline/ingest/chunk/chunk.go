// Package chunk cuts a parsed page into chunks, the passages that are indexed and ranked,
// in the way of the page's domain: see By.
//
// Documentation and source code: runs of whole blocks of one section. A list, a table, a
// code block, a procedure or an admonition is never cut, however long. A long paragraph
// is cut at ends of sentences, and between words where a sentence has more than 3 000.
// Law and medicine: the clauses of a contract, the parts of a note on a patient. Text
// without the structure of its domain: windows of characters, which overlap.
//
// The section path is not part of a chunk's text; ingest adds it to the indexed text. The
// same document gives the same chunks. The package refuses to read files and to know an
// index.
//
// Terms. A word is a run of letters and digits; a character of a script without
// spaces is half a word. A code block's introduction is the paragraph directly
// before it.
package chunk

import (
	"strings"

	"docent/store/doc"
)

// Defaults. Passages of 220 to 350 words rank best (BM25F with b = .5 over 16
// collections); smaller ones lose the context that their section gives.
const (
	defaultMaxWords = 300
	defaultMinWords = 60
)

// Options bound chunks, in words. The zero value takes the defaults.
type Options struct {
	// MaxWords is the most words of a chunk. A longer block is a chunk of its own.
	MaxWords int
	// MinWords: a chunk with fewer words is joined with a neighbour in the same
	// section, if both together have at most 1.5 times MaxWords. Negative: never.
	MinWords int
}

func (o Options) withDefaults() Options {
	if o.MaxWords <= 0 {
		o.MaxWords = defaultMaxWords
	}
	if o.MinWords == 0 {
		o.MinWords = min(defaultMinWords, o.MaxWords/2)
	}
	return o
}

// SplitPage cuts a page. Chunks are in the page's order, do not overlap, and hold all
// blocks except metadata and rules. The lines of front matter that describes the page
// belong to the chunk behind them, its text does not: see doc.Document.About. A heading belongs to the first chunk of its
// section; a section without text is a chunk of the heading alone. The parts of a
// paragraph that was cut may share a line, but no byte.
func SplitPage(d doc.Document, opt Options) []doc.Chunk {
	opt = opt.withDefaults()
	var chunks []doc.Chunk
	for i := 0; i < len(d.Blocks); {
		j := i + 1
		for j < len(d.Blocks) && d.Blocks[j].Section == d.Blocks[i].Section {
			j++
		}
		chunks = append(chunks, chunkSection(d.Blocks[i:j], opt)...)
		i = j
	}
	return linkNeighbours(withMetadata(d, chunks))
}

// withMetadata puts what says something of the page at its top, such as a description
// in its front matter, into the first chunk of the section where it stands. A page that
// has nothing else becomes a chunk of it.
func withMetadata(d doc.Document, chunks []doc.Chunk) []doc.Chunk {
	if d.About == "" || len(d.Blocks) == 0 || d.Blocks[0].Kind != doc.Meta || d.Blocks[0].Span.StartLine != 1 {
		return chunks
	}
	top := d.Blocks[0]
	switch {
	case len(chunks) == 0:
		return []doc.Chunk{{Section: top.Section, Span: top.Span, Kind: doc.Meta}}
	case chunks[0].Section == top.Section:
		chunks[0].Span.Start, chunks[0].Span.StartLine = top.Span.Start, top.Span.StartLine
	}
	return chunks
}

// unit is blocks that stay together: a block and its introduction.
type unit struct {
	blocks []doc.Block
	words  int
	tokens int
}

// group is the units of one chunk.
type group struct {
	units  []unit
	words  int
	tokens int
}

// chunkSection cuts the blocks of one section.
func chunkSection(blocks []doc.Block, opt Options) []doc.Chunk {
	units := makeUnits(blocks, opt)
	var groups []group
	for _, u := range units {
		if n := len(groups); n > 0 && fitsGroup(groups[n-1], u, opt) {
			groups[n-1].units = append(groups[n-1].units, u)
			groups[n-1].words += u.words
			groups[n-1].tokens += u.tokens
			continue
		}
		groups = append(groups, group{units: []unit{u}, words: u.words, tokens: u.tokens})
	}
	groups = joinSmall(groups, opt)
	chunks := make([]doc.Chunk, 0, len(groups))
	for _, g := range groups {
		chunks = append(chunks, g.makeChunk(blocks[0].Section))
	}
	return chunks
}

// fitsGroup reports whether a unit may join a group. A unit longer than MaxWords is a group
// of its own; a heading joins the unit after it, whatever its length.
func fitsGroup(g group, u unit, opt Options) bool {
	if g.onlyHeading() {
		return true
	}
	return g.words+u.words <= opt.MaxWords && g.tokens+u.tokens <= MaxTokens
}

func (g group) onlyHeading() bool {
	for _, u := range g.units {
		for _, b := range u.blocks {
			if b.Kind != doc.HeadingRow {
				return false
			}
		}
	}
	return true
}

// joinSmall joins groups under MinWords with a neighbour, the smaller one.
func joinSmall(groups []group, opt Options) []group {
	limit := opt.MaxWords + opt.MaxWords/2
	var out []group
	for i := 0; i < len(groups); {
		g := groups[i]
		i++
		for g.words < opt.MinWords {
			n := len(out)
			before := n > 0 && out[n-1].words+g.words <= limit && out[n-1].tokens+g.tokens <= MaxTokens
			after := i < len(groups) && groups[i].words+g.words <= limit && groups[i].tokens+g.tokens <= MaxTokens
			if before && (!after || out[n-1].words <= groups[i].words) {
				g = group{append(out[n-1].units, g.units...), out[n-1].words + g.words, out[n-1].tokens + g.tokens}
				out = out[:n-1]
			} else if after {
				g = group{append(g.units, groups[i].units...), g.words + groups[i].words, g.tokens + groups[i].tokens}
				i++
			} else {
				break
			}
		}
		out = append(out, g)
	}
	return out
}

// makeUnits makes units of blocks. A paragraph introduces code directly after it, any
// block directly after it if the paragraph ends with a colon, and a block longer
// than a chunk if the paragraph is short. A long paragraph is cut at sentences.
func makeUnits(blocks []doc.Block, opt Options) []unit {
	var units []unit
	adjacent := false // no rule stands between the last block and this one
	for _, b := range blocks {
		switch b.Kind {
		case doc.Meta:
			continue
		case doc.Rule:
			adjacent = false
			continue
		}
		words, tokens := CountWords(b.Text), tokenSize(b.Text, "")
		switch b.Kind {
		case doc.Code, doc.List, doc.Procedure, doc.Admonition, doc.HTML:
			words += CountWords(b.Code) // elsewhere code is inline and stands in the text
			tokens += tokenSize("", b.Code)
		}
		n := len(units)
		switch {
		case n > 0 && adjacent && introduces(units[n-1], b, words, opt):
			units[n-1].blocks = append(units[n-1].blocks, b)
			units[n-1].words += words
			units[n-1].tokens += tokens
		case b.Kind == doc.Paragraph && (words > opt.MaxWords || tokens > MaxTokens):
			for _, p := range sentences(b, wordsPerWindow(words, tokens, opt.MaxWords)) {
				units = append(units, unit{blocks: []doc.Block{p}, words: CountWords(p.Text), tokens: tokenSize(p.Text, "")})
			}
		default:
			units = append(units, unit{blocks: []doc.Block{b}, words: words, tokens: tokens})
		}
		adjacent = true
	}
	return units
}

// wordsPerWindow is how many words of a text that has so many words and tokens make a chunk.
func wordsPerWindow(words, tokens, most int) int {
	if tokens <= MaxTokens {
		return most
	}
	return max(1, min(most, words*MaxTokens/tokens))
}

// introduces reports whether a unit ends with a paragraph that introduces b.
func introduces(u unit, b doc.Block, words int, opt Options) bool {
	last := u.blocks[len(u.blocks)-1]
	switch {
	case last.Kind != doc.Paragraph || b.Kind == doc.Paragraph || b.Kind == doc.HeadingRow:
		return false
	case b.Kind == doc.Code || strings.HasSuffix(last.Text, ":") || strings.HasSuffix(last.Text, "："):
		return true
	}
	return words > opt.MaxWords && u.words <= opt.MaxWords/3
}

// makeChunk makes a chunk of a group.
func (g group) makeChunk(section int) doc.Chunk {
	c := doc.Chunk{Section: section}
	var text, code joiner
	kinds := 0
	first := true
	for _, u := range g.units {
		for _, b := range u.blocks {
			if first {
				c.Span, first = b.Span, false
			}
			c.Span.End, c.Span.EndLine = b.Span.End, b.Span.EndLine
			text.addText(b.Text)
			code.addText(b.Code)
			if b.Kind != doc.HeadingRow || len(g.units) == 1 {
				c.Kind = b.Kind
				kinds++
			}
		}
	}
	if kinds != 1 {
		c.Kind = doc.Paragraph
	}
	c.Text, c.Code = text.String(), code.String()
	return c
}
