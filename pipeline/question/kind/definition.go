package kind

import (
	"strings"

	"docent/pipeline/contract"
)

// Openings and endings of questions for a definition, the longer ones first.
func definitionOpenings() []string {
	return words("what is meant by|what do you mean by|what do we mean by|what exactly is|what exactly are|what actually is|what is the purpose of|what is the point of|what is the role of|what is the meaning of|what is the definition of|what is the concept of|what is the idea of|what is the idea behind|" +
		"what's the purpose of|what's the point of|what's the meaning of|whats the purpose of|whats the point of|whats the meaning of|the purpose of|purpose of|what is|what are|what's|whats|what're|what was|what were|wats|wat is|what does it mean by|meaning of|definition of|the meaning of|explain what|explain to me|explain|describe|tell me about|introduction to|intro to|who or what is|" +
		"什么是|什么叫做|什么叫|何谓|何为|啥是|解释一下|解释下|解释|介绍一下|介绍下|" +
		"was ist der sinn von|was ist mit|was versteht man unter|was bedeuten|was bedeutet|was heißt|was sind|was ist|was ist denn|bedeutung von|definition von|erkläre|" +
		"qu'est-ce que c'est que|qu'est-ce que c'est|qu'est-ce que|qu'est ce que|qu'est-ce qu'|qu'est ce qu'|c'est quoi|que signifie|que veut dire|qu'entend-on par|définition de|définition d'|à quoi sert|à quoi servent|explique|" +
		"qué es|que es|qué son|que son|qué significa|que significa|en qué consiste|a qué se refiere|definición de|para qué sirve|para qué sirven|explica|" +
		"что такое|что означает|что значит|что за|что это за|определение|для чего нужен|для чего нужна|для чего нужны|зачем нужен|зачем нужна|зачем нужны|" +
		"o que é|o que são|che cos'è|che cosa è|cos'è|wat zijn")
}

func definitionEndings() []string {
	return words("meaning|explained|what is it|what is that|what's that|definition and purpose|" +
		"到底是什么东西|究竟是什么|到底是什么|是什么意思|是什么东西|是什么概念|是什么来的|是什么|是啥意思|是啥|是什麼|什么意思|指的是什么|是指什么|是干什么的|是干什么用的|是干嘛的|是做什么的|是做什么用的|是用来做什么的|有什么作用|有什么用|的作用是什么|的作用|的含义|的定义|的概念|的意思|的用途|" +
		"bedeutung|was ist das|c'est quoi|qu'est-ce que c'est|que es|qué es|это что такое|это что|что это такое|что это|" +
		"とは何でしょうか|とは何ですか|とはなんですか|とはどういう意味ですか|とは何か|とは何|とはなに|とは|って何ですか|って何|ってなに|は何ですか|はなんですか|は何でしょうか|とはどのようなものですか|の意味は何ですか|の意味|とはどういう意味")
}

// attributes are what look-ups ask of a name; of "the maximum of X" X is asked about.
func attributes() []string {
	return words("default value|default values|default|defaults|value|values|valid values|allowed values|possible values|maximum|minimum|max|min|limit|limits|ttl|timeout|timeouts|size|length|number|count|port|ports|path|location|name|type|format|range|interval|duration|version|price|cost|address|url|command|flag|flags|option|options|setting|parameter|parameters|field|fields|key|syntax|order|period|threshold|quota|unit|units|precedence|frequency|env var|environment variable|return type|return value|signature|scope|priority|retention|expiry|expiration|lifetime|capacity|depth|width|height|rate|ratio|percentage|prefix|suffix|shortcut|keybinding|variable|license|licence|endpoint|file|folder|directory|extension")
}

// definition reads "what is X", "X 是什么" and their like.
func definition(s sentence) (Reading, bool) {
	if r, ok := means(s); ok {
		return r, true
	}
	for _, w := range definitionOpenings() {
		rest, ok := s.opens(w)
		if !ok || rest.line == "" {
			continue
		}
		plural := strings.HasPrefix(w, "what") && strings.HasSuffix(w, "are")
		return defined(rest, w, plural)
	}
	for _, w := range definitionEndings() {
		if rest, ok := s.ends(w); ok && rest.line != "" {
			return defined(rest, w, false)
		}
	}
	// how does garbage collection work
	for _, w := range words("how does|how do") {
		if rest, ok := s.opens(w); ok {
			for _, end := range words("work|works|work internally|work under the hood|function") {
				if x, ok := rest.ends(end); ok && x.line != "" && !pronoun(x.lower) {
					return defined(x, w+" … "+end, false)
				}
			}
		}
	}
	return Reading{}, false
}

// means reads "what does X mean" and "what does X do": the second asks for a name's
// effect and is a look-up.
func means(s sentence) (Reading, bool) {
	for _, open := range words("what does|what do|what did|whats|what is|what's|what are|was macht|was bewirkt|was tut|que fait|qué hace|что делает|что делают") {
		rest, ok := s.opens(open)
		if !ok || rest.line == "" {
			continue
		}
		if x, ok := rest.ends("mean"); ok && fields(x.line) <= mostSubject {
			return defined(x, open+" … mean", false)
		}
		if x, ok := rest.ends("stand for"); ok {
			return defined(x, open+" … stand for", false)
		}
		for _, end := range words("used for|good for|for|about") {
			if x, ok := rest.ends(end); ok && strings.HasPrefix(open, "what") && !strings.HasSuffix(open, "do") && !strings.HasSuffix(open, "does") && fields(x.line) <= mostSubject-2 {
				return defined(x, open+" … "+end, false)
			}
		}
		x, does := rest.ends("do")
		if does = does || strings.HasPrefix(open, "was ") || open == "que fait" || open == "qué hace" || strings.HasPrefix(open, "что "); does && fields(x.line) <= mostSubject && !pronoun(x.lower) {
			return Reading{Kind: contract.KindLookup, Subjects: lookupSubjects(sentence{line: noun(x.line), lower: strings.ToLower(noun(x.line))}), Cue: open + " … do"}, true
		}
	}
	return Reading{}, false
}

func pronoun(s string) bool {
	switch s {
	case "i", "it", "you", "we", "they", "this", "that", "these", "those", "one", "he", "she", "它", "这", "这个":
		return true
	}
	return false
}

// defined makes the reading for a term, unless it is no term but the beginning of
// another question: an attribute of something, a sentence.
func defined(x sentence, cue string, plural bool) (Reading, bool) {
	if strings.HasPrefix(x.lower, "the ") && plural {
		return Reading{}, false // "what are the phases of a pod" asks for a list
	}
	if rest, ok := x.opens("the"); ok {
		if attributed(rest) {
			return Reading{}, false
		}
	}
	term := x
	// "what is etcd in kubernetes", "what is a subagent (claude)": the term comes first.
	for _, w := range words(" in | inside | within | when using | for | used | 中的| bei | im | dans | en | в ") {
		if i := strings.Index(term.lower, w); i > 0 {
			if w == " 中的" {
				term = term.cut(i+len(w), len(term.line))
			} else {
				term = term.cut(0, i)
			}
		}
	}
	if i := strings.Index(term.lower, "中的"); i > 0 {
		term = term.cut(i+len("中的"), len(term.line))
	}
	if i := strings.Index(term.line, " ("); i > 0 && strings.HasSuffix(term.line, ")") {
		term = term.cut(0, i)
	}
	name := noun(term.line)
	low := sentence{line: name}
	low.fold()
	switch {
	case name == "" || pronoun(low.lower) || fields(name) > mostSubject:
		return Reading{}, false
	case low.has(words("if|when|while|that|which|who|happens|happening|causing|wrong|difference|differences|difference between|区别|不同|原因|怎么|如何|哪些|best way|way to|ways to|steps to|command to|the command")):
		return Reading{}, false
	case endsInAttribute(low) && (isHan(name) || strings.HasPrefix(x.lower, "the ")):
		return Reading{}, false
	case strings.Contains(low.lower, " of ") && strings.HasPrefix(x.lower, "the ") && fields(name) > 4:
		return Reading{}, false
	case Identifier(name):
		return Reading{Kind: contract.KindLookup, Subjects: []string{name}, Cue: cue}, true
	case status(name):
		return Reading{Kind: contract.KindError, Subjects: []string{name}, Cue: cue}, true
	}
	return Reading{Kind: contract.KindDefinition, Subjects: distinct([]string{name}), Cue: cue}, true
}

// attributed says whether words after "the" name an attribute: "default value of X",
// "bootstrap token ttl".
func attributed(s sentence) bool {
	for _, w := range attributes() {
		if _, ok := s.opens(w); ok {
			return true
		}
		if rest, ok := s.ends(w); ok && rest.line != "" {
			return true
		}
	}
	head := s
	for _, w := range words(" of | for | in ") {
		if i := strings.Index(head.lower, w); i > 0 {
			head = head.cut(0, i)
		}
	}
	return head.line != s.line && endsInAttribute(head)
}

func endsInAttribute(s sentence) bool {
	for _, w := range attributes() {
		if _, ok := s.ends(w); ok {
			return true
		}
	}
	for _, w := range words("默认值|默认|参数|限制|上限|下限|大小|端口|路径|命令|取值|选项|版本|返回值|类型|格式|时间|顺序|数量|长度|最大值|最小值|快捷键|价格|费用|语法") {
		if strings.HasSuffix(s.lower, w) {
			return true
		}
	}
	return false
}

func isHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x2e80 })
}
