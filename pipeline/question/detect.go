package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/lexicon"
	"docent/pipeline/question/wordlist"
	"docent/store/doc"
)

// Naming is the doc sets that a question names, and where.
type Naming struct {
	Refs     []doc.Ref // in the order of mention, each once
	Mentions []Mention // in the order of the text, not overlapping
	Missing  []Missing // versions that it names and that are not there
}

// Missing is a version of a doc set that a question names and that is not there.
type Missing struct {
	Name    string // of the doc set
	Version string // as the question names it
	Nearest string // the version that answers instead
}

// Mention is a place where a question names doc sets: bytes [Start, End), words such as
// "docs" and a version next to the name included.
type Mention struct {
	Start, End int
	Refs       []doc.Ref
	group      string
	versioned  bool
	missing    []Missing
	unsearched [][2]int // where it names versions that are no words to search for
}

// The words around the names of doc sets.
const (
	setMarker        wordlist.Rule = "naming/marker"
	joinsNames       wordlist.Rule = "naming/joins"
	beforeName       wordlist.Rule = "naming/before"
	beforeNameInside wordlist.Rule = "naming/before-inside"
	afterNameInside  wordlist.Rule = "naming/after-inside"
	andName          wordlist.Rule = "naming/and"
	versionJoins     wordlist.Rule = "naming/version-joins"
	versionWord      wordlist.Rule = "naming/version"
	versionMark      wordlist.Rule = "naming/version-mark"
)

// detect finds the doc sets that a question names.
//
// A doc set is named by the words of its name, without words such as docs, www and
// latest, in any case, with a space, a dash or nothing between them. No letter and no
// punctuation of an identifier may touch them: "opencode" names OpenCode_Docs, also in
// "opencode如何", but "opencode.json" and text in backticks do not. Names of general words
// alone need a marker (see name.add). A version next to the name selects a version of the
// doc set; without one it is the newest, and latest is newer than any number.
func detect(text string, sets []SetInfo) Naming {
	var n Naming
	if len(sets) == 0 {
		return n
	}
	names := make([]name, 0, len(sets))
	for _, s := range sets {
		names = append(names, newName(s))
	}
	slices.SortStableFunc(names, func(a, b name) int { return strings.Compare(a.info.Ref.String(), b.info.Ref.String()) })
	skip := backticked(text)
	for i := 0; i < len(text); {
		_, size := utf8.DecodeRuneInString(text[i:])
		if j := slices.IndexFunc(skip, func(s [2]int) bool { return i >= s[0] && i < s[1] }); j >= 0 {
			i = skip[j][1]
			continue
		}
		if !beginsName(text, i) {
			i += size
			continue
		}
		m, ok := mentionAt(text, i, names)
		if !ok {
			i += size
			continue
		}
		n.Mentions = append(n.Mentions, m)
		i = m.End
	}
	if len(n.Mentions) == 0 {
		if m, ok := versionAlone(text, names); ok {
			n.Mentions = append(n.Mentions, m)
		}
	}
	for i, m := range n.Mentions {
		n.Missing = append(n.Missing, m.missing...)
		// "claude code" in a question with "claude code 1.2" means the same version.
		if !m.versioned && slices.ContainsFunc(n.Mentions, func(o Mention) bool { return o.versioned && o.group == m.group }) {
			n.Mentions[i].Refs = nil
			continue
		}
		for _, r := range m.Refs {
			if !slices.Contains(n.Refs, r) {
				n.Refs = append(n.Refs, r)
			}
		}
	}
	return n
}

func backticked(text string) [][2]int {
	if !strings.Contains(text, "`") {
		return nil
	}
	var spans [][2]int
	for _, t := range Tokens(text) {
		if t.Kind == Code && text[t.Start] == '`' {
			spans = append(spans, [2]int{t.Start, t.End})
		}
	}
	return spans
}

func beginsName(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	return i == 0 || unicode.Is(unicode.Han, r) || !isWordRune(before) && !strings.ContainsRune("-./\\@$#~", before)
}

// endsName reports whether a name may end at i: neither a letter nor punctuation of an
// identifier follows.
func endsName(text string, i int) bool {
	r, size := utf8.DecodeRuneInString(text[i:])
	if i == len(text) || unicode.Is(unicode.Han, r) {
		return true
	}
	if before, _ := utf8.DecodeLastRuneInString(text[:i]); unicode.Is(unicode.Han, before) {
		return true
	}
	if isWordRune(r) || r == '(' && strings.HasPrefix(text[i:], "()") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[i+size:])
	return !strings.ContainsRune("-_./\\=~", r) || !isWordRune(next)
}

// mentionAt is the longest mention that begins at i.
func mentionAt(text string, i int, names []name) (Mention, bool) {
	end, group := 0, []name(nil)
	for _, n := range names {
		best := 0
		for k, form := range n.forms {
			e := matchForm(text, i, form)
			if e < 0 || e <= best || !(endsName(text, e) || endOfMarker(text, e) > e) {
				continue
			}
			if n.needs[k] && endOfMarker(text, e) == e && !strings.HasPrefix(text[e:], "@") {
				continue
			}
			best = e
		}
		switch {
		case best == 0 || best < end:
		case best > end:
			end, group = best, []name{n}
		default:
			group = append(group, n)
		}
	}
	if end == 0 {
		return Mention{}, false
	}
	m := Mention{Start: i, End: endOfMarker(text, end), group: group[0].group}
	for {
		e, version, written := versionAt(text, m.End, m.versioned)
		refs, there := ofVersion(group, version), true
		if len(refs) == 0 {
			near, ok := nearestVersion(group, version, text[m.End:e])
			if !ok {
				break
			}
			refs = ofVersion(group, near.version)
			if there = coversVersion(near.version, version); !there {
				m.missing = append(m.missing, Missing{Name: near.info.Ref.Name, Version: written, Nearest: near.spelledVersion()})
			}
		}
		if !there || isDateVersion(version) && len(version) > len("2025") {
			m.unsearched = append(m.unsearched, [2]int{m.End, e})
		}
		m.End, m.versioned = e, true
		m.Refs = append(m.Refs, refs...)
	}
	if !m.versioned {
		newest := slices.MaxFunc(group, func(a, b name) int { return doc.CompareVersions(a.version, b.version) }).version
		m.Refs = ofVersion(group, newest)
	}
	if strings.HasPrefix(text[m.End:], "'s") || strings.HasPrefix(text[m.End:], "’s") {
		m.End += strings.IndexByte(text[m.End:], 's') + 1
	}
	return m, true
}

// none is a version that no doc set has.
const none = "none"

func ofVersion(group []name, version string) []doc.Ref {
	var refs []doc.Ref
	for _, n := range group {
		if n.version == version || n.version != "" && doc.SameVersion(n.version, version) ||
			strings.EqualFold(n.info.Ref.Version, version) {
			refs = append(refs, n.info.Ref)
		}
	}
	return refs
}

// matchForm is the end of a form that begins at i, -1 if it does not. Between two
// tokens may be a space, a dash, an underscore or nothing; a space only if the name
// has a separator there: OpenCode is not "open code", which is said of editors.
func matchForm(text string, i int, form []string) int {
	for k, token := range form {
		if k > 0 {
			i = skipSeparator(text, i, true)
		}
		for l, part := range strings.Split(token, "\x00") {
			if l > 0 {
				i = skipSeparator(text, i, false)
			}
			if i = matchFold(text, i, part); i < 0 {
				return -1
			}
		}
	}
	return i
}

func skipSeparator(text string, i int, space bool) int {
	if i < len(text) && (text[i] == '-' || text[i] == '_' || space && text[i] == ' ') {
		i++
	}
	return i
}

// matchFold is the end of prefix, in any case, at i in text; -1 if it is not there.
func matchFold(text string, i int, prefix string) int {
	for _, want := range prefix {
		if i >= len(text) {
			return -1
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != want && unicode.ToLower(r) != want {
			return -1
		}
		i += size
	}
	return i
}

// endOfMarker is the end of a marker at i, such as "docs" or "的文档"; i if there is none.
func endOfMarker(text string, i int) int {
	for _, w := range setMarker.Phrases() {
		j := i
		for j < len(text) && (text[j] == ' ' || text[j] == '_' || text[j] == '-') {
			j++
		}
		if j == i && w[0] < utf8.RuneSelf {
			continue // one word with the name
		}
		if e := matchFold(text, j, w); e > 0 && (w[0] >= utf8.RuneSelf || endsName(text, e) || strings.HasPrefix(text[e:], "@")) {
			return e
		}
	}
	return i
}

// Without is the question without the names of doc sets and the words that join them to
// it ("in", "的"), on one line; "" if nothing is left.
func (n Naming) Without(text string) string {
	if len(n.Mentions) == 0 {
		return OneLine(text)
	}
	var parts []string
	at := 0
	for _, m := range n.Mentions {
		parts = append(parts, text[at:m.Start])
		at = m.End
	}
	parts = append(parts, text[at:])
	last := len(parts) - 1
	for i, p := range parts {
		p = strings.TrimSpace(p)
		switch {
		case i > 0 && i < last && isConjunction(p):
			p = ""
		default:
			if i > 0 {
				p = trimAfter(p, i == 1 && strings.TrimSpace(parts[0]) == "")
			}
			if i < last {
				p = trimBefore(p, i == last-1 && !strings.ContainsFunc(parts[last], isWordish))
			}
		}
		parts[i] = p
	}
	rest := strings.NewReplacer(" ?", "?", " ？", "？", "( )", "").Replace(OneLine(strings.Join(parts, " ")))
	return strings.TrimFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",:;—–、，：；", r)
	})
}

func isWordish(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isConjunction reports whether a text between two names is only a conjunction.
func isConjunction(s string) bool {
	return joinsNames.Has(strings.ToLower(s))
}

// trimBefore removes the words before a name that join it to the question. atEnd says
// that nothing follows the name.
func trimBefore(s string, atEnd bool) string {
	for range 3 {
		s = strings.TrimSpace(s)
		i := strings.LastIndexByte(s, ' ') + 1
		switch last := strings.ToLower(s[i:]); {
		case beforeName.Has(last):
			s = s[:i]
			continue
		case andName.Has(last):
			if atEnd {
				s = s[:i]
			}
			return strings.TrimSpace(s)
		}
		for _, w := range beforeNameInside.Phrases() {
			if strings.HasSuffix(s, w) {
				return strings.TrimSpace(strings.TrimSuffix(s, w))
			}
		}
		return s
	}
	return strings.TrimSpace(s)
}

// trimAfter removes the words after a name that join it to the question. atStart says
// that nothing is before the name.
func trimAfter(s string, atStart bool) string {
	s = strings.TrimSpace(s)
	for range 2 {
		tokens := Tokens(s)
		if len(tokens) == 0 || tokens[0].Kind != Han {
			break
		}
		// By segments: 中 is such a word in "opencode 中如何" and not in "opencode 中文".
		p := lexicon.Segment(tokens[0].Text)[0]
		if !afterNameInside.Has(p.Text) {
			break
		}
		s = strings.TrimSpace(s[len(p.Text):])
	}
	if atStart {
		first, rest, _ := strings.Cut(s, " ")
		if andName.Has(strings.ToLower(first)) {
			s = strings.TrimSpace(rest)
		}
	}
	return s
}
