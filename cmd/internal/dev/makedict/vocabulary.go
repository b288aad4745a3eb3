package main

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// readVariants makes traditional characters simplified ones where Unihan knows one that
// is not also a traditional one.
func readVariants(from sources, d *draft) error {
	return eachUnihan(from, "Unihan_Variants.txt.bz2", "kSimplifiedVariant", func(r rune, value string) {
		var to []rune
		for _, v := range strings.Fields(value) {
			if n, err := strconv.ParseUint(strings.TrimPrefix(v, "U+"), 16, 32); err == nil {
				to = append(to, rune(n))
			}
		}
		if len(to) > 0 && !slices.Contains(to, r) && to[0] < 0x10000 && r < 0x10000 {
			d.folds[r] = to[0]
		}
	})
}

// readDefinitions adds the meanings of characters that Unihan has.
func readDefinitions(from sources, d *draft) error {
	return eachUnihan(from, "Unihan_Readings.txt.bz2", "kDefinition", func(r rune, value string) {
		if d.folds[r] != 0 || !d.known[string(r)] {
			return
		}
		for i, sense := range strings.Split(value, ";") {
			for k, g := range clean(sense) {
				if i < 3 && k < 3 {
					d.add(string(r), g, rank(i, k))
				}
			}
		}
	})
}

// eachUnihan calls yield with the values of a property of Unihan.
func eachUnihan(from sources, file, property string, yield func(r rune, value string)) error {
	f, err := os.Open(filepath.Join(from.dictionaries, "deb/usr/share/unicode", file))
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(bzip2.NewReader(f))
	for lines.Scan() {
		code, rest, _ := strings.Cut(lines.Text(), "\t")
		name, value, _ := strings.Cut(rest, "\t")
		if n, err := strconv.ParseUint(strings.TrimPrefix(code, "U+"), 16, 32); err == nil && name == property {
			yield(rune(n), value)
		}
	}
	return lines.Err()
}

// readChinese adds the words of jieba as known ones.
func readChinese(from sources, d *draft) error {
	raw, err := os.ReadFile(filepath.Join(from.dictionaries, "deb/usr/lib/python3/dist-packages/jieba/dict.txt"))
	if err != nil {
		return err
	}
	for line := range strings.SplitSeq(string(raw), "\n") {
		w, _, _ := strings.Cut(line, " ")
		if n := utf8.RuneCountInString(w); n > 0 && n <= 6 && strings.IndexFunc(w, func(r rune) bool { return !unicode.Is(unicode.Han, r) }) < 0 {
			d.known[strings.Map(d.fold, w)] = true
		}
	}
	return nil
}

// readJapanese adds the words of IPADIC as known ones, and the forms of its verbs and
// adjectives.
func readJapanese(from sources, d *draft) error {
	for _, name := range []string{"Noun", "Noun.verbal", "Noun.adjv", "Noun.adverbal", "Noun.others", "Noun.proper", "Noun.place", "Noun.nai",
		"Adverb", "Verb", "Adj"} {
		cmd := exec.Command("iconv", "-c", "-f", "euc-jp", "-t", "utf-8",
			filepath.Join(from.dictionaries, "deb/usr/share/mecab/dic/ipadic", name+".csv"))
		raw, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("%s.csv of IPADIC: %w", name, err)
		}
		for lines := bufio.NewReader(bytes.NewReader(raw)); ; {
			line, err := lines.ReadString('\n')
			if err == io.EOF {
				break
			}
			// surface, three numbers, six for its kind, base, two readings
			f := strings.Split(line, ",")
			if len(f) < 11 || isHiragana(f[0]) || !foreignOnly(d.language, f[0]) {
				continue
			}
			d.known[f[10]] = true
			if f[0] != f[10] && !slices.Contains(d.extra[f[0]], f[10]) {
				d.extra[f[0]] = append(d.extra[f[0]], f[10])
			}
		}
	}
	return nil
}

func isHiragana(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.Is(unicode.Hiragana, r) }) < 0
}
