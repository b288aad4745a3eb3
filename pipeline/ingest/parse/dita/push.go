package dita

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"docent/pipeline/ingest/parse"
)

// maxPushes is how many elements of a doc set may be pushed to others.
const maxPushes = 10_000

// push is an element that its file pushes to another one (conaction).
type push struct {
	from   string // the file
	at     place
	action string // pushreplace, pushbefore, pushafter
}

// findPushes finds what the files of a doc set push, by the places where it belongs:
// "path#topic/element". Of elements that are pushed before or behind another one, a
// sibling with the action "mark" names that.
func findPushes(files parse.Files) any {
	all := map[string][]push{}
	count := 0
	for _, p := range files.List(".dita", ".xml") {
		o, err := files.Open(p)
		if err != nil || !bytes.Contains(o.Data, []byte("conaction")) {
			continue
		}
		f, _ := newFile(p, o.Data)
		for key, list := range f.pushedElements() {
			if count += len(list); count <= maxPushes {
				all[key] = append(all[key], list...)
			}
		}
	}
	return all
}

// pushedElements are the elements that a file pushes.
func (f *file) pushedElements() map[string][]push {
	out := map[string][]push{}
	r := f.newReaderAtStart()
	var topics []string
	var depths []int
	var before []push // wait for the mark
	mark, depth := "", 0
	for {
		e, at := r.next()
		switch e.kind {
		case atEnd:
			return out
		case closes:
			if n := len(depths); n > 0 && depths[n-1] == depth {
				topics, depths = topics[:n-1], depths[:n-1]
			}
			depth--
		case opens:
			depth++
			if isTopic[e.name] {
				topics, depths = append(topics, attrOf(e.attrs, "id")), append(depths, depth)
			}
			here := push{from: f.path, at: place{at, e.line}, action: attrOf(e.attrs, "conaction")}
			to := ""
			if href := attrOf(e.attrs, "conref"); href != "" {
				p, fragment := resolveReference(f, href)
				if rest, ok := strings.CutPrefix(fragment, "./"); ok && len(topics) > 0 {
					fragment = topics[len(topics)-1] + "/" + rest
				}
				to = p + "#" + fragment
			}
			switch here.action {
			case "pushreplace":
				if to != "" {
					out[to] = append(out[to], here)
				}
			case "pushbefore":
				before = append(before, here)
			case "mark":
				if mark = to; mark != "" {
					out[mark] = append(out[mark], before...)
				}
				before = nil
			case "pushafter":
				if mark != "" {
					out[mark] = append(out[mark], here)
				}
			}
		}
	}
}

// applyPushed puts what other files push to an element of the page in its place, before it or
// behind it. It returns false where nothing is.
func (s *stream) applyPushed(e event) bool {
	id := attrOf(e.attrs, "id")
	if id == "" || s.survey == nil || len(s.sources) != 1 || attrOf(e.attrs, "conaction") != "" {
		return false
	}
	if s.pushes == nil {
		s.pushes, _ = s.survey("pushed content of DITA", findPushes).(map[string][]push)
		if s.pushes == nil {
			s.survey = nil
			return false
		}
	}
	if !isTopic[e.name] {
		id = s.topicID() + "/" + id
	}
	var before, after []*source
	var instead *source
	for _, p := range s.pushes[s.page.path+"#"+id] {
		t, err := s.pushedContent(p, e)
		if err != nil {
			s.say(fmt.Sprintf("line %d: what %s pushes to %s is left out: %v", e.line, p.from, id, err), err)
			continue
		}
		switch p.action {
		case "pushbefore":
			before = append(before, t)
		case "pushafter":
			after = append(after, t)
		default:
			instead = t // the last one counts
		}
	}
	if instead == nil && len(before)+len(after) == 0 {
		return false
	}
	own := s.gatherRest(e)
	if instead == nil {
		instead = &source{events: own.replayEvents(nil)}
	}
	all := slices.Concat(before, []*source{instead}, after)
	slices.Reverse(all) // the last source is read first
	s.sources = append(s.sources, all...)
	return true
}

// pushedContent is the content of an element that is pushed to another one.
func (s *stream) pushedContent(p push, to event) (*source, error) {
	if s.left -= takenCost; s.left <= 0 {
		return nil, fmt.Errorf("the page takes more than %d MB from elsewhere", maxTakenBytes>>20)
	}
	f, err := s.library.getFile(p.from)
	if err != nil {
		return nil, err
	}
	if p.at.offset >= len(f.text) {
		return nil, fmt.Errorf("the file has changed")
	}
	first, _ := readFrom(f, p.at.offset, p.at.line).next()
	if first.kind != opens || attrOf(first.attrs, "conaction") != p.action {
		return nil, fmt.Errorf("the file has changed")
	}
	t := &source{r: readFrom(f, p.at.offset, p.at.line), at: p.at, line: max(1, to.line)}
	t.first = event{name: first.name, attrs: attributesWithout(first.attrs, "conref", "conkeyref", "conaction", "id"), hops: 1}
	if p.action == "pushreplace" {
		t.first.name, t.first.attrs = to.name, mergedAttributes(to.attrs, t.first.attrs)
	}
	return t, nil
}
