package contract

// Neighbors are the passages around a passage in its page, for reading on: the step
// before, the paragraph after. Additive.
type Neighbors struct {
	Prev *Neighbor `json:"prev"` // null: the passage is the first one of its page
	Next *Neighbor `json:"next"` // null: the last one
	// Of a passage that is longer than passages should be, because a procedure, a list, a
	// table and code are never cut: the lines of it in which the words of the question
	// stand, and those around them, which may be shown collapsed.
	Focus     *LineRange `json:"focus_lines,omitempty"`
	Collapsed *Around    `json:"collapsed,omitempty"`
}

// Neighbor is a passage next to another one.
type Neighbor struct {
	SpanID   string   `json:"span_id"`
	SpanType string   `json:"span_type"`
	Path     []string `json:"path,omitempty"` // headings from the outermost
	Lines    [2]int   `json:"lines"`
}

// LineRange is a first and a last line, both included.
type LineRange [2]int

// Around are the lines before and after others; nil: none.
type Around struct {
	Before *LineRange `json:"before,omitempty"`
	After  *LineRange `json:"after,omitempty"`
}
