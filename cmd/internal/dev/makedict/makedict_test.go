package main

import (
	"slices"
	"strings"
	"testing"

	"docent/pipeline/question/dictionary/table"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ definition, want string }{
		{"to deploy (troops); to set up", "deploy|set up"},
		{"CL:個|个[ge4],位[wei4]", ""},
		{"variant of 裡|里[li3]", ""},
		{"surname Wang", ""},
		{"classifier for small objects", ""},
		{"the server", "server"},
		{"to look for sth", "look"},
		{"a kind of fish that lives in deep water near the coast", ""},
		{"state of the art", "state art"},
		{"rarely used (except (old) texts", "rarely used"},
		{"服务器", ""},
		{"C++; GPU/Graphics", "C++|GPU|Graphics"},
	} {
		if got := strings.Join(clean(c.definition), "|"); got != c.want {
			t.Errorf("%q: %q, not %q", c.definition, got, c.want)
		}
	}
}

func TestGermanKey(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"Einstellung {f} [techn.]":        "einstellung",
		"etw. einrichten {vt}":            "einrichten",
		"Größe {f} (von etw.)":            "grösse",
		"Wie geht es dir, mein Freund?":   "",
		"außer Betrieb":                   "ausser betrieb",
		"Datei {f} <Datey> /DAT/":         "datei",
		"-los":                            "",
		"die Leistung des Geräts testen.": "",
	} {
		if got := germanKey(s); got != want {
			t.Errorf("%q: %q, not %q", s, got, want)
		}
	}
}

func TestUnmark(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"&&File ({0}) $(gear) open":               "File ( ) open",
		"see [the docs](https://example.org) `x`": "see the docs",
		unpseudo.Replace("Çløsë Ðïæløg"):          "Close Dialog",
	} {
		if got := unmark(s); got != want {
			t.Errorf("%q: %q, not %q", s, got, want)
		}
	}
}

// Four messages are enough to align all words.
func TestModel1(t *testing.T) {
	t.Parallel()
	beads := []bead{
		{english: []string{"open", "file"}, foreign: []string{"datei", "öffnen"}},
		{english: []string{"close", "file"}, foreign: []string{"datei", "schliessen"}},
		{english: []string{"close", "window"}, foreign: []string{"fenster", "schliessen"}},
		{english: []string{"open", "window"}, foreign: []string{"fenster", "öffnen"}},
	}
	p, _ := model1(beads)
	for f, e := range map[string]string{"datei": "file", "fenster": "window", "öffnen": "open", "schliessen": "close"} {
		if p[f][e] < .7 {
			t.Errorf("%s is %s with %.2f", f, e, p[f][e])
		}
	}
}

// A word of a phrase is a part of it, unless it is also a gloss of its own.
func TestPartOfGloss(t *testing.T) {
	t.Parallel()
	phrase := []table.Gloss{{Text: "environment variable", Weight: 1}}
	if !partOfGloss(phrase, "environments") || partOfGloss(phrase, "setting") {
		t.Error("a part is a part of the best gloss")
	}
	if partOfGloss(append(phrase, table.Gloss{Text: "environment", Weight: .5}), "environment") {
		t.Error("a gloss of its own is no part")
	}
}

// Conjugated forms of verbs lead to the dictionary form.
func TestConjugated(t *testing.T) {
	t.Parallel()
	if got := conjugated("使う", "(v5u,vt)"); !slices.Equal(got, []string{"使わ", "使い", "使っ", "使え"}) {
		t.Error(got)
	}
	if got := conjugated("調べる", "(v1,vt)"); !slices.Equal(got, []string{"調べ"}) {
		t.Error(got)
	}
	if got := conjugated("ある", "(v5r-i,vi)"); got != nil {
		t.Error(got)
	}
}
