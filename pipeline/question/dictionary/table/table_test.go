package table

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func sample() Contents {
	c := Contents{Language: "xx", Source: "a test", Folds: map[rune]rune{'服': '服', '務': '务'}, Forms: map[string][]string{"plural": {"word 7", "word 3"}, "nowhere": {"missing"}}}
	for i := range 500 {
		c.Entries = append(c.Entries, Entry{fmt.Sprintf("word %d", i), []Gloss{{fmt.Sprintf("gloss of %d", i), 2}, {"gloss", 1}}})
	}
	return c
}

// What goes in comes out, whatever block it lies in.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	table, err := Decode(string(Encode(sample())))
	if err != nil {
		t.Fatal(err)
	}
	if table.Language != "xx" || table.Source != "a test" || table.Len() != 500 || table.FoldRune('務') != '务' || table.FoldRune('a') != 'a' {
		t.Errorf("header: %q %q %d", table.Language, table.Source, table.Len())
	}
	for i := range 500 {
		key := fmt.Sprintf("word %d", i)
		id, longer := table.FindKey(key)
		if id < 0 || table.Key(id) != key {
			t.Fatalf("%q is number %d, which is %q", key, id, table.Key(id))
		}
		if want := i > 0 && i < 50; longer != want {
			t.Errorf("%q goes on: %v", key, longer)
		}
		g := table.Glosses(id)
		if len(g) != 2 || g[0] != (Gloss{fmt.Sprintf("gloss of %d", i), 1}) || g[1].Text != "gloss" || g[1].Weight < .49 || g[1].Weight > .52 {
			t.Errorf("%q: %v", key, g)
		}
	}
	for _, key := range []string{"", "word", "word 500", "zzz", "\x00"} {
		if id, _ := table.FindKey(key); id >= 0 {
			t.Errorf("%q is number %d", key, id)
		}
	}
	var forms []string
	for _, id := range table.KeysOfForm("plural") {
		forms = append(forms, table.Key(id))
	}
	if !slices.Equal(forms, []string{"word 7", "word 3"}) || table.KeysOfForm("nowhere") != nil {
		t.Errorf("forms: %v", forms)
	}
	var with []string
	table.Prefixed("word 49", func(id int, key string) bool { with = append(with, key); return true })
	if len(with) != 11 {
		t.Errorf("eleven words begin with %q, not %v", "word 49", with)
	}
}

// The tables in the repository must not change because a map was walked in
// another order.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	turned := sample()
	slices.Reverse(turned.Entries)
	if !bytes.Equal(Encode(sample()), Encode(turned)) {
		t.Error("the order of entries shows in the table")
	}
}

// What a table was made of makes the same bytes again: makedict adds words to tables so.
func TestContents(t *testing.T) {
	t.Parallel()
	first := Encode(sample())
	table, err := Decode(string(first))
	if err != nil {
		t.Fatal(err)
	}
	if again := Encode(table.Contents()); !bytes.Equal(first, again) {
		t.Errorf("%d bytes became %d others", len(first), len(again))
	}
}

// A table whose bytes were damaged gives less, or is refused; it does not
// panic and does not run away.
func TestDamaged(t *testing.T) {
	t.Parallel()
	whole := Encode(sample())
	rapid.Check(t, func(t *rapid.T) {
		b := bytes.Clone(whole)
		for range rapid.IntRange(1, 20).Draw(t, "flips") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		b = b[:rapid.IntRange(0, len(b)).Draw(t, "length")]
		if rapid.Bool().Draw(t, "all of it") {
			b = append(b, whole[len(b):]...)
		}
		table, err := Decode(string(b))
		if err != nil {
			return
		}
		for _, key := range []string{"word 7", "word", "", "zzz"} {
			id, _ := table.FindKey(key)
			table.Glosses(id)
			table.Key(id)
			for _, id := range table.KeysOfForm(key) {
				table.Glosses(id)
			}
			table.Prefixed(key, func(int, string) bool { return true })
		}
	})
}

func TestNormal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, word, want string }{
		{"de", "Größe", "grösse"},
		{"de", "Größe", "grösse"}, // decomposed
		{"ru", "Развёртывание", "развертывание"},
		{"ru", "й", "й"},
		{"ru", "за́мок", "замок"},
		{"fr", "L’Été", "l'été"},
		{"es", "Configuración", "configuración"},
	} {
		if got := Normal(c.language, c.word); got != c.want {
			t.Errorf("%s %q is %q, not %q", c.language, c.word, got, c.want)
		}
	}
}
