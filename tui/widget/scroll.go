package widget

// Scroller is a window on a long text of items (paragraphs, sections) that are laid
// out as lines only when they are visible. Its position is an item and a line in
// it, which does not change when other items change their size. The zero Scroller
// is empty.
type Scroller struct {
	n      int
	lines  func(int) []string
	height int
	item   int
	line   int
}

// SetSource sets the number of items and the function that makes the lines of one.
// The position is kept if it still exists.
func (s *Scroller) SetSource(n int, lines func(int) []string) {
	s.n, s.lines = n, lines
	s.clampPosition()
}

// SetHeight sets the lines of the window.
func (s *Scroller) SetHeight(h int) {
	s.height = max(0, h)
	s.clampPosition()
}

// At is the item and the line in it at the top of the window.
func (s *Scroller) At() (item, line int) { return s.item, s.line }

// Seek puts a line of an item at the top of the window, or as near as the end
// of the text allows.
func (s *Scroller) Seek(item, line int) {
	s.item, s.line = item, line
	s.clampPosition()
}

// Top goes to the first line.
func (s *Scroller) Top() { s.item, s.line = 0, 0 }

// bottom goes to the last window full of lines.
func (s *Scroller) bottom() {
	need := s.height
	for i := s.n - 1; i >= 0; i-- {
		k := len(s.lines(i))
		if k >= need {
			s.item, s.line = i, k-need
			if s.line == k && k > 0 { // a window of no lines
				s.line = k - 1
			}
			return
		}
		need -= k
	}
	s.Top()
}

// Move goes d lines down, up for a negative d.
func (s *Scroller) Move(d int) {
	if s.n == 0 {
		return
	}
	for ; d > 0; d-- {
		if s.line+1 < len(s.lines(s.item)) {
			s.line++
			continue
		}
		next := s.item + 1
		for next < s.n && len(s.lines(next)) == 0 {
			next++
		}
		if next >= s.n {
			break
		}
		s.item, s.line = next, 0
	}
	for ; d < 0; d++ {
		if s.line > 0 {
			s.line--
			continue
		}
		prev := s.item - 1
		for prev >= 0 && len(s.lines(prev)) == 0 {
			prev--
		}
		if prev < 0 {
			break
		}
		s.item, s.line = prev, len(s.lines(prev))-1
	}
	s.clampPosition()
}

// Visible is the lines of the window, fewer where the text is shorter, and the
// last item that has one.
func (s *Scroller) Visible() (lines []string, last int) {
	last = s.item
	for i, from := s.item, s.line; i < s.n && len(lines) < s.height; i, from = i+1, 0 {
		ls := s.lines(i)
		if from < len(ls) {
			lines = append(lines, ls[from:min(len(ls), from+s.height-len(lines))]...)
		}
		last = i
	}
	return lines, last
}

// clampPosition moves the position so that the window lies within the text.
func (s *Scroller) clampPosition() {
	if s.n == 0 || s.lines == nil {
		s.item, s.line = 0, 0
		return
	}
	s.item = min(max(0, s.item), s.n-1)
	s.line = min(max(0, s.line), max(0, len(s.lines(s.item))-1))
	room := 0
	for i, from := s.item, s.line; i < s.n; i, from = i+1, 0 {
		room += len(s.lines(i)) - from
		if room >= s.height {
			return
		}
	}
	s.bottom()
}

// Share is where the window is in the text, for the frame: "top", "end", "" for all
// of it, or an approximate percentage.
func (s *Scroller) Share() string {
	if s.n == 0 {
		return ""
	}
	shown, last := s.Visible()
	atTop := s.item == 0 && s.line == 0
	atEnd := false
	if last == s.n-1 {
		probe := *s
		probe.bottom()
		atEnd = probe.item == s.item && probe.line == s.line || len(shown) < s.height
	}
	switch {
	case atTop && atEnd:
		return ""
	case atTop:
		return "top"
	case atEnd:
		return "end"
	}
	per := float64(s.item)
	if k := len(s.lines(s.item)); k > 0 {
		per += float64(s.line) / float64(k)
	}
	return numberText(int(per*100/float64(s.n))) + "%"
}
