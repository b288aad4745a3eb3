package chunk

import (
	"regexp"
	"strings"
	"sync"

	"docent/store/doc"
)

// heads are how the parts of a kind of text begin that has few headings of its own.
type heads struct {
	// level is that of the part that begins with a line, from 1; 0: none does.
	level func(line string) int
	// parts is the deepest level whose parts are chunks of their own. Deeper ones stay
	// with the part around them unless that has more than MaxTokens.
	parts int
	// deepest is the deepest level.
	deepest int
}

const (
	number   = `\d+(?:\.\d+)*`
	roman    = `[IVXLCDMivxlcdm]+`
	boundary = `(?:$|[:)–—-]|\.(?:\s|$)|\s+["“(\p{Lu}\d§])` // behind a number, unless a sentence goes on
)

// The expressions are compiled when the first page of the domain comes: most programs
// never see one.
var (
	// legalHeads are those of contracts and laws: articles, sections and clauses, then
	// the points of a clause.
	legalHeads = sync.OnceValue(func() heads {
		article := regexp.MustCompile(`^(?i:article|artikel|part|chapter|schedule|annex|exhibit|appendix|title)\s+(?:` + roman + `|` +
			number + `|[A-Z])` + boundary)
		paragraph := regexp.MustCompile(`^(?:(?i:section|clause|sec\.|abschnitt)|§+)\s*(` + number + `)` + boundary)
		numbered := regexp.MustCompile(`^(` + number + `)(?:[.)]\s+\S|\s+["“\p{Lu}])`)
		lettered := regexp.MustCompile(`^\([a-z]{1,2}\)(?:\s|\()|^[a-z]\)\s`)
		romans := regexp.MustCompile(`^\([ivx]+\)\s`)
		return heads{parts: 4, deepest: 6, level: func(line string) int {
			switch {
			case article.MatchString(line):
				return 1
			case romans.MatchString(line):
				return 6
			case lettered.MatchString(line):
				return 5
			}
			for _, re := range []*regexp.Regexp{paragraph, numbered} {
				if m := re.FindStringSubmatch(line); m != nil {
					return min(4, 2+strings.Count(m[1], "."))
				}
			}
			return 0
		}}
	})
	// medicalHeads are those of notes on a patient (SOAP) and of papers.
	medicalHeads = sync.OnceValue(func() heads {
		soap := regexp.MustCompile(`^(?:[SOAP]|A/P|(?i:subjective|objective|assessment(?: (?:and|&) plan)?|plan|impression|diagnos[ie]s|` +
			`abstract|background|introduction|(?:materials and )?methods?|results?|findings|discussion|conclusions?))\s*(?::|[–—-]\s|$)`)
		part := regexp.MustCompile(`^(?i:chief complaint|cc|hpi|history(?: of present illness)?|past medical history|pmh|` +
			`family history|social history|review of systems|ros|medications?|allergies|vitals?(?: signs)?|` +
			`physical exam(?:ination)?|labs?|laboratory(?: results)?|imaging|` +
			`follow[- ]?up|disposition|treatment|objectives?|participants|outcomes?|limitations|interventions?)\s*(?::|$)`)
		return heads{parts: 1, deepest: 2, level: func(line string) int {
			switch {
			case soap.MatchString(line):
				return 1
			case part.MatchString(line):
				return 2
			}
			return 0
		}}
	})
)

// partLevel is the level of the part that begins with a line of a page's text.
func (h heads) partLevel(line string) int {
	return h.level(strings.TrimSpace(strings.Trim(strings.TrimSpace(line), "*_#>")))
}

// cutByHeads cuts a page at its headings and where its parts begin; false where it has
// neither.
func cutByHeads(d doc.Document, h heads) ([]doc.Chunk, bool) {
	var chunks []doc.Chunk
	found := hasHeadings(d)
	for i := 0; i < len(d.Blocks); {
		j := i + 1
		for j < len(d.Blocks) && d.Blocks[j].Section == d.Blocks[i].Section {
			j++
		}
		var units []headed
		for _, b := range d.Blocks[i:j] {
			units = append(units, h.cutAtPartHeads(d.Text, b)...)
		}
		for _, u := range units {
			found = found || u.level > 0
		}
		for _, g := range h.divideSection(units, 1) {
			chunks = append(chunks, g.makeChunk(d.Blocks[i].Section))
		}
		i = j
	}
	return linkNeighbours(withMetadata(d, chunks)), found
}

// headed is a block, or a part of a paragraph, with the level of the part of the text
// that it begins, 0 where it begins none.
type headed struct {
	unit
	level int
}

// cutAtPartHeads cuts a paragraph at its lines that begin a part.
func (h heads) cutAtPartHeads(text []byte, b doc.Block) []headed {
	piece := func(b doc.Block, level int) headed {
		return headed{unit{blocks: []doc.Block{b}, words: CountWords(b.Text), tokens: tokenSize(b.Text, b.Code)}, level}
	}
	switch b.Kind {
	case doc.Meta, doc.Rule:
		return nil
	case doc.HeadingRow:
		return []headed{piece(b, 0)}
	case doc.Paragraph:
	case doc.List, doc.Procedure: // a numbered clause may be one item of a list
		if tokenSize(b.Text, b.Code) <= MaxTokens {
			return []headed{piece(b, 0)}
		}
	default:
		return []headed{piece(b, 0)}
	}
	if b.Span.Start < 0 || b.Span.End > len(text) || b.Span.Start >= b.Span.End {
		return []headed{piece(b, 0)}
	}
	var out []headed
	rest, level := b, 0
	at, line := b.Span.Start, b.Span.StartLine
	before := ""
	for l := range strings.Lines(string(text[b.Span.Start:b.Span.End])) {
		own := h.partLevel(l)
		if at == b.Span.Start {
			level = own
		} else if own > 0 && mayEndPart(before) && !(b.Kind != doc.Paragraph && strings.TrimLeft(l, " \t") != l) {
			out = append(out, piece(partOfBlock(text, rest, at, line-1), level))
			rest.Span.Start, rest.Span.StartLine, level = at, line, own
		}
		before, at, line = strings.TrimSpace(l), at+len(l), line+1
	}
	if words, tokens := CountWords(b.Text), tokenSize(b.Text, b.Code); len(out) == 0 && b.Kind == doc.Paragraph &&
		(words > defaultMaxWords || tokens > MaxTokens) {
		for i, s := range sentences(b, wordsPerWindow(words, tokens, defaultMaxWords)) {
			out = append(out, piece(s, level))
			if i > 0 {
				out[i].level = 0
			}
		}
		return out
	}
	if len(out) == 0 {
		return []headed{piece(b, level)}
	}
	return append(out, piece(partOfBlock(text, rest, b.Span.End, b.Span.EndLine), level))
}

// mayEndPart reports whether a line can be the last one of a part.
func mayEndPart(line string) bool {
	line = strings.TrimRight(line, "*_\"”) ")
	return line == "" || strings.ContainsAny(line[len(line)-1:], ".;:!?,") || len(line) < 60 || strings.HasSuffix(line, "and") ||
		strings.HasSuffix(line, "or")
}

// partOfBlock is the lines of a block up to a place in the page's text.
func partOfBlock(text []byte, b doc.Block, end, line int) doc.Block {
	source := strings.TrimRight(string(text[b.Span.Start:end]), " \t\r\n")
	b.Span.End, b.Span.EndLine = b.Span.Start+len(source), line
	if n := strings.Count(source, "\n"); b.Span.StartLine+n < line {
		b.Span.EndLine = b.Span.StartLine + n
	}
	b.Kind, b.Marks, b.Code = doc.Paragraph, nil, ""
	b.Text = strings.NewReplacer("**", "", "__", "", "`", "").Replace(source)
	return b
}

// mostTitle is the most words of a part that is no more than the title of the parts
// inside it.
const mostTitle = 12

// divideSection groups the pieces of a section into chunks: each part of a level up to h.parts
// is one, and the parts of deeper levels are where there are too many tokens.
func (h heads) divideSection(units []headed, level int) []group {
	if len(units) == 0 {
		return nil
	}
	size := 0
	for _, u := range units {
		size += u.tokens
	}
	if level > h.parts && size <= MaxTokens {
		return []group{groupedByPart(units)}
	}
	if level > h.deepest {
		return packIntoChunks(units)
	}
	var out []group
	start := 0
	for i := 1; i <= len(units); i++ {
		if i < len(units) && (units[i].level != level || titleOnly(units[start:i], level)) {
			continue
		}
		out = append(out, h.divideSection(units[start:i], level+1)...)
		start = i
	}
	return out
}

// titleOnly reports whether pieces are headings, or headings and the short title of a part
// around those of a level.
func titleOnly(units []headed, level int) bool {
	titles := 0
	for _, u := range units {
		if u.blocks[0].Kind == doc.HeadingRow {
			continue
		}
		if titles++; titles > 1 || u.level == 0 || u.level >= level || u.words > mostTitle {
			return false
		}
	}
	return true
}

func groupedByPart(units []headed) group {
	var g group
	for _, u := range units {
		g.units, g.words = append(g.units, u.unit), g.words+u.words
	}
	return g
}

// packIntoChunks fills chunks with whole pieces up to MaxTokens.
func packIntoChunks(units []headed) []group {
	var out []group
	start, size := 0, 0
	for i, u := range units {
		if i > start && size+u.tokens > MaxTokens && !groupedByPart(units[start:i]).onlyHeading() {
			out = append(out, groupedByPart(units[start:i]))
			start, size = i, 0
		}
		size += u.tokens
	}
	return append(out, groupedByPart(units[start:]))
}
