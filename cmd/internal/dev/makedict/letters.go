package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/letters"
)

// makeLetters writes the table of package letters: the probability of three
// consecutive letters in each language with Latin script. It counts them in the
// translated messages of Visual Studio Code, in the words of the dictionaries and in those of WordNet.
// Every tenth message is held out to measure the accuracy, which it prints.
func makeLetters(from sources, tables, out string) error {
	counts := map[string][]float64{}
	total := make([]float64, len(letters.Languages()))
	learn := func(language int, text string, weight float64) {
		for _, w := range letters.TellingWords(text) {
			letters.EachTrigram(w, func(g string) {
				if counts[g] == nil {
					counts[g] = make([]float64, len(total))
				}
				counts[g][language] += weight
				total[language] += weight
			})
		}
	}
	heldOut := make([][]string, len(total))
	english := map[string]bool{}
	vocabulary := make([]map[string]bool, len(total))
	for i, l := range letters.Languages() {
		if l == "en" {
			continue
		}
		vocabulary[i] = map[string]bool{}
		pack := l
		if l == "pt" {
			pack = "pt-br"
		}
		messages, err := readMessages(from.dictionaries, pack)
		if err != nil {
			return err
		}
		for k, m := range messages {
			if k%10 == 0 {
				heldOut[0], heldOut[i] = append(heldOut[0], m.english), append(heldOut[i], m.foreign)
				continue
			}
			learn(0, m.english, 1/float64(len(total)-1))
			learn(i, m.foreign, 1)
		}
		raw, err := os.ReadFile(filepath.Join(tables, l+".dict"))
		if err != nil {
			return err
		}
		d, err := dictionary.ReadTable(string(raw))
		if err != nil {
			return err
		}
		d.EachWord(func(key string, glosses []dictionary.Gloss) {
			for _, w := range letters.TellingWords(key) {
				vocabulary[i][w] = true
			}
			for _, g := range glosses {
				for _, w := range letters.TellingWords(g.Text) {
					english[w] = true
				}
			}
		})
	}
	// The glosses are too few English words to tell Certificate from French. Most words of
	// WordNet are rare, and many of them Latin: they count less.
	rare := map[string]bool{}
	synsets, err := readSynsets(filepath.Join(from.dictionaries, "deb/usr/share/wordnet"))
	if err != nil {
		return err
	}
	for _, senses := range synsets {
		for _, s := range senses {
			for _, w := range letters.TellingWords(s.text) {
				rare[w] = true
			}
		}
	}
	for _, w := range sortedKeys(rare) {
		learn(0, w, rareWeight)
	}
	vocabulary[0] = english
	for i := range vocabulary {
		for _, w := range sortedKeys(vocabulary[i]) {
			learn(i, w, 1)
		}
	}
	var lines []string
	const least, most = 12, 90
	for g, c := range counts {
		sum := 0.0
		for _, n := range c {
			sum += n
		}
		if sum < least {
			continue
		}
		line := g + strings.Repeat(" ", letters.KeyBytes-len(g))
		for i, n := range c {
			cost := -math.Log((n + 0.5) / (total[i] + 0.5*float64(len(counts))))
			line += string(rune('!' + min(most, int(math.Round(cost*letters.Scale)))))
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	text := strings.Join(lines, "\n") + "\n"
	for i, l := range letters.Languages() {
		right, wrong := 0, 0
		for _, m := range heldOut[i] {
			if n := len(letters.TellingWords(m)); n < 2 || n > 4 {
				continue
			}
			if got := letters.LanguageBy(text, m); got == l {
				right++
			} else {
				wrong++
			}
		}
		fmt.Printf("letters: %s: %d of %d messages of two to four words\n", l, right, right+wrong)
	}
	fmt.Printf("letters: %d rows, %d bytes\n", len(lines), len(text))
	return os.WriteFile(out, []byte(text), 0o644)
}
