package fidelity

import (
	"bytes"
	"strconv"
)

// scanJSON takes the words of JSON, or of OpenAPI in YAML: of descriptions of interfaces
// and schemas their titles and descriptions, whose other parts are written in other words;
// of other JSON all names and texts.
func scanJSON(t *tally, src []byte) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(src, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(trimmed) > 0 && trimmed[0] != '{' && trimmed[0] != '[' && trimmed[0] != '/' || bytes.HasPrefix(trimmed, []byte("{{")) {
		scanYAML(t, src)
		return
	}
	described := false
	for _, mark := range []string{`"openapi"`, `"swagger"`, `"$schema"`, `"properties"`, `"$defs"`} {
		described = described || bytes.Contains(src[:min(len(src), 64<<10)], []byte(mark))
	}
	key := ""
	for len(src) > 0 {
		i := bytes.IndexByte(src, '"')
		if i < 0 {
			return
		}
		text, rest := readString(src[i+1:])
		isKey := false
		if after := bytes.TrimLeft(rest, " \t\r\n"); len(after) > 0 && after[0] == ':' {
			isKey = true
			key = string(text[:min(len(text), 40)])
		}
		if !described || !isKey && isDescription(key) {
			addJSONString(t, text)
			t.endWord()
		}
		src = rest
	}
}

// isDescription reports whether the value of a key is a text for people.
func isDescription(key string) bool {
	return key == "description" || key == "summary" || key == "title"
}

// readString reads a string up to the quote that ends it.
func readString(src []byte) (text, rest []byte) {
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return src[:i], src[i+1:]
		}
	}
	return src, nil
}

// addJSONString adds a string with its escapes.
func addJSONString(t *tally, text []byte) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 >= len(text) {
			t.addText(text)
			return
		}
		t.addText(text[:i])
		c := text[i+1]
		text = text[i+2:]
		switch c {
		case 'n', 't', 'r', 'f', 'b', ' ':
			t.endWord()
		case 'x': // of YAML
			n, err := strconv.ParseUint(string(text[:min(2, len(text))]), 16, 16)
			if err == nil {
				t.addCharacter(rune(n))
			}
			text = text[min(2, len(text)):]
		case 'u':
			n, err := strconv.ParseUint(string(text[:min(4, len(text))]), 16, 16)
			if err == nil {
				t.addCharacter(rune(n))
			}
			text = text[min(4, len(text)):]
		default:
			t.addText([]byte{c})
		}
	}
}

// scanYAML takes the titles and descriptions of YAML.
func scanYAML(t *tally, src []byte) {
	open := -1      // the indentation of the key whose text is being read
	quoted := false // it stands in double quotes
	eachLine(src, func(line []byte) {
		indent, length := indentOf(line)
		text := line[length:]
		if len(text) == 0 {
			return
		}
		if open >= 0 && indent > open && quoted {
			addQuotedLine(t, text)
			return
		}
		if open >= 0 && indent > open {
			t.addText(text)
			t.endWord()
			return
		}
		open = -1
		for bytes.HasPrefix(text, []byte("- ")) {
			text = text[2:]
			indent += 2
		}
		key, value, found := bytes.Cut(text, []byte{':'})
		value = bytes.TrimSpace(value)
		if !found || len(value) == 0 || value[0] == '#' || value[0] == '{' || value[0] == '*' ||
			!isDescription(string(bytes.Trim(key, `"'`))) {
			return
		}
		open, quoted = indent, value[0] == '"'
		if quoted {
			addQuotedLine(t, value)
			return
		}
		if value[0] != '|' && value[0] != '>' && value[0] != '&' {
			t.addText(value)
			t.endWord()
		}
	})
}

// addQuotedLine adds a line of a text of YAML in double quotes, which has escapes. One at its end joins it to
// the next line.
func addQuotedLine(t *tally, line []byte) {
	before, joined := bytes.CutSuffix(line, []byte{'\\'})
	if joined = joined && !bytes.HasSuffix(before, []byte{'\\'}); joined {
		line = before
	}
	addJSONString(t, line)
	if !joined {
		t.endWord()
	}
}
