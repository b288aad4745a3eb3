package rst

import (
	"strings"
	"unicode"
)

// shown is how an object is shown.
type shown int

const (
	asBlock     shown = iota // a definition, or a title with blocks after it
	asSection                // a heading: what follows up to the next one belongs to it
	asSignature              // the signature of what the section around it describes
	asPart                   // as asSignature, with no sections in it: text follows
	asLabel                  // not at all: it names what follows
)

// arrange decides how the objects of a run of blocks are shown. Markdown has no end of a
// section but the next heading. So an object with text of its own is a section only
// where objects alone follow it up to the next title or rubric. An object without text describes
// the blocks that follow it, unless its text comes from code.
//
// An object that stands first below the title that names it is what the section
// describes.
func arrange(nodes []*node, title string) []shown {
	out := make([]shown, len(nodes))
	free := false      // text follows that belongs to the section around
	atHeading := false // a title follows, and only labels stand before it
	for i := len(nodes) - 1; i >= 0; i-- {
		n := nodes[i]
		switch {
		case n.kind == heading || n.kind == rubric && n.name == "rubric":
			free, atHeading = false, n.kind == heading
			continue
		case n.kind == target || n.kind == meta || n.kind == version && len(n.kids) == 0:
			continue
		case n.kind != object:
			free = true
		case len(n.kids) == 0 && namesPlace(n.name) && (atHeading || free || i == len(nodes)-1):
			out[i] = asLabel
			continue
		case len(n.kids) == 0:
			switch {
			case describesSection(nodes, i) || len(n.args) == 0:
				out[i] = asSignature
			case !free || !isMadeFromCode(n.name):
				out[i], free = asSection, false
			}
		case isFirstBelow(nodes, i, title):
			if out[i] = asSignature; free {
				out[i] = asPart
			}
		case !free:
			out[i] = asSection
		}
		atHeading = false
	}
	return out
}

// isFirstBelow reports whether the object at i is the first thing below a title that names it.
// title is the one above the nodes.
func isFirstBelow(nodes []*node, i int, title string) bool {
	name, _, _ := strings.Cut(nodes[i].args[0], "(")
	name = name[strings.LastIndexAny(name, ". ")+1:]
	if len(nodes[i].args) > 1 || name == "" {
		return false
	}
	for i--; i >= 0; i-- {
		switch n := nodes[i]; n.kind {
		case heading:
			return namesObject(n.text, name)
		case target, meta:
		default:
			return false
		}
	}
	return namesObject(title, name)
}

// namesObject reports whether a title has a name as a word of its own.
func namesObject(title, name string) bool {
	for w := range strings.FieldsFuncSeq(title, func(c rune) bool {
		return c != '_' && c != '-' && c != '.' && !unicode.IsLetter(c) && !unicode.IsNumber(c)
	}) {
		if w[strings.LastIndexByte(w, '.')+1:] == name {
			return true
		}
	}
	return false
}

// stackObjects joins objects that share a text: those without text of their own and the next
// one of their type. The others keep their places.
func stackObjects(nodes []*node) []*node {
	var out []*node
	for _, n := range nodes {
		k := len(out) - 1
		if n.kind == object && k >= 0 && out[k].kind == object && len(out[k].kids) == 0 && out[k].name == n.name && !namesPlace(n.name) {
			both := *n
			both.line = out[k].line
			both.args = append(out[k].args[:len(out[k].args):len(out[k].args)], n.args...)
			both.ids = append(out[k].ids[:len(out[k].ids):len(out[k].ids)], n.ids...)
			out[k] = &both
			continue
		}
		out = append(out, n)
	}
	return out
}

// namesPlace reports whether directives of a type stand before the title of what they
// name, as those that Sphinx makes with add_crossref_type; all do that are not known.
func namesPlace(name string) bool {
	switch name {
	case "setting", "templatetag", "templatefilter", "fieldlookup", "signal", "reqmeta", "command", "fixture", "hook", "globalvar",
		"confval", "settings",
		"directive", "role", "config", "event":
		return true
	}
	return !isObject(call{name: name})
}

// isMadeFromCode reports whether directives of a type get their text from code that Sphinx imports.
func isMadeFromCode(name string) bool { return strings.HasPrefix(name, "auto") }

// describesSection reports whether the object at i stands directly below a title, or below
// another object that does.
func describesSection(nodes []*node, i int) bool {
	for i--; i >= 0; i-- {
		switch n := nodes[i]; {
		case n.kind == heading:
			return true
		case n.kind == target || n.kind == meta || n.kind == object && len(n.kids) == 0 || n.kind == version:
		default:
			return false
		}
	}
	return false
}
