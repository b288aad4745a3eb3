package pod

import (
	"docent/pipeline/ingest/parse/build"
	"docent/pipeline/text/pattern"
)

// woven are the commands of which Pod::Weaver makes headings when a distribution is built, with the
// heading that it writes above them. The sources of many distributions have them.
var woven = map[string]string{"attr": "ATTRIBUTES", "method": "METHODS", "func": "FUNCTIONS", "type": "TYPES"}

// writeHeading writes a heading of a level.
func (p *page) writeHeading(g paragraph, level int) {
	p.closeLists(0)
	p.place(g.lines[0].at)
	inline, _ := build.RawLines(p.inline(g.lines))
	p.w.Heading(level, inline, p.sectionID(p.plain(g.lines)))
}

// writeWoven writes the heading of an attribute, a method or a function, below that of its kind.
func (p *page) writeWoven(g paragraph) {
	if p.group != g.command {
		p.writeHeading(paragraph{command: "head1", lines: []line{{woven[g.command], g.lines[0].at}}}, 1)
		p.group = g.command
	}
	p.writeHeading(g, 2)
}

// These name a module and say what it is where its documentation does not: Pod::Weaver writes the
// section NAME from them.
var (
	packageLine  = pattern.Lazy(`(?m)^[ \t]*package[ \t]+([\w:]+)`)
	abstractLine = pattern.Lazy(`(?m)^[ \t]*#+[ \t]*ABSTRACT:[ \t]*(\S[^\n]{0,300})$`)
)

// nameFromCode takes the title from the code of a module.
func (p *page) nameFromCode(src []byte) {
	name := packageLine().FindSubmatch(src)
	if name == nil {
		return
	}
	p.w.Title(string(name[1]))
	if about := abstractLine().FindSubmatch(src); about != nil {
		p.w.AddMetadata(string(about[1]))
	}
}
