package parameters

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/question/wordlist"
)

// naming is a name as a page writes it: with its other names and the placeholder of its
// value.
type naming struct {
	name    string
	aliases []string
	typ     string

	required bool
}

// readNames reads the head of a row, an item or a section, as plain text: "-n, --namespace
// string", "wick : int, optional", "--database DATABASE". false: that names no parameter.
func readNames(head string) (naming, bool) {
	var n naming
	head = strings.TrimSpace(head)
	if head == "" || len(head) > 300 {
		return n, false
	}
	if name, typ, ok := strings.Cut(head, " : "); ok { // the form of numpy's documentation
		head, n.typ = name, strings.TrimSpace(typ)
	}
	for _, part := range partsOfNames(head) {
		name, typ := part, ""
		if i := strings.IndexAny(part, " \t"); i > 0 {
			name, typ = part[:i], strings.TrimSpace(part[i:])
		}
		if i := strings.Index(part, "=<"); i > 0 && strings.HasSuffix(part, ">") && !strings.ContainsAny(part[:i], " \t<") {
			name, typ = part, "" // LAMP_TIMES=<times of day>
		}
		name = strings.TrimRight(strings.Trim(name, "`'\"“”‘’"), ":：,;")
		negated := ""
		if strings.HasPrefix(name, "-") {
			name, negated = withoutChoice(name)
			name, typ = withoutPlaceholder(name, typ)
		}
		assigned := false // the value stands behind a sign, and says what may stand there
		if i := strings.IndexByte(name, '='); i > 0 && typ == "" {
			name, typ = name[:i], name[i+1:]
			assigned = standsForValue(typ)
		} else if value, ok := strings.CutPrefix(typ, "= "); ok && standsForValue(strings.TrimSpace(value)) {
			typ, assigned = strings.TrimSpace(value), true
		}
		name = strings.TrimRight(name, "=")
		if flag, ok := flagInBrackets(typ); ok {
			n.aliases, typ = append(n.aliases, flag), ""
		}
		if value, ok := strings.CutPrefix(typ, "= "); ok && (strings.HasPrefix(value, "[") || strings.HasPrefix(value, "<")) {
			typ = value // "oil:kind = [ whale | rye ]"
			if n.typ == "" && isParameterName(name) {
				n.typ, typ = strings.Trim(value, "[]<> "), ""
			}
		}
		if typ, n.required = strings.CutPrefix(typ, "[Required]"); n.required {
			typ = strings.TrimSpace(typ)
		}
		if !isParameterName(name) || typ != "" && !assigned && !isFlagName(name) && !isFollowedByType(name, typ) {
			return n, false
		}
		if typ == "-" {
			typ = ""
		}
		if n.typ == "" {
			n.typ = typ
		}
		if name == n.name || slices.Contains(n.aliases, name) { // "-o FILE, -o -"
			continue
		}
		switch {
		case n.name == "":
			n.name = name
		case strings.HasPrefix(name, "--") && !strings.HasPrefix(n.name, "--"):
			n.aliases, n.name = append(n.aliases, n.name), name
		default:
			n.aliases = append(n.aliases, name)
		}
		if negated != "" {
			n.aliases = append(n.aliases, negated)
		}
	}
	n.typ = withoutFrame(n.typ)
	return n, n.name != ""
}

// withoutFrame is a type without the brackets around all of it, and without the default behind it. Brackets within it
// stay: FILE[:ro], and the arguments of a call.
func withoutFrame(typ string) string {
	const signs = ":=,… "
	for {
		typ = strings.Trim(typ, signs)
		end, value, depth := -1, -1, 0 // where the first bracket ends, and where a default begins
		for i := 0; i < len(typ); i++ {
			switch c := typ[i]; {
			case strings.IndexByte("([<", c) >= 0:
				depth++
			case strings.IndexByte(")]>", c) >= 0:
				if depth--; depth == 0 && end < 0 {
					end = i
				}
			case c == '=' && value < 0 && (depth == 0 || typ[i-1] == '['): // string[="strict"]
				value = i
			}
		}
		switch {
		case typ == "":
			return ""
		case value > 0:
			typ = strings.TrimRight(typ[:value], "[ ")
		case depth < 0 && strings.IndexByte(")]>", typ[len(typ)-1]) >= 0:
			typ = typ[:len(typ)-1]
		case strings.IndexByte("([<", typ[0]) >= 0 && end == len(typ)-1:
			typ = typ[1:end]
		case strings.IndexByte("([<", typ[0]) >= 0 && depth > 0 && end < 0:
			typ = typ[1:]
		case depth > 0 && strings.IndexByte("([<", typ[len(typ)-1]) >= 0:
			typ = typ[:len(typ)-1]
		default:
			return typ
		}
	}
}

// maxArguments is the longest text of the arguments of a call that is read as such.
const maxArguments = 300

// areArguments reports whether a text behind a name is the arguments of its call, as in "(wick, [oil], [height = 3])".
func areArguments(s string) bool {
	inside, ok := strings.CutPrefix(s, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	if !ok || !closed || len(s) > maxArguments || !strings.Contains(inside, ",") {
		return false
	}
	for _, argument := range partsOfNames(inside) {
		if len(strings.Fields(argument)) > 4 || strings.ContainsAny(argument, "!?;") {
			return false
		}
	}
	return true
}

// standsForValue reports whether a word behind the sign = stands for a value: N, file, <file>,
// [size], true|false, on/off. Numbers, and words such as "true", are values.
func standsForValue(s string) bool {
	if s == "" || len(s) > MostType {
		return false
	}
	if strings.ContainsAny(s, " \t") {
		return s[0] == '<' && strings.IndexByte(s, '>') == len(s)-1
	}
	choice := strings.FieldsFunc(s, func(r rune) bool { return r == '|' || r == '/' })
	return isKnownType(s) || strings.IndexByte("<[{", s[0]) >= 0 || len(choice) > 1 && isName(choice[0]) && isName(choice[1]) ||
		isName(s) && !isValue(s)
}

// isName reports whether a word is of letters, digits and the signs between words, and begins with a letter.
func isName(s string) bool {
	other := func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return s != "" && (s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z') && strings.IndexFunc(s, other) < 0
}

// flagInBrackets is the flag that stands in brackets behind the name of an option, "(-J)".
func flagInBrackets(typ string) (string, bool) {
	inside, ok := strings.CutPrefix(typ, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	return inside, ok && closed && isFlagName(inside) && isParameterName(inside)
}

// withoutChoice gives the two names of a flag that can be turned off, --[no-]color; the second is
// "" for other flags.
func withoutChoice(name string) (on, off string) {
	if rest, ok := strings.CutPrefix(name, "--[no-]"); ok && rest != "" {
		return "--" + rest, strings.Replace(name, "[no-]", "no-", 1)
	}
	return name, ""
}

// withoutPlaceholder parts a flag and the placeholder that is written to it without a blank:
// --color[=WHEN], --stat[=<width>[,<count>]], -U<n>. typ is what follows with a blank.
func withoutPlaceholder(name, typ string) (flag, value string) {
	i := strings.IndexAny(name, "[<=")
	if i <= 1 || name[i] == '=' || !strings.HasSuffix(name, "]") && !strings.HasSuffix(name, ">") {
		return name, typ
	}
	value = strings.TrimLeft(name[i:], "[=")
	if at := strings.IndexByte(value, '['); at > 0 {
		value = value[:at]
	}
	return name[:i], strings.Trim(value, "[]=")
}

// partsOfNames parts several names of one parameter: "-n, --namespace", "a / b".
func partsOfNames(head string) []string {
	var out []string
	depth, from := 0, 0
	cut := func(to, next int) {
		if s := strings.TrimSpace(head[from:to]); s != "" {
			out = append(out, s)
		}
		from = next
	}
	for i := range len(head) {
		switch c := head[i]; {
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case strings.IndexByte(")]}>", c) >= 0:
			depth--
		case depth > 0:
		case c == ',', (c == '/' || c == '|') && i > 0 && head[i-1] == ' ' && i+1 < len(head) && head[i+1] == ' ':
			cut(i, i+1)
		case c == ' ' && i+1 < len(head) && head[i+1] == '-' && strings.HasPrefix(head, "-") &&
			!isStandardStream(head[i+1:]) && !strings.Contains(head[from:i], " "): // "-n --namespace"
			cut(i, i+1)
		}
	}
	cut(len(head), len(head))
	return out
}

// isStandardStream reports whether a text begins with a dash that is the value of a flag: standard input or output.
func isStandardStream(s string) bool {
	return s == "-" || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "-,")
}

// isFollowedByType reports whether the words behind a name are its type, and both not words of a
// title.
func isFollowedByType(name, typ string) bool {
	words := len(strings.Fields(typ))
	if looksLikeCodeName(name) {
		return words <= 3 && isTypeName(typ) || areArguments(typ)
	}
	if words > 1 {
		return false
	}
	return isKnownType(typ) || strings.HasPrefix(typ, "(") || strings.HasPrefix(typ, "<")
}

// isKnownType reports whether a word is the name of a type in most languages.
func isKnownType(s string) bool {
	switch strings.ToLower(strings.Trim(s, "()[]<>")) {
	case "string", "str", "int", "integer", "int32", "int64", "bool", "boolean", "number", "float", "floating point", "double", "object",
		"array", "list", "map", "dict", "duration", "bytes", "any", "path", "url", "uri", "enum", "date", "time", "strings", "ints":
		return true
	}
	return false
}

func isFlagName(name string) bool {
	return len(name) > 1 && name[0] == '-' && strings.TrimLeft(name, "-") != "" && !unicode.IsDigit(rune(strings.TrimLeft(name, "-")[0]))
}

// isParameterName reports whether a word can be the name of a parameter at all.
func isParameterName(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > MostName || strings.Contains(s, "://") {
		return false
	}
	letters, open := 0, 0
	for _, r := range s {
		switch r {
		case '[', '{', '<':
			open++
		case ']', '}', '>':
			open--
		}
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r), unicode.IsMark(r), strings.ContainsRune("-_./$<>{}@*[]:#%+?!&", r):
		default:
			return false
		}
	}
	first, _ := utf8.DecodeRuneInString(s)
	if letters == 0 || open != 0 || !unicode.IsLetter(first) && !unicode.IsDigit(first) && !strings.ContainsRune("-+_$@.%[{:", first) ||
		strings.HasPrefix(s, "./") || strings.Contains(s, "..") || strings.HasSuffix(s, "/") {
		return false
	}
	return !isValue(s)
}

// isValue reports whether a word is a value in most languages.
func isValue(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "none", "nil", "yes", "no", "on", "off", "undefined", "nan", "n/a", "todo", "tbd":
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// looksLikeCodeName reports whether a word is written as names in code are, and not as a word of a
// language or the name of a file.
func looksLikeCodeName(s string) bool {
	if isFlagName(s) {
		return true
	}
	if len(s) < 2 || isFileName(s) {
		return false
	}
	inner := strings.Trim(s, "._-")
	if strings.ContainsAny(inner, "_.") || strings.ContainsAny(s, "$@[]") {
		return true
	}
	if i := strings.IndexByte(inner, '-'); i > 0 {
		return strings.ToLower(s) == s // Content-Type is the name of a header
	}
	r, size := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r) && strings.IndexFunc(s[size:], unicode.IsUpper) >= 0
}

// isConstantName reports whether a word is written as variables of the environment are: capitals,
// digits and underscores. A placeholder may be a part of it: TF_VAR_name, CMAKE_<LANG>_FLAGS.
func isConstantName(s string) bool {
	capitals := 0
	for i, part := range strings.Split(s, "_") {
		switch {
		case part == "" || strings.HasPrefix(part, "<") && strings.HasSuffix(part, ">"):
		case strings.ToUpper(part) == part && (i > 0 || part[0] >= 'A' && part[0] <= 'Z'):
			capitals++
		case capitals < 2 || strings.ToLower(part) != part:
			return false
		}
	}
	return capitals > 1
}

// isFileName reports whether a name is that of a file.
func isFileName(s string) bool {
	if strings.Contains(s, "/") && !strings.HasPrefix(s, "-") {
		return !strings.Contains(s, ".io/") && !strings.Contains(s, ".com/") // labels and annotations
	}
	i := strings.LastIndexByte(s, '.')
	if i < 0 {
		return false
	}
	switch strings.ToLower(s[i+1:]) {
	case "md", "mdx", "json", "jsonl", "yaml", "yml", "toml", "py", "js", "ts", "tsx", "go", "rs", "txt", "html", "css", "xml", "sh",
		"ini", "cfg", "conf", "log", "lock", "jar", "zip", "pdf", "dita", "exe", "rst", "java", "c", "h":
		return true
	}
	return false
}

// isTypeName reports whether what follows a name in its head is the name of a type, and not a
// sentence.
func isTypeName(s string) bool {
	s = strings.Trim(s, "()")
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "[]<{*&\"'"))
	return len(s) <= MostType && len(strings.Fields(s)) <= 5 && !strings.ContainsAny(s, "!?;") && !strings.HasSuffix(s, ".") &&
		unicode.IsLetter(first)
}

// nothing matches the ways to write that there is no default.
var nothing = wordlist.Compile("parameters", `(?i)^(?:-|–|—|n/?a|\*)$`)

// defaultAt finds what a text says of a default: where that begins, and where the value
// does; -1: nowhere.
func defaultAt(text string) (from, to int) {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return -1, -1
	}
	for _, w := range defaultWord.Phrases() {
		for at := 0; ; {
			i := strings.Index(lower[at:], w)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(w)
			at = to
			if from > 0 && isWord(lower[from-1]) && lower[from-1] < 0x80 {
				continue
			}
			if n := defaultLeadLength(lower[to:], from == 0 || lower[from-1] == '('); n > 0 || strings.HasSuffix(w, ":") {
				return from, to + n
			}
		}
	}
	return -1, -1
}

// defaultLeadLength is the length of the text between the word for a default and the value, 0 where no
// value follows. At the beginning of a text and in brackets a blank is enough.
func defaultLeadLength(s string, begins bool) int {
	t := strings.TrimPrefix(s, "s")
	t = strings.TrimPrefix(t, " value")
	blank := strings.HasPrefix(t, " ")
	t = strings.TrimLeft(t, " ")
	for _, w := range defaultLead.Phrases() {
		if after, ok := strings.CutPrefix(t, w); ok {
			return len(s) - len(strings.TrimLeft(strings.TrimLeft(after, " "), ":= "))
		}
	}
	if begins && blank && !strings.HasPrefix(s, "s") {
		return len(s) - len(t)
	}
	return 0
}

// mostWords is how many words a default has that stands in a sentence.
const mostWords = 6

// defaultIn is the default that a description names, "" without one.
func defaultIn(text string) string {
	if len(text) > 2000 {
		text = strings.ToValidUTF8(text[:2000], "")
	}
	from, to := defaultAt(text)
	if from < 0 {
		return ""
	}
	v := leadingValue(text[to:], from > 0 && text[from-1] == '(')
	v, _, _ = strings.Cut(v, " More info") // generated references have no full stop before it
	if len(strings.Fields(v)) > mostWords || strings.HasPrefix(v, "to ") || strings.HasPrefix(v, "for ") {
		return "" // a sentence about the default
	}
	if strings.HasPrefix(strings.ToLower(text[from:to]), "defaults:") {
		return strings.TrimSpace(text[to : to+sentenceLength(text[to:])])
	}
	return v
}

// sentenceLength is the length of the sentence that s begins with. "Defaults: 600 for command,
// 30 for prompt" are several, of which the first would be wrong for most.
func sentenceLength(s string) int {
	if i := strings.Index(s, ". "); i >= 0 {
		return i
	}
	return len(strings.TrimSuffix(s, "."))
}

// leadingValue is the value that a text begins with: in quotes, or up to the end of the clause.
func leadingValue(s string, bracket bool) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	if q := s[0]; q == '"' || q == '\'' {
		if end := strings.IndexByte(s[1:], q); end >= 0 {
			return s[:end+2]
		}
	}
	depth := 0
	for i, c := range s {
		switch {
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth == 0 {
				return strings.TrimSpace(s[:i])
			}
			depth--
		case depth > 0:
		case c == ';' || c == '。' || c == '；' || c == '，' || c == ',' && (!bracket || strings.HasPrefix(s[i+1:], " ")):
			return strings.TrimSpace(s[:i])
		case c == '.' && (i+1 == len(s) || s[i+1] == ' '):
			return strings.TrimSpace(s[:i])
		}
	}
	return strings.TrimSpace(s)
}
