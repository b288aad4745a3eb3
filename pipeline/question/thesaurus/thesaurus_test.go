package thesaurus

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"docent/store/analysis"
)

// keysOf are the first field of a head's line.
func keysOf(a *analysis.Analyzer, head string) string {
	var keys []string
	for _, t := range a.Tokens(head) {
		if t.Kind != analysis.Identifier {
			keys = append(keys, t.Term)
		}
	}
	return strings.Join(keys, " ")
}

// needOf are the words of a head that mean something by themselves, sorted.
func needOf(a *analysis.Analyzer, head string) []string {
	var out []string
	for _, t := range a.Tokens(head) {
		w := word{key: t.Term, stop: t.Kind == analysis.Stop}
		if t.Kind != analysis.Identifier && w.telling() && !slices.Contains(out, t.Term) {
			out = append(out, t.Term)
		}
	}
	slices.Sort(out)
	return out
}

// With DOCENT_UPDATE=1 it writes the first field of each line anew, puts the line into the
// table that its head belongs to, and sorts the lines.
func TestTables(t *testing.T) {
	t.Parallel()
	a := analysis.New()
	tables := map[string][]string{}
	for line := range strings.Lines(source + needs) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			t.Fatalf("%q has %d fields, want stems, head, close and distant alternatives", line, len(fields))
		}
		table := "thesaurus.tsv"
		fields[0] = keysOf(a, fields[1])
		if together := needOf(a, fields[1]); len(together) > 1 {
			table, fields[0] = "needs.tsv", strings.Join(together, " ")
		}
		tables[table] = append(tables[table], strings.Join(fields, "\t")+"\n")
	}
	for name, embedded := range map[string]string{"thesaurus.tsv": source, "needs.tsv": needs} {
		lines := tables[name]
		slices.Sort(lines)
		checkLines(t, a, lines)
		if table := strings.Join(lines, ""); table != embedded {
			if os.Getenv("DOCENT_UPDATE") == "" {
				t.Fatalf("the lines of %s are not sorted by the stems of their heads: run the test with DOCENT_UPDATE=1", name)
			}
			if err := os.WriteFile(name, []byte(table), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(tables["thesaurus.tsv"]) < 6000 || len(tables["needs.tsv"]) < 10_000 {
		t.Errorf("the tables have %d and %d heads", len(tables["thesaurus.tsv"]), len(tables["needs.tsv"]))
	}
}

func checkLines(t *testing.T, a *analysis.Analyzer, lines []string) {
	t.Helper()
	last := ""
	for _, line := range lines {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if fields[0] == last {
			t.Errorf("two heads have the stems %q", last)
		}
		last = fields[0]
		if n := strings.Count(fields[0], " ") + 1; fields[0] == "" || n > mostKeys {
			t.Errorf("%q has %d words", fields[1], n)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsControl(r) && r != '\t' && r != '\n' }) {
			t.Errorf("%q has a capital letter or a control character", line)
		}
		seen := map[string]bool{}
		for _, wording := range strings.Split(strings.Trim(fields[2]+","+fields[3], ","), ",") {
			terms := strings.Join(a.Terms(wording), " ")
			if terms == "" || strings.Count(terms, " ") >= mostStems || terms == fields[0] || seen[terms] {
				t.Errorf("%s: the alternative %q is empty, too long, the head itself or there twice", fields[1], wording)
			}
			seen[terms] = true
		}
	}
}

func TestConcepts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		question string
		head     string // of one concept
		terms    string // of the question
		close    string // one of its alternatives
	}{
		{"how do I undo a release", "undo", "undo", "revert"},
		{"undoing a wrong change", "undo", "undo", "roll back"},
		{"a countdown for the form", "countdown", "countdown", "timer"},
		{"how often does it look for news", "how often", "often", "interval"},
		{"switch the second light off", "switch off", "switch", "disable"},
	}
	a := analysis.New()
	for _, tt := range tests {
		all := Concepts(a, tt.question)
		i := slices.IndexFunc(all, func(c Concept) bool { return c.Words == tt.head })
		if i < 0 {
			t.Errorf("%s: no concept %q in %v", tt.question, tt.head, all)
			continue
		}
		if got := strings.Join(all[i].Terms, " "); got != tt.terms {
			t.Errorf("%s: the terms of %s are %q, want %q", tt.question, tt.head, got, tt.terms)
		}
		want := a.Terms(tt.close)
		if !slices.ContainsFunc(all[i].Alternatives, func(o Alternative) bool { return slices.Equal(o.Terms, want) && o.Worth == closeWorth }) {
			t.Errorf("%s: %s has no close alternative %q", tt.question, tt.head, tt.close)
		}
	}
}

// Words of a longer head are no concepts of their own, and quoted text has none.
func TestConceptsThatAreNone(t *testing.T) {
	t.Parallel()
	a := analysis.New()
	for _, question := range []string{"`undo`", `what is "undo"`, "undo_log", "", "...", "StatefulSet"} {
		for _, c := range Concepts(a, question) {
			if slices.Contains(c.Terms, "undo") {
				t.Errorf("%s: %v", question, c)
			}
		}
	}
	for _, c := range Concepts(a, "how often is it read") {
		if c.Words == "often" {
			t.Errorf("%q is part of \"how often\" already", c.Words)
		}
	}
	for _, c := range Concepts(a, "switch, off") {
		if c.Words == "switch off" {
			t.Error("a head reaches over a comma")
		}
	}
}

func TestNeeds(t *testing.T) {
	t.Parallel()
	a := analysis.New()
	const head = "on the same machine"
	for question, want := range map[string]bool{
		"lanterns on the same machine":           true,
		"machine, the same for both lanterns":    true,
		"on one and the same old rented machine": true,
		"same":                                   false,
		"the same lamp as in the hall, later we bought a large machine": false,
		"\"same\" machine": false,
	} {
		found := slices.ContainsFunc(Needs(a, question), func(c Concept) bool {
			return c.Words == head && slices.Equal(c.Terms, []string{"machin", "same"}) && len(c.Alternatives) > 0
		})
		if found != want {
			t.Errorf("%s: %q found is %v, want %v", question, head, found, want)
		}
	}
}

// Of two needs the longer one counts where it has all words of the other.
func TestNeedsWithinOthers(t *testing.T) {
	t.Parallel()
	a := analysis.New()
	longer, shorter := "", ""
	heads := map[string]bool{}
	for line := range strings.Lines(needs) {
		heads[strings.Split(line, "\t")[0]] = true
	}
	for line := range strings.Lines(needs) {
		keys, rest, _ := strings.Cut(line, "\t")
		if words := strings.Fields(keys); len(words) == 3 && heads[words[0]+" "+words[1]] {
			head, _, _ := strings.Cut(rest, "\t")
			longer, shorter = head, words[0]+" "+words[1]
			break
		}
	}
	for _, c := range Needs(a, longer) {
		if strings.Join(c.Terms, " ") == shorter {
			t.Errorf("%q has the need %q", longer, shorter)
		}
	}
	if longer == "" || len(Needs(a, longer)) == 0 {
		t.Errorf("%q has no need", longer)
	}
}

// The binary search finds what reading all lines finds.
func TestLinesOf(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(source, "\n")
	lines = lines[:len(lines)-1]
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[a-z]{1,3}`).Draw(t, "word")
		if rapid.Bool().Draw(t, "of the table") {
			key, _, _ = strings.Cut(rapid.SampledFrom(lines).Draw(t, "line"), "\t")
			key, _, _ = strings.Cut(key, " ")
		}
		var want []string
		for _, l := range lines {
			if strings.HasPrefix(l, key+" ") || strings.HasPrefix(l, key+"\t") {
				want = append(want, strings.TrimSuffix(l, "\n"))
			}
		}
		if got := linesOf(source, key); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", key, got, want)
		}
	})
}

func TestAnyQuestion(t *testing.T) {
	t.Parallel()
	a := analysis.New()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`((how|often|get|rid|of|switch|off|undo|who|may|"|,) ){0,80}`)).Draw(t, "question")
		for _, c := range Needs(a, text) {
			if len(c.Alternatives) == 0 || len(c.Terms) < 2 {
				t.Fatalf("%q: %v", text, c)
			}
		}
		n := 0
		for _, c := range Concepts(a, text) {
			n += len(c.Terms)
			if len(c.Alternatives) == 0 || c.Words == "" {
				t.Fatalf("%q: %v", text, c)
			}
		}
		if n > mostWords {
			t.Fatalf("%q: %d words", text, n)
		}
	})
}

func TestAsked(t *testing.T) {
	t.Parallel()
	tests := []struct{ question, language, query, want string }{
		{"how often", "", "often", "how often"},
		{"how often", "en", "often", "how often"},
		{"wie oft", "de", "how often", "how often"},
		{"", "", "often", "often"},
		{"wie oft", "de", "", ""},
	}
	for _, tt := range tests {
		var queries []string
		if tt.query != "" {
			queries = []string{tt.query}
		}
		if got := Asked(tt.question, tt.language, queries); got != tt.want {
			t.Errorf("%v: %q", tt, got)
		}
	}
}

func BenchmarkConcepts(b *testing.B) {
	a := analysis.New()
	for b.Loop() {
		Concepts(a, "how often does the server look for new files, and can I switch that off at night")
	}
}
