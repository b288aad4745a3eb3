package legible

import (
	"slices"
	"strings"

	"docent/pipeline/ingest/parse/markdown/dialect"
	"docent/pipeline/text/pattern"
)

// Limits, in bytes: of a macro, and of a line that is looked at.
const (
	mostMacro = 600
	mostLine  = 64 << 10
)

// macro is a macro of MDN, or an include of mdBook: its name and its arguments.
var macro = pattern.Lazy(`^\{\{\s*(?:#([a-z_]{1,40})\s+([^{}\s]{1,400})[^{}]{0,100}|([A-Za-z_-]{2,60})\s*(?:\(([^{}]{0,400})\))?)\s*\}\}`)

// argument is an argument of a macro.
var argument = pattern.Lazy(`"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'`)

// expandMacros puts words in place of the macros of a line. Code keeps them. The mark stands
// around names of code.
func expandMacros(line, mark string) string {
	if !strings.Contains(line, "{{") || len(line) > mostLine {
		return line
	}
	var b strings.Builder
	for i := 0; i < len(line); {
		switch {
		case line[i] == '`':
			n := codeSpan(line[i:])
			b.WriteString(line[i : i+n])
			i += n
		case strings.HasPrefix(line[i:], "{{"):
			said, n := macroWords(line[i:min(len(line), i+mostMacro)], mark)
			if n == 0 {
				said, n = "{{", 2
			}
			b.WriteString(said)
			i += n
		default:
			b.WriteByte(line[i])
			i++
		}
	}
	return b.String()
}

// codeSpan is the length of the code span at the beginning, or of its backticks where it does
// not end on this line.
func codeSpan(line string) int {
	ticks := len(line) - len(strings.TrimLeft(line, "`"))
	rest := line[ticks:]
	if end := strings.Index(rest, line[:ticks]); end >= 0 {
		return ticks + end + ticks
	}
	return ticks
}

// expandIncludes puts words in place of the includes of a line of code.
func expandIncludes(line string) string {
	trimmed := strings.TrimSpace(line)
	if !strings.HasPrefix(trimmed, "{{#") {
		return line
	}
	said, n := macroWords(trimmed[:min(len(trimmed), mostMacro)], "")
	if n != len(trimmed) {
		return line
	}
	return said + "\n"
}

// macroWords are the words of the macro at the beginning and its length, 0 where there is
// no macro that is known.
func macroWords(text, mark string) (words string, n int) {
	m := macro().FindStringSubmatch(text)
	if m == nil {
		return "", 0
	}
	if m[1] != "" {
		if !strings.HasSuffix(m[1], "include") && m[1] != "playground" {
			return "", 0
		}
		file, _, _ := strings.Cut(m[2], ":")
		return "[included: " + file + "]", len(m[0])
	}
	name, args := called(m)
	switch {
	case strings.HasSuffix(name, "inline"):
		return "(" + strings.TrimSuffix(strings.TrimSuffix(name, "inline"), "-") + ")", len(m[0])
	case namesTerm(name) && len(args) > 0:
		return term(name, args, mark), len(m[0])
	case slices.Contains(silentMacros(), name):
		return "", len(m[0])
	}
	return "", 0
}

// called are the name of a macro, in lower case, and its arguments.
func called(match []string) (name string, args []string) {
	for _, a := range argument().FindAllStringSubmatch(match[4], 4) {
		args = append(args, a[1]+a[2])
	}
	return strings.ToLower(strings.ReplaceAll(match[3], "_", "")), args
}

// Term is the term to whose page the macro at the beginning of a text links, as the macro
// has it: display for {{cssxref("display")}}. It is empty where there is no such macro.
func Term(text string) string {
	m := macro().FindStringSubmatch(text[:min(len(text), mostMacro)])
	if m == nil {
		return ""
	}
	name, args := called(m)
	switch {
	case !namesTerm(name) || len(args) == 0:
		return ""
	case len(args) > 1 && strings.TrimSpace(args[1]) != "":
		return args[1]
	}
	return args[0]
}

// namesTerm reports whether a macro links to the page of a term, which is its argument.
func namesTerm(name string) bool {
	return strings.HasSuffix(name, "xref") ||
		slices.Contains([]string{"glossary", "htmlelement", "svgelement", "mathmlelement", "svgattr", "httpheader", "httpstatus",
			"httpmethod", "csp", "rfc", "webextapiref", "jsxref"}, name)
}

// term is the text of a link to a term: the second argument where it is given, else the first.
func term(name string, args []string, mark string) string {
	said := args[0]
	if len(args) > 1 && strings.TrimSpace(args[1]) != "" {
		return args[1]
	}
	switch {
	case name == "glossary":
		return said
	case name == "rfc":
		return "RFC " + said
	case strings.HasSuffix(name, "element"):
		said = "<" + said + ">"
	}
	if strings.Contains(said, "`") {
		return said
	}
	return mark + said + mark
}

// silentMacros are those that stand for a part of the web page, such as its menu, an example
// that runs, a table made of data.
func silentMacros() []string {
	return []string{"cssref", "cssinfo", "csssyntax", "csssyntaxraw", "compat", "specifications", "embedlivesample", "embedghlivesample",
		"embedinteractiveexample", "interactiveexample", "livesamplelink", "jsref", "htmlsidebar", "apiref", "defaultapisidebar",
		"httpsidebar", "svgref", "mathmlref", "glossarysidebar", "learnsidebar", "previous", "next", "previousnext", "previousmenu",
		"previousmenunext", "nextmenu", "listsubpages", "listsubpagesforsidebar", "seecompattable", "deprecatedheader",
		"nonstandardheader", "securecontextheader", "availableinworkers", "quicklinkswithsubpages", "addonsidebar", "embedyoutube",
		"jssidebar", "accessibilitysidebar", "glossarydisambiguation", "securecontext-header", "non-standardheader"}
}

// withoutCloser is a text without the shortcode that closes at its end one that opens on its line.
func withoutCloser(text string) string {
	i := strings.LastIndex(text, "{{")
	if i < 0 || i+mostMacro < len(text) {
		return text
	}
	if t, n := dialect.ScanShortcode([]byte(text[i:])); n == len(text)-i && n > 0 && t.Closing {
		return strings.TrimRight(text[:i], " ")
	}
	return text
}

// blockShortcode puts a word in place of a shortcode that opens a part of the page, and
// nothing in place of one that closes it.
func blockShortcode(line string) string {
	trimmed := strings.TrimSpace(line)
	if !strings.HasPrefix(trimmed, "{{<") && !strings.HasPrefix(trimmed, "{{%") {
		return line
	}
	t, n := dialect.ScanShortcode([]byte(trimmed[:min(len(trimmed), dialect.MaxTag)]))
	if n == 0 {
		return line
	}
	rest := strings.TrimSpace(trimmed[n:])
	if strings.HasPrefix(rest, "{{<") || strings.HasPrefix(rest, "{{%") {
		rest = strings.TrimSpace(blockShortcode(rest))
	}
	rest = withoutCloser(rest)
	title := ""
	if !t.Closing {
		title = dialect.TitleOf(t)
		if is, _ := dialect.Admonition(t.Name, ""); is && title == "" {
			title = strings.ToUpper(t.Name[:1]) + t.Name[1:]
		}
	}
	if title == "" {
		return rest + "\n"
	}
	if rest == "" {
		return "**" + title + "**\n\n"
	}
	return "**" + title + ":** " + rest + "\n"
}
