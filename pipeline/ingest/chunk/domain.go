package chunk

import (
	"docent/pipeline/contract"
	"docent/pipeline/text/tokens"
	"docent/store/doc"
)

// The names of the ways in which pages are cut, those of the domain specification.
const (
	extractorTechDocs = "TechDocsExtractor"
	extractorCode     = "CodeExtractor"
	extractorLegal    = "LegalExtractor"
	extractorMedical  = "MedicalExtractor"
	// extractorText is that of pages without any structure of their domain.
	extractorText = "TextExtractor"
)

// ByDomain cuts a page in the way of its domain, and names the way: documentation and source
// code by headings and declarations, law by clauses, notes of medicine by their headings.
// A page of another domain than documentation that has nothing of the kind is cut into
// windows of characters.
func ByDomain(domain string, d doc.Document) (chunks []doc.Chunk, extractor string) {
	switch domain {
	case contract.DomainLegal:
		if c, ok := cutByHeads(d, legalHeads()); ok {
			return c, extractorLegal
		}
		return windows(d, windowChars, windowOverlap), extractorText
	case contract.DomainMedical:
		if c, ok := cutByHeads(d, medicalHeads()); ok {
			return c, extractorMedical
		}
		return windows(d, windowChars, windowOverlap), extractorText
	case contract.DomainCode:
		if hasHeadings(d) {
			return SplitPage(d, Options{}), extractorCode
		}
		return windows(d, windowChars, windowOverlap), extractorText
	}
	return SplitPage(d, Options{}), extractorTechDocs
}

func hasHeadings(d doc.Document) bool {
	for _, s := range d.Sections {
		if s.Level > 0 {
			return true
		}
	}
	return false
}

// linkNeighbours numbers the chunks of a page and sets their neighbours.
func linkNeighbours(chunks []doc.Chunk) []doc.Chunk {
	for i := range chunks {
		c := &chunks[i]
		c.Index, c.Prev, c.Next = i, i-1, i+1
	}
	if n := len(chunks); n > 0 {
		chunks[n-1].Next = -1
	}
	return chunks
}

// MaxTokens is how many tokens of a model a chunk has at most where its structure allows
// that: the domain specification's max_chunk_tokens.
const MaxTokens = 512

// Tokens estimates how many tokens of a model the chunks have.
func Tokens(chunks []doc.Chunk) int {
	n := 0
	for _, c := range chunks {
		n += tokenSize(c.Text, c.Code)
	}
	return n
}

// tokenSize is the tokens of a text and the code that goes with it.
func tokenSize(text, code string) int {
	return (tokens.Quarters(text) + tokens.Quarters(code) + 3) / 4
}
