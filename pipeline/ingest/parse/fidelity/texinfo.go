package fidelity

import (
	"bytes"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/spacing"
)

// texinfoText is a manual in Texinfo while it is read.
type texinfoText struct {
	t     *tally
	block string // the block that is left out
	depth int    // how often it is open
	raw   bool   // in @verbatim
}

var (
	// texinfoBlocks are left out: text for other programs, menus, definitions of macros, and text in
	// conditions.
	texinfoBlocks = spacing.WordSet("ignore menu detailmenu titlepage copying direntry documentdescription tex " +
		"html xml docbook latex iftex ifhtml " +
		"ifplaintext ifxml ifdocbook iflatex ifnotinfo ifset ifclear macro rmacro nodedescriptionblock")
	// texinfoLines are commands whose lines are not text.
	texinfoLines = spacing.WordSet("c comment node setfilename settitle finalout setchapternewpage " +
		"paragraphindent exampleindent footnotestyle " +
		"afourpaper smallbook headings everyheading everyfooting evenheading oddheading evenfooting oddfooting contents shortcontents " +
		"summarycontents synindex syncodeindex defindex defcodeindex page need sp vskip documentencoding documentlanguage " +
		"title subtitle author shorttitlepage kbdinputstyle allowcodebreaks xrefautomaticsectiontitle firstparagraphindent alias " +
		"definfoenclose clickstyle microtype fonttextsize pagesizes unmacro set clear end include verbatiminclude table ftable vtable " +
		"itemize enumerate multitable float dircategory codequoteundirected codequotebacktick deftypefnnewline caption shortcaption " +
		"urefbreakstyle frenchspacing nodedescription input bye anchor")
	texinfoCommand = pattern.Lazy(`^[ \t]*@([A-Za-z][A-Za-z0-9]*)(?:[ \t]|$)`)
	// texinfoHidden are commands whose argument is not shown, or not as it is written.
	texinfoHidden = pattern.Lazy(`@(?:anchor|image|value|inlineraw|inlinefmt|inlineifset|[a-z]?xref|ref|inforef|U|[cfkptv]index|sortas|` +
		`hyphenation|H|v|u|dotless|ringaccent|udotaccent|ubaraccent|tieaccent)\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}?`)
	texinfoName = pattern.Lazy(`@(?:[A-Za-z][A-Za-z0-9]*|.)`)
)

// scanTexinfo takes the words of Texinfo: without names of commands, nodes, entries of indexes,
// macros, text in conditions and targets of references.
func scanTexinfo(t *tally, src []byte) {
	x := &texinfoText{t: t}
	eachLine(src, func(line []byte) {
		x.readLine(line)
		t.endWord()
	})
}

func (x *texinfoText) readLine(line []byte) {
	name, rest := "", line
	if m := texinfoCommand().FindSubmatchIndex(line); m != nil {
		name, rest = string(line[m[2]:m[3]]), line[m[1]:]
	}
	end := ""
	if name == "end" {
		end = string(bytes.TrimSpace(rest))
	}
	switch {
	case x.block != "":
		if name == x.block {
			x.depth++
		} else if end == x.block {
			if x.depth--; x.depth == 0 {
				x.block = ""
			}
		}
	case x.raw:
		if x.raw = end != "verbatim"; x.raw {
			x.t.addText(line)
		}
	case texinfoBlocks[name]:
		x.block, x.depth = name, 1
	case name == "verbatim":
		x.raw = true
	case texinfoLines[name], len(name) > 5 && name[len(name)-5:] == "index", bytes.HasPrefix(line, []byte(`\input`)):
	case name != "":
		x.addInline(rest)
	default:
		x.addInline(line)
	}
}

// addInline adds a line without its commands. Braces are no ends of words.
func (x *texinfoText) addInline(line []byte) {
	if bytes.IndexByte(line, '@') >= 0 {
		line = texinfoHidden().ReplaceAll(line, []byte(" "))
	}
	for len(line) > 0 {
		i := bytes.IndexAny(line, "@{}")
		if i < 0 {
			x.t.addText(line)
			return
		}
		x.t.addText(line[:i])
		line = line[i:]
		if m := texinfoName().Find(line); m != nil && line[0] == '@' {
			if line = line[len(m):]; bytes.HasPrefix(line, []byte("{}")) { // a sign
				x.t.endWord()
			}
			continue
		}
		line = line[1:]
	}
}

// infoText is a manual for the program info while it is read.
type infoText struct {
	t           *tally
	node        bool // in a node
	ended       bool // the line before ended a node
	menu, blank bool
}

var (
	infoNode   = pattern.Lazy(`^File: [^,]*,\s+Node: `)
	infoEntry  = pattern.Lazy(`^\* [^\n]*:(?::|\s|$)`)
	infoTarget = pattern.Lazy(`\*[Nn]ote\s+([^:]+):(?::|\s+[^.,]+[.,])|\*[Nn]ote\s`)
	infoIndex  = pattern.Lazy("\x00\x08\\[[^\n]*?\x08\\]")
)

// scanInfo takes the words of the nodes of a manual, without their heads and menus.
func scanInfo(t *tally, src []byte) {
	x := &infoText{t: t}
	eachLine(src, func(line []byte) {
		x.readLine(line)
		t.endWord()
	})
}

func (x *infoText) readLine(line []byte) {
	blank := x.blank
	x.blank = len(bytes.TrimSpace(line)) == 0
	switch {
	case bytes.HasPrefix(line, []byte("\x1f")):
		x.node, x.ended, x.menu = false, true, false
	case !x.node:
		x.node = x.ended && infoNode().Match(line)
		x.ended = false
	case x.blank:
		x.menu = false
	case string(line) == "* Menu:", infoEntry().Match(line) && (x.menu || blank):
		x.menu = true
	case x.menu && line[0] == ' ':
	default:
		x.menu = false
		x.t.addText(infoTarget().ReplaceAll(infoIndex().ReplaceAll(line, nil), []byte("$1 ")))
	}
}
