package transclude

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"docent/pipeline/text/pattern"
)

// directive is a line that includes a file.
type directive struct {
	file   string
	indent string
	part   part
	fence  string // the language of the code that it makes; "": the text as it is
	closes string // what ends the directive on a later line; "": it is one line
	lead   string // the sign of a list's item, before the first included line in place of the indentation
}

var (
	mdBook    = pattern.Lazy(`^(\s*)\{\{#(include|rustdoc_include|playground|playpen)\s+([^\s}]+)[^}]*\}\}\s*$`)
	snippet   = pattern.Lazy(`^(\s*)-{2,}8<-{2,}\s+["']([^"']+)["']\s*$`)
	block     = pattern.Lazy(`^(\s*)-{2,}8<-{2,}\s*$`)
	shortcode = pattern.Lazy(`^(\s*)\{\{[<%]\s*(include|readfile)\s+(?:file=)?(?:["']([^"']+)["']|([^"'\s=<>{}]+\.\w+))` +
		`([^{}]*)[>%]\}\}\s*$`)
	shared    = pattern.Lazy(`^(\s*)\{\{[<%]\s*docs/shared\s(?:[^{}]*?\s)?lookup="([^"{}]+)"[^{}]*[>%]\}\}\s*$`)
	vitePress = pattern.Lazy(`^(\s*)<!--\s*@include:\s*([^\s{}#]+)(?:\{(\d*)(?:,(\d*))?\})?\s*-->\s*$`)
	listing   = pattern.Lazy(`^(\s*)<<<\s*([^\s{}#\[\]]+)(?:#([\w.-]+))?\s*(?:\{([^{}]*)\})?\s*(?:\[[^\[\]]*\])?\s*$`)
	star      = pattern.Lazy(`^(\s*)\{\*\s+(\S+\.\w+)((?:\s+\w+\[[^\]]*\])*)\s*\*\}\s*$`)
	bang      = pattern.Lazy(`^(\s*)\{!>?\s*([^\s!]+)\s*!\}\s*$`)
	bangLines = pattern.Lazy(`^([^\[\]]+)\[ln:(\d+)(?:[\d,-]*[,-](\d*))?\]$`)
	ofSvelte  = pattern.Lazy(`^@include\s+(\S+\.md)\s*$`)
	imported  = pattern.Lazy(`^import\s+([A-Z]\w*)\s+from\s+['"]([^'"]+\.mdx?)['"];?\s*$`)
	partial   = pattern.Lazy(`^(\s*)<([A-Z]\w*)(?:\s[^<>]*)?/>\s*$`)
	byTag     = pattern.Lazy(`^(\s*)((?:[-*+]|\d{1,9}[.)])\s+)?<(?:Include|Snippet)\s+` +
		`(?:src|file|path)=(?:\{\s*)?["']([^"'{}<>]+)["'](?:\s*\})?[^<>]*/>\s*$`)
	language  = pattern.Lazy(`lang=["'](\w+)["']`)
	someLines = pattern.Lazy(`ln\[(\d+)(?::(\d+))?\]`)
)

// directive reads a line of a file that includes another.
func (e *expander) directive(s *state, line string) *directive {
	if d := s.snippets(line); d != nil || s.block {
		return d
	}
	if d := s.sphinx(line); d != nil {
		return d
	}
	if d := s.byPlugin(line); d != nil {
		return d
	}
	code := s.inCode(line)
	body := strings.TrimLeft(line, " \t")
	if len(body) < 4 || body[0] != '{' && body[0] != '<' && body[0] != 'i' {
		if m := ofSvelte().FindStringSubmatch(line); m != nil && !code {
			return &directive{file: m[1]}
		}
		if !code && strings.Contains(body, " <") {
			return taggedFile(line)
		}
		return nil
	}
	switch sign := body[:2]; {
	case sign == "{{":
		return shortcodes(line, body)
	case sign == "{!":
		if m := bang().FindStringSubmatch(line); m != nil {
			return banged(m[1], m[2])
		}
	case code:
	case sign == "{*":
		return starred(line)
	case strings.HasPrefix(body, "<<<"):
		return listed(line)
	case sign == "<!" && strings.Contains(body, "@include"):
		if m := vitePress().FindStringSubmatch(line); m != nil {
			d := &directive{file: m[2], indent: m[1]}
			if m[3]+m[4] != "" {
				d.part = part{first: number(m[3]), last: number(m[4])}
			}
			return d
		}
	case sign == "im" || sign[0] == '<':
		return s.partial(line)
	}
	return nil
}

// shortcodes reads what begins with "{{": includes of mdBook and of Hugo.
func shortcodes(line, body string) *directive {
	if body[2] == '#' {
		m := mdBook().FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		file, p := partOf(m[3])
		d := &directive{file: file, indent: m[1], part: p}
		if m[2] == "playground" || m[2] == "playpen" {
			d.fence = "rust"
		}
		return d
	}
	if m := shared().FindStringSubmatch(line); m != nil {
		return &directive{file: "shared/" + m[2], indent: m[1]}
	}
	if !strings.Contains(body, "include") && !strings.Contains(body, "readfile") {
		return nil
	}
	m := shortcode().FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	d := &directive{file: m[3] + m[4], indent: m[1]}
	if strings.Contains(m[5], "code=") {
		d.fence = "text"
		if l := language().FindStringSubmatch(m[5]); l != nil {
			d.fence = l[1]
		}
	}
	return d
}

// starred reads FastAPI's {* file ln[3:5] hl[1] *}, which is code.
func starred(line string) *directive {
	m := star().FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	d := &directive{file: m[2], indent: m[1], fence: strings.TrimPrefix(path.Ext(m[2]), ".")}
	if l := someLines().FindStringSubmatch(m[3]); l != nil {
		d.part = part{first: number(l[1]), last: number(l[2])}
		if l[2] == "" {
			d.part.last = d.part.first
		}
	}
	return d
}

// banged reads {! file !} of MkDocs, with lines of the file behind it: [ln:1-11,20]. Of several runs of
// lines those between them are taken too.
func banged(indent, file string) *directive {
	file = strings.TrimPrefix(file, "./") // of the folder that holds the site, not of the page's
	d := &directive{file: file, indent: indent}
	if m := bangLines().FindStringSubmatch(file); m != nil {
		d.file, d.part.first, d.part.last = m[1], number(m[2]), number(m[3])
		if m[3] == "" && !strings.HasSuffix(file, "-]") {
			d.part.last = d.part.first
		}
	}
	return d
}

// listed reads VitePress' <<< @/file.js#name{1,3 ts:line-numbers} [title], which is code.
func listed(line string) *directive {
	m := listing().FindStringSubmatch(line)
	if m == nil || path.Ext(m[2]) == "" {
		return nil
	}
	d := &directive{file: m[2], indent: m[1], fence: strings.TrimPrefix(path.Ext(m[2]), "."), part: part{name: m[3], region: m[3] != ""}}
	for _, word := range strings.Fields(m[4]) {
		if word, _, _ = strings.Cut(word, ":"); strings.Trim(word, "0123456789,-") != "" {
			d.fence = word
		}
	}
	return d
}

// partial reads what MDX imports and where it stands.
func (s *state) partial(line string) *directive {
	if line[0] == 'i' {
		m := imported().FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		if s.imports == nil {
			s.imports = map[string]string{}
		}
		s.imports[m[1]] = m[2]
		return nil
	}
	if d := taggedFile(line); d != nil {
		return d
	}
	if len(s.imports) == 0 {
		return nil
	}
	if m := partial().FindStringSubmatch(line); m != nil && s.imports[m[2]] != "" {
		return &directive{file: s.imports[m[2]], indent: m[1]}
	}
	return nil
}

// taggedFile reads a tag that names a file, alone on its line or in an item of a list.
func taggedFile(line string) *directive {
	m := byTag().FindStringSubmatch(line)
	if m == nil || !isPartial(m[3]) {
		return nil
	}
	d := &directive{file: m[3], indent: m[1] + strings.Repeat(" ", len(m[2]))}
	if m[2] != "" {
		d.lead = m[1] + m[2]
	}
	return d
}

// isPartial reports whether a tag that includes names a file of text, with or without its ending.
func isPartial(file string) bool {
	switch path.Ext(file) {
	case "", ".md", ".mdx":
		return !strings.Contains(file, "://")
	}
	return false
}

// snippets reads the two forms of MkDocs: a file behind the scissors, or a file a line
// between two of them. The scissors of the second form stay, since they are no text.
func (s *state) snippets(line string) *directive {
	if !strings.Contains(line, "8<") {
		if file := strings.TrimSpace(line); s.block && file != "" && !strings.HasPrefix(file, ";") {
			name, p := partOf(file)
			return &directive{file: name, part: p}
		}
		return nil
	}
	if block().MatchString(line) {
		s.block = !s.block
		return nil
	}
	if m := snippet().FindStringSubmatch(line); m != nil && !strings.Contains(m[2], "://") {
		file, p := partOf(m[2])
		return &directive{file: file, indent: m[1], part: p}
	}
	return nil
}

// inCode reports whether a line stands in fenced code or begins or ends it.
func (s *state) inCode(line string) bool {
	if !strings.Contains(line, "```") && !strings.Contains(line, "~~~") {
		return s.fence != ""
	}
	trimmed := strings.TrimLeft(line, " \t>")
	run := 0
	for run < len(trimmed) && (trimmed[run] == '`' || trimmed[run] == '~') && trimmed[run] == trimmed[0] {
		run++
	}
	switch {
	case s.fence == "" && s.frame(trimmed, run):
		return false
	case s.fence == "" && run >= 3:
		s.fence, s.filled = trimmed[:run], strings.Contains(trimmed, "subs=true")
		return true
	case s.fence != "" && run >= len(s.fence) && trimmed[0] == s.fence[0] && strings.TrimSpace(trimmed[run:]) == "":
		s.fence = ""
		return true
	}
	return s.fence != ""
}

// part is the part of a file that is wanted: lines from first to last, 0 for its ends, or
// the lines between the marks of a name.
type part struct {
	first, last int
	name        string
	region      bool   // the marks are the regions of editors, and the lines lose their indentation
	start, end  string // texts behind and before which it stands, "" for its ends
}

// partOf parts "file.rs:2:10" and "file.rs:name".
func partOf(s string) (file string, p part) {
	file, rest, found := strings.Cut(s, ":")
	if !found {
		return file, p
	}
	first, last, ranged := strings.Cut(rest, ":")
	if strings.Trim(first+last, "0123456789") != "" {
		p.name = first
		return file, p
	}
	p.first, p.last = number(first), number(last)
	if !ranged {
		p.last = p.first
	}
	return file, p
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// of is the part of a text, without the lines of marks; false where it has no such part.
func (p part) of(text string) (string, bool) {
	if p.start != "" {
		_, behind, found := strings.Cut(text, p.start)
		if !found {
			return "", false
		}
		text = strings.TrimLeft(behind, "\n")
	}
	if p.end != "" {
		text, _, _ = strings.Cut(text, p.end)
	}
	var out strings.Builder
	inside, found, n := p.name == "", p.name == "", 0
	for line := range strings.Lines(text) {
		n++
		switch name, begins, is := p.mark(line); {
		case is:
			if name == p.name && p.name != "" {
				inside, found = begins, true
			}
		case inside && n >= p.first && (p.last == 0 || n <= p.last):
			out.WriteString(line)
		}
	}
	if p.region {
		return withoutIndent(out.String()), found
	}
	return out.String(), found
}

// withoutIndent is a text without the indentation that all of its lines have.
func withoutIndent(text string) string {
	indent := ""
	for n, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		own := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		switch {
		case own == line: // blank
		case n == 0 || strings.HasPrefix(indent, own):
			indent = own
		}
	}
	return strings.ReplaceAll("\n"+text, "\n"+indent, "\n")[1:]
}

var regions = pattern.Lazy(`(?i)#\s?(end\s?)?region\b[ \t]*([\w.-]*)`)

// mark reads a mark at which a named part begins or ends. A region may end without its name.
func (p part) mark(line string) (name string, begins, is bool) {
	if !p.region {
		return mark(line)
	}
	m := regions().FindStringSubmatch(line)
	switch {
	case m == nil:
		return "", false, false
	case m[1] != "" && m[2] == "":
		return p.name, false, true
	}
	return m[2], m[1] == "", true
}

var marks = pattern.Lazy(`(?:\bANCHOR(_END)?:\s*([\w-]+))|(?:-{1,}8<-{1,}\s*\[(start|end):\s*([\w-]+)\])`)

// mark reads a mark at which a named part begins or ends: "ANCHOR: name" of mdBook,
// "--8<-- [start:name]" of MkDocs.
func mark(line string) (name string, begins, is bool) {
	if !strings.Contains(line, "ANCHOR") && !strings.Contains(line, "8<") {
		return "", false, false
	}
	m := marks().FindStringSubmatch(line)
	if m == nil {
		return "", false, false
	}
	if m[2] != "" {
		return m[2], m[1] == "", true
	}
	return m[4], m[3] == "start", true
}

// candidates are the paths at which an included file may lie: below the folder of the file
// that includes it, below those above, and below the folders of content and partials.
func candidates(from, file string) []string {
	absolute := strings.HasPrefix(file, "/")
	for _, site := range [...]string{"@site/", "@/", "~/", "/"} {
		if rest, ok := strings.CutPrefix(file, site); ok {
			file, absolute = rest, true
			break
		}
	}
	var all []string
	add := func(dir string) {
		p := path.Join(dir, file)
		if p == "" || p == ".." || slices.Contains(all, p) {
			return
		}
		if all = append(all, p); path.Ext(p) == "" {
			all = append(all, p+".mdx", p+".md")
		}
	}
	dir := path.Dir(from)
	if !absolute {
		add(dir)
		if strings.HasPrefix(file, "./") {
			return all
		}
	}
	for dir != "." && dir != "/" {
		dir = path.Dir(dir)
		add(dir)
	}
	if absolute {
		add(path.Dir(from))
	}
	for _, root := range [...]string{"content", "docs", "src", "content/en", "includes", "_includes", "snippets", "_snippets"} {
		add(root)
	}
	if !absolute {
		add("..") // next to a site's configuration, whose pages lie in a folder of its own
		if first, rest, ok := strings.Cut(file, "/"); ok && (first == "content" || first == "docs" || first == "src") {
			file = rest // counted from the folder above the doc set's
			add(".")
		}
		for dir := path.Dir(from); dir != "." && dir != "/"; dir = path.Dir(dir) {
			add(path.Join(dir, "_includes")) // parts of the pages of this folder, on sites of Hugo
		}
	}
	return all
}
