package fidelity

import (
	"bytes"
	"strings"

	"docent/pipeline/text/pattern"
)

var (
	podCommand = pattern.Lazy(`^=([A-Za-z][A-Za-z0-9]*)[ \t]*(.*)$`)
	podHidden  = pattern.Lazy(`[XZ]<[^<>]*>`)
	podLink    = pattern.Lazy(`L<([^<>|/]*)\|[^<>|]*>`)
	podEntity  = pattern.Lazy(`E<([A-Za-z]+)>`)
	podCode    = pattern.Lazy(`[A-Z]<+|>+`)
)

// scanPOD takes the words of POD: without the code around it, names of commands, targets
// of links, terms of the index and what is written for one formatter.
func scanPOD(t *tally, src []byte) {
	inside := !bytes.Contains(append([]byte("\n"), src[:min(len(src), 1)]...), []byte("\n=")) && !bytes.Contains(src, []byte("\n="))
	format, one := "", false // what is written for a formatter; one paragraph of it
	eachLine(src, func(line []byte) {
		if m := podCommand().FindSubmatch(line); m != nil && (inside || string(m[1]) != "cut") {
			inside, one = string(m[1]) != "cut", false
			rest := string(m[2])
			name, text, _ := strings.Cut(rest, " ")
			switch string(m[1]) {
			case "begin":
				if !strings.HasPrefix(rest, ":") {
					format = rest
				}
			case "end":
				format = ""
			case "for":
				if one = !strings.HasPrefix(name, ":"); !one {
					addPOD(t, []byte(text))
				}
			case "head1", "head2", "head3", "head4", "head5", "head6", "item":
				if strings.HasPrefix(string(m[1]), "head") {
					format = ""
				}
				if format == "" {
					addPOD(t, []byte(strings.TrimLeft(rest, "*0123456789. ")))
				}
			}
			return
		}
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			one = false
		case !inside || one || format != "":
		case line[0] == ' ' || line[0] == '\t':
			t.addText(line)
			t.endWord()
		default:
			addPOD(t, line)
		}
	})
}

// addPOD adds a line without its codes.
func addPOD(t *tally, line []byte) {
	if bytes.IndexByte(line, '<') >= 0 || bytes.IndexByte(line, '>') >= 0 {
		line = podHidden().ReplaceAll(line, nil)
		line = podLink().ReplaceAll(line, []byte("$1"))
		line = podEntity().ReplaceAll(line, []byte("&$1;"))
		line = podCode().ReplaceAll(line, nil)
	}
	t.addText(line)
	t.endWord()
}
