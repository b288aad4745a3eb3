package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

// The lists are what addWritten reads: no word twice, nothing that no question can have.
func TestWrittenLists(t *testing.T) {
	t.Parallel()
	for _, language := range writtenLanguages() {
		raw, err := writtenLists.ReadFile("words." + language + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for line := range strings.Lines(string(raw)) {
			word, renderings, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if n := len(strings.Fields(word)); !ok || n == 0 || n > longestForeign || n > 1 && (language == "zh" || language == "ja") || seen[word] ||
				utf8.RuneCountInString(word) > 24 || language == "zh" && utf8.RuneCountInString(word) > 8 {
				t.Errorf("%s: %q is no word, too long or there twice", language, line)
			}
			seen[word] = true
			for r := range strings.SplitSeq(renderings, ",") {
				r = strings.TrimSpace(r)
				if n := len(strings.Fields(r)); n == 0 || n > table.MaxWords || r != strings.ToLower(r) || strings.ContainsAny(r, "\t;/()") {
					t.Errorf("%s: %s: the rendering %q has no words, too many, or signs", language, word, r)
				}
			}
		}
		if len(seen) < 400 {
			t.Errorf("%s has %d words", language, len(seen))
		}
	}
}

func TestAddWritten(t *testing.T) {
	t.Parallel()
	c := table.Contents{Language: "zh", Folds: map[rune]rune{'亞': '亚', '馬': '马', '遜': '逊'},
		Entries: []table.Entry{{Key: "亚马逊", Glosses: []table.Gloss{{Text: "shop", Weight: .2}}}}}
	if err := addWritten(&c); err != nil {
		t.Fatal(err)
	}
	e := c.Entries[0]
	if len(e.Glosses) < 2 || e.Glosses[0].Text != "shop" || e.Glosses[1].Text != "amazon" || e.Glosses[1].Weight >= 1 {
		t.Errorf("what was learned does not come first: %v", e)
	}
	if len(c.Entries) < 1000 || !strings.Contains(c.Source, writtenNote) {
		t.Errorf("%d words, made from %q", len(c.Entries), c.Source)
	}
	again := table.Contents{Language: c.Language, Source: c.Source, Folds: c.Folds}
	for _, e := range c.Entries {
		again.Entries = append(again.Entries, table.Entry{Key: e.Key, Glosses: append([]table.Gloss{}, e.Glosses...)})
	}
	if err := addWritten(&again); err != nil || !reflect.DeepEqual(c, again) {
		t.Errorf("added twice, the words are others (%v)", err)
	}
	none := table.Contents{Language: "xx"}
	if err := addWritten(&none); err != nil || len(none.Entries) != 0 {
		t.Errorf("a language without a list: %v, %v", err, none)
	}
}

// The shipped tables have the lists.
func TestShippedTablesHaveTheLists(t *testing.T) {
	t.Parallel()
	for _, language := range writtenLanguages() {
		raw, err := os.ReadFile("../../../../pipeline/question/dictionary/tables/" + language + ".dict")
		if err != nil {
			t.Fatal(err)
		}
		d, err := dictionary.ReadTable(string(raw))
		if err != nil {
			t.Fatal(err)
		}
		list, err := writtenLists.ReadFile("words." + language + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		word, rendering, _ := strings.Cut(strings.SplitN(string(list), "\n", 2)[0], "\t")
		rendering, _, _ = strings.Cut(rendering, ",")
		found := false
		for _, w := range d.SplitWords(word) {
			for _, g := range w.Glosses {
				found = found || g.Text == rendering
			}
		}
		if !found {
			t.Errorf("%s.dict does not render %s as %q: run makedict -written", language, word, rendering)
		}
	}
}

// A table of another version, a cut one and that of another language are refused with what
// to do, and stay as they are.
func TestRewriteRefusesForeignTables(t *testing.T) {
	t.Parallel()
	good := table.Encode(table.Contents{Language: "de", Entries: []table.Entry{{Key: "lampe", Glosses: []table.Gloss{{Text: "lamp", Weight: 1}}}}})
	for name, data := range map[string]string{
		"another version":  strings.Replace(string(good), "/1", "/2", 1),
		"cut":              string(good[:len(good)/2]),
		"another language": string(table.Encode(table.Contents{Language: "fr"})),
		"nothing":          "",
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "de.dict")
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		err := rewriteWithWritten(dir)
		if !errors.Is(err, table.ErrFormat) || !strings.Contains(err.Error(), "make languages LANGUAGE_LIST=de") {
			t.Errorf("%s: %v", name, err)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != data {
			t.Errorf("%s: the file changed (%v)", name, err)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "de.dict"), good, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := rewriteWithWritten(dir); err != nil {
		t.Error(err)
	}
}
