package wordlist

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// missing are the rules that have no list in a language that needs one, by language.
func missing(infos []ruleInfo, languages [][]string, has func(Rule, string) bool) map[string][]string {
	out := map[string][]string{}
	for _, info := range infos {
		for _, l := range languages {
			code, script := l[0], l[2]
			needed := info.in == script || info.in == "any" && script != "some" || info.in == "english" && code == "en"
			if needed && !has(info.rule, code) {
				out[code] = append(out[code], string(info.rule))
			}
		}
	}
	return out
}

func hasList(r Rule, language string) bool { return len(r.In(language)) > 0 }

// lang/missing.tsv lists the missing rules of each language, and nothing else. A new
// language begins with a line that names every rule. Set DOCENT_UPDATE to write the file
// anew after a list was added.
func TestMissing(t *testing.T) {
	t.Parallel()
	got := missing(rulesTable(t), rows(t, "lang/languages.tsv", 3), hasList)
	var b strings.Builder
	b.WriteString("# The rules that have no list in a language that needs one.\n")
	for _, code := range slices.Sorted(maps.Keys(got)) {
		for _, rule := range slices.Sorted(slices.Values(got[code])) {
			b.WriteString(code + "\t" + rule + "\n")
		}
	}
	if os.Getenv("DOCENT_UPDATE") != "" {
		if err := os.WriteFile("lang/missing.tsv", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("lang/missing.tsv")
	if err != nil {
		t.Fatal(err)
	}
	have, expected := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for _, line := range have {
		if !slices.Contains(expected, line) {
			t.Errorf("no list and not in lang/missing.tsv: %s", line)
		}
	}
	for _, line := range expected {
		if !slices.Contains(have, line) {
			t.Errorf("lang/missing.tsv names a list that is there or not needed: %s", line)
		}
	}
}

// A language without a list is found, and one that needs none is not.
func TestMissingCanFail(t *testing.T) {
	t.Parallel()
	infos := []ruleInfo{{rule: "kind/x", in: "spaced"}}
	got := missing(infos, [][]string{{"sv", "Swedish", "spaced"}, {"ko", "Korean", "unspaced"}, {"nl", "Dutch", "some"}}, func(Rule, string) bool { return false })
	if len(got) != 1 || len(got["sv"]) != 1 {
		t.Errorf("missing: %v", got)
	}
}
