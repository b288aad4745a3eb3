package pdf

import "strings"

// contentsNames are what a table of contents is called, letter by letter: no title.
var contentsNames = map[string]bool{"contents": true, "tableofcontents": true, "inhalt": true, "inhaltsverzeichnis": true, "sommaire": true,
	"tabledesmatières": true, "índice": true, "indice": true, "abstract": true, "index": true}

// largestTitleText is the largest text of the first two pages that may be the title, or "".
func (l *layout) largestTitleText() string {
	best, text := larger*l.body.size, ""
	for i := 0; i < len(l.elements); i++ {
		ln := l.elements[i].line
		if ln == nil || ln.style.size <= best {
			continue
		}
		if ln.page > 2 {
			break
		}
		n := l.titleLines(i)
		if n == 0 {
			continue
		}
		var parts []string
		for k := range n {
			parts = append(parts, l.elements[i+k].line.lineText())
		}
		if joined := strings.Join(parts, " "); !contentsNames[comparableText(joined)] {
			best, text = ln.style.size, joined
		}
		i += n - 1
	}
	return text
}

// titleLines counts the lines from element i on that look like a title, or 0. It may begin
// with a small letter, as names of programs do.
func (l *layout) titleLines(i int) int {
	if n := l.looksLikeOne(i); n > 0 {
		return n
	}
	first := l.elements[i].line
	if first.style.size < 1.3*l.body.size || !hasLetters(first.lineText(), 3) || first.segments > 1 ||
		len(first.words) > mostHeadingWords || first.ocr {
		return 0
	}
	return l.linesLike(i)
}
