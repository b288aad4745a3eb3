package domain

import (
	"slices"
	"strconv"
	"strings"
)

// LineOfKey is the line of a docent.toml, from 1, on which a key such as a.b."c d" stands, or
// the nearest table around it; 0 where neither is found. Numbers in brackets, as in
// chain[1], count the tables of a list.
func LineOfKey(raw []byte, key string) int {
	want := splitKey(key)
	var table []string
	best, at := 0, 0
	seen := map[string]int{}
	n := 0
	for line := range strings.Lines(string(raw)) {
		n++
		line = strings.TrimSpace(line)
		var here []string
		switch {
		case line == "" || line[0] == '#':
			continue
		case strings.HasPrefix(line, "[["):
			table = splitKey(strings.Trim(strings.SplitN(line, "]]", 2)[0], "[ "))
			name := strings.Join(table, "\x00")
			table[len(table)-1] += "[" + strconv.Itoa(seen[name]) + "]"
			seen[name]++
			here = table
		case line[0] == '[':
			table = splitKey(strings.Trim(strings.SplitN(line, "]", 2)[0], "[ "))
			here = table
		default:
			name, _, ok := cutEquals(line)
			if !ok {
				continue
			}
			here = append(slices.Clone(table), splitKey(name)...)
		}
		if len(here) > best && len(here) <= len(want) && slices.Equal(here, want[:len(here)]) {
			best, at = len(here), n
		}
		// [a.b] is the first line of the key a too.
		if at == 0 && len(here) > len(want) && slices.Equal(here[:len(want)], want) {
			at = n
		}
	}
	return at
}

// cutEquals cuts a line at its first = outside of quotes.
func cutEquals(line string) (key, value string, ok bool) {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '=':
			return line[:i], line[i+1:], true
		}
	}
	return "", "", false
}

// splitKey splits a dotted key; parts in quotes stay whole.
func splitKey(key string) []string {
	var parts []string
	var part strings.Builder
	quote := rune(0)
	for _, c := range key {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			part.WriteRune(c)
		case c == '"' || c == '\'':
			quote = c
		case c == '.':
			parts = append(parts, strings.TrimSpace(part.String()))
			part.Reset()
		case c != ' ' && c != '\t':
			part.WriteRune(c)
		}
	}
	return append(parts, part.String())
}
