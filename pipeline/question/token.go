package question

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	Word   Kind = iota // letters and digits, with the dashes and apostrophes inside
	Code               // an identifier, a flag, a path, or text in backticks
	Quoted             // text in quotation marks
	Han                // a run of Chinese characters
	Punct              // one mark of punctuation
	Symbol             // anything else: emoji, arrows
)

// Token is one piece of a question.
type Token struct {
	Kind       Kind
	Text       string // without the backticks or quotation marks around it
	Start, End int    // bytes in the question, marks included
}

// Tokens splits a question into tokens. Code and quoted text are one token each. A
// quotation mark without its partner is punctuation.
func Tokens(text string) []Token {
	var out []Token
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
		case r == '`':
			i = appendQuotedSpan(text, i, size, &out)
		case closingMarkOf(r) != 0 && !(r == '\'' && !opensQuotation(text, i)):
			i = appendQuotedSpan(text, i, size, &out)
		case unicode.Is(unicode.Han, r):
			j := i
			for j < len(text) {
				r, size := utf8.DecodeRuneInString(text[j:])
				if !unicode.Is(unicode.Han, r) {
					break
				}
				j += size
			}
			out = append(out, Token{Han, text[i:j], i, j})
			i = j
		case startsWord(text, i):
			j := wordEnd(text, i)
			kind := Word
			if LooksLikeCode(text[i:j]) {
				kind = Code
			}
			out = append(out, Token{kind, text[i:j], i, j})
			i = j
		case unicode.IsPunct(r):
			out = append(out, Token{Punct, text[i : i+size], i, i + size})
			i += size
		default:
			j := i
			for j < len(text) {
				r, size := utf8.DecodeRuneInString(text[j:])
				if unicode.IsSpace(r) || unicode.IsPunct(r) || isWordRune(r) || unicode.Is(unicode.Han, r) {
					break
				}
				j += size
			}
			j = max(j, i+size)
			out = append(out, Token{Symbol, text[i:j], i, j})
			i = j
		}
	}
	return out
}

// closingMarkOf is the closing mark for r, 0 if r opens nothing.
func closingMarkOf(r rune) rune {
	switch r {
	case '"':
		return '"'
	case '\'':
		return '\''
	case '“':
		return '”'
	case '‘':
		return '’'
	case '„':
		return '“'
	case '「':
		return '」'
	case '『':
		return '』'
	case '《':
		return '》'
	case '«':
		return '»'
	}
	return 0
}

// opensQuotation reports whether an apostrophe at i begins a quotation: no letter is before it.
func opensQuotation(text string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(text[:i])
	return i == 0 || !isWordRune(r)
}

// appendQuotedSpan appends the span that the mark at i opens, or the mark alone if it is not
// closed, and returns the offset after it.
func appendQuotedSpan(text string, i, size int, out *[]Token) int {
	r, _ := utf8.DecodeRuneInString(text[i:])
	kind, mark := Code, "`"
	if r != '`' {
		kind, mark = Quoted, string(closingMarkOf(r))
	} else {
		for i+size < len(text) && text[i+size] == '`' {
			size++
			mark += "`"
		}
	}
	rest := text[i+size:]
	n := strings.Index(rest, mark)
	// A longer span is no quotation: the marks do not belong together.
	const longest = 400
	if n < 0 || n > longest || strings.TrimSpace(rest[:n]) == "" {
		*out = append(*out, Token{Punct, text[i : i+size], i, i + size})
		return i + size
	}
	end := i + size + n + len(mark)
	*out = append(*out, Token{kind, strings.TrimSpace(rest[:n]), i, end})
	return end
}

func isWordRune(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_') && !unicode.Is(unicode.Han, r)
}

// startsWord reports whether a word or an identifier begins at i: with a letter, or with
// punctuation that identifiers begin with and a letter.
func startsWord(text string, i int) bool {
	r, size := utf8.DecodeRuneInString(text[i:])
	if isWordRune(r) {
		return true
	}
	if !strings.ContainsRune("-./$@#:~", r) {
		return false
	}
	for i += size; i < len(text) && (text[i] == '-' || text[i] == '/' || text[i] == '.' || text[i] == '{' || text[i] == '$'); i++ {
	}
	r, _ = utf8.DecodeRuneInString(text[min(i, len(text)):])
	return i < len(text) && isWordRune(r)
}

// wordEnd is the end of the word that begins at i. Punctuation of identifiers belongs
// to it between two letters; "()" and plus signs also at its end.
func wordEnd(text string, i int) int {
	end := i
	for j := i; j < len(text); {
		r, size := utf8.DecodeRuneInString(text[j:])
		if unicode.IsSpace(r) || unicode.Is(unicode.Han, r) {
			break
		}
		if isWordRune(r) {
			j += size
			end = j
			continue
		}
		if strings.HasPrefix(text[j:], "()") && end > i {
			j += 2
			end = j
			continue
		}
		if n := bracketed(text[j:]); n > 0 && end == j {
			j += n
			end = j
			continue
		}
		if r == '+' && strings.HasPrefix(text[j:], "++") && end == j {
			j += 2
			end = j
			continue
		}
		if !strings.ContainsRune("-_./:@$#=+'’&~{}<>*%", r) {
			break
		}
		j += size
	}
	return max(end, i+1)
}

// bracketed is the length of the arguments that a text begins with and that belong to
// the name before them: (x) of Some(x), <T, E> of Result<T, E>, [0] of arr[0]; 0 if it
// begins with none. "pod(s)" and remarks in parentheses are prose.
func bracketed(text string) int {
	const longest = 48
	var shut byte
	switch text[0] {
	case '(':
		shut = ')'
	case '<':
		shut = '>'
	case '[':
		shut = ']'
	default:
		return 0
	}
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case i == longest || c == '\n' || c >= utf8.RuneSelf:
			return 0
		case c == text[0]:
			depth++
		case c == shut && i > 0 && shut == '>' && (text[i-1] == '-' || text[i-1] == '='):
		case c == shut:
			if depth--; depth > 0 {
				continue
			}
			if inside := text[1:i]; arguments(inside, text[0]) {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

// arguments reports whether a text in brackets is written as arguments are: names and
// values parted by commas, and no words parted by spaces alone.
func arguments(inside string, open byte) bool {
	switch inside {
	case "s", "es", "en", "e", "n", "in", "innen", "r", "er":
		return false // a plural
	case "":
		return open == '('
	}
	if open == '<' && !unicode.IsLetter(rune(inside[0])) && !strings.ContainsRune("_&'?(", rune(inside[0])) {
		return false
	}
	for part := range strings.SplitSeq(inside, ",") {
		if w := strings.Fields(part); len(w) > 1 && !strings.ContainsAny(part, "=:&<>+-*|\"'") {
			return false
		}
	}
	return true
}

// LooksLikeCode reports whether a word has the form of an identifier, a flag, a path or a
// version: --flag, snake_case, camelCase, a.b, a(), /path, KEY=value, $VAR.
func LooksLikeCode(w string) bool {
	if w == "" {
		return false
	}
	if strings.ContainsAny(w, "_()[]=$@#{}<>*%~") || strings.Contains(w, "::") || strings.HasPrefix(w, "-") {
		return true
	}
	if (w[0] == '/' || w[0] == '.') && len(w) > 1 {
		return true
	}
	if strings.Contains(strings.TrimRight(w, "."), ".") && !strings.EqualFold(w, "e.g") && !strings.EqualFold(w, "i.e") {
		return true
	}
	if strings.Contains(w, ":") && !strings.HasSuffix(w, ":") {
		return true
	}
	return IsCamelCase(w)
}

// IsCamelCase reports whether a lower-case letter is followed by an upper-case one, as in
// camelCase and PascalCase. A plural of capitals (APIs) does not count.
func IsCamelCase(w string) bool {
	lower := false
	for _, r := range w {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}
