package contract

// Documented says that a section documents the parameter that a question names, and
// where: the lines of a row, an item or the section.
type Documented struct {
	Name string `json:"name"`
	// Match says how the name fits: exact, case, dashes, spelling or component.
	Match   string `json:"match"`
	Lines   [2]int `json:"lines"`
	Default string `json:"default,omitempty"`
	// Header is the line of the table's header, 0 outside of tables.
	Header int `json:"header_line,omitempty"`
}

// ParameterPlace is such a place in the catalog: the number of the section on its page.
type ParameterPlace struct {
	DocSet   string
	Document int64
	Section  int
	Documented
}
