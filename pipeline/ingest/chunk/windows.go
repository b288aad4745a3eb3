package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/store/doc"
)

// The size of windows and how much two of them share, in characters: specification 4's
// chunkSize and chunkOverlap.
const (
	windowChars   = 1000
	windowOverlap = 200
)

// windows cuts a page into chunks of at most size characters, of which a chunk shares up
// to overlap with the one before it. They end between blocks, sentences or lines where
// one ends there, between words else, and never go beyond a section.
func windows(d doc.Document, size, overlap int) []doc.Chunk {
	size = max(2, size)
	overlap = max(0, min(overlap, size/2))
	var chunks []doc.Chunk
	for i := 0; i < len(d.Blocks); {
		j := i + 1
		for j < len(d.Blocks) && d.Blocks[j].Section == d.Blocks[i].Section {
			j++
		}
		chunks = append(chunks, chunkInWindows(d.Text, d.Blocks[i:j], size, overlap)...)
		i = j
	}
	return linkNeighbours(withMetadata(d, chunks))
}

// chunkInWindows cuts the blocks of one section.
func chunkInWindows(text []byte, blocks []doc.Block, size, overlap int) []doc.Chunk {
	var pieces []doc.Block
	for _, b := range blocks {
		if b.Kind != doc.Meta && b.Kind != doc.Rule {
			pieces = append(pieces, fragments(text, b, max(1, overlap))...)
		}
	}
	var out []doc.Chunk
	for start := 0; start < len(pieces); {
		end := start + 1
		for end < len(pieces) && countRunes(text, pieces[start].Span.Start, pieces[end].Span.End) <= size {
			end++
		}
		var g group
		for _, p := range pieces[start:end] {
			g.units = append(g.units, unit{blocks: []doc.Block{p}})
		}
		out = append(out, g.makeChunk(pieces[start].Section))
		if end == len(pieces) {
			break
		}
		next := end
		for next-1 > start && countRunes(text, pieces[next-1].Span.Start, pieces[end-1].Span.End) <= overlap &&
			countRunes(text, pieces[next-1].Span.Start, pieces[end].Span.End) <= size {
			next--
		}
		start = next
	}
	return out
}

// countRunes counts the characters of a part of a text.
func countRunes(text []byte, start, end int) int { return utf8.RuneCount(text[start:end]) }

// fragments cuts a block that is longer than so many characters: at the ends of its
// sentences and lines, and where one of these is too long, between words.
func fragments(text []byte, b doc.Block, most int) []doc.Block {
	if b.Span.Start < 0 || b.Span.End > len(text) || b.Span.Start >= b.Span.End {
		return nil // the parser's promise is broken
	}
	source := string(text[b.Span.Start:b.Span.End])
	if utf8.RuneCountInString(source) <= most {
		return []doc.Block{b}
	}
	var out []doc.Block
	start, line := 0, b.Span.StartLine
	for _, end := range fragmentEnds(source, most) {
		piece := strings.TrimRightFunc(source[start:end], unicode.IsSpace)
		lead := len(piece) - len(strings.TrimLeft(piece, "\r\n"))
		at := line + strings.Count(piece[:lead], "\n")
		line += strings.Count(source[start:end], "\n")
		if piece = piece[lead:]; strings.TrimSpace(piece) != "" {
			p := doc.Block{Kind: b.Kind, Section: b.Section, Lang: b.Lang, Warning: b.Warning, Text: piece}
			p.Span = doc.Span{Start: b.Span.Start + start + lead, End: b.Span.Start + start + lead + len(piece), StartLine: at,
				EndLine: at + strings.Count(piece, "\n")}
			if b.Kind == doc.Code {
				p.Text, p.Code = "", piece
			}
			out = append(out, p)
		}
		start = end
	}
	return out
}

// fragmentEnds gives the offsets after the sentences and lines of a text, and between
// words after so many characters.
func fragmentEnds(text string, most int) []int {
	var out []int
	last := 0
	for _, end := range sentenceEnds(text) {
		for n, blank, i := 0, 0, last; i < end; {
			r, size := utf8.DecodeRuneInString(text[i:end])
			i += size
			if n++; unicode.IsSpace(r) {
				blank = i
			}
			if n >= most && i < end {
				if blank <= last {
					blank = i
				}
				out = append(out, blank)
				last, i, n, blank = blank, blank, 0, 0
			}
		}
		if end > last {
			out = append(out, end)
			last = end
		}
	}
	return out
}
