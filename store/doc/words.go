package doc

import "fmt"

// WordCount says how many words a page's source has, and how many of them arrive in the
// page's text. The zero value: they were not counted.
type WordCount struct {
	Source  int `json:"source"`
	Arrived int `json:"arrived"`
}

// Add adds the words of another page.
func (n *WordCount) Add(o WordCount) { n.Source, n.Arrived = n.Source+o.Source, n.Arrived+o.Arrived }

// Percent is the share of words that arrive, rounded down, so that "100" means all of them:
// with one decimal from 90 on.
func (n WordCount) Percent() string {
	if n.Arrived >= n.Source {
		return "100"
	}
	permille := n.Arrived * 1000 / n.Source
	if permille < 900 {
		return fmt.Sprint(permille / 10)
	}
	return fmt.Sprintf("%d.%d", permille/10, permille%10)
}

// String says the share with the numbers: "18 % of its words arrive (412 of 2290)".
func (n WordCount) String() string {
	return fmt.Sprintf("%s %% of its words arrive (%d of %d)", n.Percent(), n.Arrived, n.Source)
}
