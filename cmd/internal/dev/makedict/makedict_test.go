package main

import (
	"slices"
	"strings"
	"testing"

	"docent/pipeline/question/dictionary"
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

// learn aligns messages and returns the draft with the words and phrases of them.
func learn(t *testing.T, language string, messages []message) *draft {
	t.Helper()
	d := newDraft(language)
	var phrases *phraseTable
	for _, step := range []func(*dictionary.Dictionary){
		func(dict *dictionary.Dictionary) { phrases = addAligned(d, dict, messages) },
		func(dict *dictionary.Dictionary) { addPhrases(d, dict, phrases) },
	} {
		dict, err := dictionary.ReadTable(string(table.Encode(d.contents("a test", true))))
		if err != nil {
			t.Fatal(err)
		}
		step(dict)
	}
	return d
}

// repeat gives each message as often as a pair of phrases has to be seen, each time with
// another name.
func repeat(messages []message) []message {
	var out []message
	for _, name := range []string{"Ada", "Bob", "Cid", "Dan", "Eve", "Fay"} {
		for _, m := range messages {
			out = append(out, message{name + ": " + m.english, name + ": " + m.foreign})
		}
	}
	return out
}

func TestLearnWordsAndCompounds(t *testing.T) {
	t.Parallel()
	d := learn(t, "de", repeat([]message{
		{"open the file", "die Datei öffnen"}, {"close the file", "die Datei schließen"}, {"close the window", "das Fenster schließen"},
		{"open the window", "das Fenster öffnen"}, {"read the environment variable", "die Umgebungsvariable lesen"},
		{"delete the environment variable", "die Umgebungsvariable löschen"}, {"read the file", "die Datei lesen"},
		{"delete the file", "die Datei löschen"},
	}))
	for key, want := range map[string]string{"datei": "file", "fenster": "window", "öffnen": "open", "schliessen": "close",
		"umgebungsvariable": "environment variable", "löschen": "delete"} {
		if e := d.entries[key]; e == nil || e.glosses[0].Text != want {
			t.Errorf("%s is %v, not %s", key, e, want)
		}
	}
	// Größe stands in a compound only.
	d = learn(t, "de", repeat([]message{
		{"open the file", "die Datei öffnen"}, {"read the file", "die Datei lesen"}, {"open the window", "das Fenster öffnen"},
		{"read the file size", "die Dateigröße lesen"}, {"open the file size", "die Dateigröße öffnen"},
	}))
	if e := d.entries["grösse"]; e == nil || e.glosses[0].Text != "size" {
		t.Errorf("grösse is %v, not size", e)
	}
}

func TestHalfOfCompound(t *testing.T) {
	t.Parallel()
	d := learn(t, "de", repeat([]message{
		{"read the environment variable", "die Umgebungsvariable lesen"}, {"read the file", "die Datei lesen"},
		{"delete the environment variable", "die Umgebungsvariable löschen"}, {"delete the file", "die Datei löschen"},
	}))
	if e := d.entries["umgebungsvariable"]; e == nil || slices.ContainsFunc(e.glosses, func(g table.Gloss) bool { return g.Text == "environment" }) {
		t.Errorf("half of the compound is a gloss of the whole: %v", e)
	}
}

func TestLearnPhrases(t *testing.T) {
	t.Parallel()
	d := learn(t, "fr", repeat([]message{
		{"update the page", "mise à jour de la page"}, {"update the folder", "mise à jour du dossier"}, {"open the page", "ouvrir la page"},
		{"open the folder", "ouvrir le dossier"}, {"start the update", "démarrer la mise à jour"}, {"start the page", "démarrer la page"},
	}))
	if e := d.entries["mise à jour"]; e == nil || e.glosses[0].Text != "update" {
		t.Errorf("mise à jour is %v", e)
	}
}

// A word that is a name in one message is a word in another: "base class" is "classe base"
// here, and "base de données" a database.
func TestNameInAnotherMessage(t *testing.T) {
	t.Parallel()
	d := learn(t, "fr", repeat([]message{
		{"open the base class", "ouvrir la classe base"}, {"close the base class", "fermer la classe base"},
		{"open the database", "ouvrir la base de données"}, {"close the database", "fermer la base de données"},
		{"open the data", "ouvrir les données"}, {"close the data", "fermer les données"},
	}))
	if e := d.entries["base de données"]; e == nil || e.glosses[0].Text != "database" {
		t.Errorf("base de données is %v", e)
	}
}

func TestOtherEnding(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"コンテナー": "コンテナ", "コンテナ": "コンテナー", "キー": "", "サーバー": "サーバ", "設定": "", "使う": ""} {
		if got, ok := otherEnding(key); got != want || ok != (want != "") {
			t.Errorf("%s: %q, not %q", key, got, want)
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
