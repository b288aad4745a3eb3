package question

import (
	"regexp"
	"strings"
	"unicode"
)

// Words of a preference, each with the words that negate or introduce it.
const (
	preferenceEN = `(?i)\b(?:please\s+)?(?:(?:don['’]?t|do\s+not|never|without|no|not)\s+)?(?:summari[sz](?:e|ed|ing)|compress(?:ed|ion|ing)?|condens(?:e|ed|ing)|shorten(?:ed|ing)?|abridged?|summary|briefly|concisely|tl;?dr)\b` +
		`|\b(?:in\s+full|verbatim|word\s+for\s+word|in\s+its\s+entirety|uncompressed|(?:the\s+)?(?:full|complete|entire|whole|original|uncompressed|unabridged)\s+(?:contents?|texts?|documents?|docs?|pages?|version|article|wording))\b`
	preferenceZH = `(?:请|帮我|给我)?(?:不要|不用|不需要|不必|无需|无须|请勿|勿|别|不)?(?:压缩|总结|摘要|精简|概括|归纳|浓缩|缩减|省略|截断)(?:一下|内容)?` +
		`|(?:返回|输出|给出|显示)?(?:完整|全部|所有|整个)的?(?:内容|文档|文本|原文|页面|版)|全文|原文|一字不差`
)

// WithoutPreference removes from a question the words that ask for the full or the
// compressed text: they say what to do with the answer, not what is asked. A
// question that asks for neither, or that is about compression, stays as it is.
func WithoutPreference(text string) string {
	if full, compress := Preference(text); !full && !compress {
		return text
	}
	re, err := regexp.Compile(preferenceEN + "|" + preferenceZH)
	if err != nil {
		return text
	}
	rest := strings.TrimFunc(re.ReplaceAllString(text, " "), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:，；：、", r)
	})
	if r, ok := strings.CutPrefix(rest, "of "); ok {
		rest = r // of "summary of hooks"
	}
	if !strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return text
	}
	if full, compress := Preference(rest); full || compress {
		return text
	}
	return rest
}
