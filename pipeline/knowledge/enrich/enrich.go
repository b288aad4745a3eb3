// Package enrich says of each section of a page in a few fields what it is about: a
// summary, its concepts, parameters, prerequisites, warnings, related topics and its
// audience. The fields and their bounds are those of the domain specification.
//
// There are two engines. The built-in one takes the fields from the parsed page, the
// same ones each time. A model is asked through a chain of models; its answer counts
// where it has the form of the schema. A field that is too long is cut, and the
// enrichment says so; a key that the schema does not have, or a value of another type, is
// refused.
//
// The enrichments are stored as lines of JSON, one for each section, with a checksum and
// the hash of the section's text.
//
// It refuses to take a model's word for the identity of a section, or for whether
// something was cut, and to change a page: an enrichment is stored apart from the text
// and is never cited.
package enrich

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/spacing"
)

// version is raised whenever the built-in engine gives another enrichment of the same page.
const version = 2

// The bounds, in characters, words and items. The domain specification gives words for
// the summary, and items for the lists of texts.
const (
	maxSummary      = 200
	maxSummaryWords = 60
	maxItems        = 10
	maxItem         = 200
	maxItemWords    = 60
	maxParameters   = 50
	maxName         = 100
	maxType         = 50
	maxDescription  = 500
	// maxDescriptionWords bounds descriptions of parameters.
	maxDescriptionWords = 100
)

// The audiences.
const (
	developer = "developer"
	admin     = "admin"
	user      = "user"
	mixed     = "mixed"
)

// audiences are all of them.
func audiences() []string { return []string{developer, admin, user, mixed} }

// Parameter is a parameter that a section documents.
type Parameter struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"`
	Description string `json:"description"`
}

// Enrichment is the domain specification's TechDocsEnrichment.
type Enrichment struct {
	SpanID        string      `json:"span_id"`
	Summary       string      `json:"summary"`
	KeyConcepts   []string    `json:"key_concepts"`
	Parameters    []Parameter `json:"parameters"`
	CodeExamples  bool        `json:"code_examples"`
	Prerequisites []string    `json:"prerequisites"`
	Warnings      []string    `json:"warnings"`
	RelatedTopics []string    `json:"related_topics"`
	Audience      string      `json:"audience"`
	// Truncated says that a field was longer than its bound and was cut.
	Truncated bool `json:"truncated"`
}

// Rejected is why an enrichment is refused.
type Rejected struct {
	Field  string // "" is the whole
	Reason Reason
	Detail string
}

// Reason is the kind of a rejection, a label of the metrics.
type Reason string

// The reasons.
const (
	NotJSON    Reason = "not_json"
	UnknownKey Reason = "unknown_key"
	Repeated   Reason = "repeated_key"
	WrongType  Reason = "wrong_type"
	Missing    Reason = "missing"
	Value      Reason = "value" // of the right type, and none of those that there are
	TooLarge   Reason = "too_large"
	NoAnswer   Reason = "no_answer" // the server or the model failed
)

// Reasons are all of them.
func Reasons() []Reason {
	return []Reason{NotJSON, UnknownKey, Repeated, WrongType, Missing, Value, TooLarge, NoAnswer}
}

func (r *Rejected) Error() string {
	if r.Field == "" {
		return r.Detail
	}
	return r.Field + ": " + r.Detail
}

func rejectedAnswer(field string, reason Reason, format string, args ...any) *Rejected {
	return &Rejected{Field: field, Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// farTooLong is how many bytes for each character of its bound are looked at of a text.
const farTooLong = 16

// limitFields brings all fields into their bounds: texts without control characters and
// scripts, cut where they are too long, lists without empty and repeated items. Truncated
// is set where something was cut.
func (e *Enrichment) limitFields() {
	cut := func(s string, chars, words int) string {
		long := len(s) > farTooLong*chars // cleaning takes longer than the text is long
		if long {
			s = strings.ToValidUTF8(s[:farTooLong*chars], "")
		}
		out, was := limitText(cleanLine(s), chars, words)
		if long && !was && out != "" {
			out, was = limitText(out+" "+strings.Repeat("…", chars), chars, words)
		}
		e.Truncated = e.Truncated || was
		return out
	}
	e.Summary = cut(e.Summary, maxSummary, maxSummaryWords)
	for _, list := range []*[]string{&e.KeyConcepts, &e.Prerequisites, &e.Warnings, &e.RelatedTopics} {
		out := []string{}
		seen := map[string]bool{}
		for _, s := range *list {
			if len(out) == maxItems {
				e.Truncated = true
				break
			}
			s = cut(s, maxItem, maxItemWords)
			if key := strings.ToLower(s); s != "" && !seen[key] {
				seen[key] = true
				out = append(out, s)
			}
		}
		*list = out
	}
	params := []Parameter{}
	for _, p := range e.Parameters {
		if len(params) == maxParameters {
			e.Truncated = true
			break
		}
		p = Parameter{Name: cut(p.Name, maxName, maxName), Type: cut(p.Type, maxType, maxType),
			Description: cut(p.Description, maxDescription, maxDescriptionWords)}
		if p.Name != "" && !slices.ContainsFunc(params, func(o Parameter) bool { return o.Name == p.Name }) {
			params = append(params, p)
		}
	}
	e.Parameters = params
}

// Check says what of an enrichment is not as the schema has it.
func (e Enrichment) Check() error {
	if !isSpanID(e.SpanID) {
		return rejectedAnswer("span_id", Value, "%.40q is no id of a section", e.SpanID)
	}
	if strings.TrimSpace(e.Summary) == "" {
		return rejectedAnswer("summary", Missing, "it is empty")
	}
	if !slices.Contains(audiences(), e.Audience) {
		return rejectedAnswer("audience", Value, "%.40q is none of %s", e.Audience, strings.Join(audiences(), ", "))
	}
	bounded := e
	bounded.limitFields()
	switch {
	case bounded.Summary != e.Summary:
		return rejectedAnswer("summary", Value, "it is longer than %d characters or %d words, or has characters that are no text",
			maxSummary,
			maxSummaryWords)
	case !slices.Equal(bounded.Parameters, e.Parameters):
		return rejectedAnswer("parameters", Value, "they are not within their bounds")
	}
	for _, f := range []struct {
		name      string
		got, want []string
	}{{"key_concepts", e.KeyConcepts, bounded.KeyConcepts}, {"prerequisites", e.Prerequisites, bounded.Prerequisites},
		{"warnings", e.Warnings, bounded.Warnings}, {"related_topics", e.RelatedTopics, bounded.RelatedTopics}} {
		if !slices.Equal(f.got, f.want) {
			return rejectedAnswer(f.name, Value, "it has more than %d items, or one that is not within its bounds", maxItems)
		}
	}
	return nil
}

func isSpanID(s string) bool {
	return len(s) == 16 && strings.Trim(s, "0123456789abcdef") == ""
}

// limitText cuts a text of one line behind a word, with "…" as its last character. A cut text
// that is cut again stays as it is.
func limitText(s string, chars, words int) (string, bool) {
	was := false
	if all := strings.Fields(s); len(all) > words {
		s, was = strings.Join(all[:words], " "), true
	}
	if n := utf8.RuneCountInString(s); n > chars || was && n >= chars {
		r := []rune(s)[:chars-1]
		s, was = string(r), true
		if at := strings.LastIndexByte(s, ' '); at > len(s)*2/3 {
			s = s[:at]
		}
	}
	if !was {
		return s, false
	}
	return strings.TrimRight(s, " ,;:.…") + "…", true
}

// cleanLine makes one line of a text: without control characters, and without what would be a
// script on a page. A tag that only names an element keeps its name: "the <script> tag"
// is then "the script tag".
func cleanLine(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) && r != '\u200d' && r != '\u200c':
			return -1
		}
		return r
	}, s)
	for range mostPasses { // the rest may be a tag again: <scr<script>ipt>
		next := withoutScripts(s)
		if next == s {
			return spacing.Single(s)
		}
		s = next
	}
	s = strings.ReplaceAll(s, "<", " ")
	return spacing.Single(s)
}

// activeElements are the elements that do something in a browser.
func activeElements() []string {
	return []string{"script", "style", "iframe", "object", "embed", "svg", "math", "link", "meta", "base", "form", "img"}
}

// mostPasses is how often tags are looked for that come out of others. A text with more of
// them loses every bracket.
const mostPasses = 4

// withoutScripts takes those elements out of a text, and the brackets off tags that have
// no end.
func withoutScripts(s string) string {
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i:]
		tag := activeTag(s)
		if tag == "" {
			b.WriteByte('<')
			s = s[1:]
			continue
		}
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return b.String()
		}
		closing := -1
		if s[1] != '/' {
			closing = indexFold(s[end:], "</"+tag)
		}
		if closing < 0 {
			b.WriteString(tag)
			s = s[end+1:]
			continue
		}
		b.WriteByte(' ')
		_, s, _ = strings.Cut(s[end+closing:], ">")
	}
	b.WriteString(s)
	return b.String()
}

// activeTag is the name of the active element whose tag a text begins with; "": there is no
// such tag.
func activeTag(s string) string {
	name := strings.TrimPrefix(s[1:], "/")
	for _, tag := range activeElements() {
		if len(name) >= len(tag) && strings.EqualFold(name[:len(tag)], tag) && (len(name) == len(tag) || !isNameByte(name[len(tag)])) {
			return tag
		}
	}
	return ""
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// indexFold finds a text of ASCII whatever its case.
func indexFold(s, what string) int {
	for i := 0; i+len(what) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(what)], what) {
			return i
		}
	}
	return -1
}
