package fidelity

import (
	"bytes"

	"docent/pipeline/text/pattern"
)

var (
	settingsNote   = pattern.Lazy(`(?:\+docs:[a-z]+=?|@(?:param|extra|section|skip|default|ignored|schema|raw|description(?:Start|End))\b)`)
	settingsHidden = pattern.Lazy(`^[ \t]*#+[ \t]*(?:@(?:skip|ignored?|raw|description)|\+docs:(?:hidden|ignore|enum|property))`)
	settingsEscape = pattern.Lazy(`\]\(https?://[^\s()]+\)`)
)

// scanSettings takes the words of settings in YAML: keys, values and comments, without
// annotations and the targets of links.
func scanSettings(t *tally, src []byte) {
	schema := false
	eachLine(src, func(line []byte) {
		trimmed := bytes.TrimSpace(line)
		if bytes.HasPrefix(trimmed, []byte("#")) {
			if string(bytes.TrimSpace(bytes.TrimLeft(trimmed, "#"))) == "@schema" {
				schema = !schema
				return
			}
			if schema || settingsHidden().Match(line) {
				return
			}
			line = settingsEscape().ReplaceAll(settingsNote().ReplaceAll(line, []byte(" ")), []byte("] "))
		}
		t.addText(line)
		t.endWord()
	})
}
