package questionset

import (
	"fmt"
	"io"
	"slices"
)

// Metrics are of the questions of a doc set, or the means over doc sets. Shares are of the
// questions that the documentation answers, unless they say otherwise.
type Metrics struct {
	Name     string             `json:"name"`
	Split    string             `json:"split"`
	Number   int                `json:"questions"`
	Answered map[string]float64 `json:"answered"` // by arm
	First24  float64            `json:"answered@24"`
	Lines    float64            `json:"lines_median"` // of the block of sections
	Pages    float64            `json:"pages_mean"`   // that it cites
	Leads    float64            `json:"first_hit_leads"`
	Hit1     float64            `json:"page_hit@1"`
	Recall5  float64            `json:"page_recall@5"`
	Section1 float64            `json:"section_first"`
	// Other5 is Recall5 of the questions in other words, those in English without a content
	// word of the heading of their section.
	Other5 float64 `json:"page_recall@5_other_words"`
	Others int     `json:"other_words"`         // how many there are
	Wrong  float64 `json:"wrong_without_doubt"` // not answered, and nothing was said
	Alarms float64 `json:"false_alarms"`        // said to be missing
	Far    float64 `json:"said_far"`            // of the questions without an answer
	Near   float64 `json:"said_near"`
	// Fars and Nears count the questions without an answer.
	Fars  int `json:"far"`
	Nears int `json:"near"`
}

// Measure computes the metrics of outcomes of one doc set.
func Measure(s Set, outcomes []Outcome) Metrics {
	m := Metrics{Name: s.Name, Split: s.Split, Answered: map[string]float64{}}
	var asked []Outcome
	said := map[string][2]int{} // by kind: said, asked
	var lines []int
	pages := 0
	found := [2]int{} // of the questions in other words: among five, asked
	for _, o := range outcomes {
		if !o.Answerable() {
			c := said[o.Kind]
			if o.Said {
				c[0]++
			}
			said[o.Kind] = [2]int{c[0], c[1] + 1}
			continue
		}
		asked = append(asked, o)
		lines = append(lines, o.Blocks["sections"].Lines)
		pages += o.Blocks["sections"].Pages
		if !o.inOtherWords() {
			continue
		}
		if found[1]++; o.PageRank >= 1 && o.PageRank <= 5 {
			found[0]++
		}
	}
	m.Number, m.Fars, m.Nears = len(asked), said[KindFar][1], said[KindNear][1]
	m.Far, m.Near = ratio(said[KindFar]), ratio(said[KindNear])
	m.Others, m.Other5 = found[1], ratio(found)
	if len(asked) == 0 {
		return m
	}
	share := func(is func(Outcome) bool) float64 {
		n := 0
		for _, o := range asked {
			if is(o) {
				n++
			}
		}
		return float64(n) / float64(len(asked))
	}
	for arm := range asked[0].Blocks {
		m.Answered[arm] = share(func(o Outcome) bool { return o.Blocks[arm].Answered() })
	}
	slices.Sort(lines)
	m.Lines = float64(lines[(len(lines)-1)/2]+lines[len(lines)/2]) / 2
	m.Pages = float64(pages) / float64(len(asked))
	m.First24 = share(func(o Outcome) bool { b := o.Blocks["sections"]; return b.Answered() && b.Last <= 24 })
	m.Leads = share(func(o Outcome) bool { return o.Leads })
	m.Hit1 = share(func(o Outcome) bool { return o.PageRank == 1 })
	m.Recall5 = share(func(o Outcome) bool { return o.PageRank >= 1 && o.PageRank <= 5 })
	m.Section1 = share(func(o Outcome) bool { return o.SectionRank == 1 })
	m.Alarms = share(func(o Outcome) bool { return o.Said })
	m.Wrong = share(func(o Outcome) bool { return !o.Blocks["sections"].Answered() && !o.Said && !o.Weak })
	return m
}

func ratio(c [2]int) float64 {
	if c[1] == 0 {
		return 0
	}
	return float64(c[0]) / float64(c[1])
}

// figure is a column of the printed metrics.
type figure struct {
	name  string
	value func(Metrics) float64
	// lessIsBetter and of hold for the worst doc set; of counts the questions.
	lessIsBetter bool
	of           func(Metrics) int
}

func figures() []figure {
	all := func(m Metrics) int { return m.Number }
	out := []figure{}
	arm := func(column, name string) {
		out = append(out, figure{name: column, value: func(m Metrics) float64 { return m.Answered[name] }, of: all})
	}
	arm("sect", "sections")
	out = append(out, figure{"@24", func(m Metrics) float64 { return m.First24 }, false, all},
		figure{"lines", func(m Metrics) float64 { return m.Lines }, true, all},
		figure{"pages", func(m Metrics) float64 { return m.Pages }, true, all})
	arm("docs", "documents")
	arm("2000t", "2000 tokens")
	arm("800t", "800 tokens")
	for _, k := range []int{1, 3, 5, 8} {
		arm(fmt.Sprintf("top%d", k), fmt.Sprintf("first %d whole", k))
	}
	arm("greedy", "greedy")
	return append(out, figure{"leads", func(m Metrics) float64 { return m.Leads }, false, all},
		figure{"hit1", func(m Metrics) float64 { return m.Hit1 }, false, all},
		figure{"R5", func(m Metrics) float64 { return m.Recall5 }, false, all},
		figure{"oR5", func(m Metrics) float64 { return m.Other5 }, false, func(m Metrics) int { return m.Others }},
		figure{"sec1", func(m Metrics) float64 { return m.Section1 }, false, all},
		figure{"wrong", func(m Metrics) float64 { return m.Wrong }, true, all},
		figure{"alarm", func(m Metrics) float64 { return m.Alarms }, true, all},
		figure{"far", func(m Metrics) float64 { return m.Far }, false, func(m Metrics) int { return m.Fars }},
		figure{"near", func(m Metrics) float64 { return m.Near }, false, func(m Metrics) int { return m.Nears }})
}

// Print prints the metrics of doc sets, and for each split their mean and the worst value.
func Print(to io.Writer, rows []Metrics) {
	columns := figures()
	line := func(name string, n int, cell func(figure) (float64, bool)) {
		fmt.Fprintf(to, "%-14s %4d", name, n)
		for _, c := range columns {
			switch v, ok := cell(c); {
			case !ok:
				fmt.Fprintf(to, " %6s", "-")
			case c.name == "lines":
				fmt.Fprintf(to, " %6.0f", v)
			default:
				fmt.Fprintf(to, " %6.3f", v)
			}
		}
		fmt.Fprintln(to)
	}
	fmt.Fprintf(to, "%-14s %4s", "set", "n")
	for _, c := range columns {
		fmt.Fprintf(to, " %6s", c.name)
	}
	fmt.Fprintln(to)
	for _, split := range append(Splits(), "") {
		n := 0
		of := slices.DeleteFunc(slices.Clone(rows), func(m Metrics) bool { return split != "" && m.Split != split })
		if len(of) == 0 || split == "" && len(of) == len(rows) && sameSplit(rows) {
			continue
		}
		for _, m := range of {
			n += m.Number
			if split != "" {
				line(m.Name, m.Number, func(c figure) (float64, bool) { return c.value(m), c.of(m) > 0 })
			}
		}
		name := split
		if split == "" {
			name = "all"
		}
		line("MEAN "+name, n, func(c figure) (float64, bool) { mean, _, ok := c.over(of); return mean, ok })
		line("WORST "+name, n, func(c figure) (float64, bool) { _, worst, ok := c.over(of); return worst, ok })
	}
}

func sameSplit(rows []Metrics) bool {
	return !slices.ContainsFunc(rows, func(m Metrics) bool { return m.Split != rows[0].Split })
}

// over gives the mean over doc sets with such questions, and the worst value.
func (c figure) over(rows []Metrics) (mean, worst float64, ok bool) {
	n := 0
	for _, m := range rows {
		if c.of(m) == 0 {
			continue
		}
		v := c.value(m)
		if n == 0 || (v > worst) == c.lessIsBetter {
			worst = v
		}
		mean += v
		n++
	}
	if n == 0 {
		return 0, 0, false
	}
	return mean / float64(n), worst, true
}
