package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/question/dictionary/table"
)

// writtenLists are words of general knowledge with their English renderings, by language:
// words.zh.tsv and others. They were written by hand for this program. A line has a word, a tab and
// renderings parted by commas, the likeliest first.
//
//go:embed words.*.tsv
var writtenLists embed.FS

// A written rendering weighs less the later it stands, and less than a learned one of the same
// word: what is learned from technical texts is what technical texts mean.
const (
	writtenStep  = 0.15
	writtenShare = 0.6
)

const writtenNote = "; general words written by hand"

// writtenLanguages are the languages that have a list.
func writtenLanguages() []string {
	files, _ := fs.Glob(writtenLists, "words.*.tsv")
	var out []string
	for _, f := range files {
		out = append(out, strings.TrimSuffix(strings.TrimPrefix(f, "words."), ".tsv"))
	}
	return out
}

// writtenWords are the words of a language's list.
func writtenWords(language string) map[string]bool {
	raw, err := writtenLists.ReadFile("words." + language + ".tsv")
	if err != nil {
		return nil // the language has no list
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		word, _, _ := strings.Cut(line, "\t")
		out[table.Normal(language, word)] = true
	}
	return out
}

// addWritten adds the words of a language's list to the contents of its table. Added twice they
// change nothing.
func addWritten(c *table.Contents) error {
	raw, err := writtenLists.ReadFile("words." + c.Language + ".tsv")
	if err != nil {
		return nil //nolint:nilerr // the language has no list
	}
	at := make(map[string]int, len(c.Entries))
	for i, e := range c.Entries {
		at[e.Key] = i
	}
	fold := func(r rune) rune {
		if f, ok := c.Folds[r]; ok {
			return f
		}
		return r
	}
	for line := range strings.Lines(string(raw)) {
		word, renderings, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return fmt.Errorf("words.%s.tsv: %q has no tab", c.Language, line)
		}
		key, share := strings.Map(fold, table.Normal(c.Language, word)), writtenShare
		i, known := at[key]
		if !known {
			i, share = len(c.Entries), 1
			at[key] = i
			c.Entries = append(c.Entries, table.Entry{Key: key})
			addForms(c, key)
		}
		e := &c.Entries[i]
		scaleToBest(e.Glosses)
		for k, r := range strings.Split(renderings, ",") {
			r = strings.TrimSpace(r)
			if n := len(strings.Fields(r)); n == 0 || n > table.MaxWords || hasRendering(e.Glosses, r) {
				continue
			}
			e.Glosses = append(e.Glosses, table.Gloss{Text: r, Weight: share * max(writtenStep, 1-writtenStep*float64(k))})
		}
		slices.SortStableFunc(e.Glosses, func(a, b table.Gloss) int {
			switch {
			case a.Weight > b.Weight:
				return -1
			case a.Weight < b.Weight:
				return 1
			}
			return 0
		})
		e.Glosses = e.Glosses[:min(len(e.Glosses), maxGlosses)]
	}
	c.Entries = slices.DeleteFunc(c.Entries, func(e table.Entry) bool { return len(e.Glosses) == 0 })
	if !strings.Contains(c.Source, writtenNote) {
		c.Source += writtenNote
	}
	return nil
}

// scaleToBest makes the weights relative to the greatest one, as a table that is read has them.
func scaleToBest(glosses []table.Gloss) {
	best := 0.0
	for _, g := range glosses {
		best = max(best, g.Weight)
	}
	for i := range glosses {
		glosses[i].Weight /= best
	}
}

// addForms lists a new key under its form without accents and under its stem.
func addForms(c *table.Contents, key string) {
	if !table.Inflects(c.Language) {
		return
	}
	if c.Forms == nil {
		c.Forms = map[string][]string{}
	}
	list := func(form string) {
		if !slices.Contains(c.Forms[form], key) && len(c.Forms[form]) < mostOfForm {
			c.Forms[form] = append(c.Forms[form], key)
		}
	}
	if f := table.WithoutAccents(key); f != key && c.Language != "de" {
		list(f)
	}
	if f, ok := table.StemForm(c.Language, key); ok {
		list(f)
	}
}

// hasRendering reports whether a gloss has the stems of a rendering.
func hasRendering(glosses []table.Gloss, rendering string) bool {
	stems := englishStems(rendering)
	return slices.ContainsFunc(glosses, func(g table.Gloss) bool { return englishStems(g.Text) == stems })
}

// rewriteWithWritten adds the lists to the tables that are in a folder.
func rewriteWithWritten(dir string) error {
	for _, language := range writtenLanguages() {
		file := filepath.Join(dir, language+".dict")
		raw, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its table is not made yet
		}
		if err != nil {
			return err
		}
		t, err := table.Decode(string(raw))
		if err == nil && t.Language != language {
			err = fmt.Errorf("%w: it is the table of %q", table.ErrFormat, t.Language)
		}
		if err != nil {
			return fmt.Errorf("%s: %w; make it again: make languages LANGUAGE_LIST=%s", file, err, language)
		}
		c := t.Contents()
		before := len(c.Entries)
		if err := addWritten(&c); err != nil {
			return err
		}
		b := table.Encode(c)
		fmt.Printf("%s: %d words, %d of them new, %d bytes\n", language, len(c.Entries), len(c.Entries)-before, len(b))
		if err := os.WriteFile(file, b, 0o644); err != nil {
			return err
		}
	}
	return nil
}
