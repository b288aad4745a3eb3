package asciidoc

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/text/pattern"
)

// line is a line and where it stands: of an included file, the line that includes it.
type line struct {
	text   string
	num    int
	offset int // of the level of a title
}

var directiveLine = pattern.Lazy(`^(include|ifdef|ifndef|ifeval|endif)::(\S*?|\S.*?)\[(.*)\]$`)

// preprocessor makes the lines of a page: conditions are decided and other files put in,
// before anything is read as a block, as Asciidoctor does.
type preprocessor struct {
	page     *page
	set      map[string]string // attributes that are set so far
	files    []string          // files that are open, the page first
	parts    []string          // and which parts of each, as its include says
	included int               // bytes that were taken
	read     int               // bytes of files that were read for them
	includes int               // files
	out      []line
	fence    string // the delimiter of the block of code that is open, "": none
	offset   int    // of the levels of titles
	unset    map[string]bool
	origins  map[string]string                  // the files that set the attributes; nil where they are not asked for
	onFile   func(file string, r *preprocessor) // called with each file that is included, before it is read; may be nil
}

// condition is a condition that is open.
type condition struct {
	holds bool
}

// readSource gives the lines of a page with all that it includes. onFile is called for each include; it may be nil.
func (p *page) readSource(src []byte, onFile func(file string, r *preprocessor)) []line {
	r := &preprocessor{onFile: onFile, page: p, set: map[string]string{"asciidoctor": ""}, files: []string{path.Clean(p.opt.Path)},
		parts: []string{""}, unset: map[string]bool{}}
	for name, value := range p.attributes {
		r.set[name] = value
	}
	if onFile != nil {
		r.origins = map[string]string{}
	}
	r.readFile(textLines(p.w.ToUTF8(src)), 0)
	return r.out
}

// textLines cuts a text into lines without tabs and blanks at their ends.
func textLines(text string) []string {
	all := strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "\ufeff"), "\n"), "\n")
	for i, l := range all {
		all[i] = strings.TrimRight(strings.ReplaceAll(l, "\t", "    "), " \r")
	}
	return all
}

// readFile adds the lines of one file. at is the line of the page that includes it, 0 for the page itself.
func (r *preprocessor) readFile(all []string, at int) {
	var open []condition
	hidden := 0 // conditions that do not hold
	for i := 0; i < len(all); i++ {
		l := line{text: all[i], num: min(i+1, r.page.last)}
		if at > 0 {
			l.num = at
		}
		if m := directiveAt(l.text); m != nil && m[1] != "include" {
			switch {
			case m[1] == "endif":
				if n := len(open); n > 0 {
					if !open[n-1].holds {
						hidden--
					}
					open = open[:n-1]
				}
			case m[3] != "" && m[1] != "ifeval": // a condition of one line
				if hidden == 0 && r.holds(m[1], m[2], m[3], l.num) {
					r.add(line{text: m[3], num: l.num})
				}
			default:
				c := condition{holds: hidden == 0 && r.holds(m[1], m[2], m[3], l.num)}
				if !c.holds {
					hidden++
				}
				open = append(open, c)
			}
			continue
		} else if hidden > 0 {
			continue
		} else if m != nil && r.include(l, m) {
			continue
		}
		for r.fence == "" && strings.HasPrefix(l.text, ":") && strings.HasSuffix(l.text, ` \`) && i+1 < len(all) {
			i++ // the value of an attribute goes on
			l.text = strings.TrimSuffix(l.text, `\`) + strings.TrimSpace(all[i])
		}
		r.add(l)
	}
}

// directiveAt is the directive that a line is, nil for other lines.
func directiveAt(text string) []string {
	if !strings.HasPrefix(text, "i") && !strings.HasPrefix(text, "endif") || !strings.HasSuffix(text, "]") {
		return nil
	}
	return directiveLine().FindStringSubmatch(text)
}

// add adds a line and keeps the attribute that it sets.
func (r *preprocessor) add(l line) {
	l.offset = r.offset
	r.out = append(r.out, l)
	switch {
	case r.fence != "":
		if l.text == r.fence {
			r.fence = ""
		}
	case strings.HasPrefix(l.text, ":"):
		if m := attributeLine().FindStringSubmatch(l.text); m != nil {
			setAttribute(r.set, m[1], r.valueOf(m[2]))
			switch m[1] {
			case "leveloffset":
				r.offset = addOffset(r.offset, m[2])
			case "!leveloffset", "leveloffset!":
				r.offset = 0
			}
			if r.origins != nil {
				r.origins[strings.ToLower(strings.Trim(m[1], "!"))] = r.files[len(r.files)-1]
			}
		}
	case len(l.text) >= 4 && strings.IndexByte("-.+/", l.text[0]) >= 0 && strings.Trim(l.text, l.text[:1]) == "":
		if n := len(r.out) - 2; n >= 0 {
			if _, _, title := r.page.heading(r.out, n); title == 2 {
				break // it underlines a title
			}
		}
		r.fence = l.text
	}
}

// setAttribute sets an attribute, or removes it where an exclamation mark stands before or after its
// name. Signs and spaces in a name do not count: ":man manual:" sets manmanual.
func setAttribute(set map[string]string, name, value string) {
	bare := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	if strings.HasPrefix(name, "!") || strings.HasSuffix(name, "!") {
		delete(set, bare)
		return
	}
	set[bare] = value
}

// holds decides a condition. The text is shown of both ways where a program that shows
// the page sets the attribute and the page does not.
func (r *preprocessor) holds(directive, names, text string, num int) bool {
	if directive == "ifeval" {
		return r.compares(text)
	}
	sep := ","
	if strings.Contains(names, "+") {
		sep = "+"
	}
	some, all := false, true
	for name := range strings.SplitSeq(strings.ToLower(names), sep) {
		_, is := r.set[name]
		if !is {
			_, is = r.page.inherited(name)
		}
		if kind, ok := strings.CutPrefix(name, "doctype-"); ok {
			doctype, given := r.set["doctype"]
			is = kind == doctype || !given && kind == "article"
		} else if !is && !r.page.site.decides && setFromOutside(name) {
			return true
		}
		some, all = some || is, all && is
		if !is && directive == "ifdef" {
			r.noteUnset(name, num)
		}
	}
	is := some
	if sep == "+" {
		is = all
	}
	return is == (directive == "ifdef")
}

// setFromOutside reports whether an attribute is one that the programs that show AsciiDoc
// set: it says where the page is shown.
func setFromOutside(name string) bool {
	for _, prefix := range []string{"env-", "backend-", "basebackend-", "filetype-", "site-gen-", "safe-mode-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// noteUnset warns, once, of text that is left out for an attribute that nothing in the
// doc set sets.
func (r *preprocessor) noteUnset(name string, num int) {
	if r.unset[name] || r.page.opt.Survey == nil {
		return
	}
	known, ok := r.page.opt.Survey("attributes of AsciiDoc", attributesOf).(map[string]bool)
	if ok && !known[name] {
		r.unset[name] = true
		r.page.w.Warn("line %d: the text under ifdef::%s[] is left out: nothing in the doc set sets %s", num, name, name)
	}
}

// Bounds of looking for the attributes of a doc set.
const (
	mostSurveyed   = 256 << 20 // bytes of all pages
	mostAttributes = 100_000
)

// attributesOf are the names of the attributes that pages of a doc set set.
func attributesOf(files parse.Files) any {
	names := map[string]bool{}
	size := 0
	for _, name := range files.List(".adoc", ".asciidoc", ".txt") {
		o, err := files.Open(name)
		if err != nil {
			continue // it is reported when the page itself is read
		}
		if size += len(o.Data); size > mostSurveyed || len(names) > mostAttributes {
			break
		}
		for l := range strings.Lines(string(o.Data)) {
			if strings.HasPrefix(l, ":") {
				if m := attributeLine().FindStringSubmatch(strings.TrimRight(l, " \r\n")); m != nil {
					names[strings.ToLower(strings.Trim(m[1], "!"))] = true
				}
			}
		}
	}
	return names
}

var comparison = pattern.Lazy(`^(.*?)\s*(==|!=|<=|>=|<|>)\s*(.*)$`)

// compares decides ifeval::["{a}" == "b"]. One that cannot be decided holds.
func (r *preprocessor) compares(text string) bool {
	m := comparison().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return true
	}
	a, b := r.operand(m[1]), r.operand(m[3])
	order := strings.Compare(a, b)
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		switch {
		case x < y:
			order = -1
		case x > y:
			order = 1
		default:
			order = 0
		}
	}
	switch m[2] {
	case "==":
		return order == 0
	case "!=":
		return order != 0
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// operand is a side of a comparison; attributes that are not set are empty.
func (r *preprocessor) operand(s string) string {
	s = strings.Trim(strings.TrimSpace(s), `"'`)
	return attributeRef().ReplaceAllString(r.expand(s), "")
}

// valueOf is the value that an attribute gets: those that it names are put in, unless that makes
// a long text.
func (r *preprocessor) valueOf(s string) string {
	if v := r.expand(s); len(v) <= mostValue {
		return v
	}
	return s
}

// mostValue is the most bytes of a value that is made of others.
const mostValue = 10_000

func (r *preprocessor) expand(s string) string {
	if !strings.Contains(s, "{") {
		return s
	}
	return attributeRef().ReplaceAllStringFunc(s, func(m string) string {
		name := strings.ToLower(m[1 : len(m)-1])
		if v, ok := r.set[name]; ok {
			return v
		}
		if v, ok := r.page.inherited(name); ok {
			return v
		}
		return m
	})
}

// include puts another file in the place of a line; false where the line stays.
func (r *preprocessor) include(l line, m []string) bool {
	wanted := readIncludeOptions(m[3])
	src, name, err := r.open(r.expand(m[2]))
	switch {
	case err != "":
	case r.isOpen(name, wanted.part()):
		err = "it includes itself"
	case len(r.files) > maxDepth:
		err = fmt.Sprintf("it stands more than %d files deep", maxDepth)
	}
	if err != "" {
		if strings.Contains(wanted.opts, "optional") {
			return true
		}
		r.page.w.Warn("line %d: %s is not included: %s", l.num, m[2], err)
		return false
	}
	all := wanted.pick(textLines(r.page.w.ToUTF8(src)))
	for _, text := range all {
		r.included += len(text) + 1
	}
	if r.included > maxIncluded {
		r.page.w.Warn("line %d: %s is not included: the page includes too much", l.num, m[2])
		return false
	}
	outer := r.offset
	if wanted.offset != "" {
		r.offset = addOffset(r.offset, wanted.offset)
	}
	if r.onFile != nil {
		r.onFile(name, r)
	}
	r.files, r.parts = append(r.files, name), append(r.parts, wanted.part())
	r.readFile(all, l.num)
	r.files, r.parts = r.files[:len(r.files)-1], r.parts[:len(r.parts)-1]
	r.offset = outer // a line that says so might stand in the paragraph with which the file ends
	return true
}

// isOpen reports whether a part of a file is being included already. A page may include
// another part of itself, as pages do that two sites share.
func (r *preprocessor) isOpen(name, part string) bool {
	for i, file := range r.files {
		if file == name && (r.parts[i] == part || part == "") {
			return true
		}
	}
	return false
}

// addOffset is an offset of levels after a change: "+1", "-1", or a number of its own.
func addOffset(offset int, change string) int {
	n, err := strconv.Atoi(strings.TrimSpace(change))
	switch {
	case err != nil:
		return offset
	case strings.HasPrefix(change, "+") || strings.HasPrefix(change, "-"):
		n += offset
	}
	return max(-maxLevels, min(n, maxLevels))
}

// open reads the file that an include names: of a resource of Antora by its module and
// family, else relative to the file that includes it, or to the folder from which the page is built.
func (r *preprocessor) open(name string) ([]byte, string, string) {
	if r.page.opt.Open == nil {
		return nil, "", "the page is read without its doc set"
	}
	from := r.files[len(r.files)-1]
	file, ok := r.page.site.resource(name, "")
	switch {
	case ok:
	case strings.HasPrefix(name, "/"): // from an attribute that names a folder of the doc set
		file = strings.TrimPrefix(path.Clean(name), "/")
	default:
		file = path.Join(path.Dir(from), name)
	}
	src, err := r.page.opt.Open(file)
	if older := olderPlace(file); err != nil && ok && older != "" {
		if found, failed := r.page.opt.Open(older); failed == nil {
			file, src, err = older, found, nil
		}
	}
	if err != nil && !ok && len(r.files) == 1 {
		file, src, err = r.openFromBase(name, file, err)
	}
	if err != nil {
		return nil, "", err.Error()
	}
	r.includes++
	if r.read += len(src); r.read > maxRead || r.includes > maxIncludes {
		return nil, "", "the page includes too much"
	}
	return src, file, ""
}

// openFromBase reads a file that a page includes and that is not in the page's folder. Builds that
// set Asciidoctor's base directory have the file in a folder above, which the page does not name: the
// nearest folder with such a file holds. Included files always name others relative to themselves.
func (r *preprocessor) openFromBase(name, missing string, cause error) (string, []byte, error) {
	if !errors.Is(cause, fs.ErrNotExist) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "/") || strings.Contains(name, "{") {
		return missing, nil, cause
	}
	for dir := path.Dir(path.Clean(r.files[0])); dir != "." && dir != "/"; {
		dir = path.Dir(dir)
		file := path.Join(dir, name)
		if src, err := r.page.opt.Open(file); err == nil {
			return file, src, nil
		}
	}
	return missing, nil, cause
}
