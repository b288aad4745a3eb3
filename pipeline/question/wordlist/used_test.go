package wordlist

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// computed begin the names of rules that programs put together.
var computed = []string{"measure/asks-", "measure/states-", "measure/unit-", "measure/likely-", "translate/"}

// sources is the text of the program's Go files that import this package.
func sources(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(raw), "question/wordlist\"") {
			b.Write(raw)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every rule that the program names is in rules.tsv, and the program uses every rule.
func TestEveryRuleIsUsed(t *testing.T) {
	t.Parallel()
	code := sources(t)
	var rules []Rule
	var expressions strings.Builder
	for _, info := range rulesTable(t) {
		rules = append(rules, info.rule)
		if strings.HasSuffix(info.match, "pattern") {
			expressions.WriteString(strings.Join(info.rule.Phrases(), "\n"))
		}
	}
	named := regexp.MustCompile(`(?:Rule = |Rule\(|words: |: )"([a-z]+/[a-z.-]+)"`).FindAllStringSubmatch(code, -1)
	if len(named) < 100 {
		t.Fatalf("only %d rules are named in the program", len(named))
	}
	for _, m := range named {
		if r := Rule(m[1]); !slices.Contains(rules, r) && !strings.HasSuffix(m[1], "/") {
			t.Errorf("the program names %s, which is not in lang/rules.tsv", r)
		}
	}
	for _, r := range rules {
		_, name, _ := strings.Cut(string(r), "/")
		used := strings.Contains(code, `"`+string(r)+`"`) || strings.Contains(code, "<"+name+">") || strings.Contains(expressions.String(), "<"+name+">") ||
			strings.Contains(code, `newRule("`+strings.TrimSuffix(name, "-words")+`"`) ||
			slices.ContainsFunc(computed, func(prefix string) bool { return strings.HasPrefix(string(r), prefix) })
		if !used {
			t.Errorf("the program uses %s nowhere", r)
		}
	}
}

func BenchmarkReadTopic(b *testing.B) {
	for b.Loop() {
		readTopic("kind")
	}
}

func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		Rule("kind/trouble-sure").FindPhrase("what is the difference between requests and limits")
	}
}
