package fidelity

import (
	"bytes"
	"strings"

	"docent/pipeline/text/spacing"
)

// wikiText is a page of wikitext while it is read.
type wikiText struct {
	t     *tally
	src   []byte
	at    int
	lacks map[string]bool // marks that are not in the rest of the source
	open  int             // templates
}

// wikiRaw are the tags whose content is no wikitext; that of the hidden ones is not shown.
var (
	wikiRaw    = spacing.WordSet("nowiki pre source syntaxhighlight math chem ce score timeline graph")
	wikiHidden = spacing.WordSet("includeonly templatedata templatestyles")
)

// scanWiki takes the words of wikitext: without comments, tags, names of templates and their
// arguments, targets of links that have a text, attributes of tables, categories and
// pictures.
func scanWiki(t *tally, src []byte) {
	w := &wikiText{t: t, src: src, lacks: map[string]bool{}}
	for w.at < len(src) {
		w.readNext()
	}
}

// until is the place behind a mark, -1 without one.
func (w *wikiText) until(mark string) int {
	if w.lacks[mark] {
		return -1
	}
	i := bytes.Index(w.src[w.at:], []byte(mark))
	if i < 0 {
		w.lacks[mark] = true
		return -1
	}
	return w.at + i + len(mark)
}

func (w *wikiText) readNext() {
	rest := w.src[w.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		w.t.endWord()
		end := w.until("-->")
		if end < 0 {
			end = w.at + len(rest)
			if i := bytes.IndexByte(rest, '\n'); i >= 0 {
				end = w.at + i
			}
		}
		w.at = end
	case rest[0] == '<':
		w.readTag(rest)
	case bytes.HasPrefix(rest, []byte("{{")):
		w.t.endWord()
		w.at += 2
		w.open++
		w.skipName()
	case bytes.HasPrefix(rest, []byte("}}")):
		w.t.endWord()
		w.at += 2
		w.open = max(0, w.open-1)
	case bytes.HasPrefix(rest, []byte("[[")):
		w.readLink(rest)
	case rest[0] == '[' && (bytes.HasPrefix(rest[1:], []byte("http")) || bytes.HasPrefix(rest[1:], []byte("//"))):
		w.t.endWord()
		end := 1
		for end < len(rest) && rest[end] > ' ' && rest[end] != ']' {
			end++
		}
		if end < len(rest) && rest[end] == ']' {
			w.t.addText(rest[1:end])
		}
		w.at += end
	case bytes.HasPrefix(rest, []byte("''")):
		for w.at < len(w.src) && w.src[w.at] == '\'' {
			w.at++
		}
	case bytes.HasPrefix(rest, []byte("__")) && len(rest) > 4 && rest[2] >= 'A' && rest[2] <= 'Z':
		end := bytes.Index(rest[2:min(len(rest), 40)], []byte("__"))
		if end < 0 {
			w.at += 2
			return
		}
		w.at += end + 4
	case rest[0] == '|' || rest[0] == '!':
		w.skipAttributes(rest)
	case bytes.HasPrefix(rest, []byte("{|")):
		w.t.endWord()
		w.at += lineLength(rest)
	case bytes.HasPrefix(rest, []byte("]]")):
		w.at += 2 // what follows is of the link's word
	default:
		n := 1 + bytes.IndexAny(rest[1:], "<{}[]'_|!")
		if n == 0 {
			n = len(rest)
		}
		w.t.addText(rest[:n])
		w.at += n
	}
}

func lineLength(s []byte) int {
	if i := bytes.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// skipName passes the name of a template.
func (w *wikiText) skipName() {
	rest := w.src[w.at:min(len(w.src), w.at+300)]
	end := bytes.IndexAny(rest, "|}{[<")
	if end < 0 {
		return
	}
	if i := bytes.IndexByte(rest[:end], ':'); i >= 0 { // a function, whose argument is text
		end = i
	}
	w.at += end
}

// skipAttributes passes the attributes of a cell or the name of an argument behind a bar.
func (w *wikiText) skipAttributes(rest []byte) {
	w.t.endWord()
	w.at++
	head := rest[1:min(len(rest), 200)]
	if i := bytes.IndexAny(head, "\n[{}<"); i >= 0 {
		head = head[:i]
	}
	i := bytes.IndexByte(head, '=')
	if i < 0 {
		if bytes.HasPrefix(head, []byte("-")) || bytes.HasPrefix(head, []byte("}")) {
			w.at++
		}
		return
	}
	if bar := bytes.IndexByte(head[i:], '|'); bar > 0 && w.open == 0 && !bytes.HasPrefix(head[i+bar:], []byte("||")) { // of a cell
		w.at += i + bar
		return
	}
	if w.open > 0 && bytes.IndexByte(head[:i], '|') < 0 {
		w.at += i
		return
	}
	if bytes.HasPrefix(rest, []byte("|-")) {
		w.at += len(head)
	}
}

func (w *wikiText) readTag(rest []byte) {
	end := bytes.IndexByte(rest[:min(len(rest), mostMarkup)], '>')
	n := 1
	for n < len(rest) && (isLetterByte(rest[n]) || n == 1 && rest[n] == '/') {
		n++
	}
	name := strings.ToLower(strings.Trim(string(rest[1:min(n, 30)]), "/"))
	if end < 0 || name == "" || n > end {
		w.t.endWord()
		w.at++
		return
	}
	if !wikiInline[name] {
		w.t.endWord()
	}
	w.at += end + 1
	if !wikiRaw[name] && !wikiHidden[name] || rest[1] == '/' || rest[end-1] == '/' {
		return
	}
	stop := w.until("</" + name)
	if stop < 0 {
		return
	}
	if body := w.src[w.at : stop-len(name)-2]; wikiRaw[name] {
		w.t.addText(body)
	}
	w.t.endWord()
	w.at = stop
	if i := bytes.IndexByte(w.src[w.at:min(len(w.src), w.at+40)], '>'); i >= 0 {
		w.at += i + 1
	}
}

// wikiInline are the tags whose ends do not end a word.
var wikiInline = spacing.WordSet("b i u s em strong span small big sup sub tt code font nowiki del ins var cite")

// readLink adds the text of a link in double brackets.
func (w *wikiText) readLink(rest []byte) {
	w.at += 2
	end := bytes.Index(rest[:min(len(rest), mostMarkup)], []byte("]]"))
	bar := bytes.IndexByte(rest[:min(len(rest), mostMarkup)], '|')
	lower := bytes.ToLower(rest[2:min(len(rest), 14)])
	for _, space := range []string{"category:", "file:", "image:", "media:"} {
		if bytes.HasPrefix(lower, []byte(space)) {
			if w.t.endWord(); end >= 0 {
				if b := bytes.LastIndexByte(rest[:end], '|'); b > 0 && !bytes.ContainsAny(rest[b:end], "=[") && end-b > 14 {
					w.t.addText(rest[b:end])
					w.t.endWord()
				}
				w.at += end
			}
			return
		}
	}
	switch {
	case end < 0:
	case bar > 0 && bar < end:
		w.at += bar - 1
	case bytes.IndexByte(rest[:min(len(rest), 6)], ':') > 0: // a page in another language
		w.at += end
	}
}
