package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
	"unicode"
)

// foreignLetters are the files that may have letters beyond Latin-1 in their literals,
// with the reason. An entry that is not needed any more fails.
var foreignLetters = map[string]string{
	"pipeline/ingest/probe.go":                      "a text in several languages, by which two programs compare how they cut and analyse one",
	"cmd/internal/dev/apifuzz/generate.go":          "texts of random requests",
	"cmd/internal/dev/makedict/beads.go":            "aligns sentences of Japanese",
	"cmd/internal/dev/makedict/draft.go":            "words of Japanese",
	"cmd/internal/dev/storybook/browsing.go":        "canned data of stories",
	"cmd/internal/dev/storybook/stories.go":         "canned data of stories",
	"pipeline/ingest/hostiletest/trees.go":          "names of hostile files",
	"pipeline/ingest/parse/archive/archive.go":      "a table of a character set",
	"pipeline/ingest/parse/man/escape.go":           "the escapes of troff",
	"pipeline/ingest/parse/markdown/meta.go":        "labels of the address of a page",
	"pipeline/ingest/parse/markdown/dialect/tag.go": "entities of HTML",
	"pipeline/ingest/parse/pdf/heading.go":          "captions and divisions of books",
	"pipeline/ingest/parse/pdf/letters.go":          "ligatures of fonts",
	"pipeline/ingest/parse/rst/inline/id.go":        "docutils' table of letters for identifiers",
	"pipeline/phase/process/page.go":                "the label of the address of a page",
	"pipeline/question/dictionary/run.go":           "the marks of Japanese writing",
	"pipeline/question/dictionary/table/form.go":    "accents and how letters are spelled without them",
	"pipeline/question/dictionary/words.go":         "apostrophes, which are letters to Unicode",
	"pipeline/question/gloss/agent.go":              "the one suffix that the package is about",
	"pipeline/question/kind/kind.go":                "a particle among the marks around a subject",
	"store/analysis/greek.go":                       "the Greek letters of formulas",
	"store/analysis/words.go":                       "letters that are spelled in several ways",
	"store/storetest/random.go":                     "letters of random texts",
	"tui/tuitest/fake.go":                           "canned data of tests",
	"tui/tuitest/pages.go":                          "canned data of tests",
	"tui/tuitest/shelf.go":                          "canned data of tests",
	"tui/tuitest/versions.go":                       "canned data of tests",
}

// foreignLiterals are the literals of a file with a letter beyond Latin-1.
func foreignLiterals(file *ast.File) []string {
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING && literal.Kind != token.CHAR {
			return true
		}
		text, err := strconv.Unquote(literal.Value)
		if err == nil && slices.ContainsFunc([]rune(text), func(r rune) bool { return r > unicode.MaxLatin1 && unicode.IsLetter(r) }) {
			out = append(out, literal.Value)
		}
		return true
	})
	return out
}

// Words of other languages stand in pipeline/question/wordlist/lang and not in the code:
// a new language is a folder there, and no search through the program.
func TestLanguageIsData(t *testing.T) {
	_, files := readModule(t)
	used := map[string]bool{}
	for _, f := range files {
		if f.test {
			continue
		}
		for _, literal := range foreignLiterals(f.file) {
			used[f.path] = true
			if foreignLetters[f.path] == "" {
				t.Errorf("%s: %.60s has letters of another language; they belong into pipeline/question/wordlist/lang", f.path, literal)
			}
		}
	}
	for path := range foreignLetters {
		if !used[path] {
			t.Errorf("%s has no such letters any more: take it from the list", path)
		}
	}
}

// A literal of another language is found; accents of Latin-1 and marks are allowed.
func TestLanguageIsDataCanFail(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nvar a, b, c, d = \"如何\", 'я', \"où, größe\", \"。“”…\"\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := foreignLiterals(file); len(got) != 2 {
		t.Errorf("found %q", got)
	}
}
