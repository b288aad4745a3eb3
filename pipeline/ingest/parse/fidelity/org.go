package fidelity

import (
	"bytes"
	"strings"

	"docent/pipeline/text/pattern"
)

// orgText is a page of Org while it is read.
type orgText struct {
	t      *tally
	hidden int    // the level of the headline whose tree is not exported
	drawer bool   // in a drawer that is not shown
	block  string // the line that ends a block of raw text
	raw    bool   // that text is shown
	todo   bool   // the page names its own words for headlines
}

var (
	orgHeadline = pattern.Lazy(`^(\*+)[ \t]+(.*)$`)
	orgTags     = pattern.Lazy(`[ \t]+:(?:[\pL\pN_@#%]+:)+[ \t]*$`)
	orgKeyword  = pattern.Lazy(`(?i)^[ \t]*#\+([a-z0-9_-]+):(.*)$`)
	orgWords    = pattern.Lazy(`(?im)^#\+(?:seq_|typ_)?todo:`)
	orgDrawer   = pattern.Lazy(`(?i)^[ \t]*:(properties|logbook):[ \t]*$`)
	orgMarkup   = pattern.Lazy(`\[\[(?:[^\[\]\\]|\\.)+\]\[|\[\[(?:#|\*|[a-z]+:)?|\[fn:|@@[A-Za-z0-9-]+:[^@]*@@|\{\{\{[A-Za-z0-9_-]+|` +
		`<<[^<>]+>>|\[@\d+\]|\[cite[^:\]]*:|\\[A-Za-z]+|src_[a-z-]+(?:\[[^\]]*\])?\{`)
)

// scanOrg takes the words of Org: without keywords, comments, drawers of properties, tags,
// targets of links that have a text, and what is not exported.
func scanOrg(t *tally, src []byte) {
	o := &orgText{t: t, todo: orgWords().Match(src)}
	eachLine(src, func(line []byte) {
		o.readLine(line)
		t.endWord()
	})
}

func (o *orgText) readLine(line []byte) {
	trimmed := bytes.TrimSpace(line)
	lower := strings.ToLower(string(trimmed[:min(len(trimmed), 60)]))
	if m := orgHeadline().FindSubmatch(line); m != nil {
		o.readHeadline(len(m[1]), string(m[2]))
		return
	}
	switch {
	case o.hidden > 0 || len(trimmed) == 0:
	case o.block != "":
		if strings.HasPrefix(lower, o.block) {
			o.block = ""
		} else if o.raw {
			o.t.addText(line)
		}
	case o.drawer:
		o.drawer = lower != ":end:"
	case orgDrawer().Match(line):
		o.drawer = true
	case strings.HasPrefix(lower, "#+begin_"):
		name, _, _ := strings.Cut(lower[len("#+begin_"):], " ")
		switch name {
		case "src", "example":
			o.block, o.raw = "#+end_"+name, true
		case "comment", "export":
			o.block, o.raw = "#+end_"+name, false
		}
	case strings.HasPrefix(lower, "#+"):
		if m := orgKeyword().FindSubmatch(line); m != nil {
			switch strings.ToLower(string(m[1])) {
			case "title", "subtitle", "caption":
				o.addInline(m[2])
			}
		}
	case trimmed[0] == '#' && (len(trimmed) == 1 || trimmed[1] == ' '), lower == ":end:":
	case trimmed[0] == ':' && len(trimmed) > 1 && trimmed[1] == ' ':
		o.t.addText(trimmed)
	case strings.HasPrefix(lower, "scheduled:"), strings.HasPrefix(lower, "deadline:"), strings.HasPrefix(lower, "closed:"):
	default:
		o.addInline(line)
	}
}

func (o *orgText) readHeadline(level int, text string) {
	if o.hidden > 0 && level > o.hidden {
		return
	}
	o.hidden, o.drawer, o.block = 0, false, ""
	text = " " + text
	if tags := orgTags().FindString(text); tags != "" {
		if strings.Contains(tags, ":noexport:") {
			o.hidden = level
			return
		}
		text = strings.TrimSuffix(text, tags)
	}
	for word := range strings.FieldsSeq(text) {
		switch {
		case word == "COMMENT":
			o.hidden = level
			return
		case word == "TODO" || word == "DONE" || o.todo && word == strings.ToUpper(word) && !strings.ContainsAny(word, "[0123456789"):
			text = strings.Replace(text, word, "", 1)
			continue
		case strings.HasPrefix(word, "[#"):
			text = strings.Replace(text, word, "", 1)
			continue
		}
		break
	}
	o.addInline([]byte(text))
}

// addInline adds a line without its markup.
func (o *orgText) addInline(line []byte) {
	for {
		m := orgMarkup().FindIndex(line)
		if m == nil {
			o.t.addText(line)
			return
		}
		o.t.addText(line[:m[0]])
		if c := line[m[0]]; c != '@' {
			o.t.endWord()
		}
		line = line[m[1]:]
	}
}
