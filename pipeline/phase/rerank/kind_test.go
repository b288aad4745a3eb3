package rerank

import (
	"context"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/store/analysis"
)

func TestDefines(t *testing.T) {
	t.Parallel()
	set := name{"lantern", "doc"}
	for _, c := range []struct {
		term, text string
		least      float64 // 0: none
	}{
		{"wick", "A wick is a cord that draws oil.", 1},
		{"wicks", "A _wick_ (of cotton) is the part that burns.", 1},
		{"wick holder", "In Lantern, a **wick holder** keeps the wick upright. It ensures that it stands.", 0.7},
		{"wick holder", "A {{< tip text=\"wick holder\" id=\"x\" >}} ensures that the wick stands upright.", 0.7},
		{"WickHolder", "# WickHolder\n\nWickHolders represent what keeps wicks upright.", 0.7},
		{"wick", "Lantern wicks are cords.", 0.7},
		{"wick", "Trim the wick before it smokes. The wick is a cord.", 1},
		{"wick", "The wick is trimmed daily.", 0.3},
		{"wick", "A wick holder is a part.", 0},
		{"wick", "Oil is what a wick burns.", 0},
		{"wick", "```\nA wick is a cord.\n```", 0},
		{"", "A wick is a cord.", 0},
	} {
		a := analysis.New()
		got := definitionStrength(a, c.text, readNameOf(a, c.term), set)
		if got < c.least || c.least == 0 && got > 0 {
			t.Errorf("defines(%q, %q) = %v, at least %v is wanted", c.term, c.text, got, c.least)
		}
	}
}

func TestCalled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, term string
		want        float64
	}{
		{"Wicks", "wick", 1}, {"Wick Holders (WH)", "wick holder", 1}, {"About wicks", "wick", 1}, {"Introduction to wicks", "wick", 0.8},
		{"Delete a wick", "wick", 0}, {"Lantern Wicks", "wick", 1}, {"", "wick", 0}, {"WickHolder", "wick holder", 1},
	} {
		a := analysis.New()
		if got := nameLikeness(readNameOf(a, bareHeading(c.title)).withoutSetName(name{"lantern"}), readNameOf(a, c.term)); got != c.want {
			t.Errorf("called(%q, %q) = %v, want %v", c.title, c.term, got, c.want)
		}
	}
}

// "What is X" is answered by the page that defines it, not by one that has the word more
// often.
func TestADefinitionComesFirst(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/delete.md:1": "Delete a wick: take the wick out and throw the wick away.", "A@1/wick.md:1": "A wick is a cord that draws oil.",
	}}
	top := head("Wicks", 3, 0)
	top.Level, top.Text = 1, "# Wicks"
	in := input("what is a wick", page("delete.md", "Delete a wick", head("Delete a wick", 9, 0)), page("wick.md", "Wicks", top))
	in.Context.Kind, in.Context.Subjects = contract.KindDefinition, []string{"wick"}
	in.Results[1].Headings[0].Explain = &contract.Explain{}
	out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil || out.Results[0].FilePath != "wick.md" {
		t.Fatalf("%v: %+v", err, out.Results)
	}
	var named []string
	for _, p := range out.Results[0].Headings[0].Explain.Rerank {
		named = append(named, p.Name)
	}
	if all := strings.Join(named, " "); !strings.Contains(all, "titled_as_term") || !strings.Contains(all, "defines_term") {
		t.Errorf("the explanation has %s", all)
	}
}

// A question for a limit is answered by a sentence with a limit.
func TestAMeasureComesFirst(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/trim.md:1": "Trim the wick. The wick smokes. Each lantern has 1 wick.", "A@1/buy.md:1": "Wicks are sold in shops. A wick cannot exceed 30 cm.",
	}}
	in := input("maximum length of a wick", page("trim.md", "Lanterns", head("Trimming", 9, 0)), page("buy.md", "Lanterns", head("Buying", 9, 0)))
	in.Results[1].Headings[0].Explain = &contract.Explain{}
	out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil || out.Results[0].FilePath != "buy.md" {
		t.Fatalf("%v: %+v", err, out.Results)
	}
	if e := out.Results[0].Headings[0].Explain.Rerank; !slices.ContainsFunc(e, func(p contract.ExplainPart) bool { return p.Name == "states_measure" && p.Value > 0 }) {
		t.Errorf("the explanation has %+v", e)
	}
}

// A comparison keeps the best page of each side, below the threshold too.
func TestBothSidesOfAComparison(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/wick.md:1": "A wick is a cord. The wick and the mantle glow.", "A@1/trim.md:1": "Wick, mantle, wick: trim the wick.",
		"A@1/mantle.md:1": "A mantle is a mesh of cloth.", "A@1/rope.md:1": "A rope is no mantle.",
	}}
	in := input("wick or mantle", page("wick.md", "Wicks", head("Wicks", 9, 0)), page("trim.md", "Trimming wicks", head("Trim the wick", 8, 0)),
		page("mantle.md", "Mantles", head("Mantles", 1, 0)), page("rope.md", "Ropes", head("Ropes", 1, 0)))
	in.Context.Kind, in.Context.Subjects = contract.KindComparison, []string{"wick", "mantle"}
	high := 0.9999
	in.Context.RerankerThreshold = &high
	out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, r := range kept(out.Results) {
		if !r.Side || !r.BelowThreshold {
			t.Errorf("%+v is not marked", r)
		}
		paths = append(paths, r.FilePath)
	}
	if got := strings.Join(paths, " "); got != "wick.md mantle.md" {
		t.Errorf("kept %s", got)
	}
	if !out.BelowThreshold || len(out.Results) != 4 {
		t.Errorf("below is %v, %d pages", out.BelowThreshold, len(out.Results))
	}
}

// A comparison of two things, each of which has a page of its name, is not called unanswered: its
// question has few words of either page. One of a thing that has no page is.
func TestAComparisonOfTwoPagesIsAnswered(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/wickadd.md:1": "wickadd adds a wick to the store of a lamp.", "A@1/newwicks.md:1": "newwicks adds many from a file.",
	}}
	for other, unanswered := range map[string]bool{"newwicks": false, "harpsichord": true} {
		in := input("wickadd vs "+other, page("wickadd.md", "wickadd(8)", head("wickadd(8)", 4, 0)),
			page("newwicks.md", "newwicks(8)", head("newwicks(8)", .2, 0)))
		in.Context.Kind, in.Context.Subjects = contract.KindComparison, []string{"wickadd", other}
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil || out.Unanswered != unanswered {
			t.Errorf("%s: %v, unanswered %v of %v", other, err, out.Unanswered, *out.RerankStats.Answerable)
		}
	}
}

// The best of a side is on the page that has its name, with the name of the doc set where the question has it
// too. Others may have more of its words.
func TestASideIsThePageOfItsName(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"Lamp@1/lamp-trim.md:1": "Cuts the cord.", "Lamp@1/lamp-fill.md:1": "Pours oil.", "Lamp@1/trim.md:1": "trim: trim, a trim option to trim.",
		"Lamp@1/all.md:1": "trim and fill: trim to trim, fill to fill.",
	}}
	for question, want := range map[string]string{
		"lamp trim vs lamp fill": "lamp-trim.md lamp-fill.md", "trim vs fill": "trim.md lamp-fill.md",
	} {
		in := input(question, page("all.md", "Trimming and filling", head("Trim and fill", 9, 0)), page("trim.md", "trim", head("trim", 8, 0)),
			page("lamp-trim.md", "lamp-trim(1)", head("DESCRIPTION", 1, 0)), page("lamp-fill.md", "lamp-fill(1)", head("DESCRIPTION", 1, 0)))
		for i := range in.Results {
			in.Results[i].DocSet = "Lamp@1"
		}
		in.Context.Kind, in.Context.Subjects = contract.KindComparison, []string{"trim", "fill"}
		high := 0.9999
		in.Context.RerankerThreshold = &high
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, r := range kept(out.Results) {
			paths = append(paths, r.FilePath)
		}
		if got := strings.Join(paths, " "); got != want || out.Unanswered {
			t.Errorf("%s: %s, want %s; unanswered %v", question, got, want, out.Unanswered)
		}
	}
}

// Where both sides have a page of their name, these lead, in the order of the question. A heading that names both
// is about what tells them apart, and leads them.
func TestPagesOfTheSidesLead(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/both.md:1": "The difference between wick and mantle: the wick burns, the mantle glows, a wick and a mantle.", "A@1/wick.md:1": "Wicks are cords.", "A@1/mantle.md:1": "Mantles are meshes.",
	}}
	for heading, want := range map[string]string{
		"The difference between mantling and wicks": "wick.md mantle.md both.md", "Wick or mantle": "both.md wick.md mantle.md",
	} {
		in := input("difference between wick and mantle", page("both.md", "Example", head(heading, 9, 0)),
			page("mantle.md", "Mantles", head("Mantles", 2, 0)), page("wick.md", "Wicks", head("Wicks", 1, 0)))
		in.Context.Kind, in.Context.Subjects = contract.KindComparison, []string{"wick", "mantle"}
		out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, r := range out.Results {
			paths = append(paths, r.FilePath)
		}
		if got := strings.Join(paths, " "); got != want {
			t.Errorf("%s: %s, want %s", heading, got, want)
		}
	}
}

// "compare Lantern and Beacon plugins" was answered from the doc set that has more of plugins alone.
func TestAComparisonOfDocSetsHasBoth(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/plugins.md:1": "Plugins: a plugin is installed, and plugins are kept.", "A@1/more.md:1": "Plugins, plugins, plugins are listed.",
		"B@1/add.md:1": "Plugins: a plugin is added to the lamp.",
	}}
	other := page("add.md", "Plugins", head("Adding plugins", 8, 0))
	other.DocSet = "B@1"
	in := input("compare plugins", page("plugins.md", "Plugins", head("Plugins", 9, 0)), page("more.md", "More", head("More plugins", 8, 0)), other)
	in.Context.Kind, in.Context.DocSets = contract.KindComparison, []string{"A@1", "B@1"}
	high := 0.9999
	in.Context.RerankerThreshold = &high
	out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil {
		t.Fatal(err)
	}
	var sides []string
	for _, r := range kept(out.Results) {
		if r.Side {
			sides = append(sides, r.DocSet+"/"+r.FilePath)
		}
	}
	if got := strings.Join(sides, " "); got != "A@1/plugins.md B@1/add.md" {
		t.Errorf("the sides are %s", got)
	}
}

// "Lantern versus Beacon wicks" was answered of the beacon alone, since the lantern's page on wicks
// has nothing else of the question.
func TestADocSetWithLittleOfTheQuestionIsWeighedForItsSubject(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/care.md:1":  "Settings of wicks: a wick is trimmed by its settings.",
		"B@1/wicks.md:1": "Wicks: the Beacon has three wicks.",
	}}
	other := page("wicks.md", "Wicks", head("Wicks", 9, 0))
	other.DocSet = "B@1"
	in := input("Lantern versus Beacon wicks and their shapes, colours, prices", page("care.md", "Care", head("Settings of wicks", 6, 0)), other)
	in.Context.Kind, in.Context.DocSets, in.Context.DocSetsExplicit = contract.KindComparison, []string{"A@1", "B@1"}, true
	in.Context.DomainNouns = []string{"wicks"}
	out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil {
		t.Fatal(err)
	}
	sides := map[string]bool{}
	for _, r := range kept(out.Results) {
		if r.Side {
			sides[r.DocSet+"/"+r.FilePath] = true
		}
	}
	if len(sides) != 2 || !sides["A@1/care.md"] || !sides["B@1/wicks.md"] {
		t.Errorf("the sides are %v", sides)
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, heading, text string
		want                float64
	}{
		{"--trim-wick", "Options", "| `--trim-wick` | trims it |", 1},
		{"--trim-wick", "Options", "<td colspan=\"2\">--trim-wick duration</td>", 1},
		{"trimWick", "Fields", "- **trimWick** (int32)\n\n  How far.", 1},
		{"trim.wick", "Fields", "1. `.trim.wick`: how far", 1},
		{"trimWick", "`trimWick`", "How far.", 1},
		{"trimWick", "Care", "Set trimWick to 2.", 0},
		{"trimWick", "Care", "- trimWicks are many", 0},
		{"", "Care", "-", 0},
	} {
		k := &asking{written: []string{strings.ToLower(strings.TrimLeft(c.name, "."))}}
		h := contract.Heading{Text: "## " + c.heading}
		if got := k.documents(&h, c.text); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.name, c.text, got, c.want)
		}
	}
}

func TestLinkShare(t *testing.T) {
	t.Parallel()
	for text, list := range map[string]bool{
		"## See also\n\n- [Wicks](wicks.md)\n- Read about [how to trim wicks](trim.md).\n":                                     true,
		"Trim the [wick](wick.md) before it smokes, and the lamp burns for hours.\n":                                           false,
		"A wick, see [wicks](a.md), is a cord that draws oil from [the font](b.md) up to the flame by itself.\nIt is trimmed.": false,
		"": false,
	} {
		if got := linkShare(text); (got > 0) != list || got > 1 {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"---\ntitle: Wicks\n---\n\nA wick.": "\nA wick.", "A wick.": "A wick.", "---\nno end": "---\nno end"} {
		if got := passageBody(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The section that documents the parameter comes before one that uses it, and the
// question has an answer.
func TestADocumentedParameterComesFirst(t *testing.T) {
	t.Parallel()
	x := texts{passages: map[string]string{
		"A@1/use.md:1": "Set wick_length to trim the wick: wick_length is read at start, and wick_length counts.", "A@1/options.md:1": "| Option | |\n|---|---|\n| oil | Which oil. |\n| wick_length | How long. |",
	}}
	in := input("what does wick_length do", page("use.md", "Lanterns", head("Trimming", 9, 0)), page("options.md", "Lanterns", head("Options", 3, 0)))
	in.Context.Kind, in.Context.Subjects = contract.KindLookup, []string{"wick_length"}
	h := &in.Results[1].Headings[0]
	h.Explain, h.Parameter = &contract.Explain{}, &contract.Documented{Name: "wick_length", Match: "exact", Lines: [2]int{4, 4}}
	out, _, err := (&Builtin{Texts: x}).Rerank(context.Background(), in, contract.DefaultRerankPolicy())
	if err != nil || out.Unanswered || len(out.Results) == 0 {
		t.Fatalf("%v: %+v", err, out)
	}
	i := slices.IndexFunc(out.Results, func(r contract.Result) bool { return r.FilePath == "options.md" })
	if i != 0 {
		t.Fatalf("%+v", out.Results)
	}
	if e := out.Results[i].Headings[0].Explain.Rerank; !slices.ContainsFunc(e, func(p contract.ExplainPart) bool { return p.Name == "documents_parameter" && p.Value > 0 }) {
		t.Errorf("the explanation has %+v", e)
	}
}
