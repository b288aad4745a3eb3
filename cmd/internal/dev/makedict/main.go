// Command makedict makes the tables of pipeline/question/dictionary from free
// dictionaries. README.md beside it says where those come from, in which
// versions and under which licences, and how to fetch them; they are not kept
// in this repository.
//
// The steps for a language: read its dictionaries into pairs of a word and a
// cleaned gloss with a weight (one file for each format); make a first table;
// with it, align the messages of a program that is translated into the language
// with its English ones, which says what its words are in computing; add that;
// keep the best glosses; write the table. The same sources give the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/question/dictionary"
	"docent/pipeline/question/dictionary/table"
)

func main() {
	src := flag.String("src", "", "the folder with the sources (README.md says how to fetch them)")
	out := flag.String("out", "pipeline/question/dictionary/tables", "the folder to write tables to")
	only := flag.String("lang", "", "languages to make, with commas; all if empty")
	show := flag.String("show", "", "after making the tables, cut this text and print its words")
	letters := flag.String("letters", "", "write the table of package letters to this file, from the tables that are there, and make nothing else")
	flag.Parse()
	if *src == "" {
		flag.Usage()
		os.Exit(2)
	}
	if *letters != "" {
		if err := makeLetters(*src, *out, *letters); err != nil {
			fmt.Fprintln(os.Stderr, "makedict: letters:", err)
			os.Exit(1)
		}
		return
	}
	for _, r := range recipes() {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), r.language) {
			continue
		}
		if err := r.make(*src, *out, *show); err != nil {
			fmt.Fprintf(os.Stderr, "makedict: %s: %v\n", r.language, err)
			os.Exit(1)
		}
	}
}

// recipe says what a language's table is made of.
type recipe struct {
	language string
	source   string // what the table says of its sources
	pack     string // the translated messages of Visual Studio Code
	office   bool   // LibreOffice's, too: for dictionaries that have little
	rare     bool   // words whose English is rarer than rare are left out
	read     func(src string, d *draft) error
}

func recipes() []recipe {
	const pack = "; terms from Visual Studio Code 1.108 language packs (MIT)"
	const office = pack + " and LibreOffice 7.4.7 (MPL-2.0)"
	return []recipe{
		{"zh", "CC-CEDICT 2026-01-04 (CC BY-SA 4.0)" + pack, "zh-hans", false, false, readCEDICT},
		{"ja", "EDICT and COMPDIC 2021-02-03, EDRDG (CC BY-SA 4.0)" + pack, "ja", false, true, readEDICT},
		{"de", "Ding 1.9 devel 2023-01-30, Frank Richter (GPL-2+)" + pack, "de", false, true, readDing},
		{"ru", "Mueller 7 and FreeDict eng-rus 0.3.1, turned round (GPL-2+)" + office, "ru", true, true, readRussian},
		{"fr", "FreeDict fra-eng 0.4.1 and eng-fra (GPL-2+)" + office, "fr", true, false, readFrench},
		{"es", "FreeDict spa-eng 0.3.1 and eng-spa (GPL-2+)" + office, "es", true, false, readSpanish},
	}
}

func (r recipe) make(src, out, show string) error {
	d := newDraft(r.language)
	if err := r.read(src, d); err != nil {
		return err
	}
	d.settle()
	messages, err := readMessages(src, r.pack)
	if err != nil {
		return err
	}
	if r.office {
		more, err := readGettext(src, r.language)
		if err != nil {
			return err
		}
		messages = append(messages, more...)
	}
	// A table in between cuts the messages into words, the words that the
	// alignment adds decide which phrases say more than their words do, and all
	// of them which words say no more than their parts.
	steps := []func(*dictionary.Dictionary){
		func(dict *dictionary.Dictionary) { addAligned(d, dict, messages) },
		func(dict *dictionary.Dictionary) { addPhrases(d, dict, messages) },
		func(dict *dictionary.Dictionary) {
			d.prune(dict)
			if r.rare {
				d.dropRare()
			}
		},
	}
	var b []byte
	var dict *dictionary.Dictionary
	for i := 0; ; i++ {
		b = table.Encode(d.contents(r.source))
		if dict, err = dictionary.Read(string(b)); err != nil {
			return err
		}
		if i == len(steps) {
			break
		}
		steps[i](dict)
	}
	fmt.Printf("%s: %d words, %d forms, %d bytes\n", r.language, dict.Len(), len(d.forms()), len(b))
	if show != "" {
		for _, w := range dict.Words(show) {
			fmt.Printf("  %s %v", w.Text, w.Span)
			if w.Stop {
				fmt.Print(" stop")
			}
			for _, g := range w.Glosses {
				fmt.Printf(" | %s %.2f", g.Text, g.Weight)
			}
			fmt.Println()
		}
	}
	return os.WriteFile(filepath.Join(out, r.language+".dict"), b, 0o644)
}
