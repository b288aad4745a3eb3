package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// readWordNet adds the words of a WordNet in another language: the synsets of Princeton's
// WordNet 3.0 with lemmas of that language, a line each (Open Multilingual Wordnet, file in
// the repository omwn/omw-data). An English word that has the synset as its first sense
// counts most.
func readWordNet(from sources, r repository, d *draft) error {
	english, err := readSynsets(filepath.Join(from.dictionaries, "deb/usr/share/wordnet"))
	if err != nil {
		return err
	}
	raw, err := readFile(from.mirrors, r)
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(raw, "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) < 3 || !strings.HasSuffix(fields[1], ":lemma") {
			continue
		}
		key := strings.Map(d.fold, strings.NewReplacer("+", "", "_", " ").Replace(fields[2]))
		if foreignOnly(d.language, key) {
			for _, g := range english[fields[0]] {
				for _, text := range clean(g.text) {
					d.add(key, text, g.weight)
				}
			}
		}
	}
	return nil
}

// foreignOnly reports whether all of a key is in the language's own script.
func foreignOnly(language, key string) bool {
	return key != "" && foreign(language, key) && (language != "zh" || !strings.Contains(key, " "))
}

type sense struct {
	text   string
	weight float64
}

// readSynsets gives the English words of each synset, by its offset and part of speech.
func readSynsets(folder string) (map[string][]sense, error) {
	out := map[string][]sense{}
	for name, letter := range map[string]string{"noun": "n", "verb": "v", "adj": "a", "adv": "r"} {
		f, err := os.Open(filepath.Join(folder, "index."+name))
		if err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			// lemma, part of speech, synsets, pointers, their symbols, senses, tagged senses, offsets
			fields := strings.Fields(lines.Text())
			if strings.HasPrefix(lines.Text(), " ") || len(fields) < 6 {
				continue
			}
			var pointers, synsets int
			if _, err := fmt.Sscan(fields[2]+" "+fields[3], &synsets, &pointers); err != nil || len(fields) != 6+pointers+synsets {
				continue
			}
			for i, offset := range fields[6+pointers:] {
				key := offset + "-" + letter
				out[key] = append(out[key], sense{strings.ReplaceAll(fields[0], "_", " "), rank(i, 0)})
			}
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
