package main

import "regexp"

// mark is a turn of phrase that is counted.
type mark struct {
	name    string
	pattern *regexp.Regexp
}

// marks lists the turns of phrase. A turn must be rare in the comments of the anchors
// (see the package comment): a pattern that idiomatic comments use is left out, such as
// "what to do", "besides" and "which is why".
var marks = []mark{
	// A pronoun where the noun is missing.
	{"nobody", word(`nobody`)},
	{"whoever", word(`whoever|whomever|whosoever`)},
	{"whom", word(`whom`)},
	{"who", regexp.MustCompile(`(?:^|[.:;] |\b(?i:for|to|of|by|than|as|is) )[Ww]ho (?:\w+s|\w+ed|can|cannot|may|has|had|was|were|are|will|would)\b`)},
	{"what is", word(`what (?:is|are|was|were|has|have|had|can|cannot|may|must|stands|lies|came|comes|remains|belongs)`)},
	{"what it", word(`(?:of|from|with|by|for|than|in) what (?:it|they|he|the \w+) (?:is|are|was|has|have|had|says|say|does|do|needs?)`)},
	// "None" as an adjective of a noun that is not named.
	{"none", word(`(?:that|which|there|it|this) (?:is|are|was|were) none|(?:is|are) none of|for none|none such`)},
	// Verbs of telling with a thing as their subject or object.
	{"is told", word(`(?:is|are|was|were|be|been|being) told`)},
	{"says whether", word(`(?:says|say|said|tells|tell) (?:whether|if)`)},
	// Adverbs and prepositions that translations take.
	{"beside", word(`beside`)},
	{"meanwhile", word(`meanwhile|in the meantime`)},
	{"likewise", word(`likewise`)},
	// Inversions and metaphors.
	{"is begun", word(`is begun|has begun|are begun|was begun|was meant by|is meant by`)},
	{"stands", word(`(?:it|they|that|which) stands? (?:there|in its|by itself|alone|beside|so)`)},
	{"as it stands", word(`as (?:it|they) (?:stands?|lies?|came|comes)`)},
}

// word returns a pattern for whole words, in either case. Words may be apart by any
// white space, as a turn may go over the end of a line.
func word(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:` + alternatives + `)\b`)
}

// quoted matches the parts of a text that are not its author's words: code and quotations.
var quoted = regexp.MustCompile("`[^`]*`|\"[^\"]{0,200}\"|“[^”]*”")

// space matches white space, line ends included.
var space = regexp.MustCompile(`\s+`)

// hit is a marked turn with its place in the text in which it was found.
type hit struct {
	mark  string
	match string
}

// find returns the marked turns of a text. The text may have several lines, which are
// joined first.
func find(text string) []hit {
	text = space.ReplaceAllString(quoted.ReplaceAllString(text, `""`), " ")
	var hits []hit
	for _, m := range marks {
		for _, found := range m.pattern.FindAllString(text, -1) {
			hits = append(hits, hit{mark: m.name, match: found})
		}
	}
	return hits
}
