package references

import (
	"bytes"
	"strings"

	"docent/pipeline/parse/markdown"
	"docent/store/doc"
)

// matter is what a page's front matter says of other pages.
type matter struct {
	aliases      []string
	supersedes   []string // what the page takes the place of
	supersededBy []string
	line         int
}

// mostMatter is the most lines of front matter that are read, and mostAliases the most
// aliases that are kept.
const (
	mostMatter  = 300
	mostAliases = 100
)

// readMatter reads the keys of YAML and TOML that name other pages.
func readMatter(d doc.Document) matter {
	var m matter
	if d.Format != doc.FormatMarkdown && d.Format != doc.FormatAsciiDoc {
		return m
	}
	src := bytes.TrimPrefix(d.Source, []byte("\xef\xbb\xbf"))
	fence, sep := "", ""
	switch {
	case bytes.HasPrefix(src, []byte("---\n")), bytes.HasPrefix(src, []byte("---\r\n")):
		fence, sep = "---", ":"
	case bytes.HasPrefix(src, []byte("+++\n")), bytes.HasPrefix(src, []byte("+++\r\n")):
		fence, sep = "+++", "="
	default:
		return m
	}
	key := ""
	for i := 0; i < mostMatter && len(src) > 0; i++ {
		raw, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		line := strings.TrimRight(string(raw[:min(len(raw), 4096)]), " \r\t")
		if i == 0 {
			continue
		}
		if line == fence {
			break
		}
		value := line
		if k, v, ok := strings.Cut(line, sep); ok && line != "" && line[0] != ' ' && line[0] != '-' && line[0] != '#' {
			key, value = strings.ToLower(strings.TrimSpace(k)), v
		}
		m.add(key, value, i+1)
	}
	return m
}

func (m *matter) add(key, value string, line int) {
	var to *[]string
	switch key {
	case "aliases", "alias", "redirect_from", "redirects":
		to = &m.aliases
	case "supersedes", "replaces":
		to = &m.supersedes
	case "superseded_by", "supersededby", "replaced_by", "replacedby", "deprecated_by":
		to = &m.supersededBy
	default:
		return
	}
	m.line = line
	value = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(value), "- "))
	for v := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
		v = strings.Trim(strings.TrimSpace(v), `"'`)
		if v != "" && !strings.HasPrefix(v, "#") && len(v) <= mostTarget && len(*to) < mostAliases {
			*to = append(*to, v)
		}
	}
}

// frontMatter takes what the front matter says.
func (r *reader) frontMatter(m matter) {
	if len(r.page.Places) == 0 {
		return
	}
	for _, v := range m.supersedes {
		r.find(Find{Type: Supersedes, Part: -1, Own: -1, Line: m.line, Score: .95, Rule: "matter.supersedes", Target: v, ByPart: -1, Match: v})
	}
	for _, v := range m.supersededBy {
		r.find(Find{Type: Supersedes, Part: -1, Own: -1, Line: m.line, Score: .95, Rule: "matter.superseded_by", By: v, ByPart: -1, Match: v})
	}
}

var (
	named    = lazy(`(?:\s|^)(?:id|name|ID|xml:id)\s*=\s*["']([^"'<>\s]{1,200})["']`)
	titled   = lazy(`<[A-Z]\w*\b[^<>]{0,300}?\s(?:title|label)=["']([^"'<>]{1,200})["']`)
	quoted   = lazy(`^\s*>[>\s]*#{1,6}\s+(.{1,300})`)
	braced   = lazy(`\{:?\s?#([^\s{}"']{1,200})[^{}]{0,100}\}`)
	labelled = lazy("^\\s*\\.\\. _`?([^:`]{1,200})`?:\\s*$")
)

// mostAnchors is the most names of places of a page that are kept.
const mostAnchors = 20_000

// anchors are the names of places that are no headings': elements of HTML and DITA with
// an id, and labels of reStructuredText.
func anchors(d doc.Document) []Anchor {
	if d.Format != doc.FormatMarkdown && d.Format != doc.FormatHTML && d.Format != doc.FormatDITA && d.Format != doc.FormatRST {
		return nil
	}
	var out []Anchor
	seen := map[string]bool{}
	for _, s := range d.Sections {
		seen[s.Anchor] = true
	}
	take := func(name string, place int) {
		if name != "" && !seen[name] && len(out) < mostAnchors {
			seen[name] = true
			out = append(out, Anchor{name, place})
		}
	}
	at := placer{d: d}
	topic := ""
	line := 0
	for src := d.Source; len(src) > 0; {
		raw, rest, _ := bytes.Cut(src, []byte("\n"))
		src = rest
		line++
		switch {
		case d.Format == doc.FormatRST:
			if bytes.Contains(raw, []byte(".. _")) {
				if m := labelled.get().FindSubmatch(raw); m != nil {
					take(labelID(string(m[1])), at.after(line))
				}
			}
			continue
		case bytes.Contains(raw, []byte("id=")) || bytes.Contains(raw, []byte("name=")) || bytes.Contains(raw, []byte("ID=")):
			for _, m := range named.get().FindAllSubmatch(raw[:min(len(raw), mostBlock)], -1) {
				name := string(m[1])
				if d.Format == doc.FormatDITA {
					if topic == "" {
						topic = name
					}
					take(topic+"__"+name, at.of(line))
				}
				take(name, at.of(line))
			}
		}
		if d.Format == doc.FormatMarkdown {
			takeShown(raw, func(text string) { take(markdown.Slug(text), at.of(line)) })
		}
		if bytes.Contains(raw, []byte("{#")) || bytes.Contains(raw, []byte("{:")) || bytes.Contains(raw, []byte("{ #")) {
			for _, m := range braced.get().FindAllSubmatch(raw[:min(len(raw), mostBlock)], -1) {
				take(string(m[1]), at.of(line))
			}
		}
	}
	return out
}

// takeShown gives the texts of a line by which sites made of Markdown name places that
// are no headings here: headings in quotes, and titles of components.
func takeShown(raw []byte, take func(string)) {
	raw = raw[:min(len(raw), 4096)]
	if bytes.Contains(raw, []byte("title=")) || bytes.Contains(raw, []byte("label=")) {
		for _, m := range titled.get().FindAllSubmatch(raw, -1) {
			take(string(m[1]))
		}
	}
	if bytes.IndexByte(raw, '>') >= 0 && bytes.IndexByte(raw, '#') >= 0 {
		if m := quoted.get().FindSubmatch(raw); m != nil {
			take(string(m[1]))
		}
	}
}

// refScheme stands before the target of Hugo's ref and relref: a page may be named there
// by its file's name alone.
const refScheme = "ref:"

var hugoRef = lazy(`\{\{[<%]\s*(?:rel)?ref\s+["']([^"'{}]{1,300})["']\s*[%>]\}\}`)

// hugoRefs are the targets of ref and relref by their lines.
func hugoRefs(d doc.Document) map[int][]string {
	if d.Format != doc.FormatMarkdown || !hugoRef.get().Match(d.Text) {
		return nil
	}
	out := map[int][]string{}
	line := 0
	for raw := range bytes.Lines(d.Text) {
		line++
		for _, m := range hugoRef.get().FindAllSubmatch(raw[:min(len(raw), mostBlock)], -1) {
			out[line] = append(out[line], string(m[1]))
		}
	}
	return out
}

// labelID is the name that a label of reStructuredText becomes.
func labelID(s string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(r)
		} else {
			dash = true
		}
	}
	return b.String()
}

// placer finds the section of a line of the source. Lines are asked for in their order.
type placer struct {
	d    doc.Document
	next int // section
	row  int // of the map
}

// of is the section in which a line of the source stands.
func (p *placer) of(line int) int {
	if p.d.Map != nil {
		for p.row+1 < len(p.d.Map) && (p.d.Map[p.row+1].Line == 0 || p.d.Map[p.row+1].Line <= line) {
			p.row++
		}
		line = p.row + 1
	}
	for p.next+1 < len(p.d.Sections) && p.d.Sections[p.next+1].Span.StartLine <= line {
		p.next++
	}
	return p.next
}

// after is the section in which the line behind a label stands: two lines on, behind the
// blank one, and the title's.
func (p *placer) after(line int) int { return p.of(line + 2) }
