package questionset

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// questions is the folder of the manifest and the questions.
const questions = "../../../../../testdata/eval/questions"

func TestQuestionsOfTheProjectHaveTheirForm(t *testing.T) {
	t.Parallel()
	sets, err := ReadSets(filepath.Join(questions, "sets.tsv"))
	if err != nil || len(sets) < 20 {
		t.Fatalf("%d doc sets, %v", len(sets), err)
	}
	known := map[string]bool{}
	for _, s := range sets {
		known[s.Name+".jsonl"] = true
		if _, err := ReadQuestions(questions, s.Name); err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(questions, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if !known[filepath.Base(f)] {
			t.Errorf("%s is of no doc set of the manifest", f)
		}
	}
}

func TestFaultsOfAManifestAreFound(t *testing.T) {
	t.Parallel()
	good := "wick\tlearning\tMarkdown\tsmall\tx/wick\tabc\tdocs\tmd\t\t\t^docs/v[0-9]+/\tMIT"
	for _, tt := range []struct{ manifest, want string }{
		{strings.Join(columns, "\t") + "\n" + good, ""},
		{good, "must name the columns"},
		{strings.Join(columns, "\t") + "\n" + good + "\n" + good, "twice"},
		{strings.Join(columns, "\t") + "\n" + strings.Replace(good, "learning", "tuning", 1), "split"},
		{strings.Join(columns, "\t") + "\n" + strings.Replace(good, "[0-9]+", "[", 1), "versions"},
		{strings.Join(columns, "\t") + "\nwick", "fields"},
	} {
		file := filepath.Join(t.TempDir(), "sets.tsv")
		put(t, file, tt.manifest+"\n")
		sets, err := ReadSets(file)
		if tt.want == "" && (err != nil || len(sets) != 1 || sets[0].pageKey("docs/v2/a.md") != "a.md") {
			t.Errorf("%+v, %v", sets, err)
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q: %v", tt.want, err)
		}
	}
}

func TestFaultsOfAQuestionAreFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ lines, want string }{
		{`{"id":"1","query":"how long","lang":"en","kind":"lookup","doc":"a.md","nuggets":[["6 mm"]]}`, ""},
		{`{"id":"1","query":"how long","lang":"en","kind":"near"}`, ""},
		{`{"id":"1","query":"how long","lang":"en","kind":"near","nuggets":[["6 mm"]]}`, "has no"},
		{`{"id":"1","query":"how long","lang":"tlh","kind":"near"}`, "lang"},
		{`{"id":"1","query":"how long","lang":"en","kind":"poem","doc":"a.md","nuggets":[["6 mm"]]}`, "kind"},
		{`{"id":"1","query":"how long","lang":"en","kind":"lookup","doc":"a.md"}`, "nuggets"},
		{`{"id":"1","query":"how long","lang":"en","kind":"lookup","doc":"a.md","nuggets":[["` + strings.Repeat("x", 61) + `"]]}`, "nugget"},
		{`{"id":"1","query":"how long","lang":"en","kind":"near","gold":1}`, "unknown field"},
		{"{\"id\":\"1\",\"query\":\"a\",\"lang\":\"en\",\"kind\":\"far\"}\n{\"id\":\"2\",\"query\":\"A\",\"lang\":\"en\",\"kind\":\"far\"}", "twice"},
	} {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "wick.jsonl"), tt.lines+"\n")
		_, err := ReadQuestions(dir, "wick")
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, not %q", tt.lines, err, tt.want)
		}
	}
}

func TestOnlyTheTextOfPagesIsJudged(t *testing.T) {
	t.Parallel()
	block := "=== AOP-FINAL v1 ===\n**Pass through**\n\nTrim the **wick**\nto 6 mm.\n\n---\n\n**Source:** wick\n**Path:** a.md\n=== END-AOP-FINAL ===\n"
	lines := contentLines(block)
	if !slices.Equal(lines, []string{"Trim the **wick**", "to 6 mm."}) {
		t.Fatalf("%q", lines)
	}
	for _, tt := range []struct {
		nuggets [][]string
		want    int
	}{
		{[][]string{{"trim the wick"}}, 1},
		{[][]string{{"the wick to 6 mm"}}, 2}, // across a line break
		{[][]string{{"trim"}, {"8 mm", "6 mm"}}, 2},
		{[][]string{{"trim"}, {"8 mm"}}, 0},
	} {
		if got := lastLine(lines, tt.nuggets); got != tt.want {
			t.Errorf("%v: line %d, not %d", tt.nuggets, got, tt.want)
		}
	}
}

func TestADrawIsTheSameEveryTimeAndOfManyPages(t *testing.T) {
	t.Parallel()
	var all []section
	for _, page := range []string{"a.md", "b.md", "c.md"} {
		for _, heading := range strings.Split("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "") {
			all = append(all, section{Place: Place{Doc: page, Section: heading, Anchor: heading}, lines: [2]int{1, 9},
				text: strings.Repeat("word ", fewestWords)})
		}
	}
	all = append(all, section{Place: Place{Doc: "a.md", Section: "short"}, text: "too short"})
	first := draw(Set{Name: "wick"}, all, 30, "seed")
	slices.Reverse(all)
	again := draw(Set{Name: "wick"}, all, 30, "seed")
	other := draw(Set{Name: "wick"}, all, 30, "another")
	same := func(a, b []section) bool {
		return slices.EqualFunc(a, b, func(x, y section) bool { return x.Place == y.Place })
	}
	if len(first) != 30 || !same(first, again) || same(first, other) {
		t.Errorf("%v\n%v\n%v", first, again, other)
	}
	if slices.ContainsFunc(first, func(s section) bool { return s.Section == "short" }) {
		t.Error("a section without text is drawn")
	}
	more := draw(Set{Name: "wick"}, all, 40, "seed")
	if !same(first, more[:30]) {
		t.Error("the numbers of sections change with the number that is drawn")
	}
}

// wickRepository is a bare repository of a small doc set.
func wickRepository(t *testing.T, mirrors string) (commit string) {
	t.Helper()
	work := t.TempDir()
	put(t, filepath.Join(work, "docs", "wick.md"), "# Wick\n\nSome words on lanterns and what they need of anybody who has one.\n\n"+
		"## Care\n\nTrim the wick to six millimetres every evening, when the lantern is cold, and with scissors that have cut nothing "+
		"else; a wick that is too long smokes and blackens the chimney within an hour.\n")
	put(t, filepath.Join(work, "docs", "oil.md"), "# Oil\n\nFill the lantern with colza oil.\n")
	put(t, filepath.Join(work, "src", "main.md"), "# Not documentation\n")
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", work, "-c", "user.name=t", "-c", "user.email=t@example.com"},
			args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("git %v: %v: %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "all")
	git("clone", "-q", "--bare", work, filepath.Join(mirrors, "lantern+docs", "repo"))
	return git("rev-parse", "HEAD")
}

func TestADocSetIsLaidOutAskedAndScored(t *testing.T) {
	t.Parallel()
	w := Workplace{Mirrors: t.TempDir(), Dir: t.TempDir()}
	s := Set{Name: "lantern", Split: SplitLearning, Repository: "lantern/docs", Commit: wickRepository(t, w.Mirrors),
		Folders: []string{"docs"}, Endings: []string{"md"}}
	if n, err := w.LayOut(t.Context(), s); n != 2 || err != nil {
		t.Fatalf("%d files, %v", n, err)
	}
	l, err := w.Open(t.Context(), s.Name, []Set{s})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })

	var drawn strings.Builder
	if err := l.Draw(t.Context(), s, 10, "seed", &drawn); err != nil || !strings.Contains(drawn.String(), "##### 1 docs/wick.md#care") {
		t.Fatalf("%s, %v", drawn.String(), err)
	}
	dir := t.TempDir()
	draft := filepath.Join(dir, "draft.tsv")
	put(t, draft, "1\thowto\ten\tmy lantern smokes, how short should I cut it\tsix millimetres || 6 mm\n"+
		"docs/oil.md#oil\tlookup\ten\twhat do I fill it with\trape\n-\tfar\ten\tlasagne recipe\n")
	n, err := l.Take(t.Context(), s, draft, dir, "seed", false)
	if n != 3 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	asked, err := ReadQuestions(dir, s.Name)
	if err != nil || asked[0].Anchor != "care" {
		t.Fatalf("%+v, %v", asked, err)
	}
	findings, err := l.Check(t.Context(), s, asked)
	if err != nil || len(findings) != 1 || !findings[0].Fault || findings[0].ID != "lantern-2" {
		t.Errorf("%+v, %v", findings, err)
	}
	var shown strings.Builder
	if err := l.Show(t.Context(), s, asked, &shown); err != nil || !strings.Contains(shown.String(), "QUESTION (howto, en): my lantern") {
		t.Errorf("%s, %v", shown.String(), err)
	}
	put(t, draft, "docs/wick.md#care\twhy\ten\tblack glass after one hour\ttoo long\n")
	if n, err := l.Take(t.Context(), s, draft, dir, "seed", true); n != 4 || err != nil {
		t.Errorf("%d questions with one more, %v", n, err)
	}
	for _, together := range []bool{false, true} {
		score(t, l, s, asked, together)
	}
	out, err := AskProgram(t.Context(), "echo {question}, {set}: six millimetres", s, asked[0])
	if err != nil || !out.Blocks["sections"].Answered() {
		t.Errorf("%+v, %v", out, err)
	}
}

// score asks questions of which the first is answered, the second is not, and the third has
// no answer.
func score(t *testing.T, l *Library, s Set, asked []Question, together bool) {
	t.Helper()
	a, err := l.Asker(t.Context(), s, together)
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []Outcome
	for _, q := range asked {
		o, err := a.For(s).Ask(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		outcomes = append(outcomes, o)
	}
	if o := outcomes[0]; !o.Blocks["sections"].Answered() || o.PageRank != 1 || o.SectionRank != 1 || !o.Leads {
		t.Errorf("together %v: %+v", together, o)
	}
	m := Measure(s, outcomes)
	if m.Number != 2 || m.Fars != 1 || m.Answered["sections"] != 0.5 || m.Answered["first 1 whole"] != 0.5 || m.First24 != 0.5 ||
		m.Others != 2 || m.Other5 != 1 {
		t.Errorf("%+v", m)
	}
	var printed strings.Builder
	Print(&printed, []Metrics{m, {Name: "other", Split: SplitLearning, Number: 2, Answered: map[string]float64{"sections": 1}}})
	if !strings.Contains(printed.String(), "MEAN learning") || !strings.Contains(printed.String(), " 0.750") {
		t.Error(printed.String())
	}
}

func TestQuestionsAreCounted(t *testing.T) {
	t.Parallel()
	c := CountQuestions([]Question{
		{Query: "how do I trim it", Lang: "en", Kind: "howto", Place: Place{Section: "Trimming the wick"}},
		{Query: "my lantern smokes", Lang: "en", Kind: "error", Place: Place{Section: "Trimming the wick"}, ReadBySecond: "agrees"},
		{Query: "die Lampe qualmt", Lang: "de", Kind: "error", Place: Place{Section: "Trimming the wick"}},
		{Query: "lasagne", Lang: "en", Kind: KindFar},
	})
	if c.Answerable != 3 || c.English != 2 || c.Wordless != 1 || c.NotEnglish != 1 || c.Far != 1 || c.Second != 1 || c.Kinds["error"] != 2 {
		t.Errorf("%+v", c)
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
