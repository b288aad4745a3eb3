package transclude

import (
	"path"
	"strings"

	"docent/pipeline/text/pattern"
)

// The includes of MkDocs' plugin include-markdown, on one line or on several.
var (
	pluginStart  = pattern.Lazy(`^(\s*)\{%-?\s*include(-markdown)?\b`)
	pluginFile   = pattern.Lazy(`^\s*\{%-?\s*include(?:-markdown)?\s+(?:"([^"]+)"|'([^']+)')`)
	pluginOption = pattern.Lazy(`\b(start|end)=(?:"([^"]*)"|'([^']*)')`)
)

// byPlugin reads {% include-markdown "file" start="x" end="y" %}, also where it stands in code, and
// {% include "file" %} of Markdown. That of another file is Liquid's.
func (s *state) byPlugin(line string) *directive {
	begin := strings.TrimSpace(line)
	if !strings.HasPrefix(begin, "{%") || len(begin) > len("{%-") && !strings.Contains(begin, "include") {
		return nil
	}
	d := &directive{}
	whole := line
	n := 0
	for more := range strings.Lines(s.below) {
		if n++; strings.Contains(whole, pluginEnd) || n > mostOptions {
			break
		}
		whole += " " + strings.TrimRight(more, "\r\n")
		d.closes = pluginEnd
	}
	m := pluginStart().FindStringSubmatch(whole)
	if m == nil {
		return nil
	}
	d.indent = m[1]
	head, rest, ended := strings.Cut(whole, pluginEnd)
	f := pluginFile().FindStringSubmatch(head)
	if f == nil || !ended || strings.TrimSpace(rest) != "" {
		return nil
	}
	d.file = f[1] + f[2]
	if ending := path.Ext(d.file); strings.Contains(d.file, "://") || strings.ContainsAny(d.file, "*?") || m[2] == "" && ending != ".md" {
		return nil
	}
	unescape := strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`)
	for _, o := range pluginOption().FindAllStringSubmatch(head, -1) {
		if text := unescape.Replace(o[2] + o[3]); o[1] == "start" {
			d.part.start = text
		} else {
			d.part.end = text
		}
	}
	return d
}

// pluginEnd ends a directive of the plugin that takes several lines.
const pluginEnd = "%}"
