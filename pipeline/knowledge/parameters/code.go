package parameters

import (
	"strings"

	"docent/store/doc"
)

const (
	// mostCode is how much of a block of code is read, in bytes.
	mostCode = 1 << 20
	// mostDepth is how deep a key is named with those around it.
	mostDepth = 6
	// mostKeyLine is the length of the longest line of code that is read.
	mostKeyLine = 400
	// fewestWords is how many words a comment has that says something of a key.
	fewestWords = 2
)

// keyReader reads the keys of a block of YAML or TOML.
type keyReader struct {
	r       *reader
	section int
	toml    bool
	format  bool // the code tells the form of a file, with placeholders for values
	comment []string
	first   int // line of the comment
	table   string
	around  []keyAt // keys around this one, by indentation
}

type keyAt struct {
	indent int
	name   string
}

// keyLine is a line with a key.
type keyLine struct {
	indent   int
	name     string
	value    string
	comment  string
	optional bool // in brackets
	begins   bool // an item of a list
}

// readCode takes the keys of a file that a block of code shows: of a description of the file's
// form all that have a placeholder or a comment, of an example those with a comment.
func (r *reader) readCode(b doc.Block) {
	if r.readHelp(b) {
		return
	}
	toml := strings.EqualFold(b.Lang, "toml")
	yaml := strings.EqualFold(b.Lang, "yaml") || strings.EqualFold(b.Lang, "yml")
	if !toml && !yaml && b.Lang != "" || r.isFull() {
		return
	}
	src := r.spanText(b.Span)
	lines := strings.Split(src[:min(len(src), mostCode)], "\n")
	k := keyReader{r: r, section: b.Section, toml: toml}
	for _, l := range lines {
		if key, ok := readKeyLine(l, false); ok && !toml && key.optional && strings.Contains(key.value, "<") {
			k.format = true
			break
		}
	}
	if !k.format && !toml && !yaml {
		return
	}
	for i, l := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		k.readLine(l, next, b.Span.StartLine+i)
		if r.isFull() {
			return
		}
	}
}

// readLine reads one line of code; next is the line below it.
func (k *keyReader) readLine(l, next string, line int) {
	t := strings.TrimSpace(l)
	if comment, ok := strings.CutPrefix(t, "#"); ok {
		if len(k.comment) == 0 {
			k.first = line
		}
		if len(k.comment) < 20 {
			k.comment = append(k.comment, strings.TrimLeft(comment, "# "))
		}
		return
	}
	comments, first := k.comment, k.first
	above := strings.Join(comments, " ")
	k.comment = nil
	if above == "" {
		first = line
	}
	if k.toml && strings.HasPrefix(t, "[") {
		k.table = strings.Trim(withoutComment(t), "[] ")
		return
	}
	key, ok := readKeyLine(l, k.toml)
	if !ok {
		return
	}
	path := k.nest(key)
	p := Parameter{Name: key.name, Form: Example, Section: k.section, First: first, Last: line}
	if k.toml && path != "" {
		p.Name = path
	} else if path != key.name && path != "" {
		p.Aliases = []string{path}
	}
	placed := false
	if k.format {
		p.Form = Key
		placed = p.readPlaceholder(key.value, next)
	}
	if key.begins && !k.format {
		above, comments, p.First = "", nil, line // a comment above an item of a list is about the item
	}
	p.Description = cleanLine(strings.TrimSpace(above+" "+key.comment), false)
	if !placed && len(strings.Fields(p.Description)) < fewestWords || !isParameterName(p.Name) {
		return
	}
	for _, l := range comments {
		p.readNamesStated(l) // "# CLI flag: -lamp.oil-kind"
	}
	p.fillFromText(p.Description)
	k.r.addParameter(p)
}

// nest gives the name of a key with those around it, "" where one of these is no name, and notes
// the key as one that is around those below it.
func (k *keyReader) nest(key keyLine) string {
	if k.toml {
		if k.table == "" {
			return key.name
		}
		if !isParameterName(k.table) || strings.Count(k.table, ".") >= mostDepth {
			return ""
		}
		return k.table + "." + key.name
	}
	for len(k.around) > 0 && k.around[len(k.around)-1].indent >= key.indent {
		k.around = k.around[:len(k.around)-1]
	}
	path := ""
	for _, a := range k.around {
		path += a.name + "."
	}
	path += key.name
	if len(k.around) < mostDepth {
		k.around = append(k.around, keyAt{key.indent, key.name})
	} else {
		path = ""
	}
	return path
}

// readKeyLine reads "key: value", "- key: value", "[ key: <value> ]", or in TOML "key = value".
func readKeyLine(l string, toml bool) (keyLine, bool) {
	var k keyLine
	if len(l) > mostKeyLine {
		return k, false
	}
	t := strings.TrimLeft(l, " ")
	if after, ok := strings.CutPrefix(t, "- "); ok {
		t, k.begins = strings.TrimLeft(after, " "), true
	}
	k.indent = len(l) - len(t)
	t = strings.TrimSpace(t)
	if inside, ok := strings.CutPrefix(t, "["); ok && strings.HasSuffix(t, "]") && !toml {
		t, k.optional = strings.TrimSpace(strings.TrimSuffix(inside, "]")), true
	}
	sep := ":"
	if toml {
		sep = "="
	}
	name, value, ok := strings.Cut(t, sep)
	name = strings.Trim(strings.TrimSpace(name), `"'`)
	if !ok || name == "" || !isWord(name[0]) || strings.ContainsAny(name, " <>{}()[]/*,;:'\"$%@!?&+") || !isParameterName(name) ||
		value != "" && value[0] != ' ' && !toml {
		return k, false
	}
	k.name = name
	k.value = withoutComment(value)
	k.comment = strings.TrimLeft(value[len(k.value):], "# ")
	k.value = strings.TrimSpace(k.value)
	return k, true
}

// withoutComment is a line of code without the comment at its end.
func withoutComment(s string) string {
	quote := byte(0)
	for i := range len(s) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && (i == 0 || s[i-1] == ' ' || s[i-1] == '['):
			quote = c
		case c == '#' && (i == 0 || s[i-1] == ' ' || s[i-1] == '\t'):
			return s[:i]
		}
	}
	return s
}

// readPlaceholder reads the type and the default from "<duration> | default = 10s"; where nothing
// stands behind a key, from the line below it: "[ - <rule> ... ]".
func (p *Parameter) readPlaceholder(value, next string) bool {
	if value == "" {
		value = strings.Trim(strings.TrimSpace(next), "[]- ")
		if strings.Contains(value, ":") {
			return false
		}
	}
	value, stated, _ := strings.Cut(value, "|")
	open := strings.IndexByte(value, '<')
	if open < 0 {
		return false
	}
	end := strings.IndexByte(value[open:], '>')
	if end < 2 {
		return false
	}
	p.Type = cleanLine(value[open+1:open+end], false)
	for alternative := range strings.SplitSeq(stated, "|") {
		if from, to := defaultAt(strings.TrimSpace(alternative)); from == 0 {
			p.Default = cleanLine(strings.TrimLeft(strings.TrimSpace(alternative)[to:], "= "), false)
		}
	}
	return true
}
