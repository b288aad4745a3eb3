package rst

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"docent/pipeline/text/pattern"
	"docent/pipeline/text/shorten"
)

// fileReader reads directives that name other files of the doc set.
type fileReader struct{ *reader }

func (x *reader) fileReader() fileReader { return fileReader{x} }

// literalInclude reads code from another file of the doc set.
func (r fileReader) literalInclude(n *node, c call) {
	_, text, ok := r.openNamed(c)
	if !ok {
		n.kind, n.text = paragraph, ""
		return
	}
	n.text = view{lines: splitLines(pickPart(text, c))}.commonText()
	n.name = strings.TrimPrefix(path.Ext(c.argument()), ".")
	if l, ok := c.option("language"); ok {
		n.name = l
	}
}

// include reads another file of the doc set in place of the directive.
func (r fileReader) include(b *run, c call) {
	if strings.HasPrefix(c.argument(), "<") {
		return // a standard file of docutils: names of characters
	}
	file, text, ok := r.openNamed(c)
	if !ok {
		return
	}
	part := file // a page may include a part of itself
	for _, o := range []string{"start-after", "end-before", "start-line", "end-line", "start-at", "end-at"} {
		part += "\n" + c.options[o]
	}
	if slices.Contains(r.parts, part) || file == r.files[0] && strings.TrimRight(part, "\n") == file {
		r.warnAt(c.line, "%s includes itself", shorten.Bytes(file, mostQuoted))
		return
	}
	if len(r.files) > maxIncludes {
		r.warnAt(c.line, "%s is not included: files include files more than %d deep", shorten.Bytes(file, mostQuoted), maxIncludes)
		return
	}
	text = pickPart(text, c)
	if lang, ok := c.option("code"); ok {
		b.out = append(b.out, &node{kind: code, line: c.line, name: lang, text: view{lines: splitLines(text)}.commonText()})
		return
	}
	if _, ok := c.option("literal"); ok {
		b.out = append(b.out, &node{kind: code, line: c.line, text: view{lines: splitLines(text)}.commonText()})
		return
	}
	r.readIncluded(b, c, file, part, text)
}

// readIncluded reads the text of another file in place of a directive.
func (r fileReader) readIncluded(b *run, c call, file, part, text string) {
	at := r.at
	r.at = c.line
	r.files, r.parts = append(r.files, file), append(r.parts, part)
	b.out = append(b.out, r.blocks(view{lines: splitLines(text)}, b.titles)...)
	r.files, r.parts, r.at = r.files[:len(r.files)-1], r.parts[:len(r.parts)-1], at
}

// moduleText is the documentation in a module of CMake: comments in brackets that begin
// with ".rst:".
var moduleText = pattern.Lazy(`(?s)#?\[(=*)\[\.rst:[^\n]*\n(.*?)\n?#?\](=*)\]`)

// includeModule reads the documentation of a module of CMake.
func (r fileReader) includeModule(b *run, c call) {
	file, text, ok := r.openNamed(c)
	if !ok {
		return
	}
	var all []string
	for _, m := range moduleText().FindAllStringSubmatch(text, -1) {
		all = append(all, m[2])
	}
	if len(all) > 0 && len(r.files) <= maxIncludes {
		r.readIncluded(b, c, file, file, strings.Join(all, "\n\n"))
	}
}

// places are the paths in the doc set that a name may mean: from the doc set's folder,
// relative to the page, as Sphinx reads it, and relative to the file that has the
// directive, as docutils does.
func (r fileReader) places(name string) []string {
	if strings.HasPrefix(name, "/") {
		return []string{strings.TrimPrefix(path.Clean(name), "/")}
	}
	out := []string{path.Join(path.Dir(r.files[0]), name)}
	if beside := path.Join(path.Dir(r.files[len(r.files)-1]), name); beside != out[0] {
		out = append(out, beside)
	}
	return out
}

// openNamed reads the file that a directive names, and returns its path.
func (r fileReader) openNamed(c call) (file, text string, ok bool) {
	name := c.argument()
	if name == "" {
		r.warnAt(c.line, "the directive %q names no file", c.name)
		return "", "", false
	}
	if r.page.opt.Open == nil {
		r.warnAt(c.line, "%s is not included: files of the doc set cannot be read here", shorten.Bytes(name, mostQuoted))
		return "", "", false
	}
	var first error
	for _, file := range r.places(name) {
		src, err := r.page.opt.Open(file)
		if err != nil {
			first = cmp.Or(first, err)
			continue
		}
		if r.size += len(src); r.size > maxIncluded {
			r.warnAt(c.line, "%s is not included: the files that the page includes have more than %d bytes",
				shorten.Bytes(name, mostQuoted), maxIncluded)
			return "", "", false
		}
		return file, toUTF8(src), true
	}
	r.warnAt(c.line, "%s is not included: %v", shorten.Bytes(name, mostQuoted), first)
	return "", "", false
}
