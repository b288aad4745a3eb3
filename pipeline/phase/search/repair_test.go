package search_test

import (
	"fmt"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus/corpustest"
	"docent/pipeline/question/gloss"
)

func repaired(t *testing.T) *corpustest.Home {
	h := corpustest.New(t)
	h.Add("Lantern@1", map[string]string{
		"wick.md":   "# Trimming the wick\n\nUse `lanternctl` to configure the burner. The authentication of burners is another matter.\n",
		"burner.md": "# Burner installation\n\nInstall the burner above the wick.\n",
	})
	return h
}

func TestTypoRepair(t *testing.T) {
	t.Parallel()
	h := repaired(t)
	for query, note := range map[string]string{
		"how do I use lanternclt":      `showing results for "lanternctl"; you wrote "lanternclt"`,
		"Instalation of the bruner":    `showing results for "burner"; you wrote "bruner"`,
		"configre the wick":            `showing results for "configure"; you wrote "configre"`,
		"authentification of a burner": `showing results for "authentication"; you wrote "authentification"`,
		"trimming the wick":            "",
		"paint the burner":             "", // a word, though not one of these pages
		"what is `bruner`":             "", // as written, whatever it is
		"xq burner":                    "",
		"zzzzzzqq burner":              "",
	} {
		out := find(t, h, contract.SearchInput{Query: []string{query, query + " guide"}, DomainNouns: strings.Fields(query)})
		notes := strings.Join(out.SearchStats.Notes, "\n")
		if note == "" && strings.Contains(notes, "showing results") || !strings.Contains(notes, note) {
			t.Errorf("%q: notes are %q", query, notes)
		}
		if note != "" && len(out.Results) == 0 {
			t.Errorf("%q finds nothing", query)
		}
	}
	// Later phases use the repaired query.
	out := find(t, h, contract.SearchInput{Query: []string{"bruner"}, DomainNouns: []string{"bruner"}, Context: &contract.Context{Question: "bruner"}})
	if c := out.Context; c.Queries[0] != "burner" || c.DomainNouns[0] != "burner" || c.Question != "bruner" {
		t.Errorf("the context is %+v", c)
	}
}

// The renderings of a dictionary are not typed: the note on a question with 伊斯兰 said that the
// question had "Islan" in it.
func TestRenderingsAreNotMended(t *testing.T) {
	t.Parallel()
	h := repaired(t)
	out := find(t, h, contract.SearchInput{Query: []string{"Bruner wick"}, Context: &contract.Context{Question: "灯头 灯芯",
		Translations: []contract.Translation{{Word: "灯头", Terms: []contract.Rendering{{Text: "Bruner", Weight: 1}}}}}})
	if notes := strings.Join(out.SearchStats.Notes, "\n"); strings.Contains(notes, "you wrote") {
		t.Errorf("notes are %q", notes)
	}
}

// A typo may be spelled like an inflection of another word, or be a word itself.
func TestTypoThatLooksLikeAWord(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	pages := map[string]string{"rare.md": "# Secert\n\nThe page that mistypes it.\n"}
	for i := range 30 {
		pages[fmt.Sprintf("page%d.md", i)] = fmt.Sprintf("# Page %d\n\nThe developer checks the readiness and the liveness of the server, its handling of a secret, the stopping of a task, the quality of the manager.\n", i)
	}
	h.Add("Lantern@1", pages)
	for query, note := range map[string]string{
		"developper notes":   `showing results for "developer"; you wrote "developper"`,
		"livenes":            `showing results for "liveness"; you wrote "livenes"`,
		"readyness":          `showing results for "readiness"; you wrote "readyness"`,
		"handeling of pages": `showing results for "handling"; you wrote "handeling"`, // and not Handel's
		"stoping the server": `"stoping" was also looked for as "stopping"`,
		"sever checks":       `"sever" was also looked for as "server"`,
		"secert page":        `"secert" was also looked for as "secret"`,
		"qualify":            "", // another word altogether
		"the developer":      "",
		"boil eggs":          "",
	} {
		out := find(t, h, contract.SearchInput{Query: []string{query}, Context: &contract.Context{Question: query, Subjects: []string{"livenes"}, Parts: []string{"what is livenes"}}})
		if notes := strings.Join(out.SearchStats.Notes, "\n"); note == "" && (strings.Contains(notes, "showing") || strings.Contains(notes, "also")) || !strings.Contains(notes, note) {
			t.Errorf("%q: notes are %q", query, notes)
		}
		if c := out.Context; query == "livenes" && (c.Subjects[0] != "liveness" || c.Parts[0] != "what is liveness" || c.Question != query) {
			t.Errorf("the context is %+v", c)
		}
	}
}

// While a question is typed its last word may be unfinished, and nothing is
// called a mistake.
func TestUnfinishedWord(t *testing.T) {
	t.Parallel()
	h := repaired(t)
	for query, want := range map[string]string{"trim": "wick.md", "install burn": "burner.md", "lanternc": "wick.md", "authen": "wick.md"} {
		out, _, err := searcher(h).Search(ctx, contract.SearchInput{Query: []string{query}}, contract.SearchOptions{Prefix: true})
		if err != nil || len(out.Results) == 0 || out.Results[0].FilePath != want || len(out.SearchStats.Notes) > 0 {
			t.Errorf("%q: %s, %v, %v", query, paths(out), out.SearchStats.Notes, err)
		}
	}
	// A word before it is mended as ever.
	out, _, err := searcher(h).Search(ctx, contract.SearchInput{Query: []string{"repalce configre burn"}}, contract.SearchOptions{Prefix: true})
	if err != nil || !strings.Contains(strings.Join(out.SearchStats.Notes, "\n"), `"configure"; you wrote "configre"`) {
		t.Errorf("%v, %v", out.SearchStats.Notes, err)
	}
	for _, query := range []string{"", " ", "authen ", "-", "--", "a", "日", "\xff"} {
		if out, _, err := searcher(h).Search(ctx, contract.SearchInput{Query: []string{query}}, contract.SearchOptions{Prefix: true}); err == nil {
			check(t, out)
		}
	}
}

// A question is searched in its own language where the documentation is in that,
// and in English where it is in English.
func TestLanguageOfTheDocumentation(t *testing.T) {
	t.Parallel()
	h := corpustest.New(t)
	h.Add("English@1", map[string]string{
		"wick.md": "# Trimming the wick\n\nCut the wick level with the burner, and delete what is left.\n",
		"oil.md":  "# Oil\n\nFill it to the brim.\n",
	})
	question := "如何修剪灯芯"
	in := contract.SearchInput{Query: []string{"trim lamp wick", question}, Context: &contract.Context{Question: question}}
	for _, w := range gloss.SplitWords(question, "zh") {
		tr := contract.Translation{Word: w.Text}
		for _, g := range w.Glosses {
			tr.Terms = append(tr.Terms, contract.Rendering{Text: g.Text, Weight: g.Weight})
		}
		if len(tr.Terms) > 0 {
			in.Context.Translations = append(in.Context.Translations, tr)
		}
	}
	if out := find(t, h, in); len(out.Results) == 0 || out.Results[0].FilePath != "wick.md" {
		t.Errorf("on English: %s", paths(out))
	}
	h.Add("Chinese@1", map[string]string{
		"灯芯.md": "# 修剪灯芯\n\n把灯芯剪平。\n",
		"油.md":  "# trim wick lamp trim wick lamp\n\n装满油。\n",
	})
	out := find(t, h, in)
	if len(out.Results) == 0 || out.Results[0].FilePath != "灯芯.md" {
		t.Errorf("on Chinese: %s", paths(out))
	}
}
