package code

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// goOutline reads a file of Go. Code after a syntax error is shown without an outline.
func (f *file) goOutline() []item {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", f.text, parser.ParseComments|parser.SkipObjectResolution)
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		f.warnAbout("line %d: %s; what stands there is shown as it is", list[0].Pos.Line, list[0].Msg)
	}
	if tree == nil {
		return nil
	}
	line := func(p token.Pos) int { return set.PositionFor(p, false).Line - 1 }
	f.inText = make([]bool, len(f.lines)+1)
	for _, g := range tree.Comments {
		if g.Pos() > tree.Package {
			break
		}
		docs := f.goDocLines(g, line)
		switch {
		case isLicence(docs):
			f.licence = append(f.licence, docs...)
		case g == tree.Doc:
			f.about = docs
		}
	}
	var items []item
	for _, d := range tree.Decls {
		it := item{from: line(d.Pos()), to: min(line(d.End()-1)+1, len(f.lines))}
		switch d := d.(type) {
		case *ast.FuncDecl:
			it.name = d.Name.Name
			if d.Recv != nil && len(d.Recv.List) > 0 {
				if t := receiverTypeName(d.Recv.List[0].Type); t != "" {
					it.name = t + "." + it.name
				}
			}
			it.docs = f.goDocLines(d.Doc, line)
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if d.Doc != nil {
				it.docs = f.goDocLines(d.Doc, line)
			}
			if d.Tok == token.TYPE && d.Lparen.IsValid() {
				items = append(items, f.goTypesOfGroup(d, line)...)
				continue
			}
			it.name, it.heading = firstGoName(d)
		default:
			continue
		}
		// Directives are below the text, and belong to the code.
		for n := len(it.docs); n > 0 && it.docs[n-1].line == it.from-1 && isDirective(f.lines[it.from-1]); n-- {
			it.docs = it.docs[:n-1]
			it.from--
		}
		items = append(items, it)
	}
	return f.declarationsInOrder(items, 0, len(f.lines), 0)
}

// goTypesOfGroup are the types of a group.
func (f *file) goTypesOfGroup(d *ast.GenDecl, line func(token.Pos) int) []item {
	var items []item
	for _, s := range d.Specs {
		t, ok := s.(*ast.TypeSpec)
		if !ok {
			continue
		}
		items = append(items, item{name: t.Name.Name, from: line(t.Pos()), to: min(line(t.End()-1)+1, len(f.lines)),
			docs: f.goDocLines(t.Doc, line)})
	}
	return items
}

// goDocLines is a comment's text without directives (//go:build).
func (f *file) goDocLines(g *ast.CommentGroup, line func(token.Pos) int) []docLine {
	if g == nil {
		return nil
	}
	var out []docLine
	for _, c := range g.List {
		first := line(c.Pos())
		block := strings.HasPrefix(c.Text, "/*")
		lines := strings.Split(c.Text, "\n")
		for i, l := range lines {
			if first+i >= len(f.lines) {
				break
			}
			switch {
			case !block && isDirective(l):
				l = ""
			case !block:
				l = strings.TrimPrefix(strings.TrimPrefix(l, "//"), " ")
			default:
				l = bareComment(l, comment{first: 0, last: len(lines) - 1, block: true}, i)
			}
			out = append(out, docLine{text: strings.TrimRight(l, " \t\r"), line: first + i})
		}
	}
	return out
}

// isDirective reports whether a comment is for a program: //go:embed, //nolint:x.
func isDirective(l string) bool {
	rest, mark := strings.CutPrefix(l, "//")
	word, _, ok := strings.Cut(rest, ":")
	return mark && ok && word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// receiverTypeName is the name of a method's type.
func receiverTypeName(t ast.Expr) string {
	for range 10 {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
	return ""
}

// mostNames is how many names of a group its heading has.
const mostNames = 6

// firstGoName is the first name of a group of constants, variables or types, and the heading
// with the others.
func firstGoName(d *ast.GenDecl) (name, heading string) {
	var names []string
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.Name != "_" {
					names = append(names, n.Name)
				}
			}
		}
	}
	switch {
	case len(names) == 0:
		return "", ""
	case len(names) == 1:
		return names[0], ""
	case len(names) > mostNames:
		return names[0], strings.Join(names[:mostNames], ", ") + ", …"
	}
	return names[0], strings.Join(names, ", ")
}
