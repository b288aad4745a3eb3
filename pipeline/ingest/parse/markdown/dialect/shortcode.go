package dialect

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// MaxTag is the most bytes of a tag or shortcode.
const MaxTag = 8 << 10

// ExpandShortcodes replaces Hugo's inline shortcodes by their words, line for line,
// outside of fenced code. Paired shortcodes at the beginning of a line are left for
// the shape; escaped ones stay as they are.
func ExpandShortcodes(in []byte) []byte {
	if !bytes.Contains(in, []byte("{{<")) && !bytes.Contains(in, []byte("{{%")) {
		return in
	}
	closers := shortcodeClosers(in)
	out := make([]byte, 0, len(in)+64)
	var f Fence
	var open []openShortcode
	for i := 0; i < len(in); {
		end := len(in)
		if n := bytes.IndexByte(in[i:], '\n'); n >= 0 {
			end = i + n + 1
		}
		line := in[i:end]
		if f.Step(bytes.TrimSuffix(line, []byte{'\n'})) || !bytes.Contains(line, []byte("{{")) {
			out = append(out, line...)
			i = end
			continue
		}
		// pos moves through the line; a shortcode may end on a later line.
		pos, atStart := i, true
		for pos < end {
			n := bytes.Index(in[pos:end], []byte("{{"))
			if n < 0 {
				break
			}
			atStart = atStart && IsBlank(in[pos:pos+n])
			out = append(out, in[pos:pos+n]...)
			pos += n
			t, used := ScanShortcode(in[pos:min(len(in), pos+MaxTag)])
			if used == 0 {
				out = append(out, in[pos:pos+2]...)
				pos += 2
				atStart = false
				continue
			}
			raw := in[pos : pos+used]
			breaks := bytes.Count(raw, []byte{'\n'})
			first := atStart
			if breaks > 0 && !first {
				out = appendBreaks(out, breaks) // its words go with what follows them
			}
			if keepShortcode(t, pos, atStart, closers, &open) {
				out = append(out, bytes.ReplaceAll(raw, []byte{'\n'}, []byte{' '})...)
			} else {
				words := shortcodeWords(t)
				if isParameter(t) {
					words = parameterOf(in, t.Attribute(""))
				}
				if words == "" && breaks == 0 && inAddress(in, pos) {
					// The address cannot be known, and says so. One with blanks would be no link.
					if words = string(raw); !angledAddress(in, pos) {
						words = strings.ReplaceAll(words, " ", "%20")
					}
				}
				out = append(out, words...)
				atStart = false
			}
			pos += used
			if breaks > 0 {
				if first {
					out = appendBreaks(out, breaks)
				}
				end = len(in)
				if n := bytes.IndexByte(in[pos:], '\n'); n >= 0 {
					end = pos + n + 1
				}
			}
		}
		out = append(out, in[pos:end]...)
		i = end
	}
	return out
}

// isParameter reports whether a shortcode stands for a value of the page's front matter.
func isParameter(t Tag) bool { return !t.Closing && (t.Name == "param" || t.Name == "_param") }

// mostParameter is the length of the longest value that a page may put into its text, in bytes.
const mostParameter = 500

var frontKey = pattern.Lazy(`^\s*([\w-]+)\s*[:=]\s*(?:&\w+\s*)?(.*?)\s*$`)

// parameterOf is a value of the front matter of a page; "" where it has none of that name that is
// a plain text.
func parameterOf(page []byte, name string) string {
	lines := bytes.Split(page[:min(len(page), MaxTag)], []byte{'\n'})
	fence := string(bytes.TrimSpace(lines[0]))
	if fence != "---" && fence != "+++" || name == "" {
		return ""
	}
	for i := 1; i < len(lines) && string(bytes.TrimSpace(lines[i])) != fence; i++ {
		m := frontKey().FindSubmatch(lines[i])
		if m == nil || !strings.EqualFold(string(m[1]), name) {
			continue
		}
		value := string(m[2])
		if (value == ">-" || value == ">" || value == "|" || value == "|-" || value == "") && i+1 < len(lines) {
			value = string(bytes.TrimSpace(lines[i+1]))
		}
		value = strings.Trim(value, `"'`)
		if len(value) > mostParameter || strings.ContainsAny(value, "[]{}<>`\n") || strings.HasPrefix(value, "*") { // of YAML
			return ""
		}
		return value
	}
	return ""
}

// inAddress reports whether an offset of a page lies in the address of a link.
func inAddress(page []byte, pos int) bool {
	before := bytes.TrimSuffix(page[max(0, pos-80):pos], []byte("<"))
	if i := bytes.LastIndexAny(before, " \t\n"); i >= 0 {
		if before[i] == ' ' && i+1 == len(before) {
			return bytes.HasSuffix(before, []byte("]: ")) // the definition of a reference
		}
		if rest := bytes.TrimRight(before[:i], " \t"); len(rest) < i || before[i] == ' ' {
			if bytes.HasSuffix(rest, []byte("]:")) { // the definition of a reference, with a path before the shortcode
				return true
			}
		}
		before = before[i+1:]
	}
	return bytes.Contains(before, []byte("]("))
}

// angledAddress reports whether the address in which an offset of a page lies stands between < and >.
func angledAddress(page []byte, pos int) bool {
	before := page[max(0, pos-200):pos]
	open := max(bytes.LastIndex(before, []byte("](<")), bytes.LastIndex(before, []byte("]: <")))
	return open >= 0 && bytes.IndexByte(before[open:], '>') < 0 && bytes.IndexByte(before[open:], '\n') < 0
}

// appendBreaks appends line ends. The new lines have an entity, since an empty line
// would end the paragraph.
func appendBreaks(out []byte, n int) []byte {
	out = append(out, strings.Repeat("\n&#32;", n-1)...)
	return append(out, '\n')
}

type openShortcode struct {
	name string
	kept bool
}

// keepShortcode reports whether a shortcode is left for the shape: a paired one at the
// beginning of a line, and its closing tag.
func keepShortcode(t Tag, pos int, atStart bool, closers map[string]int, open *[]openShortcode) bool {
	if t.Closing {
		for k := len(*open) - 1; k >= 0; k-- {
			if o := (*open)[k]; o.name == t.Name {
				*open = (*open)[:k]
				return o.kept
			}
		}
		return false
	}
	if t.Self || closers[t.Name] <= pos || len(*open) > 100 {
		return false
	}
	*open = append(*open, openShortcode{t.Name, atStart})
	return atStart
}

// shortcodeClosers gives, for each name, the offset of its last closer.
func shortcodeClosers(in []byte) map[string]int {
	last := make(map[string]int)
	for pos := 0; ; {
		n := bytes.Index(in[pos:], []byte("{{"))
		if n < 0 {
			return last
		}
		pos += n
		head := in[pos:min(len(in), pos+12)]
		if len(head) > 3 && (head[2] == '<' || head[2] == '%') && bytes.IndexByte(head, '/') >= 0 {
			if t, used := ScanShortcode(in[pos:min(len(in), pos+200)]); used > 0 && t.Closing {
				last[t.Name] = pos
			}
		}
		pos += 2
	}
}

// shortcodeWords are the words of an inline shortcode.
func shortcodeWords(t Tag) string {
	if t.Closing {
		return ""
	}
	first := t.Attribute("")
	words := ""
	switch t.Name {
	case "ref", "relref":
		words = t.Attribute("path", "")
	case "heading":
		words = headingWords(first)
	case "skew", "param", "latest-version", "version", "latest-semver", "release-branch", "icon", "comment", "toc":
		return ""
	case "glossary_tooltip", "glossary_definition", "tooltip":
		if words = t.Attribute("text"); words == "" {
			words = strings.ReplaceAll(t.Attribute("term_id"), "-", " ")
		}
	case "feature-state", "feature_state":
		words = "Feature state: " + strings.Join(nonEmpty(t.Attribute("for_k8s_version", "version"), t.Attribute("state"),
			t.Attribute("feature_gate_name")), " ")
	case "link":
		words = t.Attribute("text", "")
	default:
		if words = TitleOf(t); words == "" {
			words = t.Attribute("file", "page", "src", "path")
		}
	}
	return spacing.Single(words)
}

func headingWords(key string) string {
	switch key {
	case "whatsnext":
		return "What's next"
	case "seealso":
		return "See also"
	case "":
		return ""
	}
	words := strings.NewReplacer("_", " ", "-", " ").Replace(key)
	first, n := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[n:]
}

func nonEmpty(parts ...string) []string {
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return kept
}
