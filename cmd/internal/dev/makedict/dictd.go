package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"docent/pipeline/question/dictionary/table"
)

// article is an entry of a dictionary in dictd's format.
type article struct{ head, body string }

// readDictd reads NAME.index and NAME.dict.dz.
func readDictd(src, name string) ([]article, error) {
	folder := filepath.Join(src, "deb/usr/share/dictd")
	index, err := os.ReadFile(filepath.Join(folder, name+".index"))
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(folder, name+".dict.dz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f) // dictzip is gzip with an additional index
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var out []article
	seen := map[[2]int]bool{}
	for line := range strings.Lines(string(index)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 3 || strings.HasPrefix(line, "00-") || strings.HasPrefix(line, "00database") {
			continue
		}
		from, size := number64(fields[1]), number64(fields[2])
		if from+size > len(text) || seen[[2]int{from, size}] {
			continue
		}
		seen[[2]int{from, size}] = true
		head, body, _ := strings.Cut(string(text[from:from+size]), "\n")
		out = append(out, article{head, body})
	}
	return out, nil
}

// number64 parses dictd's base-64 numbers, the most significant digit first.
func number64(s string) int {
	n := 0
	for _, c := range s {
		n = n<<6 | max(0, strings.IndexRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", c))
	}
	return n
}

var (
	pronunciation = regexp.MustCompile(`\s+/.*$`)
	numbered      = regexp.MustCompile(`^\s*\d+\.\s*`)
)

// pairs parses an article of FreeDict. The head is "word /pronunciation/ <grammar>";
// the body has a line of translations for each sense.
func (a article) pairs() (head string, senses [][]string) {
	head = strings.TrimSpace(unbracket(pronunciation.ReplaceAllString(a.head, "")))
	for line := range strings.Lines(a.body) {
		if strings.HasPrefix(line, " ") || strings.TrimSpace(line) == "" {
			continue
		}
		line = numbered.ReplaceAllString(line, "")
		var sense []string
		for _, t := range strings.FieldsFunc(unbracket(line), func(r rune) bool { return r == ',' || r == ';' }) {
			if t = strings.Join(strings.Fields(t), " "); t != "" {
				sense = append(sense, t)
			}
		}
		senses = append(senses, sense)
	}
	return head, senses
}

// foreignKey is the key of a foreign word or of a phrase of at most three words, ""
// for any other text.
func foreignKey(language, s string) string {
	ws := strings.Fields(strings.Trim(s, " .!?…"))
	if len(ws) == 0 || len(ws) > 3 {
		return ""
	}
	for _, w := range ws {
		if strings.ContainsFunc(w, func(r rune) bool {
			return !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' && !unicode.IsMark(r) ||
				language == "ru" && r != '-' && !unicode.Is(unicode.Cyrillic, r) && !unicode.IsMark(r)
		}) {
			return ""
		}
	}
	return table.Normal(language, strings.Join(ws, " "))
}

// readFreeDict reads a FreeDict dictionary from the language to English.
func readFreeDict(src, name string, d *draft) error {
	articles, err := readDictd(src, name)
	if err != nil {
		return err
	}
	for _, a := range articles {
		head, senses := a.pairs()
		key := foreignKey(d.language, head)
		for s, sense := range senses {
			k := 0
			for _, t := range sense {
				for _, g := range clean(t) {
					d.add(key, g, rank(s, k))
					k++
				}
			}
		}
	}
	return nil
}

// readFreeDictInverted reads a FreeDict dictionary from English to the language.
func readFreeDictInverted(src, name string, d *draft) error {
	articles, err := readDictd(src, name)
	if err != nil {
		return err
	}
	for _, a := range articles {
		head, senses := a.pairs()
		glosses := clean(head)
		for s, sense := range senses {
			for k, t := range sense {
				for _, g := range glosses {
					d.add(foreignKey(d.language, t), g, .8*rank(s, k))
				}
			}
		}
	}
	return nil
}

// readFrench reads the French sources.
func readFrench(src string, d *draft) error {
	if err := readFreeDict(src, "freedict-fra-eng", d); err != nil {
		return err
	}
	return readFreeDictInverted(src, "freedict-eng-fra", d)
}

// readSpanish reads the Spanish sources.
func readSpanish(src string, d *draft) error {
	if err := readFreeDict(src, "freedict-spa-eng", d); err != nil {
		return err
	}
	return readFreeDictInverted(src, "freedict-eng-spa", d)
}

// readRussian reads the Russian sources.
func readRussian(src string, d *draft) error {
	if err := readFreeDictInverted(src, "freedict-eng-rus", d); err != nil {
		return err
	}
	articles, err := readDictd(src, "mueller7")
	if err != nil {
		return err
	}
	for _, a := range articles {
		addMueller(d, a)
	}
	return nil
}

var (
	phonetic   = regexp.MustCompile(`\[[^\]]*\]`)
	muellerTag = regexp.MustCompile(`_[\p{L}]+\.`)
	// A sense begins with "1)", "а)", "1." or ">".
	senseMark = regexp.MustCompile(`(?:^|\s)(?:\d+[.)]|\p{Cyrillic}\)|>)(?:\s|$)`)
)

// addMueller adds an article of Mueller's English-Russian dictionary. Text from a
// Latin letter up to the next semicolon is an example, and is ignored.
func addMueller(d *draft, a article) {
	glosses := clean(a.head)
	if len(glosses) == 0 {
		return
	}
	body := phonetic.ReplaceAllString(a.body, " ")
	body = muellerTag.ReplaceAllString(body, " ")
	body = strings.Join(strings.Fields(unbracket(rewriteSenseMarks(body))), " ")
	for s, sense := range senseMark.Split(body, -1) {
		s = max(s-1, 0)
		k := 0
		for _, group := range strings.Split(sense, ";") {
			for _, t := range strings.Split(group, ",") {
				if strings.ContainsFunc(t, func(r rune) bool { return unicode.Is(unicode.Latin, r) }) {
					break
				}
				// A phrase usually explains the English word instead of translating it.
				if key := foreignKey("ru", t); key != "" && !strings.Contains(key, " ") {
					d.add(key, glosses[0], rank(s, k))
					k++
				}
			}
		}
	}
}

// senseBracket matches sense marks with a bracket: "1)" and "а)".
var senseBracket = regexp.MustCompile(`(^|\s)(\d+|\p{Cyrillic})\)`)

// rewriteSenseMarks removes the brackets of sense marks, so that unbracket sees only
// the brackets of remarks.
func rewriteSenseMarks(s string) string { return senseBracket.ReplaceAllString(s, "$1$2. > ") }
