package references

import (
	"cmp"
	"slices"
	"strings"

	"docent/pipeline/knowledge/references/anchors"
	"docent/pipeline/knowledge/references/sentence"
	"docent/pipeline/question/wordlist"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// MostLinks is how many links are kept of one page, different ones by section and target.
const MostLinks = 20_000

// Bounds of what else is kept of one page.
const (
	mostFinds  = 5_000
	mostParts  = 10_000
	mostTarget = 500 // bytes of a link's address
	mostText   = 200 // bytes of a text that matched
)

// reader reads one page.
type reader struct {
	d       doc.Document
	set     Settings
	page    *Page
	seen    map[string]bool  // links that were taken
	lead    string           // the sentence before a list
	refs    map[int][]string // by line: targets of Hugo's ref and relref
	related []bool           // by section: it is one of related pages
	require []bool           // the same for prerequisites
	lines   map[string]int   // of the text, by anchors; made where it is needed
	// ofSource are the lines of the source with the lines of the text that were made of
	// them; made where it is needed.
	ofSource [][2]int
}

// ReadPage takes from a page what it says by itself.
func ReadPage(d doc.Document, set Settings) *Page {
	r := &reader{d: d, set: set, seen: map[string]bool{}}
	r.page = &Page{Path: d.Path, Title: shortText(d.Title), URL: d.URL, Permalink: cmp.Or(d.SitePath, d.Permalink),
		Rev: d.Metadata.TopicRev}
	r.readSections()
	r.refs = hugoRefs(d)
	matter := readMatter(d)
	r.page.Aliases = matter.aliases
	r.frontMatter(matter)
	r.page.Anchors, r.page.Includes = anchors.FindAnchors(d)
	links := slices.Clone(d.Links)
	slices.SortStableFunc(links, func(a, b doc.Link) int { return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.Line, b.Line)) })
	for _, b := range d.Blocks {
		own, rest := linksOfBlock(b, links)
		r.readBlock(b, own)
		links = rest
	}
	r.parameters()
	return r.page
}

// readSections takes the sections.
func (r *reader) readSections() {
	paths := doc.SectionPaths(r.d.Sections)
	r.related, r.require = make([]bool, len(paths)), make([]bool, len(paths))
	for i, s := range r.d.Sections {
		r.page.Places = append(r.page.Places, Place{Text: s.Text, Path: paths[i], Anchor: s.Anchor, Parent: s.Parent,
			Line: s.Span.StartLine, End: s.Span.EndLine})
		heading := plainHeading(s.Text)
		r.related[i] = relatedHeading().MatchString(heading) || s.Parent >= 0 && s.Parent < i && r.related[s.Parent]
		r.require[i] = requireHeading().MatchString(heading)
	}
}

// linksOfBlock are the links of a block; links are ordered, and rest begins behind it.
func linksOfBlock(b doc.Block, links []doc.Link) (own, rest []doc.Link) {
	from := 0
	for from < len(links) && (links[from].Section < b.Section || links[from].Section == b.Section && links[from].Line < b.Span.StartLine) {
		from++
	}
	to := from
	for to < len(links) && links[to].Section == b.Section && links[to].Line <= b.Span.EndLine {
		to++
	}
	return links[:to], links[to:] // with those that belong to no block
}

// readBlock reads a block of the page.
func (r *reader) readBlock(b doc.Block, links []doc.Link) {
	if b.Section >= len(r.page.Places) {
		return
	}
	part := r.addPartOf(b)
	all := sentence.Split(b, links)
	switch b.Kind {
	case doc.Meta, doc.Code, doc.Rule, doc.HTML, doc.HeadingRow, doc.Table:
		r.plainLinks(b, part, links)
		return
	}
	lead := r.lead
	related := r.isRelated(b, lead, all)
	prereq := r.isPrereq(b)
	warned := b.Kind == doc.Admonition && b.Warning && part >= 0
	for _, s := range all {
		r.readSentence(b, s, part, links,
			surroundings{related: related, require: r.require[b.Section] || prereq, prereq: prereq, warned: warned})
	}
	if len(all) == 0 {
		r.plainLinks(b, part, links)
	}
	r.lead = ""
	if n := len(all); n > 0 && b.Kind == doc.Paragraph {
		r.lead = all[n-1].Text
	}
}

// isPrereq reports whether a block is what a topic calls its prerequisites.
func (r *reader) isPrereq(b doc.Block) bool {
	if len(r.d.Metadata.Prereqs) == 0 {
		return false
	}
	text := spacing.Single(b.Text)
	return slices.ContainsFunc(r.d.Metadata.Prereqs, func(p string) bool {
		p = spacing.Single(p)
		return p != "" && (strings.Contains(text, p) || len(text) > 10 && strings.Contains(p, text))
	})
}

// surroundings tell where a sentence stands.
type surroundings struct {
	related bool // it lists related pages
	require bool // it stands among prerequisites
	prereq  bool // it belongs to what a topic of DITA marks as its prerequisites
	warned  bool // it belongs to a warning that was taken already
}

// seeAlso is the sentence in front of a list of related pages.
var seeAlso = wordlist.Rule("references/see-also").Compile()

// isRelated reports whether a block lists related pages.
func (r *reader) isRelated(b doc.Block, lead string, all []sentence.Sentence) bool {
	switch {
	case r.related[b.Section]:
		return true
	case b.Kind == doc.List && seeAlso().MatchString(plainHeading(lead)):
		return true
	}
	return b.Kind == doc.Admonition && len(all) > 0 && relatedHeading().MatchString(plainHeading(all[0].Text))
}

// plainLinks takes links as references.
func (r *reader) plainLinks(b doc.Block, part int, links []doc.Link) {
	for _, l := range links {
		r.addLink(Link{Type: References, Place: b.Section, Part: part, Line: l.Line, Score: 1, Rule: "link", Target: l.Target,
			Match: l.Text})
	}
}

// readSentence applies the patterns to a sentence.
func (r *reader) readSentence(b doc.Block, s sentence.Sentence, part int, links []doc.Link, c surroundings) {
	typ, score, rule, object := References, 1.0, "link", sentence.Stretch{}
	if r.set.Ruleset != RulesetLinks {
		lower := strings.ToLower(s.Text)
		may := familiesOfRules(lower)
		if may&warnFamily != 0 {
			r.warningInSentence(b, s, lower, part, c)
		}
		if may&supersedeFamily != 0 {
			r.supersedes(b, s, lower, part, links)
			r.replacesVersion(b, s, lower)
		}
		if name, sc, at, target := r.requiredBySentence(b, s, lower, c, may); name != "" {
			typ, score, rule, object = Requires, sc, name, at
			if len(s.Links) == 0 {
				r.addRelation(Find{Type: Requires, Place: b.Section, Part: part, Line: s.Line, Score: sc, Rule: name, Target: target,
					Own: -1, Match: s.Text})
			}
		}
		if may&seeFamily != 0 && r.namesRelated(b, s, lower) {
			c.related = true
		} else if len(s.Links) == 0 && (may&seeFamily != 0 || c.related) {
			r.findNamedSections(b, s, lower, part, c)
		}
	}
	for _, i := range s.Links {
		l := links[i]
		link := Link{Type: References, Place: b.Section, Part: part, Line: l.Line, Score: 1, Rule: "link", Target: l.Target, Match: s.Text}
		switch at := strings.Index(s.Text, l.Text); {
		case typ == Requires && at >= object.From && at < object.To && !seeBefore().MatchString(s.Text[:max(0, at)]):
			link.Type, link.Score, link.Rule = Requires, score, rule
		case c.related:
			link.Type, link.Score, link.Rule = RelatedTo, .9, "related.list"
		}
		r.addLink(link)
	}
}

// seeBefore says that a link behind it is one to read, and is not itself required.
var seeBefore = wordlist.Rule("references/see-before").Compile()

// requiredBySentence finds what a sentence requires: the rule, its score, where in the sentence
// that begins, and it in words.
func (r *reader) requiredBySentence(b doc.Block, s sentence.Sentence, lower string, c surroundings, may int) (rule string, score float64,
	object sentence.Stretch, target string) {
	leads := strings.HasSuffix(s.Text, ":") && len(s.Links) == 0 // a list of requirements follows
	if b.Kind == doc.Admonition && c.warned || leads {
		return "", 0, sentence.Stretch{}, ""
	}
	all := sentence.Stretch{To: len(s.Text)}
	for _, x := range requireRules {
		if may&requireFamily == 0 {
			break
		}
		at := x.matchSentence(s, lower)
		if at == nil || denied().MatchString(s.Text[:at[0]]) {
			continue
		}
		if object := firstClauseOf(s.Text[at[2]:at[3]]); len(object) > 3 && !strings.HasSuffix(object, "you have") {
			return x.name, x.score, sentence.Stretch{From: at[2], To: at[3]}, object
		}
	}
	if !c.require || conditional().MatchString(s.Text) {
		return "", 0, sentence.Stretch{}, ""
	}
	switch at := prerequisite().FindStringIndex(s.Text); {
	case at != nil && !denied().MatchString(s.Text[:at[0]]):
		if object := firstClauseOf(s.Text[at[1]:]); len(object) > 3 {
			return "prerequisite.sentence", .85, all, object
		}
	case c.prereq && at == nil:
		if object := firstClauseOf(s.Text); len(object) > 2 || len(s.Links) > 0 {
			return "prerequisite.marked", .85, all, object
		}
	case b.Kind == doc.List && s.Item && at == nil && !statement().MatchString(s.Text):
		if object := firstClauseOf(s.Text); len(object) > 2 || len(s.Links) > 0 {
			return "prerequisite.item", .9, all, object
		}
	}
	return "", 0, sentence.Stretch{}, ""
}

// warningInSentence finds a warning in a sentence outside of notes that warn.
func (r *reader) warningInSentence(b doc.Block, s sentence.Sentence, lower string, part int, c surroundings) {
	if c.warned {
		return
	}
	for _, x := range warnRules {
		at := x.matchSentence(s, lower)
		if at == nil {
			continue
		}
		severity := "caution"
		if len(at) > 2 && at[2] >= 0 {
			severity = strings.ToLower(s.Text[at[2]:at[3]])
		}
		own := r.addPart(Part{Kind: Warning, Place: b.Section, Line: s.Line, Severity: severity, Message: shortText(s.Text)})
		if own >= 0 {
			r.addRelation(Find{Type: WarnsAbout, Place: b.Section, Part: r.procedure(part), Line: s.Line, Score: x.score, Rule: x.name,
				Own: own, Match: s.Text})
		}
		return
	}
}

// procedure is the part itself where it is a procedure, else -1.
func (r *reader) procedure(part int) int {
	if part >= 0 && r.page.Parts[part].Kind == Procedure {
		return part
	}
	return -1
}

// findNamedSections finds sections that a sentence names.
func (r *reader) findNamedSections(b doc.Block, s sentence.Sentence, lower string, part int, c surroundings) {
	if c.related && b.Kind == doc.List && s.Item {
		r.addRelation(Find{Type: RelatedTo, Place: b.Section, Part: -1, Line: s.Line, Score: .75, Rule: "related.title",
			Target: shortText(s.Text), Known: true, Own: -1, Match: s.Text})
		return
	}
	for _, x := range seeRules {
		at := x.matchSentence(s, lower)
		if at == nil {
			continue
		}
		r.addRelation(Find{Type: References, Place: b.Section, Part: part, Line: s.Line, Score: x.score, Rule: x.name,
			Target: strings.TrimSpace(s.Text[at[2]:at[3]]), Known: true, Own: -1, Match: s.Text})
		return
	}
}

// namesRelated finds the pages behind "Related:", whose links are related ones too.
func (r *reader) namesRelated(b doc.Block, s sentence.Sentence, lower string) bool {
	for _, x := range relatedRules {
		at := x.matchSentence(s, lower)
		if at == nil {
			continue
		}
		if len(s.Links) > 0 {
			return true
		}
		for name := range strings.SplitSeq(s.Text[at[2]:at[3]], ",") {
			if name = strings.Trim(name, " .;`*"); name != "" {
				r.addRelation(Find{Type: RelatedTo, Place: b.Section, Part: -1, Line: s.Line, Score: x.score, Rule: x.name,
					Target: shortText(name), Own: -1, Match: s.Text})
			}
		}
		return true
	}
	return false
}

// replacesVersion finds the version that a section says it replaces.
func (r *reader) replacesVersion(b doc.Block, s sentence.Sentence, lower string) {
	for _, x := range replacesRules {
		if at := x.matchSentence(s, lower); at != nil {
			r.addRelation(Find{Type: Supersedes, Place: b.Section, Part: -1, Line: s.Line, Score: x.score, Rule: x.name,
				Target: s.Text[at[2]:at[3]], Own: -1, ByPart: -1, Match: s.Text})
			return
		}
	}
}

// supersedes finds what a sentence says of what takes the place of what.
func (r *reader) supersedes(b doc.Block, s sentence.Sentence, lower string, part int, links []doc.Link) {
	for _, x := range supersedeRules {
		at := x.matchSentence(s, lower)
		if at == nil {
			continue
		}
		old, by := groupText(s.Text, at, 1), groupText(s.Text, at, 2)
		old, by = bareSubject(old), strings.Trim(by, "`.,;:")
		f := Find{Type: Supersedes, Place: b.Section, Part: r.procedure(part), Line: s.Line, Score: x.score, Rule: x.name, Target: old,
			Own: -1, By: by, ByPart: -1, Match: s.Text}
		linked := false
		for _, i := range s.Links { // a link says more than a name
			if l := links[i]; strings.Contains(l.Text, by) || strings.HasPrefix(by, l.Text) {
				f.By, linked = l.Target, true
			}
		}
		ofPage := linked && thisPage().MatchString(s.Text)
		if ofPage {
			old, f.Target = "", ""
		}
		if !linked && (!isCodeName(by) || goesOn().MatchString(s.Text[at[5]:])) || old != "" && !isCodeName(old) || old == "" &&
			!ofPage && !r.namesItself(b, s, at[0]) {
			continue
		}
		if at[2] > 0 && old != "" && (ofAnother().MatchString(s.Text[:at[2]]) || oneOfTwo().MatchString(s.Text[:at[2]]) &&
			twoFollow().MatchString(s.Text[at[5]:])) {
			continue
		}
		if !linked {
			f.ByPart = r.mentionParameter(b, s.Line, by)
		}
		if old != "" {
			f.Own = r.mentionParameter(b, s.Line, old)
		}
		r.addRelation(f)
		return
	}
}

var (
	// goesOn is the rest of a name of several words.
	goesOn = pattern.Lazy(`^\s+[A-Z]`)
	// ofAnother stands before a name that is not what the sentence is about: "the list
	// message for X is deprecated".
	ofAnother = wordlist.Rule("references/of-another").Compile()
	// Of two that are replaced by two it is not said which replaces which: "A and B are
	// deprecated in favor of C and D".
	oneOfTwo  = wordlist.Rule("references/one-of-two").Compile()
	twoFollow = wordlist.Rule("references/two-follow").Compile()
	// itself begins a sentence that is about the section that it stands in.
	itself = wordlist.Rule("references/itself").Compile()
)

// namesItself reports whether a sentence without a name is about its section, whose heading,
// or whose page's title, is one.
func (r *reader) namesItself(b doc.Block, s sentence.Sentence, from int) bool {
	if b.Kind == doc.List || b.Kind == doc.Procedure || !itself().MatchString(s.Text) || strings.TrimSpace(s.Text[:from]) != "" {
		return false
	}
	heading := r.page.Places[b.Section].Text
	return isCodeName(heading) || heading == "" && isCodeName(r.page.Title)
}

// mentionParameter is a parameter that is named in a section.
func (r *reader) mentionParameter(b doc.Block, line int, name string) int {
	return r.addPart(Part{Kind: Parameter, Place: b.Section, Line: line, Name: shortText(name), Mentioned: true})
}

func groupText(text string, at []int, n int) string {
	if at[2*n] < 0 {
		return ""
	}
	return text[at[2*n]:at[2*n+1]]
}

// bareSubject is the name in a subject: without article and kind; "" for "this option".
func bareSubject(s string) string {
	words := strings.Fields(strings.Trim(s, " ,"))
	for len(words) > 0 && (strings.EqualFold(words[0], "the") || strings.EqualFold(words[0], "this")) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	w := strings.Trim(words[0], "`.,;:")
	switch strings.ToLower(w) {
	case "option", "flag", "setting", "parameter", "field", "property", "function", "method", "command", "argument", "attribute",
		"feature", "it", "which", "that", "and", "now", "been", "is", "was":
		return ""
	}
	return w
}

// addLink takes a link, once for each section, type and target.
func (r *reader) addLink(l Link) {
	l.Target = strings.TrimSpace(l.Target)
	if slices.Contains(r.refs[l.Line], l.Target) {
		l.Target = refScheme + l.Target
	}
	if l.Target == "" || len(l.Target) > mostTarget {
		return
	}
	if len(r.page.Links) >= MostLinks {
		r.page.LinksLeft++
		return
	}
	key := string(l.Type) + "\x00" + l.Target + "\x00" + r.page.Places[l.Place].Path
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	if r.d.Map != nil {
		l.Source = r.d.Location(l.Line).Line
	}
	l.Part = r.procedure(l.Part)
	l.Match = r.keptText(l.Match)
	if !r.set.Provenance {
		l.Rule = ""
	}
	r.page.Links = append(r.page.Links, l)
}

// addRelation takes a relation that a sentence states.
func (r *reader) addRelation(f Find) {
	if len(r.page.Finds) >= mostFinds || len(r.page.Places) == 0 {
		return
	}
	f.Part = r.procedure(f.Part)
	f.Target, f.By, f.Match = shortText(f.Target), shortText(f.By), r.keptText(f.Match)
	if !r.set.Provenance {
		f.Rule = ""
	}
	r.page.Finds = append(r.page.Finds, f)
}

// keptText is the text that matched, "" where it is not stored.
func (r *reader) keptText(text string) string {
	if !r.set.Provenance {
		return ""
	}
	return shortText(spacing.Single(text))
}

// shortText cuts a text to mostText bytes.
func shortText(s string) string {
	if len(s) <= mostText {
		return s
	}
	return strings.ToValidUTF8(s[:mostText-3], "") + "…"
}
