package project

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"
)

// mostNesting bounds the brackets in brackets of TOML and JSON. The parsers call
// themselves for each, and a stack that overflows ends the program.
const mostNesting = 100

var errNested = errors.New("its brackets are nested too deeply")

// decodeTOML reads TOML into a value; keys that it has no field for are left out.
func decodeTOML(src []byte, into any) error {
	if NestsTooDeeply(src) {
		return errNested
	}
	_, err := toml.Decode(string(src), into)
	return err
}

// NestsTooDeeply reports whether a text of TOML has too many brackets open at once, those
// in strings and comments left out.
func NestsTooDeeply(src []byte) bool {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; c {
		case '#':
			for i+1 < len(src) && src[i+1] != '\n' {
				i++
			}
		case '"', '\'':
			i = stringEnd(src, i)
		case '[', '{':
			if depth++; depth > mostNesting {
				return true
			}
		case ']', '}':
			depth = max(depth-1, 0)
		}
	}
	return false
}

// stringEnd is the place of the last byte of the string of TOML that begins at a place.
func stringEnd(src []byte, at int) int {
	quote := src[at]
	closing := string(quote)
	if strings.HasPrefix(string(src[at:min(at+3, len(src))]), strings.Repeat(closing, 3)) {
		closing = strings.Repeat(closing, 3)
	}
	for i := at + len(closing); i < len(src); i++ {
		switch {
		case src[i] == '\\' && quote == '"':
			i++
		case src[i] == '\n' && len(closing) == 1:
			return i // the string is damaged, and ends with its line
		case src[i] == quote && strings.HasPrefix(string(src[i:min(i+3, len(src))]), closing):
			return i + len(closing) - 1
		}
	}
	return len(src)
}

// tomlPlaces knows the lines of the keys and of the strings of a TOML file, which the
// parser does not tell. It reads the plain forms; for others it names the line of the table.
type tomlPlaces struct {
	lines map[string]int // by table and key, and by table, key and string
}

func findTOMLPlaces(src []byte) tomlPlaces {
	p := tomlPlaces{lines: map[string]int{}}
	note := func(line int, parts ...string) {
		if key := strings.Join(parts, "\x00"); p.lines[key] == 0 {
			p.lines[key] = line
		}
	}
	table, key, n := "", "", 0
	for line := range strings.Lines(string(src)) {
		n++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") && strings.HasSuffix(strings.TrimRight(line, " "), "]") && !strings.ContainsAny(line, ",=") {
			table, key = strings.Join(splitTOMLKey(strings.Trim(line, "[] ")), "\x00"), ""
			note(n, table)
			continue
		}
		if head, _, ok := strings.Cut(line, "="); ok && !strings.ContainsAny(head, "[{,(<>!~") && !strings.HasPrefix(line, "#") &&
			strings.Count(head, `"`)%2 == 0 && strings.Count(head, "'")%2 == 0 {
			if parts := splitTOMLKey(head); len(parts) > 0 {
				key = parts[0]
				note(n, table, key)
			}
		}
		for rest := line; ; {
			open := strings.IndexAny(rest, `"'`)
			if open < 0 {
				break
			}
			inner := rest[open+1:]
			end := strings.IndexByte(inner, rest[open])
			if end < 0 {
				break
			}
			note(n, table, key, inner[:end])
			rest = inner[end+1:]
		}
	}
	return p
}

// splitTOMLKey splits a dotted key: a."b.c".d
func splitTOMLKey(text string) []string {
	var parts []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		var part string
		if quote := text[0]; quote == '"' || quote == '\'' {
			end := strings.IndexByte(text[1:], quote)
			if end < 0 {
				return append(parts, text[1:])
			}
			part, text = text[1:end+1], strings.TrimPrefix(strings.TrimSpace(text[end+2:]), ".")
		} else {
			part, text, _ = strings.Cut(text, ".")
		}
		parts = append(parts, strings.TrimSpace(part))
	}
	return parts
}

// lineOfKey is the line of a key: its tables, and its own name. It is that of the table where
// the key's is not known, and 1 at the least.
func (p tomlPlaces) lineOfKey(parts ...string) int {
	for ; len(parts) > 0; parts = parts[:len(parts)-1] {
		if line := p.lines[strings.Join(parts, "\x00")]; line > 0 {
			return line
		}
	}
	return 1
}
