package synonym

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/sanitize"
)

// Folder holds lists of synonyms (.txt) and of abbreviations (.tsv): in a home for all doc
// sets, in a doc set's folder for the questions that it is searched for.
const Folder = "synonyms"

// IsList reports whether a file of Folder is a list, by its name.
func IsList(name string) bool {
	lower := strings.ToLower(name)
	return !strings.HasPrefix(name, ".") && (strings.HasSuffix(lower, ".txt") || strings.HasSuffix(lower, ".tsv"))
}

// Limits of a list.
const (
	MaxBytes   = 1 << 20
	MaxGroups  = 10_000
	mostTerms  = 32 // of a group
	mostWords  = 5  // of a term; a long form may have mostLong
	mostLong   = 8
	mostRunes  = 80 // of a term
	mostFaults = 20 // that are reported
)

// Fault is a line of a list that does not count.
type Fault struct {
	File    string
	Line    int // from 1; 0: the file as a whole
	Message string
}

// Error is "FILE:LINE: MESSAGE".
func (f Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message)
}

// ParseList reads a list: in a file whose name ends in .tsv an abbreviation, a tab and its
// long form on each line (specification 5, 8.2), in any other terms parted by commas.
// Lines that begin with # and empty ones say nothing. A faulty line does not count; the
// others do.
func ParseList(file string, src []byte) ([]Group, []Fault) {
	if len(src) > MaxBytes {
		return nil, []Fault{{File: file, Message: fmt.Sprintf(
			"a list of %d bytes; at most %d are read: part it into several files, and keep the words that people ask with", len(src),
			MaxBytes)}}
	}
	if !utf8.Valid(src) {
		return nil, []Fault{{File: file, Message: "it is not UTF-8: save it as UTF-8"}}
	}
	p := parser{file: file, short: strings.HasSuffix(strings.ToLower(file), ".tsv"), seen: map[string]int{}}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(src), "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(p.groups) == MaxGroups {
			p.addFault(n, "more than %d groups; the rest of the file does not count", MaxGroups)
			break
		}
		p.readLine(n, line)
	}
	return p.groups, p.faults
}

type parser struct {
	file   string
	short  bool
	groups []Group
	faults []Fault
	seen   map[string]int // the line of a group, by its terms
}

func (p *parser) addFault(line int, format string, args ...any) {
	switch {
	case len(p.faults) < mostFaults:
		p.faults = append(p.faults, Fault{p.file, line, fmt.Sprintf(format, args...)})
	case len(p.faults) == mostFaults:
		p.faults = append(p.faults, Fault{p.file, line, "this line and others have faults too; they are not listed"})
	}
}

func (p *parser) readLine(n int, line string) {
	sep := ","
	if p.short {
		sep = "\t"
		if !strings.Contains(line, sep) {
			p.addFault(n, "no tab: a line is an abbreviation, a tab and its long form")
			return
		}
	}
	g := Group{File: p.file, Line: n, Short: p.short}
	have := map[string]bool{}
	for term := range strings.SplitSeq(line, sep) {
		term = strings.Join(strings.Fields(term), " ")
		if term == "" || have[strings.ToLower(term)] {
			continue
		}
		if why := p.reasonUnfit(term, len(g.Terms) > 0 && p.short); why != "" {
			p.addFault(n, "%q %s; the line does not count", sanitize.Line(beginningOf(term)), why)
			return
		}
		have[strings.ToLower(term)] = true
		g.Terms = append(g.Terms, term)
	}
	switch {
	case len(g.Terms) < 2:
		p.addFault(n, "one term alone: a line needs two that differ")
	case len(g.Terms) > mostTerms:
		p.addFault(n, "%d terms; at most %d mean the same", len(g.Terms), mostTerms)
	default:
		if k := strings.ToLower(strings.Join(g.Terms, ",")); p.seen[k] == 0 {
			p.seen[k] = n
			p.groups = append(p.groups, g)
		}
	}
}

// reasonUnfit says why a text is no term.
func (p *parser) reasonUnfit(term string, long bool) string {
	most := mostWords
	if long {
		most = mostLong
	}
	switch {
	case utf8.RuneCountInString(term) > mostRunes:
		return fmt.Sprintf("is longer than %d characters", mostRunes)
	case strings.Count(term, " ")+1 > most:
		return fmt.Sprintf("has more than %d words", most)
	case strings.ContainsFunc(term, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "has characters that cannot be printed"
	case !strings.ContainsFunc(term, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "has neither a letter nor a digit"
	}
	return ""
}

// beginningOf is the beginning of a text.
func beginningOf(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
