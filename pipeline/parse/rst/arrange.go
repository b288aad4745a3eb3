package rst

// shown is how an object is shown.
type shown int

const (
	asBlock     shown = iota // a definition, or a title with blocks after it
	asSection                // a heading: what follows up to the next one belongs to it
	asSignature              // the signature of what the section around it describes
	asLabel                  // not at all: it names what follows
)

// arrange decides how the objects of a run of blocks are shown. Markdown has no end of a
// section but the next heading. So an object with text of its own is a section only
// where objects alone follow it up to the next title or rubric. An object without text describes
// what follows it.
func arrange(nodes []*node) []shown {
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
			if out[i] = asSignature; !describesSection(nodes, i) && len(n.args) > 0 {
				out[i], free = asSection, false
			}
		case !free:
			out[i] = asSection
		}
		atHeading = false
	}
	return out
}

// namesPlace says whether directives of a type stand before the title of what they
// name, as those that Sphinx makes with add_crossref_type; all do that are not known.
func namesPlace(name string) bool {
	switch name {
	case "setting", "templatetag", "templatefilter", "fieldlookup", "signal", "reqmeta", "command", "fixture", "hook", "globalvar", "confval", "settings",
		"directive", "role", "config", "event":
		return true
	}
	return !isObject(call{name: name})
}

// describesSection says whether the object at i stands directly below a title, or below
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
