package changes

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"docent/pipeline/text/pattern"
)

// remark is a text in brackets behind a value: 4096 (4 KiB).
var remark = pattern.Lazy(`\s+\([^)]*\)$`)

// grouped are the groups of a number: 10_000.
var grouped = pattern.Lazy(`\b(\d{1,3})[_,](\d{3})\b`)

// bareValue is a default without its marks.
func bareValue(s string) string {
	s = withoutLinks(s)
	s = strings.TrimSpace(remark().ReplaceAllString(s, ""))
	s = strings.Trim(strings.TrimSpace(s), "`\"'“”.<>")
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), " ")
}

// sameDefault reports whether two defaults are the same value: "10s" and `10s`, 1.0 and 1,
// 60s and 1m, True and true.
func sameDefault(a, b string) bool {
	a, b = grouped().ReplaceAllString(bareValue(a), "$1$2"), grouped().ReplaceAllString(bareValue(b), "$1$2")
	if strings.EqualFold(a, b) {
		return true
	}
	if x, err := strconv.ParseFloat(a, 64); err == nil {
		if y, err := strconv.ParseFloat(b, 64); err == nil {
			return x == y
		}
	}
	if x, err := time.ParseDuration(a); err == nil {
		if y, err := time.ParseDuration(b); err == nil {
			return x == y
		}
	}
	squeeze := func(s string) string {
		return strings.NewReplacer(" ", "", `"`, "", "'", "").Replace(s)
	}
	return squeeze(a) == squeeze(b) || isNothing(a) && isNothing(b) ||
		strings.HasPrefix(a, b+" ") || strings.HasPrefix(b, a+" ") // one with a remark
}

// isNothing reports whether a default is one of the words for no default.
func isNothing(s string) bool {
	switch strings.ToLower(s) {
	case "", "none", "null", "nil", "undefined", "[]", "{}", `""`, "''", "empty", "unset", "not set", "-":
		return true
	}
	return false
}

// isWords reports whether a value is a sentence and not a value.
func isWords(s string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "[") || strings.HasPrefix(s, "{") || strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "'") {
		return len(s) > 100
	}
	return len(strings.Fields(s)) > 2 && !strings.Contains(s, ",") && !strings.Contains(s, "|")
}

// typeWords are other words for the types of most languages.
var typeWords = map[string]string{"str": "string", "text": "string", "integer": "int", "int32": "int", "int64": "int", "boolean": "bool",
	"dict": "object", "map": "object", "mapping": "object", "list": "array", "double": "float", "num": "number",
	"strings": "string", "ints": "int", "booleans": "bool", "numbers": "number", "objects": "object", "arrays": "array"}

// wordsOfType are the words of a type in order, without what only says how often or whether.
func wordsOfType(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(s, "[]", " array ")), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '.')
	})
	var out []string
	for _, w := range words {
		if same, ok := typeWords[w]; ok {
			w = same
		}
		switch w {
		case "", "or", "a", "an", "of", "the", "and", "optional", "required", "undefined", "null", "none":
			continue
		}
		out = append(out, w)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isType reports whether a text is a type and not the placeholder of a value.
func isType(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "string", "int", "bool", "object", "array", "float", "number", "duration", "function", "enum", "any", "path", "regexp", "date",
			"bytes", "record", "promise":
			return true
		}
		return false
	})
}

// sameType reports whether two types say the same, or whether one of them is none.
func sameType(a, b string) bool {
	if len(a) >= 50 || len(b) >= 50 {
		return true // it may have been cut
	}
	x, y := wordsOfType(a), wordsOfType(b)
	return !isType(x) || !isType(y) || slices.Equal(x, y)
}
