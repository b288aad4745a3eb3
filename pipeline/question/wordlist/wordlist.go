// Package wordlist holds the words and patterns by which questions and pages are read,
// as files by language, and matches them.
//
// lang/languages.tsv lists the languages in the order in which their lists are tried.
// lang/CODE/TOPIC.txt holds the lists of one language for one topic, lang/rules.tsv says
// of each list how it is matched and what it reads. lang/CODE/TOPIC.examples has example
// texts for the tests; it is not part of the program. A new language is a folder and a
// line in languages.tsv. lang/missing.tsv names the lists that a language does not have,
// and a test keeps it true.
//
// A file is read when one of its lists is first asked for. The package refuses to know
// what a list is for: the packages that name a rule decide what a match means. It
// refuses names of products, and words of one program.
//
// Terms. A rule is a list with the same meaning in all languages. A phrase is an entry of
// a list, in lower case. "all" is the language of marks and of what programs print.
package wordlist

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

//go:embed lang/languages.tsv lang/*/*.txt
var files embed.FS

// Rule names a list: "TOPIC/NAME".
type Rule string

// list is a rule's entries in one language or in all of them.
type list struct {
	phrases []string
	regular bool // the phrases are regular expressions
}

// Phrases are the rule's phrases, language by language. The caller must not change them.
func (r Rule) Phrases() []string { return listsOfTopic(r, "")[r].phrases }

// In are the rule's phrases in one language. The caller must not change them.
func (r Rule) In(language string) []string { return listsOfTopic(r, language)[r].phrases }

// Has reports whether a word, in lower case, is one of the rule's phrases.
func (r Rule) Has(word string) bool { return slices.Contains(r.Phrases(), word) }

// languages are the codes of languages.tsv, "all" included, in the order of the file.
var languages = sync.OnceValue(func() []string {
	raw, err := files.ReadFile("lang/languages.tsv")
	if err != nil {
		return nil // the file is a part of the program
	}
	var out []string
	for line := range strings.Lines(string(raw)) {
		if code, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); code != "" && code[0] != '#' {
			out = append(out, code)
		}
	}
	return out
})

// topics are the lists by topic and language, each read at its first use.
var topics sync.Map // of func() map[Rule]list by "TOPIC" or "TOPIC\x00LANGUAGE"

// listsOfTopic are the lists of a rule's topic in one language, or in all for "".
func listsOfTopic(r Rule, language string) map[Rule]list {
	topic, _, _ := strings.Cut(string(r), "/")
	key := topic
	if language != "" {
		key += "\x00" + language
	}
	read, ok := topics.Load(key)
	if !ok {
		read, _ = topics.LoadOrStore(key, sync.OnceValue(func() map[Rule]list {
			if language != "" {
				return readFile(topic, language)
			}
			return readTopic(topic)
		}))
	}
	return read.(func() map[Rule]list)()
}

// readTopic joins the lists of all languages.
func readTopic(topic string) map[Rule]list {
	out := map[Rule]list{}
	for _, language := range languages() {
		for r, l := range readFile(topic, language) {
			joined := out[r]
			joined.phrases = append(joined.phrases, l.phrases...)
			joined.regular = l.regular
			out[r] = joined
		}
	}
	return out
}

// readFile reads the lists of a topic in one language; none where there is no file.
func readFile(topic, language string) map[Rule]list {
	raw, err := files.ReadFile("lang/" + language + "/" + topic + ".txt")
	if err != nil {
		return nil
	}
	return parseLists(topic, string(raw))
}
