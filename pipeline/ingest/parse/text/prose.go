package text

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
	"docent/store/doc"
)

// proseVersion is the version of Prose.
const proseVersion = 3

// Prose is the parser of plain text as people write it. It implements parse.Parser.
type Prose struct{}

// Info describes the format.
func (Prose) Info() parse.Info {
	return parse.Info{Format: doc.FormatProse, Version: proseVersion, Name: "plain text", Extensions: []string{parse.NoEnding},
		Sniffed: []string{".txt", ".text"}, Sniff: isProse, Verbatim: true, Packed: true, Plain: true}
}

// Parse parses a page. It never fails: bytes that are not UTF-8 become U+FFFD, with a
// warning. The title is a short first line before an empty one or a line of one sign, behind a comment with #
// such as a licence's, else the file's name.
func (Prose) Parse(_ context.Context, src []byte, opt parse.Options) (doc.Document, error) {
	sum := sha256.Sum256(src)
	d := doc.Document{
		Rendition: doc.Rendition{Source: src, Text: src, Parser: proseVersion, Plain: true},
		Path:      opt.Path, Title: opt.FallbackTitle, Format: doc.FormatProse, Lines: doc.CountLines(src), Bytes: len(src),
		SHA256: hex.EncodeToString(sum[:]),
	}
	if !utf8.Valid(src) {
		d.Warnings = append(d.Warnings, "not all of it is UTF-8")
	}
	if title := titleOfText(src); title != "" && !opt.Titled {
		d.Title, d.H1 = parse.CutTitle(title), title
	}
	all := doc.Span{End: len(src), StartLine: 1, EndLine: d.Lines}
	d.Sections = []doc.Section{{Parent: -1, Span: all, Tree: all, Source: true}}
	if heads := headingsOf(src); len(heads) > 0 {
		addSections(&d, src, heads)
	} else {
		paragraphs(&d, src, 0, 1)
	}
	return d, nil
}

// Structure reads the structure of a page or of a part of it.
func (p Prose) Structure(ctx context.Context, text []byte) (doc.Document, error) {
	return p.Parse(ctx, text, parse.Options{})
}

// mostTitle is the length of a line that may be a title, in bytes.
const mostTitle = 100

// titleOfText is the first line that is not blank, where it is a title: short, no sentence,
// and by itself or underlined; "" otherwise.
func titleOfText(src []byte) string {
	src = withoutComment(bytes.TrimLeftFunc(bytes.TrimPrefix(src, []byte("\ufeff")), unicode.IsSpace))
	line, rest, _ := bytes.Cut(src, []byte{'\n'})
	title := cleanText(line)
	if marked, ok := strings.CutPrefix(title, "# "); ok { // a heading of Markdown
		title = strings.TrimSpace(marked)
	}
	if title == "" || len(title) > mostTitle || strings.HasSuffix(title, ".") || strings.HasSuffix(title, ",") ||
		strings.IndexFunc(title, unicode.IsLetter) < 0 {
		return ""
	}
	next, _, _ := bytes.Cut(rest, []byte{'\n'})
	if under := strings.TrimSpace(string(next)); under != "" && strings.Trim(under, under[:1]) != "" {
		return ""
	}
	return title
}

// withoutComment is a text without the lines of a comment that it begins with: #, then lines that begin with # and a
// blank, as files of code have their licence.
func withoutComment(src []byte) []byte {
	first, rest, _ := bytes.Cut(src, []byte{'\n'})
	if string(bytes.TrimSpace(first)) != "#" {
		return src
	}
	for bytes.HasPrefix(rest, []byte{'#'}) {
		_, rest, _ = bytes.Cut(rest, []byte{'\n'})
	}
	return bytes.TrimLeftFunc(rest, unicode.IsSpace)
}

// Thresholds for prose, measured on the beginning of a file. Of the .txt files of a Linux
// system, those that people would read as documentation have more than three letters to
// each four characters that are not blank, sentences, and hardly a digit to each ten
// letters.
const (
	leastLetters   = .76 // of the characters that are not blank
	mostDigits     = .1  // of the letters
	leastSentences = 2
	mostSentence   = 60 // words of a sentence, on average
	leastSentence  = 4
)

// helpTag is how a file of Vim's help begins, and that of each plugin for it: its own name is the first
// tag. Such files have tables of keys and options at their beginnings.
var helpTag = pattern.Lazy(`^\*[\w.+-]+\.txt\*[ \t]`)

// listMarks end a text as a full stop does, in descriptions that are written as lists: an item, and a
// paragraph.
var listMarks = pattern.Lazy(`\n[ \t]*(?:[-*] |\r?\n)`)

// isProse reports whether a text is prose. Licences are prose that documents nothing.
func isProse(head []byte) bool {
	if len(head) == parse.HeadBytes { // it may end within a character
		for range utf8.UTFMax - 1 {
			if r, n := utf8.DecodeLastRune(head); r != utf8.RuneError || n != 1 {
				break
			}
			head = head[:len(head)-1]
		}
	}
	if !utf8.Valid(head) {
		return false
	}
	if helpTag().Match(head) {
		return true
	}
	letters, digits, others, words, sentences := 0, 0, 0, 0, 0
	var before, last rune // the characters before
	for _, r := range string(head) {
		switch {
		case unicode.IsLetter(r) || unicode.IsMark(r):
			if letters++; !unicode.IsLetter(before) || r >= 0x2e80 { // scripts without blanks: a word a character
				words++
			}
		case unicode.IsDigit(r):
			digits++
		case unicode.IsSpace(r):
			if strings.ContainsRune(".!?", before) && (unicode.IsLetter(last) || strings.ContainsRune(")\"'”’", last)) {
				sentences++
			}
		case unicode.IsControl(r):
			return false
		default:
			if others++; strings.ContainsRune("。！？", r) {
				sentences++
			}
		}
		last, before = before, r
	}
	if strings.ContainsRune(".!?", before) {
		sentences++
	}
	return sentences >= leastSentences && float64(letters) >= leastLetters*float64(letters+digits+others) &&
		float64(digits) <= mostDigits*float64(letters) &&
		words <= mostSentence*(sentences+len(listMarks().FindAllIndex(head, -1))) && words >= leastSentence*sentences && !isLicence(head)
}

// licences are words that licences have near their beginnings.
var licences = [...]string{"permission is hereby granted", "redistribution and use in source and binary", "gnu general public license",
	"gnu lesser general public license",
	"apache license", "mozilla public license", "all rights reserved", "creative commons", "permission to use, copy, modify",
	"licensed under", "end user license agreement"}

func isLicence(head []byte) bool {
	text := spacing.Folded(string(head))
	for _, words := range licences {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}
