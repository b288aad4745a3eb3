package rst

import (
	"docent/pipeline/ingest/parse/rst/numbering"
)

// bullets reads a list of items with the same mark.
func (r *reader) bullets(b *run, i int) int {
	list := r.newNode(bullets, b.view, i)
	mark, _ := bulletMark(b.lineAt(i))
	for i < b.lineCount() {
		if b.isBlank(i) {
			i++
			continue
		}
		m, column := bulletMark(b.lineAt(i))
		if m != mark {
			break
		}
		n, end := r.readItem(b, i, len(string(m)), column)
		list.kids = append(list.kids, n)
		i = end
	}
	b.out = append(b.out, list)
	return i
}

// readItem reads one item: the text behind its mark, and the lines below that.
func (r *reader) readItem(b *run, i, mark, column int) (*node, int) {
	n := r.newNode(item, b.view, i)
	var v view
	end := i
	if len(b.lineAt(i)) <= mark {
		v, end = b.hanging(i, mark)
	} else {
		end = b.indented(i+1, column)
		b.maskBytes(i, column)
		v = b.linesBetween(i, end).inner(column)
	}
	n.kids = r.blocks(v, false)
	return n, end
}

// stands reports whether the line after an enumerator lets it be one: a blank or indented
// line, or the next item. "A. Einstein was a great" … is a paragraph.
func (b *run) stands(i int, e numbering.Mark) bool {
	if i+1 >= b.lineCount() || b.isBlank(i+1) || b.lineAt(i + 1)[0] == ' ' {
		return true
	}
	next, ok := numbering.Read(b.lineAt(i+1), e.Sequence)
	return ok && next.Follows(e, e.Number)
}

// numbers reads a numbered list. It returns i where none begins.
func (r *reader) numbers(b *run, i int) int {
	first, ok := numbering.Read(b.lineAt(i), 0)
	if !ok || !b.stands(i, first) {
		return i
	}
	list := r.newNode(numbers, b.view, i)
	list.level = first.Number
	number := first.Number - 1
	for i < b.lineCount() {
		if b.isBlank(i) {
			i++
			continue
		}
		e, ok := numbering.Read(b.lineAt(i), first.Sequence)
		if !ok || len(list.kids) > 0 && (!e.Follows(first, number) || !b.stands(i, e)) {
			break
		}
		n, end := r.readItem(b, i, e.Width, e.Column)
		list.kids = append(list.kids, n)
		number++
		i = end
	}
	b.out = append(b.out, list)
	return i
}
