package sphinx

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// value is what an expression stands for: a string, the strings of a list, or a file.
type value struct {
	text string
	list []string
	kind kind
}

type kind int

const (
	isText kind = iota
	isList
	isFile // text is its path, from the folder of conf.py
	isPath // of a file or folder
)

// size is how many bytes its strings have.
func (v value) size() int {
	n := len(v.text)
	for _, s := range v.list {
		n += len(s)
	}
	return n
}

// Bounds of values that are computed.
const (
	mostParts     = 1000     // strings of a list, arguments of a call
	mostSearches  = 20       // regular expressions of a module
	maxExpression = 300      // bytes of one
	maxSearched   = 64 << 10 // bytes that it is looked for in
)

// postfix reads what follows a value: calls of its methods, indexes and slices.
func (x *expression) postfix(v value) (value, bool) {
	ok := true
	for ok {
		switch {
		case v.kind == isPath && x.take("/"):
			var more value
			if more, ok = x.term(); ok {
				v.text = path.Join(v.text, more.text)
			}
		case v.kind == isText && x.take("%"):
			v.text, ok = x.percent(v.text)
		case x.take("["):
			v, ok = x.pick(v)
		case x.take("."):
			v, ok = x.method(v, x.name())
		default:
			return v, true
		}
	}
	return value{}, false
}

// above is the folder of a path.
func above(name string) string {
	if name = path.Clean(name); name == "." || path.Base(name) == ".." {
		return path.Join(name, "..")
	}
	return path.Dir(name)
}

// method is an attribute of a value, or a call of one of its methods.
func (x *expression) method(v value, name string) (value, bool) {
	if v.kind == isPath && name == "parent" {
		return value{text: above(v.text), kind: isPath}, true
	}
	if !x.take("(") {
		return value{}, false
	}
	if v.kind == isText && name == "format" {
		text, ok := x.format(v.text)
		return value{text: text}, ok
	}
	if v.kind == isText && name == "join" {
		list, ok := x.any()
		if ok = ok && list.kind == isList; ok {
			x.take(",")
			ok = x.take(")")
		}
		ok = ok && list.size()+len(v.text)*len(list.list) <= maxText
		if !ok {
			return value{}, false
		}
		return value{text: strings.Join(list.list, v.text)}, true
	}
	args, _, ok := x.arguments()
	if !ok {
		return value{}, false
	}
	switch v.kind {
	case isText:
		return textMethod(v.text, name, args)
	case isPath:
		return x.pathMethod(v, name, args)
	case isFile:
		text, ok := x.read(v.text)
		switch {
		case !ok:
		case name == "read":
			return value{text: text}, true
		case name == "readline":
			line, _, _ := strings.Cut(text, "\n")
			return value{text: line + "\n"}, true
		case name == "readlines":
			return listOf(strings.SplitAfterN(text, "\n", mostParts))
		}
	}
	return value{}, false
}

func listOf(parts []string) (value, bool) {
	return value{list: parts, kind: isList}, len(parts) <= mostParts
}

// textMethod calls a method of a string.
func textMethod(s, name string, args []string) (value, bool) {
	signs := " \t\r\n"
	if len(args) > 0 {
		signs = args[0]
	}
	switch {
	case name == "strip":
		return value{text: strings.Trim(s, signs)}, true
	case name == "lstrip":
		return value{text: strings.TrimLeft(s, signs)}, true
	case name == "rstrip":
		return value{text: strings.TrimRight(s, signs)}, true
	case name == "lower":
		return value{text: strings.ToLower(s)}, true
	case name == "upper":
		return value{text: strings.ToUpper(s)}, true
	case name == "decode" || name == "encode":
		return value{text: s}, true
	case name == "split" && len(args) == 0:
		return listOf(strings.Fields(s))
	case name == "splitlines":
		return listOf(strings.Split(strings.TrimSuffix(s, "\n"), "\n"))
	case len(args) == 0 || args[0] == "":
		return value{}, false
	case name == "removeprefix":
		return value{text: strings.TrimPrefix(s, args[0])}, true
	case name == "removesuffix":
		return value{text: strings.TrimSuffix(s, args[0])}, true
	case name == "replace" && len(args) == 2 && len(s)*(1+len(args[1])) < maxText:
		return value{text: strings.ReplaceAll(s, args[0], args[1])}, true
	case name == "partition":
		before, behind, found := strings.Cut(s, args[0])
		return value{list: []string{before, strings.Repeat(args[0], btoi(found)), behind}, kind: isList}, true
	case name == "split" || name == "rsplit":
		return split(s, name, args)
	case name == "rpartition":
		at := strings.LastIndex(s, args[0])
		if at < 0 {
			return value{list: []string{"", "", s}, kind: isList}, true
		}
		return value{list: []string{s[:at], args[0], s[at+len(args[0]):]}, kind: isList}, true
	}
	return value{}, false
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// split is s.split(separator, most) or s.rsplit(separator, most).
func split(s, name string, args []string) (value, bool) {
	most := -1
	if len(args) > 1 {
		n, err := strconv.Atoi(args[1])
		if err != nil || n < 0 {
			return value{}, false
		}
		most = n
	}
	parts := strings.SplitN(s, args[0], mostParts+1)
	if most < 0 || len(parts) <= most+1 {
		return listOf(parts)
	}
	if name == "split" {
		return listOf(append(parts[:most:most], strings.Join(parts[most:], args[0])))
	}
	first := len(parts) - most
	return listOf(append([]string{strings.Join(parts[:first], args[0])}, parts[first:]...))
}

// pathMethod calls a method of a path.
func (x *expression) pathMethod(v value, name string, args []string) (value, bool) {
	switch name {
	case "resolve", "absolute":
		return v, true
	case "joinpath":
		return value{text: path.Join(append([]string{v.text}, args...)...), kind: isPath}, true
	case "read_text":
		text, ok := x.read(v.text)
		return value{text: text}, ok
	case "open":
		return value{text: v.text, kind: isFile}, true
	}
	return value{}, false
}

// bound reads a number of an index or a slice.
func (x *expression) bound() (n int, there bool) {
	minus := x.take("-")
	n, err := strconv.Atoi(x.name())
	if minus {
		n = -n
	}
	return n, err == nil
}

// pick is v[i], v[i:j], v[:j] or v[i:].
func (x *expression) pick(v value) (value, bool) {
	from, hasFrom := x.bound()
	size := len(v.text)
	if v.kind == isList {
		size = len(v.list)
	} else if v.kind != isText {
		return value{}, false
	}
	place := func(n int) int {
		if n < 0 {
			n += size
		}
		return n
	}
	if !x.take(":") {
		from = place(from)
		switch {
		case !x.take("]") || !hasFrom || from < 0 || from >= size:
			return value{}, false
		case v.kind == isList:
			return value{text: v.list[from]}, true
		}
		return value{text: v.text[from : from+1]}, true
	}
	to, hasTo := x.bound()
	if !x.take("]") {
		return value{}, false
	}
	if !hasTo {
		to = size
	}
	from, to = min(max(place(from), 0), size), min(max(place(to), 0), size)
	to = max(from, to)
	if v.kind == isList {
		return value{list: v.list[from:to], kind: isList}, true
	}
	return value{text: v.text[from:to]}, true
}

// call reads the call of a function of Python's library that has a dotted name.
func (x *expression) call(name string) (value, bool) {
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case name == "re.search" || name == "re.match":
		return x.search(name == "re.match")
	case last == "Path" || last == "open" || last == "dirname" || last == "abspath" || last == "realpath" || name == "str":
		v, ok := x.any()
		for ok && x.take(",") { // the mode of open(), and the encoding
			at := x.at
			if n := x.name(); n == "" || !x.take("=") {
				x.at = at
			}
			if !x.take(")") {
				_, ok = x.any()
				continue
			}
			x.at--
		}
		if ok = ok && v.kind != isList && x.take(")"); !ok {
			return value{}, false
		}
		switch last {
		case "Path":
			v.kind = isPath
		case "open":
			v.kind = isFile
		case "dirname":
			v = value{text: above(v.text)}
		default:
			v.kind = isText
		}
		return v, true
	}
	args, _, ok := x.arguments()
	switch {
	case !ok:
	case name == "os.path.join":
		return value{text: path.Join(args...)}, true
	case (name == "os.environ.get" || name == "os.getenv") && len(args) == 2: // documentation is made without settings
		return value{text: args[1]}, true
	case (strings.HasSuffix(name, "metadata.version") || x.imports[name].isVersion()) && len(args) == 1:
		text, ok := x.packageVersion(args[0])
		return value{text: text}, ok
	}
	return value{}, false
}

// search is re.search(expression, text), of which a group is asked for.
func (x *expression) search(atStart bool) (value, bool) {
	x.depth++
	expr, ok := x.sum()
	if ok = ok && x.take(","); !ok {
		return value{}, false
	}
	text, ok := x.sum()
	if ok && x.take(",") {
		switch flag := x.dotted(); flag {
		case "re.M", "re.MULTILINE":
			expr = "(?m)" + expr
		case "":
		default:
			return value{}, false
		}
	}
	ok = ok && x.take(")")
	x.depth--
	if atStart {
		expr = `\A(?:` + expr + `)`
	}
	if x.searches++; x.searches > mostSearches || len(expr) > maxExpression {
		return value{}, false
	}
	text = text[:min(len(text), maxSearched)]
	compiled, err := regexp.Compile(expr)
	if !ok || err != nil {
		return value{}, false
	}
	groups := compiled.FindStringSubmatch(text)
	if groups == nil {
		return value{}, false
	}
	v := value{list: groups, kind: isList}
	switch {
	case x.take("["):
		return x.pick(v)
	case x.take(".groups()"):
		return value{list: groups[1:], kind: isList}, true
	case x.take(".group("):
		n, there := x.bound()
		if !x.take(")") || n < 0 || n >= len(groups) {
			return value{}, false
		}
		return value{text: groups[n*btoi(there)]}, true
	}
	return value{}, false
}
