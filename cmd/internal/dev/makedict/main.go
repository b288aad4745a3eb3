// Command makedict makes the tables of pipeline/question/dictionary from free
// dictionaries. Its README.md lists the sources with their versions and licences,
// and how to download them; they are not part of this repository.
//
// The steps for a language:
//
//  1. Read its dictionaries into words with cleaned, weighted glosses. There is one
//     Go file for each format.
//  2. Align the translated messages of a program with the English ones, and add the
//     computing terms that this yields.
//  3. Drop redundant words, keep the best glosses, and write the table.
//
// With -learned it makes tables from translated documentation in place of dictionaries.
//
// The same sources give the same bytes. It refuses to download the sources.
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
	mirrors := flag.String("mirrors", "../.mirror", "folder of repositories, OWNER+NAME/repo each")
	learned := flag.Bool("learned", false, "learn the tables from translated documentation, without the dictionaries")
	only := flag.String("lang", "", "languages to make, with commas; all if empty")
	show := flag.String("show", "", "after making the tables, cut this text and print its words")
	letters := flag.String("letters", "", "write the table of package letters to this file, from the tables that are there, and make "+
		"nothing else")
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
	all := recipes()
	if *learned {
		all = learnedRecipes()
	}
	for _, r := range all {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), r.language) {
			continue
		}
		if err := r.makeTable(sources{*src, *mirrors}, *out, *show); err != nil {
			fmt.Fprintf(os.Stderr, "makedict: %s: %v\n", r.language, err)
			os.Exit(1)
		}
	}
}

// recipe describes how the table of a language is made.
type recipe struct {
	language string
	source   string // the table's note about its sources
	pack     string // the language pack of Visual Studio Code
	office   bool   // also use the messages of LibreOffice, for small dictionaries
	dropRare bool   // drop glosses with rare English words
	read     func(src string, d *draft) error

	// Of a table that is learned: the file of a WordNet, "" for none, and repositories.
	wordNet  string
	parallel []parallel
}

// sources are the folders of dictionaries and of repositories.
type sources struct{ dictionaries, mirrors string }

// recipes lists all languages.
func recipes() []recipe {
	const pack = "; terms from Visual Studio Code 1.108 language packs (MIT)"
	const office = pack + " and LibreOffice 7.4.7 (MPL-2.0)"
	return []recipe{
		{language: "zh", source: "CC-CEDICT 2026-01-04 (CC BY-SA 4.0)" + pack, pack: "zh-hans", read: readCEDICT},
		{language: "ja", source: "EDICT and COMPDIC 2021-02-03, EDRDG (CC BY-SA 4.0)" + pack, pack: "ja", dropRare: true, read: readEDICT},
		{language: "de", source: "Ding 1.9 devel 2023-01-30, Frank Richter (GPL-2+)" + pack, pack: "de", dropRare: true, read: readDing},
		{language: "ru", source: "Mueller 7 and FreeDict eng-rus 0.3.1, turned round (GPL-2+)" + office, pack: "ru", office: true, dropRare: true, read: readRussian},
		{language: "fr", source: "FreeDict fra-eng 0.4.1 and eng-fra (GPL-2+)" + office, pack: "fr", office: true, read: readFrench},
		{language: "es", source: "FreeDict spa-eng 0.3.1 and eng-spa (GPL-2+)" + office, pack: "es", office: true, read: readSpanish},
	}
}

// readSources adds the words of dictionaries, and gives translated texts.
func (r recipe) readSources(from sources, d *draft) ([]message, error) {
	if r.parallel != nil {
		if err := readWordNet(from, r.wordNet, d); err != nil {
			return nil, err
		}
		d.normalize()
		return readParallel(from.mirrors, r.parallel)
	}
	if err := r.read(from.dictionaries, d); err != nil {
		return nil, err
	}
	d.normalize()
	messages, err := readMessages(from.dictionaries, r.pack)
	if err != nil || !r.office {
		return messages, err
	}
	more, err := readGettext(from.dictionaries, r.language)
	return append(messages, more...), err
}

// makeTable writes the table of the language. show is a text whose words are printed; ""
// prints none.
func (r recipe) makeTable(from sources, out, show string) error {
	d := newDraft(r.language)
	messages, err := r.readSources(from, d)
	if err != nil {
		return err
	}
	// Each step needs the table of the step before: the alignment splits messages
	// into words with it, the phrases are compared with the words of the alignment,
	// and the pruning compares words with their parts.
	steps := []func(*dictionary.Dictionary){
		func(dict *dictionary.Dictionary) { addAligned(d, dict, messages) },
		func(dict *dictionary.Dictionary) { addPhrases(d, dict, messages) },
		func(dict *dictionary.Dictionary) {
			d.prune(dict)
			if r.dropRare {
				d.dropRare()
			}
		},
	}
	var b []byte
	var dict *dictionary.Dictionary
	for i := 0; ; i++ {
		b = table.Encode(d.contents(r.source))
		if dict, err = dictionary.ReadTable(string(b)); err != nil {
			return err
		}
		if i == len(steps) {
			break
		}
		steps[i](dict)
	}
	fmt.Printf("%s: %d words, %d forms, %d bytes\n", r.language, dict.Len(), len(d.forms()), len(b))
	if show != "" {
		for _, w := range dict.SplitWords(show) {
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
