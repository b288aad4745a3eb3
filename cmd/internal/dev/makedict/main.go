// Command makedict makes the tables of pipeline/question/dictionary from translated
// documentation and free lists of words and names. Its README.md lists the sources with
// their versions and licences, and how to fetch them; they are not part of this
// repository.
//
// The steps for a language:
//
//  1. Read lists of words and names into words with cleaned, weighted glosses.
//  2. Align translated texts with the English ones, sentence by sentence and word by
//     word, and add the words and phrases that this yields.
//  3. Drop redundant words, keep the best glosses, add the words written by hand, and write
//     the table.
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
	src := flag.String("src", "", "the folder with the packages (README.md says how to fetch them)")
	out := flag.String("out", "pipeline/question/dictionary/tables", "the folder to write tables to")
	mirrors := flag.String("mirrors", "../.mirror", "folder of repositories, OWNER+NAME/repo each")
	only := flag.String("lang", "", "languages to make, with commas; all if empty")
	show := flag.String("show", "", "after making the tables, cut this text and print its words")
	letters := flag.String("letters", "", "write the table of package letters to this file, from the tables that are there, and make "+
		"nothing else")
	written := flag.Bool("written", false, "add the words written by hand to the tables that are there, and make nothing else")
	flag.Parse()
	if *written {
		if err := rewriteWithWritten(*out); err != nil {
			fmt.Fprintln(os.Stderr, "makedict: words written by hand:", err)
			os.Exit(1)
		}
		return
	}
	if *src == "" {
		flag.Usage()
		os.Exit(2)
	}
	from := sources{*src, *mirrors}
	if *letters != "" {
		if err := makeLetters(from, *out, *letters); err != nil {
			fmt.Fprintln(os.Stderr, "makedict: letters:", err)
			os.Exit(1)
		}
		return
	}
	all, err := recipes(sourcesFile)
	if err != nil {
		fmt.Fprintln(os.Stderr, "makedict:", err)
		os.Exit(1)
	}
	for _, r := range all {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), r.language) {
			continue
		}
		if err := r.makeTable(from, *out, *show); err != nil {
			fmt.Fprintf(os.Stderr, "makedict: %s: %v\n", r.language, err)
			os.Exit(1)
		}
	}
}

// sources are the folders of packages and of repositories.
type sources struct{ dictionaries, mirrors string }

// recipe describes how the table of a language is made.
type recipe struct {
	language string
	packs    []string // the language packs of Visual Studio Code
	// lists add words and names before anything is aligned.
	lists        []func(sources, *draft) error
	docs         []parallel
	sentences    []repository
	repositories []repository // all that are read, for the table's note about its sources
}

// recipes lists all languages, with the repositories of the list of sources.
func recipes(list string) ([]recipe, error) {
	repositories, err := parseSources(list)
	if err != nil {
		return nil, err
	}
	names := []func(sources, *draft) error{readCLDR, readThings, readPlaces}
	out := []recipe{
		{language: "de", packs: []string{"de"}, lists: names},
		{language: "es", packs: []string{"es"}, lists: names},
		{language: "fr", packs: []string{"fr"}, lists: names},
		{language: "it", packs: []string{"it"}, lists: names},
		{language: "ja", packs: []string{"ja"}, lists: []func(sources, *draft) error{readJapanese, readCLDR, readThings}},
		{language: "ko", packs: []string{"ko"}, lists: names},
		{language: "pt", packs: []string{"pt-br"}, lists: names},
		{language: "ru", packs: []string{"ru"}, lists: names},
		{language: "zh", packs: []string{"zh-hans", "zh-hant"}, lists: append([]func(sources, *draft) error{readVariants, readChinese, readDefinitions}, names...)},
	}
	for i := range out {
		out[i].take(repositories)
	}
	return out, nil
}

// take adds the repositories that serve the recipe's language.
func (r *recipe) take(repositories []repository) {
	for i, s := range repositories {
		if !slices.Contains(s.languages, r.language) {
			continue
		}
		r.repositories = append(r.repositories, s)
		kind, of, _ := strings.Cut(s.use, " of ")
		switch kind {
		case useDocs:
			p := parallel{foreign: &repositories[i]}
			for k := range repositories {
				if repositories[k].use == useEnglish && repositories[k].name == of {
					p.english = &repositories[k]
				}
			}
			r.docs = append(r.docs, p)
		case useSentences:
			r.sentences = append(r.sentences, s)
		case useWordNet:
			r.lists = append(r.lists, func(from sources, d *draft) error { return readWordNet(from, s, d) })
		case usePeople:
			r.lists = append(r.lists, func(from sources, d *draft) error { return readPeople(from, s, d) })
		case useKnown:
			r.lists = append(r.lists, func(from sources, d *draft) error { return readKnown(from, s, d) })
		case useForms:
			r.lists = append(r.lists, func(from sources, d *draft) error { return readForms(from, s, d) })
		case useSynonyms:
			r.lists = append(r.lists, func(from sources, d *draft) error { return readSynonyms(from, s, d) })
		}
	}
}

// source is the table's note about its sources.
func (r recipe) source() string {
	var b strings.Builder
	b.WriteString("learned from translated texts of")
	for _, s := range r.repositories {
		fmt.Fprintf(&b, " %s@%.8s (%s),", s.name, s.commit, s.licence)
	}
	b.WriteString(" Visual Studio Code 1.108 language packs (MIT); names of CLDR 48.2 (Unicode-3.0)")
	return b.String()
}

// readMessages gives the translated texts.
func (r recipe) readMessages(from sources) ([]message, error) {
	var messages []message
	for _, pack := range r.packs {
		more, err := readMessages(from.dictionaries, pack)
		if err != nil {
			return nil, err
		}
		messages = append(messages, more...)
	}
	docs, err := readParallel(from.mirrors, r.docs)
	if err != nil {
		return nil, err
	}
	messages = append(messages, docs...)
	for _, s := range r.sentences {
		more, err := readSentences(from.mirrors, s)
		if err != nil {
			return nil, err
		}
		messages = append(messages, more...)
	}
	return messages, nil
}

// makeTable writes the table of the language. show is a text whose words are printed; ""
// prints none.
func (r recipe) makeTable(from sources, out, show string) error {
	d := newDraft(r.language)
	for _, read := range r.lists {
		if err := read(from, d); err != nil {
			return err
		}
	}
	messages, err := r.readMessages(from)
	if err != nil {
		return err
	}
	d.knowStems(messages)
	d.preferFrequent(messages)
	d.normalize()
	var phrases *phraseTable
	// Each step needs the table of the step before: the alignment splits messages
	// into words with it, the phrases are compared with the words of the alignment,
	// and the pruning compares words with their parts.
	steps := []func(*dictionary.Dictionary){
		func(dict *dictionary.Dictionary) { phrases = addAligned(d, dict, messages) },
		func(dict *dictionary.Dictionary) { addPhrases(d, dict, phrases) },
		func(dict *dictionary.Dictionary) { d.prune(dict) },
	}
	var b []byte
	var dict *dictionary.Dictionary
	for i := 0; ; i++ {
		c := d.contents(r.source(), i == 0)
		if i == len(steps) {
			if err := addWritten(&c); err != nil {
				return err
			}
		}
		b = table.Encode(c)
		if dict, err = dictionary.ReadTable(string(b)); err != nil {
			return err
		}
		if i == len(steps) {
			break
		}
		steps[i](dict)
	}
	fmt.Printf("%s: %d pairs of texts, %d words, %d bytes\n", r.language, len(messages), dict.Len(), len(b))
	if show != "" {
		showWords(dict, show)
	}
	return os.WriteFile(filepath.Join(out, r.language+".dict"), b, 0o644)
}

func showWords(dict *dictionary.Dictionary, text string) {
	for _, w := range dict.SplitWords(text) {
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
