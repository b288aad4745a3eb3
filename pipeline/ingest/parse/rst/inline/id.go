package inline

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// digraphs are letters that have no decomposition into ASCII, as docutils writes them.
var digraphs = strings.NewReplacer("ß", "sz", "æ", "ae", "œ", "oe", "ȸ", "db", "ȹ", "qp",
	"ø", "o", "đ", "d", "ħ", "h", "ı", "i", "ł", "l", "ŧ", "t", "ƀ", "b", "ƃ", "b", "ƈ", "c", "ƌ", "d", "ƒ", "f", "ƙ", "k", "ƚ", "l", "ƞ",
	"n", "ƥ", "p", "ƫ", "t", "ƭ", "t", "ƴ", "y", "ƶ", "z", "ǥ", "g", "ȥ", "z", "ȷ", "j", "ɇ", "e", "ɉ", "j", "ɋ", "q", "ɍ", "r", "ɏ", "y")

// MakeID is docutils.nodes.make_id: the id of a section or of a label.
func MakeID(name string) string {
	name = digraphs.Replace(strings.ToLower(name))
	return dashed(name, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }, "-0123456789")
}

// ObjectID is Sphinx' make_id of objects, which keeps capitals, dots and underscores.
func ObjectID(name string) string {
	return dashed(digraphs.Replace(name), func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_'
	}, "-0123456789._")
}

// dashed keeps some characters and writes one dash for each run of others. first
// are those that an id does not begin with.
func dashed(name string, keep func(rune) bool, first string) string {
	var b strings.Builder
	dash := false
	for _, r := range norm.NFKD.String(name) {
		switch {
		case r < unicode.MaxASCII && keep(r):
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			if b.Len() > 0 || !strings.ContainsRune(first, r) {
				b.WriteRune(r)
			}
		case r > unicode.MaxASCII: // as encoding to ASCII does, which ignores it
		default:
			dash = true
		}
	}
	return b.String()
}

// IDs gives ids to the sections and labels of a page as docutils does with Sphinx'
// settings: a second one of the same name is id1, id2 …
type IDs struct {
	taken map[string]bool
	count int
}

// NewIDs are the ids of a page before the first is taken.
func NewIDs() *IDs { return &IDs{taken: map[string]bool{}} }

func (s *IDs) isFreeID(id string) bool { return id != "" && !s.taken[id] }

func (s *IDs) Take(id string) string {
	if !s.isFreeID(id) {
		return s.Next()
	}
	s.taken[id] = true
	return id
}

// Next is the next id without a name.
func (s *IDs) Next() string {
	for {
		s.count++
		if id := "id" + strconv.Itoa(s.count); !s.taken[id] {
			s.taken[id] = true
			return id
		}
	}
}

// TakeInText takes the ids in a text: references to footnotes, the names that `name
// <address>`_ defines, and the places in it, _`name`, of which it tells.
func (s *IDs) TakeInText(text string, place func(name, id string)) {
	for {
		i := strings.Index(text, "_")
		if i < 0 {
			return
		}
		before := text[:i]
		text = text[i+1:]
		switch {
		case strings.HasPrefix(text, "`") && beginsTarget(before):
			name, rest, ok := strings.Cut(text[1:], "`")
			if id := MakeID(Unescape(name)); ok && id != "" {
				place(name, s.Take(id))
				text = rest
			}
		case strings.HasSuffix(before, "]"):
			if k := strings.LastIndexByte(before, '['); k >= 0 && !strings.ContainsAny(before[k:], " \n`") {
				s.Next()
			}
		case strings.HasSuffix(before, ">`") && !strings.HasPrefix(text, "_"):
			k := strings.LastIndexByte(before[:len(before)-1], '`')
			if shown, to, ok := ExplicitTarget(before[k+1 : len(before)-1]); k >= 0 && ok && !strings.HasSuffix(to, "_") {
				s.Take(MakeID(Unescape(shown)))
			}
		}
	}
}

// beginsTarget reports whether the name of a place may begin behind a text.
func beginsTarget(before string) bool {
	return before == "" || strings.IndexByte(" \n\t-:/'\"<([{", before[len(before)-1]) >= 0
}
