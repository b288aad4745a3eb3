package kind

import (
	"strings"

	"docent/pipeline/contract"
)

// differs are words that ask for a difference, in all languages; the text without them
// names the sides.
func differs() []string {
	return words("what is the main difference between|what are the main differences between|what is the difference between|what's the difference between|whats the difference between|what are the differences between|what is the difference|what's the difference|whats the difference|what are the differences|what distinguishes|how is it different|the difference between|key differences between|differences between|difference between|differences of|difference of|difference in|difference|differences|the comparison of|comparison between|comparison of|comparison|compared to|compared with|in comparison to|in comparison with|compare|comparing|" +
		"有什么区别|有什么不同|有何区别|有何不同|有什么差异|有什么差别|的区别是什么|的区别在哪里|的区别在哪|的区别|的不同之处|的不同点|的不同|的差异|的差别|区别是什么|有啥区别|有啥不同|区别|差异|差别|对比|比较|之间|" +
		"was ist der unterschied zwischen|was ist der unterschied|der unterschied zwischen|unterschied zwischen|unterschiede zwischen|worin unterscheiden sich|wie unterscheiden sich|wodurch unterscheiden sich|worin unterscheidet sich|wie unterscheidet sich|unterscheidet sich|unterscheiden sich|unterschiede|unterschied|im vergleich zu|im vergleich|vergleich von|vergleich zwischen|vergleich|verglichen mit|" +
		"quelle est la différence entre|quelles sont les différences entre|différences entre|différence entre|différence|différences|comparaison entre|comparer|par rapport à|" +
		"cuál es la diferencia entre|cuáles son las diferencias entre|qué diferencia hay entre|diferencias entre|diferencia entre|diferencia|diferencias|comparación entre|comparar|" +
		"в чем разница между|в чём разница между|какая разница между|разница между|разница|чем отличаются|чем отличается|отличается|отличаются|отличия|отличие|различия между|различие между|сравнение|в чем разница|в чём разница|чем|" +
		"の違いは何ですか|の違いはなんですか|の違いは何|の違いは|の違いを|の違い|はどう違いますか|はどう違う|の差は|の差|の比較|を比較|の区別")
}

// sure are the words of differs that alone make a comparison; the others do beside
// two sides.
func comparing(s sentence) (string, bool) {
	list := words("difference between|differences between|difference|differences|compared to|compared with|in comparison to|in comparison with|comparison between|comparison of|vs|vs.|versus|compare|comparing|what distinguishes|" +
		"unterschied|unterschiede|unterscheiden|unterscheidet|im vergleich|verglichen mit|vergleich|différence|différences|comparaison|diferencia|diferencias|comparación|разница|разницу|отличается|отличаются|отличие|отличия|сравнение|различие|различия|区别|差异|差别|对比|比较|违い")
	if w, i := s.find(list); i >= 0 {
		return w, true
	}
	for _, w := range words("有什么不同|有何不同|有啥不同|的不同|不同点|不同之处|の違い|どう違|の差|の比較") {
		if strings.Contains(s.lower, w) {
			return w, true
		}
	}
	return "", false
}

// comparison reads a question for the difference of several things.
func comparison(s sentence) (Reading, bool) {
	if r, ok := differ(s); ok {
		return r, true
	}
	if r, ok := choice(s); ok {
		return r, true
	}
	cue, ok := comparing(s)
	if !ok {
		return Reading{}, false
	}
	if base := without(s); base.line != s.line && !strings.ContainsAny(base.line, ":：") {
		if sides := sidesOf(base); len(sides) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
		}
	}
	// "NoSchedule NoExecute unterschied taint effect": two names without a joining word.
	if i := strings.Index(s.lower, cue); i > 0 {
		if codes := codeSides(s.cut(0, i)); len(codes) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: codes, Cue: cue}, true
		}
	}
	// The sides stand on one side of a colon or a comma: "sandbox modes: auto-allow vs
	// regular permissions", "Retain or Delete, whats the difference".
	for _, piece := range pieces(s) {
		if sides := sidesOf(piece); len(sides) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
		}
	}
	if sides := sidesOf(s); len(sides) > 1 {
		return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
	}
	if rest := without(s); rest.line != s.line && cue != "compare" && cue != "vergleich" && cue != "比较" && cue != "对比" {
		if codes := codeSides(rest); len(codes) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: codes, Cue: cue}, true
		}
		return Reading{Kind: contract.KindComparison, Subjects: distinct([]string{noun(rest.line)}), Cue: cue}, true
	}
	return Reading{}, false
}

// pieces are the stretches between colons and commas, those with a word that joins two
// sides first.
func pieces(s sentence) []sentence {
	var out []sentence
	from := 0
	for i, r := range s.line {
		mark := r == '，' || r == '：' || (r == ',' || r == ':') && i+1 < len(s.line) && s.line[i+1] == ' ' || (r == '-' || r == '–') && i > 0 && s.line[i-1] == ' '
		if mark {
			out = append(out, s.cut(from, i))
			from = i + len(string(r))
		}
	}
	if from == 0 {
		return nil
	}
	out = append(out, s.cut(from, len(s.line)))
	return out
}

// without is the sentence without the words that ask for a difference.
func without(s sentence) sentence {
	for again := true; again; {
		again = false
		for _, w := range differs() {
			if rest, ok := s.opens(w); ok {
				s, again = rest, true
				break
			}
			if rest, ok := s.ends(w); ok {
				s, again = rest, true
				break
			}
		}
	}
	return s
}

// joiners part the sides of a comparison, the stronger ones first.
func joiners() [][]string {
	return [][]string{
		words(" vs. | vs | versus | compared to | compared with | in comparison to | in comparison with | rather than | instead of | as opposed to | im vergleich zu | verglichen mit | gegenüber | par rapport à | unterscheidet sich von | отличается от | отличаются от |相比于|相比|对比"),
		words(" and | or | und | oder | et | ou | y | e | o | и | или |还是|或者|以及|和|与|跟|同|或|と"),
		words(" from | to | with | von | de | от | от "),
		words(" & |, |，|、| / |/"),
	}
}

// sidesOf are the things that a stretch compares; fewer than two where it does not say.
func sidesOf(s sentence) []string {
	asked := s
	s = without(s)
	for level, list := range joiners() {
		if level == 2 && asked.line == s.line && !asked.has(words("compare")) {
			continue // "from A to B" compares only where a difference is asked for
		}
		at, n := -1, 0
		for _, w := range list {
			if i := strings.Index(s.lower, w); i > 0 && i+len(w) < len(s.lower) && (at < 0 || i < at) {
				at, n = i, len(w)
			}
		}
		if at < 0 {
			continue
		}
		left, right := s.cut(0, at), s.cut(at+n, len(s.line))
		var sides []string
		// "local, project and user": commas go on with what a joiner parts.
		for part := range strings.SplitSeq(strings.NewReplacer("、", ",", "，", ",").Replace(left.line), ", ") {
			sides = append(sides, part)
		}
		if level < 2 {
			if more := sidesOf(right); len(more) > 1 {
				sides = append(sides, more...)
			} else {
				sides = append(sides, right.line)
			}
		} else {
			sides = append(sides, strings.Split(strings.NewReplacer("、", ", ", "，", ", ").Replace(right.line), ", ")...)
		}
		return sided(sides)
	}
	return nil
}

// sided cleans sides: without articles and what comes after the last side, and with
// the context that comes before the first one left out.
func sided(sides []string) []string {
	for i, side := range sides {
		t := without(newSentence(side))
		for _, w := range words(" in terms of | when it comes to | in | for | when | which | regarding | bei |, ") {
			if at := strings.Index(t.lower, w); at > 0 && i == len(sides)-1 {
				t = t.cut(0, at)
			}
		}
		for _, w := range words("between|using|use|the use of|to use|when to use|when should i use|should i use|should i choose|should we use|is it better to use|zwischen|entre|между|both|in") {
			if rest, ok := t.opens(w); ok && rest.line != "" {
				t = rest
			}
		}
		for _, w := range words("differ|different|之间|有|的|哪个好|哪个更好|哪个|which|which one|is better|better|unterscheiden|sich|の") {
			if rest, ok := t.ends(w); ok && rest.line != "" {
				t = rest
			}
		}
		sides[i] = noun(t.line)
	}
	sides = distinct(sides)
	if len(sides) < 2 {
		return nil
	}
	// "secret encryption at rest aescbc vs kms": what comes before both is context.
	first, second := strings.Fields(sides[0]), strings.Fields(sides[1])
	if n := len(second); len(first) >= n+2 && !isHan(sides[0]) {
		sides[0] = strings.Join(first[len(first)-n:], " ")
	}
	for _, side := range sides {
		if fields(side) > mostSubject {
			return nil
		}
	}
	return distinct(sides)
}

// differ reads "how do A and B differ", "how is A different from B", "is A the same
// as B", "wie unterscheidet sich A von B".
func differ(s sentence) (Reading, bool) {
	for _, open := range words("how does|how do|how is|how are|is|are|wie|worin|wodurch|чем|en quoi|en qué") {
		rest, ok := s.opens(open)
		if !ok {
			continue
		}
		for _, w := range words(" different from | different than | different to | differ from | the same as | the same thing as | similar to | compare to | compare with | unterscheidet sich von | diffère de | se diferencia de | отличается от | отличаются от ") {
			if i := strings.Index(rest.lower, w); i > 0 {
				if sides := sided([]string{rest.line[:i], rest.line[i+len(w):]}); len(sides) > 1 {
					return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: strings.TrimSpace(w)}, true
				}
			}
		}
		for _, w := range words("differ|different|compare|the same|the same thing") {
			if x, ok := rest.ends(w); ok {
				if sides := sidesOf(x); len(sides) > 1 {
					return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: w}, true
				}
			}
		}
	}
	return Reading{}, false
}

// choice reads "A or B, which …", "which is better, A or B", "should I use A or B",
// "when to use A instead of B", "A 还是 B".
func choice(s sentence) (Reading, bool) {
	yes := func(side sentence, cue string) (Reading, bool) {
		if sides := sidesOf(side); len(sides) > 1 {
			return Reading{Kind: contract.KindComparison, Subjects: sides, Cue: cue}, true
		}
		return Reading{}, false
	}
	for _, open := range words("which is better|which one is better|what is better|which is faster|should i use|should i choose|should we use|is it better to use|when should i use|when should you use|when to use|when do i use|why use|when would i use|do i need|soll ich|was ist besser|应该用|该用|什么时候用|何时使用|用") {
		rest, ok := s.opens(open)
		if !ok {
			continue
		}
		for _, w := range words(" or | instead of | rather than | over | oder |还是|而不是|或者") {
			if i := strings.Index(rest.lower, w); i > 0 {
				return yes(sentence{line: rest.line[:i] + " vs " + rest.line[i+len(w):], lower: rest.lower[:i] + " vs " + rest.lower[i+len(w):]}, open+" …"+w)
			}
		}
	}
	if w, i := s.find(words("还是")); i > 0 && !strings.Contains(s.lower, "还是不") && !strings.Contains(s.lower, "还是没") && !strings.Contains(s.lower, "还是无") && !strings.Contains(s.lower, "还是报") {
		return yes(s, w)
	}
	if strings.Contains(s.lower, " or ") {
		for _, w := range words(", which| - which| which one| which is|, what is| which should| – which|: which") {
			if i := strings.Index(s.lower, w); i > 0 && strings.Contains(s.lower[:i], " or ") {
				return yes(s.cut(0, i), "or …"+w)
			}
		}
		if rest, ok := s.opens("which"); ok && strings.ContainsAny(rest.line, ":,") {
			i := strings.IndexAny(rest.line, ":,")
			return yes(rest.cut(i+1, len(rest.line)), "which … or")
		}
	}
	return Reading{}, false
}

// codeSides are names that stand beside each other: "NoSchedule NoExecute".
func codeSides(s sentence) []string {
	var out []string
	for w := range strings.FieldsSeq(s.line) {
		if w = strings.Trim(w, ",;:"); Identifier(w) || camel(w) {
			out = append(out, w)
		}
	}
	return distinct(out)
}
