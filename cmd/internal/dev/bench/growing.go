//go:build unix

package main

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// heaps is the exponent of Heaps' law (Information Retrieval, 1978): a text n times as long has n^heaps
// times as many words. Among the pages of one documentation it is .5, and .8 from one documentation to
// several, both measured on the development sets.
const heaps = .6

// common is the share of the pages that have a common word. Common words are the same in all copies.
const common = .01

// wordOrPlace finds words, and what must stay as it is for the page to remain what it is: where links
// lead, shortcodes and tags.
var wordOrPlace = regexp.MustCompile(`\]\([^)\n]*\)|\{\{[^}\n]*\}\}|<[^>\n]*>|[A-Za-z][A-Za-z0-9_]*`)

// growing writes copies of the Markdown files of a folder as one documentation, whose vocabulary grows
// with the copies as that of a text does.
type growing struct {
	pages map[string]string // by path
	rare  map[string]bool   // words of few pages, in small letters
	words map[string]bool   // of all copies
}

// isWord tells the two kinds of matches of wordOrPlace apart.
func isWord(match string) bool { return !strings.ContainsAny(match[:1], "]{<") }

// newGrowing reads the pages of a folder.
func newGrowing(folder string) (*growing, error) {
	g := &growing{pages: map[string]string{}, rare: map[string]bool{}, words: map[string]bool{}}
	in := map[string]int{} // pages of each word
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		g.pages[rel] = string(raw)
		seen := map[string]bool{}
		for _, match := range wordOrPlace.FindAllString(string(raw), -1) {
			if w := strings.ToLower(match); isWord(match) && !seen[w] {
				seen[w] = true
				in[w]++
			}
		}
		return nil
	})
	if err == nil && len(g.pages) == 0 {
		err = fmt.Errorf("%s has no Markdown files", folder)
	}
	for w, pages := range in {
		g.rare[w] = float64(pages) <= common*float64(len(g.pages))
	}
	return g, err
}

// write writes a copy of all pages below a folder; 1 is the first copy.
func (g *growing) write(to string, copy int) error {
	for path, text := range g.pages {
		path = filepath.Join(to, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		text = wordOrPlace.ReplaceAllStringFunc(text, func(match string) string {
			if !isWord(match) {
				return match
			}
			w := strings.ToLower(match)
			if g.rare[w] {
				behind := ending(w, copy)
				match, w = match+behind, w+behind
			}
			g.words[w] = true
			return match
		})
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// ending makes a rare word that of a copy: a new word as often as Heaps' law has it, else the word of an
// earlier copy.
func ending(word string, copy int) string {
	if copy == 1 {
		return ""
	}
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%s %d", word, copy)
	// Products of primes hardly mix the upper bits of short texts.
	mixed := sum.Sum64()
	mixed ^= mixed >> 33
	mixed *= 0xff51afd7ed558ccd
	mixed ^= mixed >> 33
	const parts = 1 << 20
	isNew := math.Pow(float64(copy), heaps) - math.Pow(float64(copy-1), heaps)
	if float64(mixed%parts)/parts >= isNew {
		return ending(word, 1+int(mixed/parts%uint64(copy-1)))
	}
	const letters = "bcdfghjk" // no ending of a word of English, which stems may lack
	var b strings.Builder
	for n := copy; n > 0; n /= len(letters) {
		b.WriteByte(letters[n%len(letters)])
	}
	return b.String()
}
