package kind

import (
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
)

// lookup reads a question for one exact thing: an attribute of a name, a name by what
// it does, or a name alone.
func lookup(s sentence) (Reading, bool) {
	names := identifiers(s.line)
	found := func(cue string) (Reading, bool) {
		return Reading{Kind: contract.KindLookup, Subjects: lookupSubjects(s), Cue: cue}, true
	}
	if len(names) > 0 && fields(s.line) == 1 {
		return found("a name alone")
	}
	for _, w := range words("after how many|after how long|for how long|for how many|in how many|at what|how many|how much|how long|how often|how deep|how big|how large|how high|how far|how fast|how old|wie viele|wie viel|wie lange|wie oft|wie groß|wie hoch|combien|quelle est la valeur|cuánto|cuántos|cuánta|cuántas|сколько|как часто|как долго") {
		if _, ok := s.opens(w); ok {
			return Reading{Kind: contract.KindLookup, Subjects: distinct(names), Cue: w}, true
		}
	}
	for _, w := range words("多少|多大|多久|多长|几个|几次|几秒|几天|多高|多深|いくつ|何秒|何分|何個|何日|何回|どのくらい|どれくらい|いくら") {
		if strings.Contains(s.lower, w) {
			return found(w)
		}
	}
	for _, open := range words("in which|in what|from which|since which|since what|on which|on what|with which|to which|in welcher|seit welcher|ab welcher|which|what|welche|welcher|welches|quel|quelle|qué|cuál|какой|какая|какое|name of the|name of|the name of the|is there a|is there an") {
		rest, ok := s.opens(open)
		if !ok {
			continue
		}
		for _, w := range words("env var|environment variable|env variable|flag|option|setting|command|port|file|key|parameter|field|annotation|label|argument|config|property|method|function|keyword|header|shortcut|variable|version|http status|status code|exit code|option|umgebungsvariable|datei|befehl|commande|fichier|comando|archivo|флаг|файл|команда|параметр") {
			if _, ok := rest.opens(w); ok {
				return Reading{Kind: contract.KindLookup, Subjects: distinct(names), Cue: open + " " + w}, true
			}
		}
	}
	for _, w := range words("config key|configuration key|config option|flag to|flag for|option to|option for|setting to|setting for|env var for|env var to|environment variable for|environment variable to|parameter for|command to|command for|shortcut for|keybinding for|annotation for|哪个参数|哪个选项|哪个命令|哪个字段|哪个文件|哪个环境变量|哪个标志|哪个版本|什么参数|什么命令|什么端口|哪个端口") {
		if s.has([]string{w}) {
			return found(w)
		}
	}
	how := s.has(words("how to|how do i|how do you|how can i|how do we|how can you|如何|怎么|怎样|wie kann|wie kann ich|comment|cómo|как|どうやって|方法"))
	if names := s.has(words("options|flags|fields|parameters|arguments|settings|values|attributes|properties")); names && oneOf(strings.Fields(s.lower + " ")[0], "list|show|get") {
		return found("a list")
	}
	if how || instruction(s) != "" {
		return Reading{}, false
	}
	for _, w := range words("default|defaults|by default|maximum|minimum|max|min|standardwert|standardmäßig|par défaut|por defecto|predeterminado|по умолчанию|максимальный|максимальная|максимальное|минимальный") {
		if s.has([]string{w}) {
			return found(w)
		}
	}
	for _, w := range words("默认|最大|最小|上限|下限|最多|最少|取值|返回值|デフォルト|既定|最大値|上限") {
		if strings.Contains(s.lower, w) {
			return found(w)
		}
	}
	if endsInAttribute(s) && (len(names) > 0 || asksThe(s)) || asksAttribute(s) {
		return found("an attribute")
	}
	if len(names) > 0 && (fields(s.line) <= 4 || asksWhat(s) || strings.HasPrefix(s.line, names[0]) && fields(s.line) <= 8) {
		return found("a name")
	}
	return Reading{}, false
}

// AsksDefault says whether a question asks for a default.
func AsksDefault(text string) bool {
	s := newSentence(question.Shorten(text, mostRead))
	if s.has(words("default|defaults|by default|standardwert|standardmäßig|par défaut|por defecto|predeterminado|по умолчанию")) {
		return true
	}
	for _, w := range words("默认|デフォルト|既定") {
		if strings.Contains(s.lower, w) {
			return true
		}
	}
	return false
}

// asksThe says whether a question asks for the attribute of something: "what is the
// bootstrap token ttl".
func asksThe(s sentence) bool {
	for _, w := range words("what is the|what's the|whats the|what are the|what is") {
		if _, ok := s.opens(w); ok {
			return true
		}
	}
	return false
}

// asksAttribute says whether a question asks for the attribute of something, with words
// after it: "what is the bootstrap token ttl in kubeadm".
func asksAttribute(s sentence) bool {
	for _, w := range words("what is the|what's the|whats the|what are the") {
		if rest, ok := s.opens(w); ok {
			return attributed(rest)
		}
	}
	return false
}

func asksWhat(s sentence) bool {
	return s.has(words("what|which|what's|valid values|allowed values|type|value|values|meaning|required|accept|accepts|return|returns")) ||
		strings.Contains(s.lower, "什么") || strings.Contains(s.lower, "作用")
}

// lookupSubjects are the names in a question, or without names the words that an
// attribute is asked of.
func lookupSubjects(s sentence) []string {
	if names := identifiers(s.line); len(names) > 0 {
		return distinct(names)
	}
	rest := s
	for _, w := range words("what is the|what's the|whats the|what are the|what is|what does|which|what|how many|how much|how long|how often|how deep|for how long|after how many|can|does|do|is|are") {
		if x, ok := rest.opens(w); ok && x.line != "" {
			rest = x
			break
		}
	}
	// Of "hook 超时默认多少秒" the words before what is asked.
	for _, w := range words("默认|最大|最小|最多|最少|上限|下限|可以|多少|多大|多久|多长|几个|是否|は|の") {
		if i := strings.Index(rest.lower, w); i > 0 {
			rest = rest.cut(0, i)
		}
	}
	if i := strings.LastIndex(rest.lower, " in "); i > 0 {
		rest = rest.cut(0, i)
	}
	// "max length of a label value": the value is a part of the name.
	if i := strings.Index(rest.lower, " of "); i > 0 && endsInAttribute(rest.cut(0, i)) && fields(rest.line[i:]) <= mostSubject {
		return distinct([]string{noun(rest.line[i+len(" of "):])})
	}
	for again := true; again; {
		again = false
		for _, w := range append(attributes(), "of", "for", "by", "in", "the", "a", "do", "seconds", "是多少", "多少", "是什么", "默认") {
			if x, ok := rest.ends(w); ok && x.line != "" {
				rest, again = x, true
			}
			if x, ok := rest.opens(w); ok && x.line != "" {
				rest, again = x, true
			}
		}
	}
	if fields(rest.line) > mostSubject {
		return nil
	}
	return distinct([]string{noun(rest.line)})
}

// identifiers are the words of a text that are names of code, and what stands in
// backticks.
func identifiers(text string) []string {
	var out []string
	for _, t := range question.Tokens(text) {
		if t.Kind != question.Code {
			continue
		}
		if text[t.Start] == '`' || Identifier(t.Text) {
			out = append(out, t.Text)
		}
	}
	return out
}

// Identifier says whether a word is an identifier of code: a flag, snake_case,
// camelCase, dotted.name, call(), a::b, CAPITALS_WITH_UNDERSCORES. Names such as GitHub
// and StatefulSet, paths, files and versions are not.
func Identifier(w string) bool {
	if len(w) < 2 || strings.ContainsAny(w, " \t") || !strings.ContainsFunc(w, unicode.IsLetter) || strings.Contains(w, "://") {
		return false
	}
	if w[0] == '-' {
		return true
	}
	if w[0] == '/' || w[0] == '~' || strings.HasPrefix(w, "./") {
		return false
	}
	if strings.ContainsAny(w, "_(=$") || strings.Contains(w, "::") {
		return true
	}
	if i := strings.Index(w, "."); i > 0 && i+1 < len(w) && !file(w) && !version(w) && !strings.Contains(w, "/") {
		return true
	}
	return unicode.IsLower(rune(w[0])) && camel(w)
}

// camel says whether a lower-case letter comes before an upper-case one.
func camel(w string) bool {
	lower := false
	for _, r := range w {
		if lower && unicode.IsUpper(r) {
			return true
		}
		lower = unicode.IsLower(r)
	}
	return false
}

func file(s string) bool {
	for _, suffix := range words(".md|.mdx|.json|.yaml|.yml|.toml|.txt|.js|.ts|.py|.go|.rs|.rb|.java|.c|.h|.cpp|.sh|.html|.css|.env|.xml|.pdf|.conf|.cfg|.ini|.lock|.mod|.log|.sql|.com|.org|.net|.io|.ai|.dev") {
		if strings.HasSuffix(strings.ToLower(s), suffix) {
			return true
		}
	}
	return false
}

func version(s string) bool {
	return !strings.ContainsFunc(strings.TrimRight(strings.TrimLeft(s, "vV"), "xX"), unicode.IsLetter)
}
