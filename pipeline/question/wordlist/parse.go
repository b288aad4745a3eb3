package wordlist

import "strings"

// parseLists reads a file of lists. "[name]" begins a list of phrases, which " | " or the end
// of a line separates; "/name/" begins regular expressions, one a line. "_" at either end
// of a phrase is a space. A line that begins with "# " is a comment.
func parseLists(topic, text string) map[Rule]list {
	out := map[Rule]list{}
	var rule Rule
	var regular bool
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line == "#" || strings.HasPrefix(line, "# ") {
			continue
		}
		if name, isPattern, ok := readListHeader(line); ok {
			rule, regular = Rule(topic+"/"+name), isPattern
			continue
		}
		l := out[rule]
		l.regular = regular
		if regular {
			l.phrases = append(l.phrases, line)
		} else {
			for phrase := range strings.SplitSeq(line, " | ") {
				l.phrases = append(l.phrases, phraseWithSpaces(strings.TrimSpace(phrase)))
			}
		}
		out[rule] = l
	}
	return out
}

// readListHeader reads a line that begins a list.
func readListHeader(line string) (name string, regular, ok bool) {
	if len(line) < 3 {
		return "", false, false
	}
	name = line[1 : len(line)-1]
	if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
		return "", false, false
	}
	switch line[:1] + line[len(line)-1:] {
	case "[]":
		return name, false, true
	case "//":
		return name, true, true
	}
	return "", false, false
}

// phraseWithSpaces is a phrase with spaces for the "_" at its ends.
func phraseWithSpaces(phrase string) string {
	if len(phrase) > 1 && phrase[0] == '_' {
		phrase = " " + phrase[1:]
	}
	if n := len(phrase); n > 1 && phrase[n-1] == '_' {
		phrase = phrase[:n-1] + " "
	}
	return phrase
}
