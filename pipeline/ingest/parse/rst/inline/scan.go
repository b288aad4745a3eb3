package inline

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/spacing"
)

// Inline is a run of text of one kind.
type Inline struct {
	Kind   Kind
	Text   string // without markup
	Target string // of a link
	Lines  int    // line ends in the markup
}

// Kind is the kind of a run of text.
type Kind int

// The kinds of text.
const (
	Plain Kind = iota
	Strong
	Emphasis
	Literal
	Picture
)

// scanner cuts a text into inlines.
type scanner struct {
	names *Names
	s     string
	out   []Inline
	text  strings.Builder // plain text that is not in out yet
	none  [marksEnd]bool  // a mark that ends nowhere in the rest
	depth int             // of substitutions in substitutions
	after int             // the byte after the last markup: docutils reads on from there as from a beginning
}

// The marks whose ends are sought. An end that is not found once is not sought again,
// so that the time is linear.
const (
	markStar = iota
	markStars
	markTick
	markTicks
	markBar
	marksEnd
)

// Inlines reads the markup of a text.
func (p *Names) Inlines(text string, depth int) []Inline {
	if !strings.ContainsAny(text, "\\*`|_[:") {
		return []Inline{{Text: text}}
	}
	s := scanner{names: p, s: text, depth: depth}
	for i := 0; i < len(s.s); {
		from := i
		i = s.step(i)
		if n := len(s.out); n > 0 && s.text.Len() == 0 && s.out[n-1].Lines < 0 {
			s.out[n-1].Lines = strings.Count(s.s[from:i], "\n")
		}
	}
	s.flush()
	return s.out
}

func (s *scanner) flush() {
	if s.text.Len() > 0 {
		s.out = append(s.out, Inline{Text: s.text.String()})
		s.text.Reset()
	}
}

func (s *scanner) addInline(in Inline) {
	if in.Text == "" && in.Kind != Picture {
		return
	}
	if in.Kind == Plain && in.Target == "" {
		s.text.WriteString(in.Text)
		return
	}
	s.flush()
	in.Lines = -1 // not counted yet
	s.out = append(s.out, in)
}

// step reads what begins at byte i, and returns the byte after it.
func (s *scanner) step(i int) int {
	rest := s.s[i:]
	j := i
	switch c := rest[0]; c {
	case '\\':
		return s.escape(i)
	case '*':
		if strings.HasPrefix(rest, "**") {
			j = s.marked(i, "**", markStars, Strong)
		} else {
			j = s.marked(i, "*", markStar, Emphasis)
		}
	case '`':
		if strings.HasPrefix(rest, "``") {
			j = s.literal(i)
		} else {
			j = s.interpreted(i, i, "")
		}
	case '|':
		j = s.substitution(i)
	case ':':
		j = s.rolePrefix(i)
		if j == i && strings.HasPrefix(rest, "://") {
			j = s.address(i)
		}
	case '_':
		if strings.HasPrefix(rest, "_`") {
			if end := s.endOfMark(i+2, "`", markTick); s.starts(i, 2) && end > 0 {
				s.addInline(Inline{Text: Unescape(s.s[i+2 : end])})
				return end + 1
			}
		}
		j = s.reference(i)
	case '[':
		j = s.footnote(i)
	default:
		k := strings.IndexAny(rest, "\\*`|_[:")
		if k < 0 {
			k = len(rest)
		}
		s.text.WriteString(rest[:k])
		return i + k
	}
	if j == i {
		s.text.WriteByte(rest[0])
		return i + 1
	}
	s.after = j
	return j
}

// escape reads a backslash: the next character is itself, a blank is nothing.
func (s *scanner) escape(i int) int {
	if i+1 >= len(s.s) {
		return i + 1
	}
	c, n := utf8.DecodeRuneInString(s.s[i+1:])
	if c != ' ' && c != '\n' {
		s.text.WriteString(s.s[i+1 : i+1+n])
	}
	return i + 1 + n
}

// starts reports whether a mark of n bytes at byte i may begin markup.
func (s *scanner) starts(i, n int) bool {
	after, _ := utf8.DecodeRuneInString(s.s[i+n:])
	if i+n >= len(s.s) || unicode.IsSpace(after) {
		return false
	}
	if i == 0 || i == s.after {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s.s[:i])
	switch {
	case unicode.IsSpace(before) || strings.ContainsRune("-/:", before):
		return true
	case strings.ContainsRune("'\"([{<", before):
		closers := map[rune]rune{'\'': '\'', '"': '"', '(': ')', '[': ']', '{': '}', '<': '>'}
		return closers[before] != after
	case before < utf8.RuneSelf:
		return false
	}
	return unicode.IsPunct(before) || unicode.IsSymbol(before)
}

// mayEnd reports whether markup may end before byte i.
func (s *scanner) mayEnd(i int) bool {
	if i >= len(s.s) {
		return true
	}
	c, _ := utf8.DecodeRuneInString(s.s[i:])
	if c < utf8.RuneSelf {
		return unicode.IsSpace(c) || strings.ContainsRune("'\")]}>-/\\:.,;!?", c)
	}
	return unicode.IsPunct(c) || unicode.IsSpace(c)
}

// endOfMark is where a mark ends what begins at byte from, 0 where it does not.
func (s *scanner) endOfMark(from int, mark string, kind int) int {
	if s.none[kind] {
		return 0
	}
	for i := from; i < len(s.s); {
		k := strings.IndexAny(s.s[i:], mark[:1]+"\\")
		if k < 0 {
			break
		}
		i += k
		if s.s[i] == '\\' && kind != markTicks {
			i += 2
			continue
		}
		if s.s[i] == '\\' || !strings.HasPrefix(s.s[i:], mark) {
			i++
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(s.s[:i])
		closes := i > from && !unicode.IsSpace(before)
		switch kind {
		case markTick: // a reference or a role may follow
			n := i + 1
			for n < len(s.s) && s.s[n] == '_' && n < i+3 {
				n++
			}
			closes = closes && (s.mayEnd(n) || s.s[n] == ':')
		case markBar:
			n := i + 1
			for n < len(s.s) && s.s[n] == '_' && n < i+3 {
				n++
			}
			closes = closes && s.mayEnd(n)
		case markTicks:
			// A literal may end in a backtick of its own.
			for closes && i+2 < len(s.s) && s.s[i+2] == '`' {
				i++
			}
			closes = closes && s.mayEnd(i+2)
		default:
			closes = closes && s.mayEnd(i+len(mark))
		}
		if closes {
			return i
		}
		i += len(mark)
	}
	s.none[kind] = true
	return 0
}

// marked reads emphasis.
func (s *scanner) marked(i int, mark string, kind int, as Kind) int {
	n := len(mark)
	if !s.starts(i, n) {
		for n < len(s.s)-i && s.s[i+n] == '*' {
			n++
		}
		s.text.WriteString(s.s[i : i+n])
		return i + n
	}
	end := s.endOfMark(i+n, mark, kind)
	if end == 0 {
		s.text.WriteString(mark)
		return i + n
	}
	s.addInline(Inline{Kind: as, Text: Unescape(s.s[i+n : end])})
	return end + n
}

// literal reads inline code between double backticks.
func (s *scanner) literal(i int) int {
	end := 0
	if s.starts(i, 2) {
		end = s.endOfMark(i+2, "``", markTicks)
	}
	if end == 0 {
		n := i
		for n < len(s.s) && s.s[n] == '`' {
			n++
		}
		s.text.WriteString(s.s[i:n])
		return n
	}
	s.addInline(Inline{Kind: Literal, Text: s.s[i+2 : end]})
	return end + 2
}

// rolePrefix reads ":role:`text`". It returns i without one.
func (s *scanner) rolePrefix(i int) int {
	rest := s.s[i:]
	k := 1
	for k < len(rest) && k < 60 && (rest[k] == ':' || rest[k] == '-' || rest[k] == '_' || rest[k] == '+' || rest[k] == '.' ||
		isWord(rest[k])) {
		k++
	}
	if k < 3 || k >= len(rest) || rest[k] != '`' || rest[k-1] != ':' || strings.HasPrefix(rest[k:], "``") || !s.starts(i, k+1) {
		return i
	}
	return s.interpreted(i, i+k, rest[1:k-1])
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// interpreted reads text between backticks: a reference, or the text of a role. from is
// where its mark begins, tick where its backtick stands.
func (s *scanner) interpreted(from, tick int, role string) int {
	if role == "" && !s.starts(from, 1) {
		return from
	}
	end := s.endOfMark(tick+1, "`", markTick)
	if end == 0 {
		return from
	}
	text := s.s[tick+1 : end]
	after := s.s[end+1:]
	switch {
	case role == "" && strings.HasPrefix(after, "__"):
		s.addInline(s.names.phrase(text, true))
		return end + 3
	case role == "" && strings.HasPrefix(after, "_"):
		s.addInline(s.names.phrase(text, false))
		return end + 2
	case role == "" && strings.HasPrefix(after, ":"):
		if k := strings.IndexByte(after[1:min(len(after), 60)], ':'); k > 0 && !strings.ContainsAny(after[1:k+1], " \n`") {
			s.addInline(s.names.showRole(after[1:k+1], text))
			return end + 1 + k + 2
		}
	}
	s.addInline(s.names.showRole(role, text))
	return end + 1
}

// substitution reads "|name|".
func (s *scanner) substitution(i int) int {
	if !s.starts(i, 1) {
		return i
	}
	end := s.endOfMark(i+1, "|", markBar)
	if end == 0 || end-i > maxLabel {
		return i
	}
	value, ok := s.names.substituted(spacing.Single(s.s[i+1:end]), s.depth)
	if !ok {
		return i
	}
	next := end + 1
	link := ""
	for next < len(s.s) && s.s[next] == '_' {
		next++
	}
	if next > end+1 {
		link, _ = s.names.findTarget(s.s[i+1 : end])
	}
	for _, in := range value {
		if link != "" && in.Target == "" {
			in.Target = link
		}
		s.addInline(in)
	}
	return next
}

// reference reads the end of "name_": the name before it is in the text already.
func (s *scanner) reference(i int) int {
	n := 1
	if strings.HasPrefix(s.s[i:], "__") {
		n = 2
	}
	if !s.mayEnd(i + n) {
		return i
	}
	from := i
	for from > 0 && i-from < maxLabel {
		c := s.s[from-1]
		if isWord(c) || (c == '-' || c == '.' || c == '+' || c == ':' || c == '_') && from < i && isWord(s.s[from]) {
			from--
			continue
		}
		break
	}
	for from < i && !isWord(s.s[from]) {
		from++
	}
	name := s.s[from:i]
	done := s.text.String()
	if name == "" || !strings.HasSuffix(done, name) || !s.starts(from, 0) {
		return i
	}
	to, ok := s.names.findTarget(name)
	if n == 2 {
		to, ok = s.names.nextAnonymous()
	}
	if !ok {
		return i
	}
	s.text.Reset()
	s.text.WriteString(done[:len(done)-len(name)])
	s.addInline(Inline{Text: name, Target: to})
	return i + n
}

// footnote reads "[1]_", which stays as "[1]".
func (s *scanner) footnote(i int) int {
	rest := s.s[i:min(len(s.s), i+maxLabel)]
	k := strings.IndexByte(rest, ']')
	if k < 2 || !strings.HasPrefix(rest[k:], "]_") || strings.ContainsAny(rest[1:k], " \n[`") || !s.mayEnd(i+k+2) {
		return i
	}
	s.text.WriteString(s.names.FootnoteLabel(rest[1:k], false))
	return i + k + 2
}

// address reads a URL that stands in the text: its scheme is in the text already.
func (s *scanner) address(i int) int {
	done := s.text.String()
	from := len(done)
	for from > 0 && len(done)-from < 12 && done[from-1]|0x20 >= 'a' && done[from-1]|0x20 <= 'z' {
		from--
	}
	scheme := strings.ToLower(done[from:])
	if scheme != "http" && scheme != "https" && scheme != "ftp" {
		return i
	}
	end := i + 3
	for end < len(s.s) && s.s[end] > ' ' && !strings.ContainsRune("<>\"`|\\^{}", rune(s.s[end])) && !strings.HasPrefix(s.s[end:], "**") {
		end++
	}
	for end > i+3 && strings.IndexByte(".,;:!?'*_", s.s[end-1]) >= 0 || end > i+3 && s.s[end-1] == ')' &&
		!strings.Contains(s.s[i:end], "(") {
		end--
	}
	if end == i+3 {
		return i
	}
	url := done[from:] + s.s[i:end]
	s.text.Reset()
	s.text.WriteString(done[:from])
	s.addInline(Inline{Text: url, Target: url})
	return end
}

// Unescape removes backslashes.
func Unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			if i == len(s) {
				break
			}
			if s[i] == ' ' || s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
