package dita

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"docent/pipeline/ingest/parse"
)

// The bounds of content that is taken from elsewhere (conref, conkeyref).
const (
	maxTaken = 16 // references inside taken content
	// maxTakenBytes is how much is taken, in addition to four times the page.
	maxTakenBytes = 4 << 20
	// takenCost is the cost of each reference in addition to its content, in bytes.
	takenCost = 200
)

// stream reads a page's tags and text, with the content that it takes from elsewhere in
// its place.
type stream struct {
	page    *file
	library *library
	keys    *keys
	sources []*source
	topics  []string                     // ids of the open topics of the page
	left    int                          // bytes that may still be taken
	say     func(what string, err error) // adds a warning
	ctx     context.Context
	count   int
	ahead   []event // read by last, and not given yet
	survey  func(name string, of func(parse.Files) any) any
	pushes  map[string][]push // see findPushes; nil: not asked for yet
}

// source is a part of a file, or of a tree that was gathered.
type source struct {
	r      *reader
	events []event // instead of r
	at     place
	first  event  // replaces the first event of r
	begun  bool   // first was given
	depth  int    // open elements
	until  string // the id of the last sibling that is taken (conrefend)
	last   bool   // that sibling is open
	line   int    // of the reference
}

// next is the next event of the page.
func (s *stream) next() event {
	if s.count++; s.count%1000 == 0 && s.ctx.Err() != nil {
		return event{kind: atEnd}
	}
	if len(s.ahead) > 0 {
		e := s.ahead[0]
		s.ahead = s.ahead[1:]
		return e
	}
	for {
		top := s.sources[len(s.sources)-1]
		e, ok := top.next()
		if !ok {
			s.sources = s.sources[:len(s.sources)-1]
			continue
		}
		if len(s.sources) > 1 && top.r != nil {
			if s.left -= len(e.text) + len(e.name); s.left < 0 {
				if top.depth > 0 { // open elements are closed, and no more is taken
					top.endSource()
				}
			}
		}
		if e.kind == opens && s.refersElsewhere(e) {
			s.takeContent(e)
			continue
		}
		if e.kind == opens && s.applyPushed(e) {
			continue
		}
		return e
	}
}

// isLastInSection reports whether nothing else follows in the section that is read: the element that
// was gathered last ends it.
func (s *stream) isLastInSection() bool {
	var ahead []event
	defer func() { s.ahead = append(ahead, s.ahead...) }()
	for {
		e := s.next()
		ahead = append(ahead, e)
		switch {
		case e.kind == says && strings.TrimSpace(e.text) == "":
		case e.kind == closes && isDivision[e.name]:
		default:
			return e.kind != opens && e.kind != says
		}
	}
}

// next is the next event; ok is false behind the last one.
func (t *source) next() (e event, ok bool) {
	if t.r == nil {
		if len(t.events) == 0 {
			return event{}, false
		}
		e, t.events = t.events[0], t.events[1:]
		return e, true
	}
	for {
		e, _ = t.r.next()
		if e.from == nil {
			e.from = t.r.file
		}
		if t.line == 0 {
			return e, true // the page itself
		}
		e.line, e.fixed = t.line, true
		switch e.kind {
		case atEnd:
			return event{}, false
		case opens:
			t.depth++
			if t.depth == 1 {
				t.last = t.until == "" || attrOf(e.attrs, "id") == t.until
			}
			if !t.begun {
				t.begun = true
				e.name, e.attrs, e.hops = t.first.name, t.first.attrs, t.first.hops
			} else if attrOf(e.attrs, "id") != "" { // the id of another topic
				e.attrs = attributesWithout(e.attrs, "id")
			}
		case closes:
			t.depth--
			if t.depth < 0 {
				return event{}, false
			}
			if t.depth == 0 {
				e.name = t.first.name
				if t.last {
					t.r, t.events = nil, nil
				}
			}
		case says:
			if t.depth == 0 { // between siblings
				continue
			}
		}
		return e, true
	}
}

// endSource ends the taken content and closes its open elements.
func (t *source) endSource() {
	t.r = nil
	for range t.depth {
		t.events = append(t.events, event{kind: closes, line: t.line, fixed: true})
	}
}

// refersElsewhere reports whether an element takes its content from elsewhere. Content that is
// pushed elsewhere stands where it is written.
func (s *stream) refersElsewhere(e event) bool {
	for _, a := range e.attrs {
		if (a.name == "conref" || a.name == "conkeyref") && a.value != "" {
			return !strings.HasPrefix(attrOf(e.attrs, "conaction"), "push")
		}
	}
	return false
}

// takeContent puts the content that an element refers to in the place of its own.
func (s *stream) takeContent(e event) {
	own := s.gatherRest(e)
	s.left -= takenCost
	to, err := s.referenceTarget(own)
	if err == nil {
		s.sources = append(s.sources, to)
		return
	}
	ref := own.attribute("conref")
	if k := own.attribute("conkeyref"); k != "" {
		ref = k
	}
	s.say(fmt.Sprintf("line %d: the content of <%s> could not be taken from %s: %v", own.line, own.name, ref, err), err)
	if own.attribute("conaction") == "" && own.plainText() == "" && !isVoid[own.name] {
		own.kids = append(own.kids, &node{text: "[" + ref + "]", line: own.line, file: own.file})
	}
	own.attrs = attributesWithout(own.attrs, "conref", "conkeyref", "conrefend")
	s.sources = append(s.sources, &source{events: own.replayEvents(nil)})
}

// referenceTarget finds what an element refers to.
func (s *stream) referenceTarget(own *node) (*source, error) {
	if s.left <= 0 {
		return nil, fmt.Errorf("the page takes more than %d MB from elsewhere", maxTakenBytes>>20)
	}
	href := own.attribute("conref")
	from := own.file
	if ref := own.attribute("conkeyref"); ref != "" {
		name, id, _ := strings.Cut(ref, "/")
		k, err := s.keys.findKey(name)
		switch {
		case err != nil && href == "":
			return nil, err
		case err == nil && k.href == "" && href == "":
			return nil, fmt.Errorf("the key %s names no file", name)
		case err == nil && k.href != "":
			from, href = k.file, k.href
			if id != "" {
				base, fragment, _ := strings.Cut(href, "#")
				topic, _, _ := strings.Cut(fragment, "/")
				href = base + "#" + topic + "/" + id
			}
		}
	}
	p, fragment := resolveReference(from, href)
	f := s.page
	if p != s.page.path {
		var err error
		if f, err = s.library.getFile(p); err != nil {
			return nil, err
		}
	}
	if rest, ok := strings.CutPrefix(fragment, "/"); ok { // an element of the key's first topic
		f.index()
		fragment = f.first + "/" + rest
	}
	at, ok := f.findElement(fragment, s.topicID())
	if !ok {
		return nil, fmt.Errorf("%s has no element %q", p, fragment)
	}
	depth := 0
	for _, t := range s.sources {
		if t.r == nil || t.line == 0 {
			continue
		}
		if depth++; t.r.file == f && t.at == at {
			return nil, fmt.Errorf("it contains itself")
		}
	}
	if depth+own.hops >= maxTaken {
		return nil, fmt.Errorf("more than %d references stand in each other", maxTaken)
	}
	t := &source{r: readFrom(f, at.offset, at.line), at: at, line: max(1, own.line)}
	if end := own.attribute("conrefend"); end != "" {
		t.until = end[strings.LastIndexAny(end, "/#")+1:]
	}
	first, _ := readFrom(f, at.offset, at.line).next()
	t.first = event{name: own.name, attrs: mergedAttributes(own.attrs, first.attrs), hops: own.hops + 1}
	return t, nil
}

// topicID is the id of the topic that is read.
func (s *stream) topicID() string {
	if n := len(s.topics); n > 0 {
		return s.topics[n-1]
	}
	return ""
}

// mergedAttributes are the attributes of an element that takes its content from another: its own,
// and those of the other that it has not.
func mergedAttributes(own, other []attr) []attr {
	out := attributesWithout(own, "conref", "conkeyref", "conrefend", "conaction")
	for _, a := range other {
		if a.name != "id" && attrOf(out, a.name) == "" {
			out = append(out, a)
		}
	}
	return out
}

func attributesWithout(attrs []attr, names ...string) []attr {
	var out []attr
next:
	for _, a := range attrs {
		for _, n := range names {
			if a.name == n {
				continue next
			}
		}
		if a.value != "-dita-use-conref-target" {
			out = append(out, a)
		}
	}
	return out
}

// unpercent decodes the escapes of an address; invalid escapes stay.
func unpercent(s string) string {
	if p, err := url.PathUnescape(s); err == nil {
		return p
	}
	return s
}
