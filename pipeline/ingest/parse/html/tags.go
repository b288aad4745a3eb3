package html

import "golang.org/x/net/html/atom"

// isVoid reports whether an element has no content and no closing tag.
func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Param, atom.Source,
		atom.Track, atom.Wbr, atom.Frame, atom.Basefont, atom.Bgsound:
		return true
	}
	return false
}

// isBlock reports whether an element stands on lines of its own.
func isBlock(n *node) bool {
	switch n.tag {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details, atom.Dialog,
		atom.Dir, atom.Div,
		atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5,
		atom.H6,
		atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Li, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.P, atom.Pre, atom.Section,
		atom.Summary,
		atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp, atom.Listing, atom.Plaintext:
		return true
	}
	// An element that HTML does not know is a block where it has one in it, see holdsBlocks.
	return false
}

// headingLevel is the level of a heading, 0 for another element.
func headingLevel(n *node) int {
	switch n.tag {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

// endsParagraph reports whether the opening tag of an element ends an open paragraph.
func endsParagraph(n *node) bool {
	switch n.tag {
	case atom.Td, atom.Th, atom.Tr, atom.Tbody, atom.Thead, atom.Tfoot, atom.Caption, atom.Body, atom.Html:
		return false // the table ended it
	}
	return isBlock(n)
}

// closes says which open elements the opening tag of an element ends, up to the first
// open one of within.
func closes(tag atom.Atom) (these, within []atom.Atom) {
	switch tag {
	case atom.Li:
		return closeLi, withinList
	case atom.Dt, atom.Dd:
		return closeDt, withinDl
	case atom.Td, atom.Th:
		return closeTd, withinTable
	case atom.Tr:
		return closeTr, withinTable
	case atom.Thead, atom.Tbody, atom.Tfoot:
		return closeTbody, withinTable
	case atom.Option, atom.Optgroup:
		return closeOption, nil
	case atom.A:
		return closeA, withinTable
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return headings, nil
	}
	return nil, nil
}

var (
	closeLi     = []atom.Atom{atom.Li}
	withinList  = []atom.Atom{atom.Ul, atom.Ol, atom.Menu, atom.Dir, atom.Table, atom.Td, atom.Th}
	closeDt     = []atom.Atom{atom.Dt, atom.Dd}
	withinDl    = []atom.Atom{atom.Dl, atom.Table, atom.Td, atom.Th}
	closeTd     = []atom.Atom{atom.Td, atom.Th, atom.Caption}
	closeTr     = []atom.Atom{atom.Td, atom.Th, atom.Caption, atom.Tr}
	closeTbody  = []atom.Atom{atom.Td, atom.Th, atom.Tr, atom.Thead, atom.Tbody, atom.Tfoot, atom.Caption}
	withinTable = []atom.Atom{atom.Table}
	closeOption = []atom.Atom{atom.Option}
	closeA      = []atom.Atom{atom.A}
	headings    = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
	// barriers are what the closing tag of an element inside them does not reach over.
	barriers = []atom.Atom{atom.Table, atom.Td, atom.Th, atom.Caption}
)
