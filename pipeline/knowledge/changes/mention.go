package changes

import (
	"strings"

	"docent/pipeline/text/pattern"
)

// isNameByte reports whether a byte may stand inside of a name.
func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '-' || c == '.' || c == '@'
}

// aboutChanges are pages and headings that tell of changes: names stand there that are gone.
var aboutChanges = pattern.Lazy(`(?i)\b(?:migrat\w*|break(?:ing|age)\w*|change-?logs?|changes|upgrad\w*` +
	`|release[-_ ]?notes?|releases?|what'?s[-_ ]?new|deprecat\w*|remov\w*|announc\w*|history|news|versions?|blog)\b`)

// readMentions notes the first place at which each wanted name stands in code: in a block, in
// a span of code, or anywhere if it is written as code. Places that tell of changes are kept
// apart.
func (v *Version) readMentions(r *reader) {
	fence := ""
	for i, l := range r.lines {
		t := strings.TrimLeft(strings.TrimSpace(l), "> ")
		if fence != "" && strings.HasPrefix(t, fence) {
			fence = ""
			continue
		}
		if fence == "" && (strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~")) {
			fence = t[:3]
			continue
		}
		indented := strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t")
		v.mentionsInLine(r, i, l, fence != "" || indented)
	}
}

// tells reports whether a line, counted from 1, tells of changes.
func (r *reader) tells(line int) bool {
	if r.history == nil {
		page := aboutChanges().MatchString(strings.ReplaceAll(r.Path, "_", " ")) || aboutChanges().MatchString(r.Title)
		r.history = make([]bool, len(r.lines))
		for i, l := range r.lines {
			at := r.sections[i]
			r.history[i] = page || at >= 0 && aboutChanges().MatchString(r.paths[at]) || hasKeyword(strings.ToLower(l))
		}
	}
	return line > 0 && line <= len(r.history) && r.history[line-1]
}

func (v *Version) mentionsInLine(r *reader, line int, l string, code bool) {
	l = strings.ReplaceAll(l, "::", ".")
	ticks := 0
	for at := 0; at < len(l); {
		if l[at] == '`' {
			ticks++
		}
		if !isNameByte(l[at]) {
			at++
			continue
		}
		end := at
		for end < len(l) && isNameByte(l[end]) {
			end++
		}
		v.mention(r, line, l[at:end], code || ticks%2 == 1)
		at = end
	}
}

// mention notes a word and the parts of a dotted one.
func (v *Version) mention(r *reader, line int, word string, code bool) {
	word = strings.TrimRight(word, ".-")
	note := func(name string) {
		if !v.wanted[name] || !code && !isWrittenAsCode(name) {
			return
		}
		into := v.mentions
		if r.tells(line + 1) {
			into = v.history
		}
		at := r.placeOf(line+1, line+1)
		if _, ok := into[name]; !ok {
			into[name] = at
		}
		if isFlag(name) && !r.tells(line+1) {
			if v.flagMentions[name] == nil {
				v.flagMentions[name] = map[string]bool{}
			}
			v.flagMentions[name][pageUnit(at)], v.flagMentions[name][sectionUnit(at)] = true, true
		}
	}
	note(word)
	if strings.HasPrefix(word, "-") {
		return
	}
	parts := strings.Split(strings.Trim(word, "."), ".")
	if len(parts) > 8 {
		return
	}
	for i := range parts {
		for j := i + 1; j <= len(parts); j++ {
			note(strings.Join(parts[i:j], "."))
		}
	}
}
