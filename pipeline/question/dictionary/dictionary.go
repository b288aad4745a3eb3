// Package dictionary translates words into English. It cuts a Chinese, Japanese, Korean,
// Russian, German, French, Spanish, Portuguese or Italian text into words and gives each
// word its English renderings, as search terms for English documentation.
//
// Terms. A table is one language's dictionary (see the package table). A word
// is a stretch of the text: one that the table has, with its glosses; a
// function word, which means nothing to a search; or one that the table does
// not have, a name or an identifier, which stands for itself. A gloss is a
// rendering of one to three English words with a weight; the best has 1.
//
// It refuses to translate sentences, to choose among the glosses of a word (a
// search takes them as synonyms: they are alternatives, not requirements), to
// say which language a text is in, and to know technical terms better than its
// sources do; our own lexicon does that and is asked first.
//
// # Sources
//
// The tables are learned by cmd/internal/dev/makedict from translated documentation (of
// C++, .NET and PowerShell, CC BY 4.0, and others), from the messages of Visual Studio Code
// (MIT) and from lists of names and words under licences like these. Its README names
// versions and commands; the licence of each table lies next to it. Nothing in the program
// depends on any one of the tables: a distributor who does not want one deletes its files,
// and Languages and Open say that it is not there.
package dictionary

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"unicode/utf8"

	"docent/pipeline/question/dictionary/table"
)

// ErrLanguage is what Open says of a language that has no table.
var ErrLanguage = errors.New("no dictionary for this language")

// Gloss is an English rendering of a word: up to three words, and how good it
// is in (0, 1].
type Gloss = table.Gloss

// Word is a stretch of a text.
type Word struct {
	Text    string  // as written
	Span    [2]int  // bytes of the text
	Stop    bool    // a function word: no glosses
	Glosses []Gloss // the best first; none for a word that stands for itself
}

//go:embed tables
var tables embed.FS

// Dictionary is an open table. It is safe for concurrent use.
type Dictionary struct {
	table    *table.Table
	language string
	stops    map[string]bool
	endings  map[string]bool // pieces of them
	longest  int             // runes of the longest key that is looked for
}

// Languages is the languages that have a table, in alphabetical order.
func Languages() []string {
	var out []string
	files, _ := fs.Glob(tables, "tables/*.dict")
	for _, f := range files {
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(f, "tables/"), ".dict"))
	}
	return out
}

// OpenTable opens the table of a language (ISO 639-1). The error is ErrLanguage if
// there is none. Opening copies the table into memory and reads its header
// (up to a millisecond); keep the Dictionary to ask again.
func OpenTable(language string) (*Dictionary, error) {
	data, err := readTable(language)
	if err != nil {
		return nil, fmt.Errorf("%w: %q (there are %s)", ErrLanguage, language, strings.Join(Languages(), ", "))
	}
	return openAs(language, data)
}

// openAs opens a table that must be of a language: a table under another one's name would
// translate with the wrong words.
func openAs(language, data string) (*Dictionary, error) {
	d, err := ReadTable(data)
	if err != nil {
		return nil, fmt.Errorf("dictionary %s: %w", language, err)
	}
	if d.language != language {
		return nil, fmt.Errorf("dictionary %s: %w: it is the table of %q", language, table.ErrFormat, d.language)
	}
	return d, nil
}

// readTable copies a table into memory, once: a table has up to 2 MB, and ReadFile and a
// conversion would copy it twice.
func readTable(language string) (string, error) {
	f, err := tables.Open("tables/" + language + ".dict")
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(int(info.Size()))
	_, err = io.Copy(&b, f)
	return b.String(), err
}

// ReadTable opens a table that lies in memory. It is for the command that makes the
// tables.
func ReadTable(data string) (*Dictionary, error) {
	t, err := table.Decode(data)
	if err != nil {
		return nil, err
	}
	d := &Dictionary{table: t, language: t.Language, stops: map[string]bool{}, endings: map[string]bool{}, longest: longestKey}
	for _, w := range stopWord.In(t.Language) {
		d.stops[strings.Map(t.FoldRune, w)] = true
	}
	for _, w := range endingPiece.In(t.Language) {
		d.endings[w] = true
	}
	return d, nil
}

// Len is the number of words in the table.
func (d *Dictionary) Len() int { return d.table.Len() }

// SplitWords cuts a text into words. They are in order and do not overlap; punctuation and
// space are between them. Text that is not UTF-8 separates words. The time is linear in
// the text's length.
func (d *Dictionary) SplitWords(text string) []Word {
	var out []Word
	for i := 0; i < len(text); {
		switch end, kind := scriptRun(text, i, d.unspacedScript()); kind {
		case gap:
			i = end
		case ideographs:
			out = d.segmentUnspaced(text, i, end, out)
			i = end
		case letters:
			out = d.appendWords(text, i, end, out)
			i = end
		}
	}
	if d.unspacedScript() == nil {
		out = d.joinPhrases(text, out)
	}
	return out
}

// EachWord calls yield with every word of the table and its glosses, in the order of
// the words' bytes.
func (d *Dictionary) EachWord(yield func(key string, glosses []Gloss)) {
	d.table.Prefixed("", func(id int, key string) bool {
		yield(key, d.table.Glosses(id))
		return true
	})
}

// Vocabulary calls yield with every English word of the glosses.
func (d *Dictionary) Vocabulary(yield func(word string)) { d.table.Vocabulary(yield) }

// PartsOf is the words that a word of the table is made of, as Words would cut it
// if the table did not have the whole; nil if it has no such parts.
func (d *Dictionary) PartsOf(word string) []Word {
	if d.language == "ko" {
		return d.koreanCompound(word, 0, len(word))
	}
	if d.unspacedScript() == nil {
		return d.compound(word, 0, len(word))
	}
	short := *d
	short.longest = min(d.longest, utf8.RuneCountInString(word)-1)
	if short.longest < 1 {
		return nil
	}
	return short.segmentUnspaced(word, 0, len(word), nil)
}
