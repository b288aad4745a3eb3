package references

// Fault is why a link leads nowhere.
type Fault uint8

// The faults of links. The sources of an unsure link do not determine its target: the
// site's generator does.
const (
	NoFault       Fault = iota
	NoPage              // there is no such page, where the doc set should have it
	NoAnchor            // the page has no such place; the edge leads to the page
	UnsureAnchor        // the same, and the generator adds anchors to the page that its source does not name
	UnsureLabel         // a label that another project may have
	UnsurePage          // the address is put together when the site is made
	UnsurePart          // the page is a part of other pages, which may have the place
	UnsureOutside       // the address leads out of the doc set's folder
	UnsureMade          // the address is one of the site, in a folder of which the doc set has no page
	UnsureSite          // a whole address of the site, which may have parts that the doc set does not
	UnsureTaken         // the link may stand in the text of a file outside of the doc set, and start there
)

func (f Fault) String() string {
	switch f {
	case NoPage, UnsureLabel, UnsurePage, UnsureOutside, UnsureMade, UnsureSite, UnsureTaken:
		return "page"
	case NoAnchor, UnsureAnchor, UnsurePart:
		return "anchor"
	}
	return ""
}

// reason says why it is unsure whether a link leads somewhere, "" where it is not.
func (f Fault) Reason() string {
	switch f {
	case UnsureAnchor:
		return "components of the page make places that its source does not name"
	case UnsureLabel:
		return "another project, or a comment in code, may have this label"
	case UnsurePage:
		return "the address is put together when the site is made"
	case UnsurePart:
		return "the page is a part of other pages, which may have this place"
	case UnsureOutside:
		return "it leads out of the folder of the doc set"
	case UnsureMade:
		return "the doc set has no page in this folder, and a program may make one"
	case UnsureSite:
		return "the site may have parts that are not in the doc set"
	case UnsureTaken:
		return "the page takes in text from outside of the doc set, and the link may start there"
	}
	return ""
}

// leadsNowhere reports whether a link with this fault leads to no page.
func (f Fault) leadsNowhere() bool { return f.String() == "page" }

// Counts are what became of the links of a page.
type Counts struct {
	Inside    int `json:"resolved"`           // they lead to a page of the doc set
	Pages     int `json:"unresolved"`         // NoPage
	Anchors   int `json:"unresolved_anchors"` // NoAnchor
	Elsewhere int `json:"elsewhere"`          // to other sites, or to a part of the site that is not in the doc set
	Unsure    int `json:"unsure"`             // see Fault
	Left      int `json:"left_out"`           // behind the most that are read of a page
}

func (c *Counts) addCounts(o Counts) {
	c.Inside += o.Inside
	c.Pages += o.Pages
	c.Anchors += o.Anchors
	c.Elsewhere += o.Elsewhere
	c.Unsure += o.Unsure
	c.Left += o.Left
}
