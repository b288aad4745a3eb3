package main

import (
	"strings"
)

// sameGroupWeight is the weight of an English word that another word of the group is
// written as.
const sameGroupWeight = .5

// readSynonyms adds the English words of SudachiDict's synonyms. A line has the number of a
// group, the kind of word, whether it may be looked up, the number of the word in its group,
// three kinds of form, the field and the word; 1 as the last kind of form says that it is
// written in Latin letters (docs/synonyms.md of SudachiDict).
func readSynonyms(from sources, r repository, d *draft) error {
	text, err := readFile(from.mirrors, r)
	if err != nil {
		return err
	}
	const wordNumber, form, written = 3, 6, 8
	type word struct{ number, text string }
	var group string
	var own, english []word
	add := func() {
		for _, w := range own {
			for _, e := range english {
				weight := sameGroupWeight
				if e.number == w.number {
					weight = 1
				}
				for _, g := range clean(e.text) {
					d.add(w.text, g, weight)
				}
			}
		}
		own, english = nil, nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		f := strings.Split(strings.TrimSpace(line), ",")
		if len(f) <= written {
			continue
		}
		if f[0] != group {
			add()
			group = f[0]
		}
		switch w := (word{f[wordNumber], f[written]}); {
		case f[form] == "1" && f[form-1] == "0":
			english = append(english, w)
		case foreignOnly(d.language, w.text):
			own = append(own, w)
		}
	}
	add()
	return nil
}
