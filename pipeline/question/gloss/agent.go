package gloss

import (
	"slices"
	"strings"
	"unicode/utf8"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/lexicon"
)

// The word for an action and the thing that does it: 检索 is to retrieve, 检索器 a retriever.
// Dictionaries do not have them all.
const (
	agentSuffix  = "器"
	doneWeight   = 0.7 // of the action, relative to the thing that does it
	shortestDone = 2   // characters
	mostGlosses  = 8
)

// joinAgents joins an action and the suffix of the thing that does it, which is no device in
// its own right: "retrieve device" finds pages on devices.
func joinAgents(words []Word) []Word {
	out := words[:0]
	for _, w := range words {
		last := len(out) - 1
		if w.Text != agentSuffix || last < 0 || out[last].End != w.Start || utf8.RuneCountInString(out[last].Text) < shortestDone {
			out = append(out, w)
			continue
		}
		glosses := agentGlosses(out[last].Glosses)
		if len(glosses) == 0 {
			out = append(out, w)
			continue
		}
		text := out[last].Text + w.Text
		out[last] = Word{Text: text, Start: out[last].Start, End: w.End, Glosses: glosses,
			Entry: lexicon.Entry{Word: text, Class: lexicon.Noun, Glosses: []string{glosses[0].Text}}}
	}
	return out
}

// agentGlosses are the things that do what glosses of one word say, and what they do.
func agentGlosses(done []dictionary.Gloss) []dictionary.Gloss {
	var out []dictionary.Gloss
	add := func(text string, weight float64) {
		if len(out) < mostGlosses && !slices.ContainsFunc(out, func(o dictionary.Gloss) bool { return o.Text == text }) {
			out = append(out, dictionary.Gloss{Text: text, Weight: weight})
		}
	}
	for _, g := range done {
		if a := agentNoun(g.Text); a != "" {
			add(a, g.Weight)
		}
	}
	if len(out) == 0 {
		return nil
	}
	best := out[0].Weight
	for i := range out {
		out[i].Weight /= best
	}
	for _, g := range done {
		add(g.Text, doneWeight*g.Weight)
	}
	slices.SortStableFunc(out, func(a, b dictionary.Gloss) int {
		switch {
		case a.Weight > b.Weight:
			return -1
		case a.Weight < b.Weight:
			return 1
		}
		return 0
	})
	return out
}

// agentNoun is the noun of who or what does an English verb; "" for what looks like no verb.
// The rules are those of spelling; of -er and -or they take the commoner.
func agentNoun(verb string) string {
	if len(verb) < 3 || strings.ContainsFunc(verb, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return ""
	}
	for _, noun := range []string{"al", "ion", "ment", "ance", "ence", "ing", "ity", "ness", "er", "or", "ure", "ism", "ist"} {
		if strings.HasSuffix(verb, noun) {
			return ""
		}
	}
	last := verb[len(verb)-1]
	switch {
	case strings.HasSuffix(verb, "ate"), strings.HasSuffix(verb, "ute"):
		return verb[:len(verb)-1] + "or"
	case strings.HasSuffix(verb, "ct"), strings.HasSuffix(verb, "ess"), strings.HasSuffix(verb, "it"):
		return verb + "or"
	case last == 'e':
		return verb + "r"
	case last == 'y' && !isVowel(verb[len(verb)-2]):
		return verb[:len(verb)-1] + "ier"
	case doublesLastLetter(verb):
		return verb + string(last) + "er"
	}
	return verb + "er"
}

// doublesLastLetter reports whether a verb doubles its last letter: scan, scanner.
func doublesLastLetter(verb string) bool {
	n := len(verb)
	if isVowel(verb[n-1]) || strings.IndexByte("wxy", verb[n-1]) >= 0 || !isVowel(verb[n-2]) || isVowel(verb[n-3]) {
		return false
	}
	for i := range n - 2 { // of one syllable
		if isVowel(verb[i]) {
			return false
		}
	}
	return true
}

func isVowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }
