package optimize

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"docent/pipeline/contract"
	"docent/pipeline/question"
	"docent/pipeline/question/kind"
	"docent/store/analysis"
)

// list collects queries, best first.
type list struct {
	queries  []contract.OptimizedQuery
	must     string // a query that may not fall off the end
	analyzer *analysis.Analyzer
	keys     []string // of the queries
}

// addQuery adds a query unless it is empty, a repeat, or has only question words.
func (l *list) addQuery(strategy, query, reason string) {
	query = question.OneLine(query)
	if strategy != contract.StrategyOriginal {
		query = strings.TrimFunc(query, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:?!、，；：？！。", r) })
	}
	limit := maxQueryRunes
	if strategy == contract.StrategyOriginal {
		limit = maxAskedRunes
	}
	query = question.Shorten(query, limit)
	if query == "" || asksOnly(query) || l.hasQuery(query) {
		return
	}
	l.queries = append(l.queries, contract.OptimizedQuery{Query: query, Strategy: strategy, Reason: reason})
}

// hasQuery reports whether the list has a query for the same words.
func (l *list) hasQuery(query string) bool {
	k := l.queryKey(query)
	for len(l.keys) < len(l.queries) {
		l.keys = append(l.keys, l.queryKey(l.queries[len(l.keys)].Query))
	}
	return slices.Contains(l.keys, k)
}

// queryKey is equal for queries that search for the same words: those that differ by stop
// words, order and inflection alone.
func (l *list) queryKey(q string) string {
	if l.analyzer == nil {
		l.analyzer = analysis.New()
	}
	terms := l.analyzer.Terms(q)
	if len(terms) == 0 {
		return strings.ToLower(strings.Trim(q, " ?!.,;:？！。，；："))
	}
	slices.Sort(terms)
	return strings.Join(slices.Compact(terms), " ")
}

func (l *list) isFull() bool { return len(l.queries) >= contract.MinQueries }

// rankedQueries is the list cut to its length. If the required query would be cut off, it
// takes the last place.
func (l *list) rankedQueries() []contract.OptimizedQuery {
	qs := l.queries
	if len(qs) > contract.MaxQueries {
		i := slices.IndexFunc(qs, func(q contract.OptimizedQuery) bool { return l.must != "" && l.queryKey(q.Query) == l.queryKey(l.must) })
		if i >= contract.MaxQueries {
			qs[contract.MaxQueries-1] = qs[i]
		}
		qs = qs[:contract.MaxQueries]
	}
	for i := range qs {
		qs[i].Rank = i + 1
	}
	return qs
}

// asksOnly reports whether a query has only question words and stop words.
func asksOnly(q string) bool {
	f := load().readFrame(q, question.Language(q))
	return f.asks != "" && len(contentTerms(f.terms)) == 0 && !f.compares
}

// writeQueries writes the queries for a question: text as asked; short without the names of
// doc sets ("" when that leaves nothing); its frame and its kind.
func (t *tables) writeQueries(asked, short, language string, f frame, r kind.Reading) []contract.OptimizedQuery {
	text := question.OneLine(asked)
	l := &list{must: question.Shorten(text, maxAskedRunes)}
	lone := loneTerm(f.terms)
	switch {
	case lone != "" && len(t.first[strings.ToLower(lone)]) > 0:
		for _, name := range t.first[strings.ToLower(lone)] {
			l.addQuery(contract.StrategyExpansion, name, "The fuller name of "+lone)
		}
		l.addQuery(contract.StrategyExpansion, lone+" reference", "Documentation type: reference")
		l.addQuery(contract.StrategyOriginal, text, "The question as asked")
	case r.Pasted:
		t.addMessageQueries(l, asked)
	case language != "en" && translates(f.terms):
		t.addChineseQueries(l, text, language, f, r)
	default:
		t.addPlain(l, text, short, f, r)
	}
	if len(l.queries) == 0 && len(strings.Fields(text)) >= headingWords {
		l.queries = append(l.queries, contract.OptimizedQuery{Query: question.Shorten(question.OneLine(text), maxAskedRunes),
			Strategy: contract.StrategyOriginal,
			Reason:   "The question as asked: a heading may be it, word for word"})
	}
	t.fillTypes(l, f, r.Kind)
	return l.rankedQueries()
}

// headingWords: a question of at least so many words that are all stop words is a query
// as it is, since it may be a heading ("Why do I need them?").
const headingWords = 4

// loneTerm is the only term with a meaning, "" if there are several or if it is code.
func loneTerm(terms []term) string {
	c := contentTerms(terms)
	if len(c) != 1 || c[0].code {
		return ""
	}
	return c[0].text
}

func translates(terms []term) bool {
	return slices.ContainsFunc(terms, func(tm term) bool {
		return tm.han && (tm.isContent() || tm.role == compare) && !strings.ContainsFunc(tm.text, func(r rune) bool { return r > 0x2e80 })
	})
}

// addChineseQueries adds the queries for a Chinese question in English words, and the question
// itself, for pages in Chinese.
func (t *tables) addChineseQueries(l *list, text, language string, f frame, r kind.Reading) {
	whole := f.englishQuery(f.terms)
	parts := f.splitParts()
	if len(r.Parts) > 1 {
		l.addQuery(contract.StrategyTranslation, whole, "Direct English translation")
		for i, p := range r.Parts {
			g := t.readFrame(p, language)
			l.addQuery(contract.StrategyDecomposition, g.englishQuery(g.terms), partReason(i, len(r.Parts)))
		}
		l.addQuery(contract.StrategyOriginal, text, "The question as asked, for pages in its own language")
		return
	}
	if f.compares || !areBrief(parts) {
		l.addQuery(contract.StrategyTranslation, whole, "Direct English translation")
	}
	addParts(l, f, parts)
	reason := "Direct English translation"
	if len(parts) > 0 {
		reason = "English translation of the whole question"
	}
	l.addQuery(contract.StrategyTranslation, whole, reason)
	t.expand(l, f, parts)
	l.addQuery(contract.StrategyOriginal, text, "The question as asked, for pages in its own language")
	t.otherNames(l, f)
}

// addPlain adds the queries for a question that is searched in its own words. The first
// one is the question itself: rewriting it loses more exact hits than it gains.
func (t *tables) addPlain(l *list, text, short string, f frame, r kind.Reading) {
	n := len(contentTerms(f.terms))
	switch {
	case short == "" || short == text:
		l.addQuery(contract.StrategyOriginal, text, "The question as asked")
	case n == 1:
		// "Kubernetes API": without the name too little is left. Measured on
		// link texts: reciprocal rank .58 without it, .79 with it (6 questions);
		// no difference where two terms are left (57 questions).
		l.addQuery(contract.StrategyOriginal, text, "The question as asked, with the doc set's name")
		l.addQuery(contract.StrategyExpansion, short, withoutName)
	default:
		l.addQuery(contract.StrategyOriginal, short, withoutName)
	}
	parts := f.splitParts()
	switch {
	case len(r.Parts) > 1:
		for i, p := range r.Parts {
			// With the subject of the first one a part may be all words of the question.
			if subject := strings.Join(r.Subjects, " and "); subject != "" && l.hasQuery(p) {
				if g := t.readFrame(strings.Replace(p, subject, "", 1), "en"); len(contentTerms(g.terms)) > 1 {
					p = joinText(contentTerms(g.terms))
				}
			}
			l.addQuery(contract.StrategyDecomposition, inEnglishWords(t, p), partReason(i, len(r.Parts)))
		}
	case r.Kind == contract.KindComparison && len(r.Subjects) > 1:
		for i, side := range r.Subjects[:min(3, len(r.Subjects))] {
			l.addQuery(contract.StrategyDecomposition, side,
				"Side "+strconv.Itoa(i+1)+" of "+strconv.Itoa(len(r.Subjects))+" of the comparison")
		}
	case r.Kind != contract.KindError:
		addParts(l, f, parts)
	}
	t.joinedForms(l, f)
	if r.Kind != contract.KindError && r.Kind != contract.KindComparison && len(r.Parts) == 0 {
		t.expand(l, f, parts)
	}
	t.identifiers(l, f)
	if words := len(strings.Fields(text)); n >= 2 && words >= n+3 {
		l.addQuery(contract.StrategyExpansion, joinText(distinctWords(contentTerms(f.terms), 12)), "The terms that carry meaning")
	}
	t.otherNames(l, f)
	if short != "" {
		l.addQuery(contract.StrategyOriginal, text, "The question as asked, with the doc set's name")
	}
}

func partReason(i, n int) string {
	return "Part " + strconv.Itoa(i+1) + " of " + strconv.Itoa(n) + " of the question"
}

// joinedForms adds the question with its fixed expressions in their other writing:
// "rollback release" for "roll back a release".
func (t *tables) joinedForms(l *list, f frame) {
	c := distinctWords(contentTerms(f.terms), 8)
	found := ""
	for i := range c {
		if c[i].joined != "" {
			found, c[i].text = c[i].text, c[i].joined
		}
	}
	if found != "" {
		l.addQuery(contract.StrategyExpansion, joinText(c), "Another writing of "+found)
	}
}

const withoutName = "The question without the doc set's name, which narrows the search instead"

// addParts adds a query for each part of a question. A part with an action and no
// topic gets the topic of the others: "hooks配置以及部署" asks for the deployment of
// hooks. A part with a topic and no action gets the action at the beginning or end of
// the question: "configure hooks and skills".
func addParts(l *list, f frame, parts [][]term) {
	if len(parts) == 0 {
		return
	}
	shared := ""
	for _, p := range parts {
		if shared = joinedTopics(p, nil); shared != "" {
			break
		}
	}
	lead, trail := sharedAction(f, parts)
	for i, p := range parts {
		if i == 3 {
			break
		}
		q := f.englishQuery(slices.DeleteFunc(slices.Clone(p), func(tm term) bool { return tm.role == compare }))
		switch {
		case joinedTopics(p, nil) == "":
			q += " " + shared
		case !isAction(p) && lead != "":
			q = lead + " " + q
		case !isAction(p) && trail != "":
			q += " " + trail
		}
		l.addQuery(contract.StrategyDecomposition, q, partReason(i, len(parts)))
	}
}

func isAction(p []term) bool {
	return slices.ContainsFunc(p, func(tm term) bool { return tm.role == action })
}

// sharedAction finds the only action of several parts: a verb that leads the
// first, or a noun that ends the last.
func sharedAction(f frame, parts [][]term) (lead, trail string) {
	n := 0
	for _, p := range parts {
		if isAction(p) {
			n++
		}
	}
	if n != 1 {
		return "", ""
	}
	first, last := contentTerms(parts[0]), contentTerms(parts[len(parts)-1])
	if a := first[0]; a.role == action && !a.named && len(first) > 1 {
		return a.text, ""
	}
	if a := last[len(last)-1]; a.role == action && len(last) > 1 {
		switch {
		case a.noun != "" && f.asks != "how":
			return "", a.noun
		case a.han:
			return a.text, ""
		case a.named:
			return "", a.text
		}
	}
	return "", ""
}

// areBrief reports whether parts are short enough to be questions, and not a sentence with a
// comma.
func areBrief(parts [][]term) bool {
	n := 0
	for _, p := range parts {
		c := len(contentTerms(p))
		if c > 3 {
			return false
		}
		n += c
	}
	return n <= 6
}

// joinedTopics joins the topics of the terms, without the term focus.
func joinedTopics(terms []term, focus *term) string {
	const most = 6
	var words []string
	for i := range terms {
		tm := &terms[i]
		if tm == focus || len(words) == most {
			continue
		}
		if tm.role == topic || tm.role == modifier || focus != nil && tm.role == action && tm.text != "use" {
			text := tm.text
			if tm.noun != "" {
				text = tm.noun
			}
			words = append(words, text)
		}
	}
	return strings.Join(words, " ")
}

// expand adds the other names of the question's concept, each with the topics. Of
// several parts, the first is expanded.
func (t *tables) expand(l *list, f frame, parts [][]term) {
	const prose = 8 // more terms than this are a description, with no one concept
	terms := f.terms
	if len(parts) > 0 {
		terms = parts[0]
	}
	if len(contentTerms(terms)) > prose || looksLikeName(contentTerms(f.terms)) {
		return
	}
	focus := slices.IndexFunc(terms, func(tm term) bool { return tm.about != nil && tm.role == action && tm.verb != "use" })
	if focus < 0 {
		focus = slices.IndexFunc(terms, func(tm term) bool { return tm.about != nil })
	}
	if focus < 0 {
		return
	}
	c := terms[focus].about
	about := joinedTopics(terms, &terms[focus])
	for _, p := range parts {
		if about == "" {
			about = joinedTopics(p, nil)
		}
	}
	acted := false
	for _, template := range c.templates {
		reason := "Synonym for " + c.noun
		if strings.HasSuffix(template, "{}") {
			reason = "Action-oriented variation"
			if acted {
				reason = "Another wording of " + c.verb
			}
			acted = true
		}
		if said := strings.ReplaceAll(template, "{}", ""); slices.Contains(strings.Fields(about), strings.TrimSpace(said)) {
			continue // "billing billing"
		}
		l.addQuery(contract.StrategyExpansion, strings.Replace(template, "{}", about, 1), reason)
	}
}

// looksLikeName reports whether the terms look like a name or a page's title: three words or
// more, all capitalised.
func looksLikeName(c []term) bool {
	return len(c) > 2 && !slices.ContainsFunc(c, func(tm term) bool { return !isTitle(tm.text) && !tm.code })
}

// otherNames adds the question with one term replaced by another name of it.
func (t *tables) otherNames(l *list, f frame) {
	c := contentTerms(f.terms)
	if len(c) > 6 {
		return
	}
	for i, tm := range c {
		names := tm.other
		if !tm.han {
			names = t.also[strings.ToLower(tm.text)]
		}
		if len(names) == 0 || tm.code || tm.role == action {
			continue
		}
		if slices.ContainsFunc(c, func(o term) bool { return strings.EqualFold(o.text, names[0]) }) {
			continue // "how much does billing cost" has both
		}
		d := slices.Clone(c)
		d[i].text = names[0]
		l.addQuery(contract.StrategyExpansion, joinText(d), "Another name for "+tm.text)
		return
	}
}

// identifiers adds each term of code alone, and the words in it.
func (t *tables) identifiers(l *list, f frame) {
	n := 0
	for _, tm := range f.terms {
		if !tm.code || n == 2 || strings.Trim(tm.text, "vV.-0123456789") == "" {
			continue // a version alone finds every page
		}
		n++
		l.addQuery(contract.StrategyExpansion, tm.text, "The identifier alone")
		if words := identifierWords(tm.text); len(words) > 1 && len(words) <= 8 {
			l.addQuery(contract.StrategyExpansion, strings.Join(words, " "), "The words of the identifier")
		}
	}
}

// identifierWords splits an identifier at punctuation and at capitals (camelCase).
func identifierWords(s string) []string {
	var words []string
	start := 0
	flush := func(i int) {
		if i > start {
			words = append(words, strings.ToLower(s[start:i]))
		}
	}
	lower := false
	for i, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush(i)
			start = i + len(string(r))
		case lower && unicode.IsUpper(r):
			flush(i)
			start = i
		}
		lower = unicode.IsLower(r)
	}
	flush(len(s))
	return words
}

func distinctWords(terms []term, most int) []term {
	var out []term
	for _, tm := range terms {
		if len(out) < most && !slices.ContainsFunc(out, func(o term) bool { return strings.EqualFold(o.text, tm.text) }) {
			out = append(out, tm)
		}
	}
	return out
}

// fillTypes adds types of documentation ("reference", "guide" …) until there are enough
// queries: with the topics, with all contents of the question, and alone.
func (t *tables) fillTypes(l *list, f frame, k string) {
	c := distinctWords(contentTerms(f.terms), 6)
	about := joinedTopics(c, nil)
	if f.englishQuery(c) != "" && (about == "" || len(c) < 4) {
		about = joinText(c)
		if f.asks == "" && len(c) > 1 {
			about = f.englishQuery(c)
		}
	}
	asks := f.asks
	switch k {
	case contract.KindError:
		asks = "why"
	case contract.KindDefinition:
		asks = "what"
	}
	types := []string{"reference", "guide", "overview", "examples", "tutorial"}
	switch asks {
	case "how":
		types = []string{"guide", "examples", "reference", "tutorial", "overview"}
	case "what":
		types = []string{"overview", "reference", "guide", "examples", "tutorial"}
	case "why":
		types = []string{"troubleshooting", "guide", "reference", "overview", "FAQ"}
	}
	for _, kind := range types {
		if l.isFull() {
			return
		}
		if about != "" && !strings.Contains(strings.ToLower(about), strings.TrimSuffix(kind, "s")) {
			l.addQuery(contract.StrategyExpansion, question.Shorten(about, maxQueryRunes-16)+" "+kind, "Documentation type: "+kind)
		}
	}
	for _, kind := range contract.PageKinds() {
		if l.isFull() {
			return
		}
		l.addQuery(contract.StrategyExpansion, kind, "The question has no word to search for; documentation type: "+kind)
	}
}
