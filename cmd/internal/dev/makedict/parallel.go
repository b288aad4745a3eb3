package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// parallel is a repository of translated documentation with the one that it translates;
// english is nil where that is not there.
type parallel struct{ foreign, english *repository }

// readParallel reads headings, sentences, list items and cells that stand at the same
// place of a page and of its translation. A translated heading keeps the English one's
// anchor, so that headings are pairs although the English page is not there. Pages with
// the same key are translations of each other.
func readParallel(mirrors string, sources []parallel) ([]message, error) {
	var out []message
	seen := map[message]bool{}
	for _, s := range sources {
		foreign, err := openPages(mirrors, *s.foreign)
		if err != nil {
			return nil, err
		}
		english := &pages{}
		if s.english != nil {
			if english, err = openPages(mirrors, *s.english); err != nil {
				return nil, err
			}
		}
		texts, err := foreign.readTexts(foreign.paths)
		if err != nil {
			return nil, err
		}
		var paths []string // of the English pages that are translated
		for _, path := range foreign.paths {
			if original, ok := english.byKey[foreign.key(path)]; ok {
				paths = append(paths, original)
			}
		}
		originals, err := english.readTexts(paths)
		if err != nil {
			return nil, err
		}
		for _, path := range foreign.paths {
			original := originals[english.byKey[foreign.key(path)]]
			pairPages(english.sections(original, false), foreign.sections(texts[path], true), func(e, f string) {
				m := message{plainText(e), plainText(f)}
				if m.english != "" && m.foreign != "" && !untranslated(m) && !seen[m] {
					seen[m] = true
					out = append(out, m)
				}
			})
		}
	}
	return out, nil
}

// pages are the files of a repository at its commit that the list of sources names.
type pages struct {
	repository
	dir   string
	paths []string
	byKey map[string]string
}

func openPages(mirrors string, r repository) (*pages, error) {
	p := &pages{repository: r, dir: filepath.Join(mirrors, strings.Replace(r.name, "/", "+", 1), "repo"), byKey: map[string]string{}}
	raw, err := exec.Command("git", "-C", p.dir, "ls-tree", "-r", "--name-only", "-z", p.commit).Output()
	if err != nil {
		return nil, fmt.Errorf("bring a copy of %s with the commit %s there: %s: %w", r.name, r.commit, p.dir, err)
	}
	for _, path := range strings.Split(string(raw), "\x00") {
		if r.matches(path) && !strings.Contains(path, "\n") {
			p.paths, p.byKey[r.key(path)] = append(p.paths, path), path
		}
	}
	if len(p.paths) == 0 {
		return nil, fmt.Errorf("%s has no file like %s at %s", r.name, r.pattern, r.commit)
	}
	return p, nil
}

// readTexts gives the texts of pages by path, without those that a shallow copy lacks.
func (p *pages) readTexts(paths []string) (map[string]string, error) {
	out := map[string]string{}
	if len(paths) == 0 {
		return out, nil
	}
	cmd := exec.Command("git", "-C", p.dir, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(p.commit + ":" + strings.Join(paths, "\n"+p.commit+":") + "\n")
	raw, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("the pages of %s: %w", p.dir, err)
	}
	for _, path := range paths {
		head, rest, _ := bytes.Cut(raw, []byte("\n")) // its name, "blob" and its size; or "missing"
		raw = rest
		fields := strings.Fields(string(head))
		if len(fields) == 0 {
			return nil, fmt.Errorf("%s: git ends before %s", p.dir, path)
		}
		size, err := strconv.Atoi(fields[len(fields)-1])
		if err != nil {
			continue
		}
		if size < 0 || size >= len(raw) {
			return nil, fmt.Errorf("%s: git ends within %s", p.dir, path)
		}
		out[path], raw = string(bytes.TrimSpace(raw[:size])), raw[size+1:]
	}
	return out, nil
}

// section is a heading with the blocks below it.
type section struct {
	anchor, heading string
	kinds           string // of the blocks, a letter each
	blocks          []string
}

var (
	headingLine = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*$`)
	namedAnchor = regexp.MustCompile(`<a name="([^"]*)"></a>`)
	listItem    = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+`)
	notSlug     = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// sectionsOf cuts a page at its headings. In a translated page only headings with an
// English anchor count.
func sectionsOf(text string, translated bool) []section {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		_, text, _ = strings.Cut(rest, "\n---")
	}
	var out []section
	open, fenced := false, false
	add := func(kind byte, line string) {
		s := &out[len(out)-1]
		if n := len(s.blocks); kind == 'p' && open && n > 0 && s.kinds[n-1] != '|' {
			s.blocks[n-1] += " " + line
			return
		}
		s.kinds, s.blocks, open = s.kinds+string(kind), append(s.blocks, line), kind != '|'
	}
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(strings.TrimLeft(line, "> \t"))
		switch m := headingLine.FindStringSubmatch(line); {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			fenced, open = !fenced, false
		case fenced:
		case m != nil:
			s := section{heading: m[1]}
			if a := namedAnchor.FindStringSubmatch(m[1]); a != nil {
				s.anchor = a[1]
			} else if !translated {
				s.anchor = strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(plainText(m[1])), ""), " ", "-")
			}
			out, open = append(out, s), false
		case len(out) == 0 || trimmed == "" || strings.HasPrefix(trimmed, "[!") || strings.HasPrefix(trimmed, ":::"):
			open = false
		case strings.HasPrefix(trimmed, "|"):
			for cell := range strings.SplitSeq(strings.Trim(trimmed, "|"), "|") {
				if strings.Trim(cell, " :-") != "" {
					add('|', cell)
				}
			}
		case listItem.MatchString(line):
			open = false
			add('i', listItem.ReplaceAllString(line, ""))
		default:
			add('p', trimmed)
		}
	}
	return out
}

// pairPages gives what stands at the same place of two pages. Without an English page the
// anchors of the translation speak for its headings.
func pairPages(english, foreign []section, pair func(english, foreign string)) {
	byAnchor := map[string]*section{}
	for i := range english {
		if s := &english[i]; byAnchor[s.anchor] == nil {
			byAnchor[s.anchor] = s
		}
	}
	for i, f := range foreign {
		e := byAnchor[f.anchor]
		if len(english) == len(foreign) && f.anchor == "" {
			e = &english[i]
		}
		if e == nil {
			pair(strings.ReplaceAll(f.anchor, "-", " "), f.heading)
			continue
		}
		pair(e.heading, f.heading)
		if e.kinds != f.kinds {
			continue
		}
		for k := range e.blocks {
			a, b := sentencesOf(e.blocks[k]), sentencesOf(f.blocks[k])
			if len(a) != len(b) {
				a, b = e.blocks[k:k+1], f.blocks[k:k+1]
			}
			for j := range a {
				pair(a[j], b[j])
			}
		}
	}
}

var sentenceEnd = regexp.MustCompile(`[.!?:]\s+|[。！？：]`)

func sentencesOf(text string) (out []string) {
	for _, s := range sentenceEnd.Split(text, -1) {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

var inlineMarks = regexp.MustCompile("<a name=\"[^\"]*\"></a>|`[^`]*`|!?\\[([^\\]]*)\\]\\([^)]*\\)|https?://\\S+|<[^>]*>|\\*+|&[a-z]+;|\\\\")

// plainText leaves out code, marks, anchors and addresses.
func plainText(s string) string {
	return strings.Join(strings.Fields(inlineMarks.ReplaceAllString(s, "$1 ")), " ")
}

// untranslated reports whether most words of a translation are the English ones.
func untranslated(m message) bool {
	english := words(strings.ToLower(m.english))
	same, all := 0, 0
	for _, w := range strings.Fields(strings.ToLower(m.foreign)) {
		all++
		if english[w] {
			same++
		}
	}
	return 2*same > all
}
