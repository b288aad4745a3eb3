package changes

import (
	"path"
	"slices"
	"strings"

	"docent/pipeline/knowledge/deprecation"
	"docent/pipeline/knowledge/parameters"
	"docent/pipeline/text/pattern"
)

var (
	// A call: win.setBounds(bounds[, animate]), .toBeCalled(), fs.exists(path).
	call = pattern.Lazy(`^(\.?[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*[!?]?)\s*\(.*\)`)
	// A name with its module or its owner.
	dotted = pattern.Lazy(`^[A-Za-z_$][\w$-]*(?:(?:\.|::)[A-Za-z_$][\w$-]*)+$`)
	// A name in code alone.
	plain = pattern.Lazy(`^[A-Za-z_$@][\w$-]*[!?]?$`)
	// The word for its kind before a name: "Class: Menu", "function trim".
	kindBefore = pattern.Lazy(`(?i)^(?:class|function|func|fn|method|def|async|static|interface|enum|struct` +
		`|type|event|property|variable|macro|command|instance|module|object)\b:?\s+`)
	inCode  = pattern.Lazy("^`+([^`]+)`+$")
	remarks = pattern.Lazy(`\s*(?:\{#[^}]*\}|\\?\[[^\]]*\\?\]|_[^_]+_|\*[^*]+\*|<[^>]+>|\((?i:deprecated` +
		`|obsolete|removed|experimental)[^)]*\))\s*$`)
	fileEnding = pattern.Lazy(`(?i)\.(?:js|ts|jsx|tsx|mjs|cjs|json|md|mdx|ya?ml|toml|py|rs|go|rb|php|html?|css` +
		`|txt|xml|sh|ini|cfg|conf|lock|com|org|io|net|dev)$`)
)

// headingName reads a heading that is a name in code, a name with its module, or a call.
func (r *reader) headingName(section int) (Name, bool) {
	s := r.Sections[section]
	if s.Level == 0 || len(s.Text) > 200 || s.Text == "" {
		return Name{}, false
	}
	raw := r.rawHeading(s.Span.StartLine, s.Text)
	text := kindBefore().ReplaceAllString(raw, "")
	kinded := text != raw
	for range 3 {
		text = remarks().ReplaceAllString(text, "")
	}
	coded := false
	if m := inCode().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		text, coded = kindBefore().ReplaceAllString(m[1], ""), true
	}
	text = strings.TrimSpace(strings.ReplaceAll(text, `\`, ""))
	n := Name{Form: parameters.Heading}
	switch m := call().FindStringSubmatch(text); {
	case m != nil && (coded || !strings.Contains(text, " (")):
		n.Name, n.Call = strings.TrimPrefix(m[1], "."), true
	case dotted().MatchString(text) && !fileEnding().MatchString(text):
		n.Name = text
	case coded && plain().MatchString(text), kinded && plain().MatchString(text) && isWrittenAsCode(text):
		n.Name = text
	}
	n.Name = strings.NewReplacer("::", ".", "#", ".").Replace(n.Name)
	return n, len(n.Name) > 1
}

// nameOfPage is the name that a page is about: a page called no-soot, in a file of that name.
// A title without a dash or an underscore may be any title, so it is no name.
func (r *reader) nameOfPage() (Name, bool) {
	stem := strings.TrimSuffix(path.Base(r.Path), path.Ext(r.Path))
	if !strings.ContainsAny(strings.Trim(stem, "-_"), "-_") || r.Title != stem && !strings.HasSuffix(r.Title, "("+stem+")") {
		return Name{}, false
	}
	if !slices.ContainsFunc(r.lines[:min(len(r.lines), mostTitleLines)], func(l string) bool {
		return strings.Contains(l, stem) && title().MatchString(l)
	}) {
		return Name{}, false // it is called as its file is
	}
	last := len(r.lines)
	for _, s := range r.Sections {
		if s.Level > 1 {
			last = s.Span.StartLine - 1
			break
		}
	}
	n := Name{Name: stem, Form: parameters.Heading, Place: r.placeOf(1, max(1, last))}
	n.Deprecated, n.DeprecatedLine = r.deprecationAt(n)
	if d, ok := deprecation.Matter(string(r.Text[:min(len(r.Text), mostMatter)])); ok && n.Deprecated == "" {
		n.Deprecated, n.DeprecatedLine = d.Text, d.Line+1
	}
	return n, true
}

// mostTitleLines is how many lines of a page may have its title.
const mostTitleLines = 20

var title = pattern.Lazy(`^(?:#+\s|title\s*[:=]|[\w(][^.:]*$)`)

// mostMatter is how many bytes at the beginning of a page are read for its metadata.
const mostMatter = 8 << 10

// rawHeading is the line of a heading with its marks of code, or its plain text.
func (r *reader) rawHeading(line int, plain string) string {
	if line < 1 || line > len(r.lines) {
		return plain
	}
	raw := strings.TrimSpace(r.lines[line-1])
	if !strings.HasPrefix(raw, "#") {
		return plain
	}
	return strings.TrimSpace(strings.Trim(raw, "#"))
}

// isWrittenAsCode reports whether a word is written as names in code are, and not as a word
// of a language.
func isWrittenAsCode(s string) bool {
	inner := strings.Trim(s, "-_.$@")
	return strings.HasPrefix(s, "--") || strings.ContainsAny(inner, "_.$") || innerCapital().MatchString(inner)
}

var innerCapital = pattern.Lazy(`[a-z0-9][A-Z]`)

// parentsOf are the keys above a name: those of its own dots are not among them.
func parentsOf(name, sectionPath string) []string {
	if strings.HasPrefix(name, "-") {
		return nil
	}
	parts := strings.Split(sectionPath, " > ")
	var out []string
	for _, part := range parts[:max(0, len(parts)-1)] {
		out = appendKey(out, part)
	}
	if last := parts[len(parts)-1]; !strings.Contains(last, name) {
		out = appendKey(out, last)
	}
	return out
}

var keyHeading = pattern.Lazy("^[`\\[]*([a-z_][\\w-]*(?:\\.[a-z_][\\w-]*)*)[`\\]]*$")

// appendKey adds a heading that is a key, such as "[server]" or "tool.lantern".
func appendKey(keys []string, heading string) []string {
	if m := keyHeading().FindStringSubmatch(strings.TrimSpace(heading)); m != nil {
		return append(keys, strings.Split(m[1], ".")...)
	}
	return keys
}

var saysDeprecated = pattern.Lazy(`(?i:^\W*(?:deprecated|obsolete)\b|[(\[*_|]\s*(?:deprecated|obsolete)\b|` +
	`^(?:it\s+)?(?:is|has\s+been)\s+(?:now\s+)?(?:deprecated|obsolete)\b|` +
	`\bthis\s+\w+\s+(?:is|has\s+been|was)\s+(?:now\s+)?(?:deprecated|obsolete)\b)|[.!:]\s+(?:Deprecated` +
	`|DEPRECATED)\b`)

// mostItemLine is the length of the line of an item that has one name.
const mostItemLine = 400

// deprecationAt is the line that says that a name is deprecated at its place.
func (r *reader) deprecationAt(n Name) (string, int) {
	first, last := n.Place.Lines[0], min(n.Place.Lines[1], len(r.lines))
	if first < 1 || first > last {
		return "", 0
	}
	if n.Form == parameters.Heading {
		text := strings.Join(r.lines[first-1:last], "\n")
		if d, ok := deprecation.Section(n.Name, text); ok {
			return d.Text, first + d.Line
		}
	}
	if saysDeprecated().MatchString(n.Description) {
		return clip(plainLine(n.Description)), first
	}
	if l := r.lines[first-1]; len(l) < mostItemLine && n.Form != parameters.Heading && saysDeprecated().MatchString(l) {
		return clip(plainLine(l)), first
	}
	return "", 0
}

// mostQuoted is how many bytes of a sentence are kept.
const mostQuoted = 240

func clip(s string) string {
	if len(s) <= mostQuoted {
		return s
	}
	cut := strings.ToValidUTF8(s[:mostQuoted], "")
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return cut + "…"
}

var (
	linked  = pattern.Lazy(`!?\[([^\]]*)\]\([^)]*\)`)
	tags    = pattern.Lazy(`<[/a-zA-Z][^>]*>`)
	spaces  = pattern.Lazy(`\s+`)
	leading = pattern.Lazy(`^(?:[-*+>]|\d+[.)]|#+)\s+`)
)

// withoutLinks is a line without the targets of its links, tags and emphasis. Code keeps its
// marks.
func withoutLinks(s string) string {
	s = linked().ReplaceAllString(s, "$1")
	s = tags().ReplaceAllString(s, " ")
	s = strings.NewReplacer("**", "", "\\_", "_", "\\-", "-").Replace(s)
	return strings.TrimSpace(spaces().ReplaceAllString(s, " "))
}

// plainLine is a line of Markdown as it is quoted: cells of a table with a bar between.
func plainLine(s string) string {
	s = leading().ReplaceAllString(strings.TrimSpace(s), "")
	s = strings.Trim(withoutLinks(s), "| ")
	return s
}
