package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/dictionary/table"
)

// The parameters of people's names.
const (
	minPeople    = 2 // that have a name
	maxSpellings = 3 // English names of a translated one
)

// readPeople adds the names of people: lines of an English name, a tab, the translated one
// with a space after every character, a tab, and how many people of Wikidata have both. A
// name that is also another word stays that word. A Chinese name of three characters counts
// even if only one person has it: without the name its characters are searched one by one,
// and they mean other things.
func readPeople(from sources, r repository, d *draft) error {
	text, err := readFile(from.mirrors, r)
	if err != nil {
		return err
	}
	type spelling struct {
		english string
		people  int
	}
	names := map[string][]spelling{}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
		if len(f) != 3 {
			continue
		}
		n, err := strconv.Atoi(f[2])
		if err != nil {
			return fmt.Errorf("%s: line %d of the names: %w", r.name, i+1, err)
		}
		key := strings.Map(d.fold, table.Normal(d.language, strings.ReplaceAll(f[1], " ", "")))
		length := utf8.RuneCountInString(key)
		if length > 1 && (n >= minPeople || length > 2 && d.language == "zh") && latin(f[0]) && foreignOnly(d.language, key) {
			names[key] = append(names[key], spelling{f[0], n})
		}
	}
	for _, key := range sortedKeys(names) {
		if d.entries[key] != nil {
			continue
		}
		list := names[key]
		slices.SortStableFunc(list, func(a, b spelling) int {
			return cmp.Or(cmp.Compare(b.people, a.people), cmp.Compare(a.english, b.english))
		})
		for _, s := range list[:min(len(list), maxSpellings)] {
			// With a capital letter, by which a repair of slips knows that it is no English word.
			d.add(key, capital(s.english), nameWeight*float64(s.people)/float64(list[0].people))
			d.keep(key)
		}
	}
	return nil
}

// capital is a name with a capital letter at its beginning.
func capital(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
