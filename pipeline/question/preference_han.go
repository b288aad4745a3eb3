package question

import (
	"slices"
	"strings"

	"docent/pipeline/question/wordlist"
)

// instructionBytes is how far into a clause a word for compression makes an instruction:
// five Chinese characters.
const instructionBytes = 15

// The words of preferences in Chinese.
const (
	preferCompress       wordlist.Rule = "preference/compress"
	preferShorten        wordlist.Rule = "preference/shorten"
	preferNegation       wordlist.Rule = "preference/negation"
	preferRequest        wordlist.Rule = "preference/request"
	preferQuestion       wordlist.Rule = "preference/question"
	preferNegationFiller wordlist.Rule = "preference/negation-filler"
	preferFiller         wordlist.Rule = "preference/filler"
	preferFull           wordlist.Rule = "preference/full"
	preferFullWord       wordlist.Rule = "preference/full-word"
	preferFullName       wordlist.Rule = "preference/full-name"
	preferRequestStart   wordlist.Rule = "preference/request-start"
	preferSummary        wordlist.Rule = "preference/summary"
	preferPolite         wordlist.Rule = "preference/polite"
	preferAsking         wordlist.Rule = "preference/asking"
	preferBrief          wordlist.Rule = "preference/brief"
	preferSimply         wordlist.Rule = "preference/simply"
	preferTell           wordlist.Rule = "preference/tell"
	preferFillerEnd      wordlist.Rule = "preference/filler-end"
	preferCompressName   wordlist.Rule = "preference/compress-name"
	preferThing          wordlist.Rule = "preference/thing"
	preferFeature        wordlist.Rule = "preference/feature"
)

// preferenceHan judges a clause with Chinese in it; s has no spaces.
func preferenceHan(s string) (full, compress bool) {
	asks := preferQuestion.Inside(s) != "" &&
		preferRequest.Inside(s) == ""
	full = wantsFullHan(s, asks)
	negated := false
	for _, w := range preferShorten.Phrases() {
		for at := 0; ; {
			i := strings.Index(s[at:], w)
			if i < 0 {
				break
			}
			i += at
			at = i + len(w)
			if !negatedHan(s[:i]) {
				continue
			}
			negated = true
			rest := fillerHan(s[at:])
			// 如何配置不要压缩 still instructs; 如何不压缩图片 asks.
			if rest == "" || !asks && !namesCompressibleHan(rest) {
				full = true
			}
		}
	}
	return full, !negated && compressHan(s, asks)
}

// negatedHan reports whether a text before a word ends in a negation, possibly followed by
// words such as 给我做任何.
func negatedHan(before string) bool {
	for range 4 {
		if preferNegation.Closes(before) {
			return true
		}
		cut := before
		for _, w := range preferNegationFiller.Phrases() {
			cut = strings.TrimSuffix(cut, w)
		}
		if cut == before {
			return false
		}
		before = cut
	}
	return false
}

// fillerHan removes words that may follow an instruction without being its object.
func fillerHan(s string) string {
	for {
		cut := s
		for _, w := range preferFiller.Phrases() {
			cut = strings.TrimPrefix(cut, w)
		}
		if cut == s {
			return s
		}
		s = cut
	}
}

func wantsFullHan(s string, asks bool) bool {
	if asks {
		return false
	}
	if preferFull.Inside(s) != "" {
		return true
	}
	for _, w := range preferFullWord.Phrases() {
		i := strings.Index(s, w)
		named := func(name string) bool { return len(name) > len(w) && strings.HasPrefix(s[i:], name) }
		if i >= 0 && !slices.ContainsFunc(preferFullName.Phrases(), named) {
			return true
		}
	}
	return false
}

func compressHan(s string, asks bool) bool {
	for _, p := range preferRequestStart.Phrases() {
		s2 := strings.TrimPrefix(s, p)
		if s2 != s && !preferAsking.Begins(s) {
			if preferSummary.Inside(s2[:min(len(s2), instructionBytes)]) != "" {
				asks = false
			}
		}
	}
	bare := s
	for cut := true; cut; {
		cut = false
		for _, p := range preferPolite.Phrases() {
			if t, ok := strings.CutPrefix(bare, p); ok && !preferAsking.Begins(bare) {
				bare, cut = t, true
			}
		}
	}
	for _, p := range preferBrief.Phrases() {
		if strings.HasPrefix(bare, p) || strings.HasSuffix(fillerEndHan(s), p) {
			return true
		}
	}
	for _, p := range preferSimply.Phrases() {
		if t, ok := strings.CutPrefix(bare, p); ok && preferTell.Begins(t) {
			return true
		}
	}
	if asks {
		return false
	}
	for _, w := range preferCompress.Phrases() {
		if rest, ok := strings.CutPrefix(bare, w); ok && !isNounHan(rest) && !namesCompressibleHan(rest) {
			return true
		}
		// 帮我把 hooks 文档总结一下; 请对 hooks 做个总结
		if t, ok := strings.CutSuffix(fillerEndHan(s), w); ok && t != "" && !namesCompressibleHan(t) && !subjectHan(t) {
			return true
		}
	}
	return false
}

// fillerEndHan removes polite words and particles from the end of a clause.
func fillerEndHan(s string) string {
	for {
		cut := s
		for _, w := range preferFillerEnd.Phrases() {
			cut = strings.TrimSuffix(cut, w)
		}
		if cut == s {
			return s
		}
		s = cut
	}
}

// isNounHan reports whether a word for compression and the text after it are a name.
func isNounHan(rest string) bool {
	return preferCompressName.Begins(rest)
}

// namesCompressibleHan reports whether a text names something that programs compress.
func namesCompressibleHan(s string) bool {
	return preferThing.Inside(s) != ""
}

// subjectHan reports whether the text before the last word makes it the name of a feature.
func subjectHan(before string) bool {
	return preferFeature.Closes(before)
}
