package references

import (
	"bytes"
	"strings"

	"docent/pipeline/knowledge/references/sentence"
	"docent/store/doc"

	"docent/pipeline/text/pattern"
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
		} else if file, ok := strings.CutPrefix(strings.TrimSpace(line), "output-file:"); ok && isQuarto(d.Path) {
			m.addField("aliases", file, i+1)
			continue
		}
		m.addField(key, value, i+1)
	}
	return m
}

// isQuarto reports whether a page is one of Quarto's, where the name of the file that is made of it stands below the
// name of a format.
func isQuarto(name string) bool {
	return strings.HasSuffix(name, ".qmd") || strings.HasSuffix(name, ".Rmd")
}

func (m *matter) addField(key, value string, line int) {
	var to *[]string
	switch key {
	case "aliases", "alias", "redirect_from", "redirects", "output-file", "id": // Docusaurus: the last part of the address
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
		r.addRelation(Find{Type: Supersedes, Part: -1, Own: -1, Line: m.line, Score: .95, Rule: "matter.supersedes", Target: v, ByPart: -1,
			Match: v})
	}
	for _, v := range m.supersededBy {
		r.addRelation(Find{Type: Supersedes, Part: -1, Own: -1, Line: m.line, Score: .95, Rule: "matter.superseded_by", By: v, ByPart: -1,
			Match: v})
	}
}

// refScheme stands before the target of Hugo's ref and relref: a page may be named there
// by its file's name alone.
const refScheme = "ref:"

var hugoRef = pattern.Lazy(`\{\{[<%]\s*(?:rel)?ref\s+(?:path\s*=\s*)?(?:["'` + "`" + `]([^"'{}` + "`" + `]{1,300})["'` + "`" + `]|` +
	`([^\s"'{}<>%` + "`" + `]{1,300}))[^{}]{0,100}?[%>]\}\}`)

// hugoRefs are the targets of ref and relref by their lines.
func hugoRefs(d doc.Document) map[int][]string {
	if d.Format != doc.FormatMarkdown || !hugoRef().Match(d.Text) {
		return nil
	}
	out := map[int][]string{}
	line := 0
	for raw := range bytes.Lines(d.Text) {
		line++
		for _, m := range hugoRef().FindAllSubmatch(raw[:min(len(raw), sentence.MostBlock)], -1) {
			out[line] = append(out[line], string(m[1])+string(m[2]))
		}
	}
	return out
}
