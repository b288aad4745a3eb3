// Package inline reads the inline markup of reStructuredText: emphasis, literals, roles,
// references and substitutions, and keeps the names that they refer to.
//
// Terms. An Inline is a run of text of one kind. Names are the targets, substitutions
// and footnotes of one page: a reference may stand before what it names, so that
// blocks are read first and texts later.
//
// It refuses to know blocks and files: what the doc set knows is asked for through Outside.
package inline

import (
	"cmp"
	"strconv"
	"strings"

	"docent/pipeline/text/spacing"
)

// Names are what the texts of one page refer to.
type Names struct {
	names         map[string]named         // targets by folded name
	labels        map[string]string        // titles of sections by the labels before them; "": another block
	substitutions map[string]*substitution // by name
	folded        map[string]*substitution // by folded name
	anonymous     []string                 // addresses of anonymous references, in order
	nextAnon      int
	footnotes     int             // numbered automatically so far
	references    int             // to such footnotes so far
	numbered      map[string]int  // numbers of footnotes with a name, "#name"
	given         map[string]bool // numbers that footnotes have in the source
	expanded      int             // bytes of substitutions that were put in
	outside       Outside
	titles        int    // titles of other pages that are being read
	role          string // of text in backticks alone, "" for emphasis
}

// SetDefaultRole says which role text in backticks alone has on the page; the first holds.
func (p *Names) SetDefaultRole(name string) { p.role = cmp.Or(p.role, name) }

// Outside is what a page asks of its doc set. It has many methods because texts name many kinds of things of other pages.
type Outside interface {
	// LabelledPlace finds a label of another page.
	LabelledPlace(label string) (Place, bool)
	// PageTitle is the title of another page, with its markup; "" where it is not known.
	PageTitle(name string) string
	// Setting is the value that the project gives a substitution, such as "version".
	Setting(name string) (string, bool)
	// DefaultRole is the role that the project gives text in backticks alone, "" for none.
	DefaultRole() string
	// ReadAround reads the text that the project puts around each page, which may define names.
	ReadAround()
	// LinkRole is the link that a role of the project's own makes of a text.
	LinkRole(role, text string) (shown, address string, ok bool)
}

// Place is where a label of another page leads.
type Place struct {
	Page   string // without its ending
	Anchor string
	Title  string // of the section that the label stands before, with its markup; "": another block
}

// NewNames are the names of a page.
func NewNames(outside Outside) *Names {
	return &Names{names: map[string]named{}, labels: map[string]string{}, substitutions: map[string]*substitution{},
		folded: map[string]*substitution{}, numbered: map[string]int{}, given: map[string]bool{}, outside: outside}
}

// named is what a name stands for: an address, another name ("name_"), or a place of
// the page.
type named struct {
	address string
	id      string
	weak    bool // a title, which gives way to a label
}

type substitution struct {
	text    string
	literal bool // no markup in it
	open    bool // it is being put in
}

// Limits of substitutions in substitutions.
const (
	maxSubstitutions = 8
	maxExpanded      = 1 << 20 // bytes on one page
	maxIndirect      = 8       // names that stand for names
	maxLabel         = 300     // bytes of a name
)

// AddAnonymous adds the address of the next anonymous reference.
func (p *Names) AddAnonymous(address string) { p.anonymous = append(p.anonymous, address) }

// DefinePlace gives a label its id on the page.
func (p *Names) DefinePlace(label, id string) {
	p.names[label] = named{id: id}
	p.labels[label] = ""
}

// DefineTitle lets a title name its section, unless another name is the same.
func (p *Names) DefineTitle(title, id string) {
	if name := spacing.Folded(title); p.names[name] == (named{}) {
		p.names[name] = named{id: id, weak: true}
	}
}

// TitleLabel gives a label the title of the section that it stands before.
func (p *Names) TitleLabel(label, title string) { p.labels[label] = title }

// ReserveFootnote keeps the number of a footnote from those that are numbered
// automatically.
func (p *Names) ReserveFootnote(label string) { p.given[label] = true }

// MoveTargets makes names lead to other ids.
func (p *Names) MoveTargets(ids map[string]string) {
	for name, n := range p.names {
		if to, ok := ids[n.id]; ok && n.id != "" {
			n.id = to
			p.names[name] = n
		}
	}
}

// Define gives a name an address, unless it has one.
func (p *Names) Define(name, address string) {
	if name == "" || address == "" {
		return
	}
	if have, ok := p.names[name]; !ok || have.weak {
		p.names[name] = named{address: address}
	}
}

func (p *Names) Substitute(name, text string, literal bool) {
	s := &substitution{text: text, literal: literal}
	if _, ok := p.substitutions[name]; !ok {
		p.substitutions[name] = s
	}
	if _, ok := p.folded[spacing.Folded(name)]; !ok {
		p.folded[spacing.Folded(name)] = s
	}
}

// substituted is the text of a substitution; false if it is not defined.
func (p *Names) substituted(name string, depth int) ([]Inline, bool) {
	s := p.substitutions[name]
	if s == nil {
		s = p.folded[spacing.Folded(name)]
	}
	if value, ok := p.outside.Setting(name); ok && s == nil {
		return []Inline{{Text: value}}, true
	}
	if s == nil {
		p.outside.ReadAround()
		s = cmp.Or(p.substitutions[name], p.folded[spacing.Folded(name)])
	}
	if s == nil || s.open || depth >= maxSubstitutions || p.expanded > maxExpanded {
		return nil, false
	}
	p.expanded += len(s.text) + 1
	if s.literal {
		return []Inline{{Text: s.text}}, true
	}
	s.open = true
	defer func() { s.open = false }()
	return p.Inlines(s.text, depth+1), true
}

// findTarget is where a name leads: an address, or "#id" on the page.
func (p *Names) findTarget(name string) (string, bool) {
	name = spacing.Folded(Unescape(name))
	for range maxIndirect {
		n, ok := p.names[name]
		if !ok {
			p.outside.ReadAround()
			if n, ok = p.names[name]; !ok {
				return "", false
			}
		}
		if n.id != "" {
			return "#" + n.id, true
		}
		next, indirect := strings.CutSuffix(n.address, "_")
		if !indirect || strings.HasSuffix(next, "\\") {
			return n.address, true
		}
		if _, ok := p.names[spacing.Folded(strings.Trim(next, "`"))]; !ok {
			return n.address, !strings.HasSuffix(next, "`") // an address that ends in "_"
		}
		name = spacing.Folded(strings.Trim(next, "`"))
	}
	return "", false
}

// nextAnonymous is the address of the next anonymous reference.
func (p *Names) nextAnonymous() (string, bool) {
	if p.nextAnon >= len(p.anonymous) {
		return "", false
	}
	p.nextAnon++
	to := p.anonymous[p.nextAnon-1]
	if name, ok := strings.CutSuffix(to, "_"); ok {
		if found, ok := p.findTarget(strings.Trim(name, "`")); ok {
			return found, true
		}
		if strings.HasSuffix(name, "`") {
			return "", false // a name that nothing has
		}
	}
	return to, true
}

// PlainText is the text of an inline without markup. It uses no anonymous address up.
func (p *Names) PlainText(text string) string {
	anon, refs := p.nextAnon, p.references
	defer func() { p.nextAnon, p.references = anon, refs }()
	var b strings.Builder
	for _, in := range p.Inlines(text, 0) {
		b.WriteString(in.Text)
	}
	return spacing.Single(b.String())
}

// PlainLines is as plain, line by line, with its blanks: of a literal block with
// markup.
func (p *Names) PlainLines(text string) string {
	var b strings.Builder
	for _, in := range p.Inlines(text, 0) {
		b.WriteString(in.Text)
	}
	return b.String()
}

// FootnoteLabel is the label of a footnote as it is shown, or that of a reference to
// one: "[1]". Those that are numbered automatically get their numbers in order.
func (p *Names) FootnoteLabel(label string, note bool) string {
	name, auto := strings.CutPrefix(label, "#")
	switch {
	case label == "*":
		return "[*]"
	case !auto:
		return "[" + label + "]"
	}
	count := &p.references
	if note {
		count = &p.footnotes
	}
	if name != "" {
		if n, ok := p.numbered[name]; ok {
			return "[" + strconv.Itoa(n) + "]"
		}
	}
	for *count++; p.given[strconv.Itoa(*count)]; *count++ {
	}
	if name != "" {
		p.numbered[name] = *count
	}
	return "[" + strconv.Itoa(*count) + "]"
}

// OneAddress is an address without the line breaks in it; a reference to another target
// keeps its blanks.
func OneAddress(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasSuffix(s, "_") && !strings.HasSuffix(s, "\\_") {
		return spacing.Single(s)
	}
	return Unescape(strings.Join(strings.Fields(s), ""))
}
