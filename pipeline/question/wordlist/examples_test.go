package wordlist

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"
)

// matchers are the ways of matching that rules.tsv names. Each reports whether a phrase
// matches a text; the text is in lower case but for patterns.
var matchers = map[string]func(topic, text, phrase string) bool{
	"opens": func(_, text, phrase string) bool { _, ok := CutStart(text, phrase); return ok },
	"ends":  func(_, text, phrase string) bool { _, ok := CutEnd(text, phrase); return ok },
	"opens or ends": func(_, text, phrase string) bool {
		_, opens := CutStart(text, phrase)
		_, ends := CutEnd(text, phrase)
		return opens || ends
	},
	"stands": func(_, text, phrase string) bool { return findStanding(text, phrase) >= 0 },
	"apart":  func(_, text, phrase string) bool { return apart(text, phrase) },
	"inside": func(_, text, phrase string) bool { return strings.Contains(text, phrase) },
	"prefix": func(_, text, phrase string) bool { return strings.HasPrefix(text, phrase) },
	"suffix": func(_, text, phrase string) bool { return strings.HasSuffix(text, phrase) },
	"word":   func(_, text, phrase string) bool { return text == phrase },
	"cue":    func(_, text, phrase string) bool { return cue(text, phrase) },
	"pattern": func(topic, text, phrase string) bool {
		return compiled("(?i)" + expandExpression(topic, phrase)).MatchString(text)
	},
	"exact pattern": func(topic, text, phrase string) bool {
		return compiled(expandExpression(topic, phrase)).MatchString(text)
	},
}

// expressions are the compiled expressions by their texts.
var expressions sync.Map

func compiled(expression string) *regexp.Regexp {
	re, ok := expressions.Load(expression)
	if !ok {
		re, _ = expressions.LoadOrStore(expression, regexp.MustCompile(expression))
	}
	return re.(*regexp.Regexp)
}

// apart reports whether a phrase stands in a text with no letter or digit of the same
// script next to it.
func apart(text, phrase string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(phrase):])
		letter := func(r rune) bool { return r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
		if phrase[0] >= 0xe3 || !letter(before) && !letter(after) {
			return true
		}
		from = i + 1
	}
}

// cue reports whether a phrase stands among the words of a text, "^" at its beginning;
// other scripts match anywhere.
func cue(text, phrase string) bool {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:.?!", r) })
	line := " " + strings.Join(words, " ") + " "
	switch {
	case phrase[0] >= 0x80:
		return strings.Contains(strings.Join(strings.Fields(text), ""), phrase)
	case phrase[0] == '^':
		return strings.HasPrefix(line, " "+phrase[1:]+" ")
	}
	return strings.Contains(line, " "+phrase+" ")
}

// ruleInfo is a line of rules.tsv.
type ruleInfo struct {
	rule             Rule
	match, in, reads string
}

func rulesTable(t testing.TB) []ruleInfo {
	t.Helper()
	var out []ruleInfo
	for _, row := range rows(t, "lang/rules.tsv", 4) {
		out = append(out, ruleInfo{Rule(row[0]), row[1], row[2], row[3]})
	}
	return out
}

// rows are the lines of a table but for comments; each must have n columns.
func rows(t testing.TB, file string, n int) [][]string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != n {
			t.Fatalf("%s: %q has %d columns, want %d", file, line, len(row), n)
		}
		out = append(out, row)
	}
	return out
}

// found is the first phrase of a rule in a language that matches a text, or "".
func found(info ruleInfo, language, text string) string {
	topic, _, _ := strings.Cut(string(info.rule), "/")
	if !strings.HasSuffix(info.match, "pattern") {
		text = strings.ToLower(text)
	}
	for _, phrase := range info.rule.In(language) {
		if matchers[info.match](topic, text, phrase) {
			return phrase
		}
	}
	return ""
}

// The examples of every list come out as written: a text with the phrase that is found
// in it, or "-" for a text that has none. A pattern's examples have "+".
func TestExamples(t *testing.T) {
	t.Parallel()
	infos := map[Rule]ruleInfo{}
	for _, info := range rulesTable(t) {
		infos[info.rule] = info
	}
	type list struct {
		language string
		rule     Rule
	}
	good, bad := map[list]int{}, map[list]int{}
	paths, err := filepath.Glob("lang/*/*.examples")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, path := range paths {
		language, topic := filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".examples")
		for _, row := range rows(t, path, 3) {
			info, ok := infos[Rule(topic+"/"+row[0])]
			if !ok {
				t.Errorf("%s: no rule %q in lang/rules.tsv", path, row[0])
				continue
			}
			got := found(info, language, row[1])
			if strings.HasSuffix(info.match, "pattern") && got != "" {
				got = "+"
			}
			if got == "" {
				got = "-"
				bad[list{language, info.rule}]++
			} else {
				good[list{language, info.rule}]++
			}
			if got != strings.ReplaceAll(row[2], "_", " ") {
				t.Errorf("%s: %s finds %q in %q, want %q", path, row[0], got, row[1], row[2])
			}
		}
	}
	for rule, info := range infos {
		for _, language := range languages() {
			if n := (list{language, rule}); len(info.rule.In(language)) > 0 && (good[n] == 0 || bad[n] == 0) {
				t.Errorf("lang/%s: %s needs an example that matches (has %d) and one that does not (has %d)", language, rule, good[n], bad[n])
			}
		}
	}
}

// An example that does not hold is found.
func TestExamplesCanFail(t *testing.T) {
	t.Parallel()
	info := ruleInfo{rule: "kind/greeting", match: "opens"}
	if found(info, "en", "hello pod") == "" || found(info, "en", "hellopod") != "" {
		t.Error("a phrase is not matched as a word by itself")
	}
}

// Every list is in rules.tsv, with a way of matching, and has entries as they are
// matched: in lower case, each once, expressions that compile.
func TestLists(t *testing.T) {
	t.Parallel()
	infos := map[Rule]ruleInfo{}
	for _, info := range rulesTable(t) {
		if matchers[info.match] == nil || info.reads == "" || !slices.Contains([]string{"any", "spaced", "unspaced", "english", "none"}, info.in) {
			t.Errorf("lang/rules.tsv: %+v", info)
		}
		if _, twice := infos[info.rule]; twice {
			t.Errorf("lang/rules.tsv has %s twice", info.rule)
		}
		infos[info.rule] = info
		if len(info.rule.Phrases()) == 0 {
			t.Errorf("%s has no list in any language", info.rule)
		}
	}
	paths, err := filepath.Glob("lang/*/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no lists: %v", err)
	}
	for _, path := range paths {
		language, topic := filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".txt")
		if !slices.Contains(languages(), language) {
			t.Errorf("%s: the language is not in languages.tsv", path)
		}
		for rule, l := range readFile(topic, language) {
			info, ok := infos[rule]
			if !ok || l.regular != strings.HasSuffix(info.match, "pattern") {
				t.Errorf("%s: %s is not in rules.tsv, or not so", path, rule)
			}
			seen := map[string]bool{}
			for _, phrase := range l.phrases {
				if seen[phrase] || strings.TrimSpace(phrase) == "" || !l.regular && phrase != strings.ToLower(phrase) {
					t.Errorf("%s: %s has %q twice, or not in lower case", path, rule, phrase)
				}
				seen[phrase] = true
				if l.regular {
					if _, err := regexp.Compile(expandExpression(topic, phrase)); err != nil {
						t.Errorf("%s: %s: %v", path, rule, err)
					}
				}
			}
		}
	}
}
