package rst

// kind is the kind of a node.
type kind int

const (
	paragraph  kind = iota // text
	heading                // text, level, ids
	code                   // text, name: the language
	bullets                // kids: items
	numbers                // kids: items; level: the first number
	item                   // kids
	quote                  // kids
	definition             // text: the term, kids
	field                  // name, kids
	option                 // text: the option, kids
	lineBlock              // text: lines
	table                  // rows, header: how many of them head it; text: the title
	note                   // name: the kind, text: the title, kids
	object                 // name: its type, args: signatures, kids, ids
	target                 // ids of what follows
	transition             //
	image                  // text: its description, name: its address, kids
	links                  // entries: of a table of contents
	footnote               // text: the label, kids
	group                  // kids without a container of their own
	rubric                 // text: a title that is no section; name: "rubric" for one that the page calls so
	math                   // text
	version                // name: the directive, args[0]: the version, text, kids
	meta                   // a name with an address, "" without a name: nothing is shown
)

// node is a part of a page.
type node struct {
	kind   kind
	line   int
	level  int
	text   string
	name   string
	args   []string
	ids    []string
	kids   []*node
	rows   [][]cell
	header int
	still  bool // all of it stands on one line of the page: it was included
	links  []link
}

// cell is a cell of a table. A cell that another one covers has no kids.
type cell struct {
	kids []*node
}

// link is an entry of a table of contents.
type link struct {
	text, target string
	line         int
}

// walkNodes visits nodes in the order of the page.
func walkNodes(nodes []*node, visit func(*node)) {
	for _, n := range nodes {
		visit(n)
		walkNodes(n.kids, visit)
		for _, row := range n.rows {
			for _, c := range row {
				walkNodes(c.kids, visit)
			}
		}
	}
}
