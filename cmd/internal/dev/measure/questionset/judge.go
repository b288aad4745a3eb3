package questionset

import (
	"regexp"
	"slices"
	"strings"
)

// citation are the lines of a block that say where its text comes from.
var citation = regexp.MustCompile(`^\*\*(Source|Path|URL|Document Set|SHA256|Sha256|Lines|Section|Version)[^*]*\*\*`)

// contentLines are the lines of a program's output that are text of pages: for a block of
// docent, those between its head and its end without its citations; otherwise all.
func contentLines(output string) []string {
	lines := strings.Split(strings.ReplaceAll(output, "\r\n", "\n"), "\n")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "=== AOP-FINAL") }); i >= 0 {
		lines = lines[i+1:]
		if len(lines) > 0 && strings.HasPrefix(lines[0], "**Pass through") {
			lines = lines[1:]
		}
	}
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "=== END-AOP-FINAL") }); i >= 0 {
		lines = lines[:i]
	}
	var out []string
	for _, l := range lines {
		if citation.MatchString(l) {
			for strings.HasPrefix(l, "**Source") && len(out) > 0 && (strings.TrimSpace(out[len(out)-1]) == "" || out[len(out)-1] == "---") {
				out = out[:len(out)-1] // the rule before a citation
			}
			continue
		}
		out = append(out, l)
	}
	for len(out) > 0 && strings.TrimSpace(out[0]) == "" {
		out = out[1:]
	}
	for len(out) > 0 && strings.TrimSpace(out[len(out)-1]) == "" {
		out = out[:len(out)-1]
	}
	return out
}

// lastLine is the line, from 1, by which every nugget of the question has stood in the
// lines; 0: not all do. A nugget may stand across a line break.
func lastLine(lines []string, nuggets [][]string) int {
	var text strings.Builder
	ends := make([]int, len(lines)) // of the lines, in the folded text
	for i, l := range lines {
		if f := foldText(l); f != "" {
			if text.Len() > 0 {
				text.WriteByte(' ')
			}
			text.WriteString(f)
		}
		ends[i] = text.Len()
	}
	last := 0
	for _, group := range nuggets {
		first := -1 // where the first alternative ends
		for _, alternative := range group {
			folded := foldText(alternative)
			if at := strings.Index(text.String(), folded); at >= 0 && (first < 0 || at+len(folded) < first) {
				first = at + len(folded)
			}
		}
		if first < 0 {
			return 0
		}
		line := slices.IndexFunc(ends, func(end int) bool { return end >= first }) + 1
		last = max(last, line)
	}
	return last
}

// The neutral arms, which know nothing but the ranking.
const greedyLines = 60

// firstSections are the lines of the first k sections, whole.
func firstSections(ranked []section, k int) (out []string) {
	for _, s := range ranked[:min(k, len(ranked))] {
		out = append(out, strings.Split(strings.TrimRight(s.text, "\n"), "\n")...)
	}
	return out
}

// greedy takes whole sections in the order of the ranking, as long as they fit into a
// screen and a half; the first is cut there if it is longer.
func greedy(ranked []section) (out []string) {
	for i, s := range ranked {
		lines := strings.Split(strings.TrimRight(s.text, "\n"), "\n")
		switch {
		case len(out)+len(lines) <= greedyLines:
			out = append(out, lines...)
		case i == 0:
			out = append(out, lines[:greedyLines]...)
		}
		if i >= 20 || len(out) == greedyLines {
			break
		}
	}
	return out
}
