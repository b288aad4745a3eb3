package references_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/pipeline/knowledge/references"
	"docent/store/doc"
)

// set is a small doc set: its pages by path.
type set map[string]string

// files are the pages as parsers see them.
func (s set) Open(name string) (parse.Opened, error) {
	text, ok := s[name]
	if !ok {
		return parse.Opened{}, fmt.Errorf("there is no %s", name)
	}
	return parse.Opened{Data: []byte(text)}, nil
}

func (s set) List(endings ...string) []string {
	var out []string
	for name := range s {
		if slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(name, e) }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (s set) Survey(_ string, of func(parse.Files) any) any { return of(s) }

func (s set) kept(t *testing.T, settings references.Settings) []references.Kept {
	t.Helper()
	pages := s.read(t, settings)
	var out []references.Kept
	for _, name := range s.List("") {
		k := keepPage(t, pages[name])
		k.Document = int64(len(out) + 1)
		out = append(out, k)
	}
	return out
}

// read reads the pages, by path.
func (s set) read(t *testing.T, settings references.Settings) map[string]*references.Page {
	t.Helper()
	parsers, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*references.Page{}
	for _, name := range s.List("") {
		d, err := parsers.Parse(context.Background(), []byte(s[name]), parse.File{Path: name, Layout: doc.LayoutTree, Files: s})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = references.ReadPage(d, settings)
	}
	return out
}

var lamps = doc.Ref{Name: "Lamps", Version: "1"}

func keepPage(t *testing.T, p *references.Page) references.Kept {
	t.Helper()
	k, err := references.KeepPage(p)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// resolve makes a graph in memory.
func resolve(state references.State, kept []references.Kept, was references.Before) ([]byte, error) {
	var out bytes.Buffer
	err := references.Resolve(&out, state, kept, was)
	return out.Bytes(), err
}

func (s set) graph(t *testing.T) *references.Graph {
	t.Helper()
	raw, err := resolve(references.State{Generation: "g000001"}, s.kept(t, references.Defaults()), references.Before{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := references.OpenGraph(lamps, raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// edges are the edges of a graph, a line each.
func edges(t *testing.T, g *references.Graph) string {
	t.Helper()
	var b strings.Builder
	name := func(n references.Node) string {
		out := n.Path
		if n.SectionPath != "" {
			out += "#" + n.SectionPath
		}
		switch n.Kind {
		case references.Parameter:
			out += " " + n.Name
		case references.Warning:
			out += " " + n.Severity + ": " + n.Message
		case references.Procedure:
			out += fmt.Sprintf(" procedure of %d", n.StepsCount)
		}
		return out
	}
	err := g.EachEdge(func(e references.Edge, source references.Node, target *references.Node) bool {
		to := "[" + e.Target + "]"
		if target != nil {
			to = name(*target)
		}
		if (target == nil) != (e.TargetID == "") || e.SourceID != source.ID || e.Score <= 0 || e.Score > 1 {
			t.Errorf("%+v has the ends %v and %v", e, source, target)
		}
		fmt.Fprintf(&b, "%s:%d %s → %s (%s)\n", name(source), e.Line, e.Type, to, e.Pattern)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What pages say becomes edges; what looks like it, in code and in sentences that deny
// it, does not.
func TestEdges(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  set
		want string
	}{
		{"links by all conventions", set{
			"_index.md":         "# Lamps\n\n[oil](guide/oil/) and [wick](/guide/wick#trim) and [both]({{< ref \"oil.md#fill\" >}}) and [nowhere](guide/gone.md) and [web](https://lamps.example.org)\n",
			"guide/oil.md":      "---\ntitle: Oil\naliases: [/old/fuel]\n---\n\n# Oil\n\nSee [the wick](wick.md#Trim-it).\n\n## Fill {#fill}\n\nText. [Top](#)\n",
			"guide/wick.md":     "# Wick\n\n## Trim it {#trim}\n\n[fuel](/old/fuel) <a href=\"oil.md#fill\">fill</a>\n\n```\n[code](oil.md)\n```\n",
			"guide/deep__a.md":  "# A\n\n[itself](/guide/deep/a) [x](../guide/oil#spot)\n",
			"guide/_index.md":   "# Guide\n\n<a id=\"spot\"></a>\n\n[spot](#spot)\n",
			"guide/unlinked.md": "# None\n",
		}, `_index.md#Lamps:3 REFERENCES → guide/oil.md (link)
_index.md#Lamps:3 REFERENCES → guide/wick.md#Wick > Trim it (link)
_index.md#Lamps:3 REFERENCES → guide/oil.md#Oil > Fill (link)
guide/deep__a.md#A:3 REFERENCES → guide/oil.md (link)
guide/oil.md#Oil:8 REFERENCES → guide/wick.md#Wick > Trim it (link)
guide/wick.md#Wick > Trim it:5 REFERENCES → guide/oil.md (link)
guide/wick.md#Wick > Trim it:5 REFERENCES → guide/oil.md#Oil > Fill (link)
`},
		{"reStructuredText", set{
			"a.rst":     "A\n=\n\nSee :ref:`the-wick`, :doc:`sub/b` and :ref:`python:tut`.\n\n.. seealso::\n\n   :doc:`/sub/b`\n\n.. warning:: Oil burns.\n",
			"sub/b.rst": "B\n=\n\n.. _the-wick:\n\nWick\n----\n\nText.\n",
		}, `a.rst#A:3 REFERENCES → sub/b.rst#B > Wick (link)
a.rst#A:3 REFERENCES → sub/b.rst (link)
a.rst#A:8 RELATED_TO → sub/b.rst (related.list)
a.rst#A:10 WARNS_ABOUT → a.rst#A warning: Oil burns. (warning.note)
`},
		{"DITA", set{
			"a.dita": `<?xml version="1.0"?><!DOCTYPE task PUBLIC "-//OASIS//DTD DITA Task//EN" "task.dtd"><task id="a"><title>Fill</title><taskbody><prereq>You must have a funnel.</prereq><context><p>See <xref href="b.dita#b/spot"/>.</p></context></taskbody></task>`,
			"b.dita": `<?xml version="1.0"?><!DOCTYPE topic PUBLIC "-//OASIS//DTD DITA Topic//EN" "topic.dtd"><topic id="b"><title>Oil</title><body><p id="spot">Here.</p></body></topic>`,
		}, `a.dita#Fill:7 REFERENCES → b.dita#Oil (link)
a.dita#Fill:5 REQUIRES → [a funnel] (must.have)
`},
		{"prerequisites", set{"a.md": "# Trim\n\n## Prerequisites\n\n- A knife\n- [Oil](b.md), filled in\n- The lamp is hot after use.\n- You need a `cloth`.\n\nThis guide assumes that the lamp is cold. This option requires Lamp 2.1 or later.\n\n## Other\n\nThe lamp does not require Oil 2. `requires Go 1.2` Nothing requires it. If you have two, you must have a stand.\n",
			"b.md": "# Oil\n"}, `a.md#Trim > Prerequisites:6 REQUIRES → b.md (prerequisite.item)
a.md#Trim > Prerequisites:5 REQUIRES → [A knife] (prerequisite.item)
a.md#Trim > Prerequisites:5 REQUIRES → [a cloth] (prerequisite.sentence)
a.md#Trim > Prerequisites:10 REQUIRES → [the lamp is cold] (assumes)
a.md#Trim > Prerequisites:10 REQUIRES → [Lamp 2.1 or later] (requires.this)
`},
		{"warnings", set{"a.md": "# Trim\n\n> [!WARNING]\n> It burns. [Oil](b.md)\n\n1. Light it.\n2. Blow. Be careful with the glass.\n\nWarning: hot.\n\nThis cannot be undone. It was fixed; nothing can cause data loss to avoid. Never mind.\n\n> [!NOTE]\n> Fine.\n", "b.md": "# Oil\n"},
			`a.md#Trim:4 REFERENCES → b.md (link)
a.md#Trim:3 WARNS_ABOUT → a.md#Trim warning: It burns. Oil (warning.note)
a.md#Trim procedure of 2:6 WARNS_ABOUT → a.md#Trim caution: Be careful with the glass. (careful)
a.md#Trim:9 WARNS_ABOUT → a.md#Trim warning: hot. (warning.note)
a.md#Trim:11 WARNS_ABOUT → a.md#Trim caution: This cannot be undone. (data.loss)
`},
		{"what takes the place of what", set{
			"a.md": "---\ntitle: Flags\nsuperseded_by: b.md\n---\n\n# Flags\n\n| Flag | Default |\n|---|---|\n| `--wick-length` | 3 |\n\n`--old-wick` is deprecated in favor of `--wick-length`.\n\n## --oil\n\nDeprecated: use `--fuel` instead.\n\n## Misc\n\nThe name for `--x` is deprecated in favor of `--y`. It was renamed.\n",
			"b.md": "# New flags\n",
		}, `b.md:3 SUPERSEDES → a.md (matter.superseded_by)
a.md#Flags --wick-length:12 SUPERSEDES → a.md#Flags --old-wick (deprecated.favor)
a.md#Flags > --oil --fuel:16 SUPERSEDES → a.md#Flags > --oil (deprecated.use)
`},
		{"related pages, and pages by their titles", set{
			"a.md": "# A page\n\nSee \"Trim the wick\" and see the code.\n\n## Siehe auch\n\n- [B](b.md)\n- Oil and fuel\n\n## 次のステップ\n\n[B](b.md)\n\n## Text\n\nTo learn more, see also:\n\n- [B](b.md)\n",
			"b.md": "# Trim the wick\n", "c.md": "# Oil and fuel\n",
		}, `a.md#A page > Siehe auch:7 RELATED_TO → b.md (related.list)
a.md#A page > 次のステップ:12 RELATED_TO → b.md (related.list)
a.md#A page > Text:18 RELATED_TO → b.md (related.list)
a.md#A page:3 REFERENCES → b.md (see.quoted)
a.md#A page > Siehe auch:7 RELATED_TO → c.md (related.title)
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := edges(t, tt.set.graph(t)); got != tt.want {
				t.Errorf("the edges are\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Links to a missing page or a missing place are reported, and no others.
func TestBroken(t *testing.T) {
	t.Parallel()
	s := set{
		"a.md": "# A\n\n[1](gone.md) [2](b.md#gone) [3](b.md#b) [4](/docs/b) [5](/docs/b/) [6](/docs/b?x=1) [7](/docs/gone) [8](/blog/2020) [9](/docs/made/api) [10](mailto:a@b.c) [11](javascript:alert(1)) [12](b.md#:~:text=x) [13](#a) [14](../up.md)\n",
		"b.md": "# B\n\nText\n",
	}
	broken, counts, err := s.graph(t).Broken()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range broken {
		got = append(got, fmt.Sprintf("%s:%d %s %s", b.Path, b.Line, b.Target, b.Missing))
	}
	if want := []string{"a.md:3 gone.md page", "a.md:3 b.md#gone anchor", "a.md:3 /docs/gone page"}; !slices.Equal(got, want) {
		t.Errorf("broken are %q, want %q", got, want)
	}
	if counts.Inside != 6 || counts.Pages != 2 || counts.Anchors != 1 || counts.Elsewhere != 5 {
		t.Errorf("%+v", counts)
	}
}

// Links of git, Hugo and Cargo that were listed as broken and lead somewhere: addresses of
// mails, words of render hooks, terms of lists of definitions, places of included pages.
func TestLinksThatAreNotBroken(t *testing.T) {
	t.Parallel()
	s := set{
		"a.md":      "# A\n\n[1](lamp@example.org) [2](g) [3](b.md#wick-size) [4](b.md#oil-1) [5](gone.md) [6](b.md#tag/Boat-Lamps) [7](b.md#class=Lamp)\n",
		"c/d.md":    "# D\n\n[1](c/e) [2](e.mdx) [3](c/gone) [4](c/e.md)\n",
		"c/e.md":    "# E\n",
		"b.md":      "# B\n\n`wick size`\n: How long.\n\noil\n: Which.\n\noil\n: Again.\n\n## Boat Lamps\n\nText\n",
		"book.adoc": "= Book\n\n<<def_wick>> <<def_oil>>\n\ninclude::part.adoc[]\n",
		"part.adoc": "[[def_wick]]wick::\n\tIt burns. See <<of_the_book>>.\n\ninclude::deep.adoc[]\n",
		"deep.adoc": "[[def_oil]]oil::\n\tIt is whale's.\n",
	}
	broken, counts, err := s.graph(t).Broken()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range broken {
		if b.Path != "b.md" {
			got = append(got, fmt.Sprintf("%s %s %v", b.Path, b.Target, b.Unsure != ""))
		}
	}
	if want := []string{"a.md g true", "a.md gone.md false", "a.md b.md#class=Lamp true", "book.adoc #of_the_book false", "c/d.md c/e true", "c/d.md c/gone false", "c/d.md c/e.md false", "part.adoc #of_the_book true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q; %+v", got, want, counts)
	}
}

// Links that only the site can decide are unsure: to pages in a folder that the doc set lacks, in text from outside,
// to places of a page that a template fills, and to whole addresses of the site. An id of Docusaurus is an address,
// a formula is no link, and an address with a sign that none has leads to another site.
func TestLinksThatTheSiteDecides(t *testing.T) {
	t.Parallel()
	s := set{
		"docs/_index.md":   "---\ntitle: Home\n---\n",
		"docs/a.md":        "# A\n\n[1](api/lamp.html#wick) [2](gone.html) [3](../docs/gone) [4](trim-it) [5](/docs/#calendar) [6](https://e.org/a% b)\n\nFor $f[w](x)$ and $P[a \\in A](\\omega)$, not for 2$ [7](sold) and 3$.\n",
		"docs/Trim.md":     "---\nid: trim-it\n---\n# Trim\n\n[1]({{< relref oil >}}) [2]({{< relref path=\"oil.md#can\" lang=\"en\" >}})\n",
		"docs/made/oil.md": "# Oil\n\n## Can\n",
		"docs/changes.md":  "# Changes\n\n```{include} ../../CHANGES.md\n```\n\n[1](lib/oil.md)\n",
	}
	broken, counts, err := s.graph(t).Broken()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range broken {
		got = append(got, fmt.Sprintf("%s %s %s %v", b.Path, b.Target, b.Missing, b.Unsure != ""))
	}
	if want := []string{"docs/a.md api/lamp.html#wick page true", "docs/a.md gone.html page false", "docs/a.md ../docs/gone page false",
		"docs/a.md /docs/#calendar anchor true", "docs/a.md sold page false", "docs/changes.md lib/oil.md page true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q; %+v", got, want, counts)
	}
}

// The graph does not depend on the order of the pages, and pages that are kept give the
// same as pages that are read.
func TestSamePagesSameBytes(t *testing.T) {
	t.Parallel()
	s := set{"a.md": "# A\n\n[b](b.md)\n", "b.md": "# B\n\n## Prerequisites\n\n- [a](a.md#a)\n", "c.md": "# C\n\n| Flag | Type |\n|---|---|\n| `--x` | int |\n"}
	state := references.State{Generation: "g000002", Rules: references.Defaults().RulesName()}
	kept := s.kept(t, references.Defaults())
	first, err := resolve(state, kept, references.Before{})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(kept)
	second, err := resolve(state, kept, references.Before{})
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("another order gives other bytes: %v", err)
	}
	again, err := references.ReuseGraph(bytes.NewReader(first), nil, state.Rules, "")
	if err != nil || again.State != state || len(again.Pages) != 3 {
		t.Fatalf("%d pages of %+v, %v", len(again.Pages), again.State, err)
	}
	third, err := resolve(state, []references.Kept{again.Pages[1], again.Pages[0], again.Pages[2]}, again)
	if err != nil || !bytes.Equal(first, third) {
		t.Errorf("kept pages give other bytes: %v", err)
	}
	if other, err := references.ReuseGraph(bytes.NewReader(first), nil, "other", ""); err != nil || other.Pages != nil {
		t.Errorf("pages by other rules are kept: %d, %v", len(other.Pages), err)
	}
}

// A file with a changed byte is damaged, whatever it says.
func TestDamage(t *testing.T) {
	t.Parallel()
	raw, err := resolve(references.State{Generation: "g000001"}, set{"a.md": "# A\n\n[b](b.md)\n", "b.md": "# B\n"}.kept(t, references.Defaults()), references.Before{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 0x20
		if _, err := references.OpenGraph(lamps, bad, nil); err == nil {
			t.Errorf("byte %d may be another one", i)
		}
	}
	for n := range raw {
		if _, err := references.OpenGraph(lamps, raw[:n], nil); err == nil {
			t.Errorf("%d bytes of %d are taken", n, len(raw))
		}
	}
	// A file of another version is distinguished from a damaged one.
	other := bytes.Replace(raw, []byte("graph 5"), []byte("graph 3"), 1)
	if _, err := references.OpenGraph(lamps, other, nil); !errors.Is(err, references.ErrFormat) || !errors.Is(err, references.ErrDamaged) {
		t.Errorf("of another format it is %v", err)
	}
}

// Hostile pages take little time and memory.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	var many, one strings.Builder
	many.WriteString("# Many\n\n")
	one.WriteString("# One\n\n")
	for i := range 100_000 {
		fmt.Fprintf(&many, "[l%d](p%d.md#a%d)\n\n", i, i%7, i)
		fmt.Fprintf(&one, "[x](b.md) ")
	}
	s := set{
		"many.md":    many.String(),
		"one.md":     one.String(),
		"b.md":       "# B\n\n[loop](one.md) [self](b.md) [self](#b)\n",
		"control.md": "# C\n\n[x](b\x1b[31m.md) [y](<b.md\x07>) [z](b.md#\u202egnp)\n\nThis page requires \x1b]0;title\x07 Go 1.2.\n",
		"deep.md":    "# D\n\n" + strings.Repeat("requires ", 20_000) + "Go 1.2.\n\n" + strings.Repeat("deprecated in favor of ", 5000) + "\n\n" + strings.Repeat("`a` ", 30_000) + "\n",
		"see.md":     "# See\n\n" + strings.Repeat("see see also refer to \"", 20_000) + "\n",
	}
	g := s.graph(t)
	n := 0
	if err := g.EachEdge(func(e references.Edge, _ references.Node, _ *references.Node) bool { n++; return true }); err != nil {
		t.Fatal(err)
	}
	if n < 3 || n > 30_000 {
		t.Errorf("%d edges", n)
	}
	broken, counts, err := g.Broken()
	if counts.Left != 80_000 {
		t.Errorf("%d of 100 000 links were left out, and 20 000 are read", counts.Left)
	}
	if err != nil || len(broken) < 10_000 || len(broken) > 25_000 {
		t.Errorf("%d broken links, %v", len(broken), err)
	}
}

// A page and a section of it are seen from both sides.
func TestView(t *testing.T) {
	t.Parallel()
	g := set{
		"a.md": "# A\n\n## Steps\n\n1. Do [b](b.md).\n2. Rest.\n\n> [!CAUTION]\n> Hot.\n\nNote: cold.\n",
		"b.md": "# B\n\nSee [steps](a.md#steps), [a](a.md).\n\n## Prerequisites\n\n- [A](a.md)\n",
	}.graph(t)
	for _, tt := range []struct {
		path      string
		section   int
		threshold float64
		want      string
	}{
		{"a.md", references.Whole, .7, "parts Procedure Warning; from WARNS_ABOUT REFERENCES; to REQUIRES REFERENCES REFERENCES"},
		{"a.md", 1, .7, "parts Procedure Warning; from WARNS_ABOUT REFERENCES; to REFERENCES"},
		{"a.md", 0, .7, "parts; from; to REQUIRES REFERENCES"},
		{"a.md", references.Whole, .3, "parts Procedure Warning Warning; from WARNS_ABOUT WARNS_ABOUT REFERENCES; to REQUIRES REFERENCES REFERENCES"},
		{"b.md", 0, 1, "parts; from REFERENCES REFERENCES; to REFERENCES"},
	} {
		v, ok, err := g.View(tt.path, tt.section, tt.threshold)
		if err != nil || !ok {
			t.Fatalf("%s %d: %v, %v", tt.path, tt.section, ok, err)
		}
		var b strings.Builder
		b.WriteString("parts")
		for _, p := range v.Parts {
			if p.Severity != "note" || tt.threshold < .7 {
				b.WriteString(" " + string(p.Kind))
			}
		}
		for i, all := range [][]references.Relation{v.From, v.To} {
			b.WriteString([]string{"; from", "; to"}[i])
			for _, r := range all {
				b.WriteString(" " + string(r.Type))
			}
		}
		if b.String() != tt.want {
			t.Errorf("%s %d %.1f: %s, want %s", tt.path, tt.section, tt.threshold, &b, tt.want)
		}
	}
	if _, ok, err := g.View("gone.md", 0, 0); ok || err != nil {
		t.Errorf("a page that is none is seen: %v, %v", ok, err)
	}
	beside, err := g.Beside("b.md", [2]int{5, 7}, .7)
	if err != nil || len(beside) != 1 || beside[0].Type != references.Requires {
		t.Errorf("beside are %v, %v", beside, err)
	}
}

// The examples and patterns of specification 5, chapter 6, gave no edges.
func TestTheSpecificationsExamplesGiveEdges(t *testing.T) {
	t.Parallel()
	got := edges(t, set{
		"auth.md":  "# Authentication\n\nText.\n",
		"setup.md": "# Installation Guide\n\nPrerequisites: a lantern and oil.\n\nMust have: a wick of cotton.\n\nRequires Python 3.10+.\n",
		"api.md":   "# Lamp API\n\nReplaces v1.0 API.\n\nRelated: Authentication, Moon phases\n\nFor more, see also: Installation Guide.\n\nWarning: Data loss possible.\n",
		"old.md":   "# Old lamps\n\nThis page is deprecated in favor of [the API](api.md).\n",
		"links.md": "# Links\n\nRelated: [sign in](auth.md)\n",
		"task.dita": "<task id=\"t\"><title>Light it</title><taskbody><prereq>Administrator rights on the host are there.</prereq>" +
			"<steps><step><cmd>Light the lamp.</cmd></step></steps></taskbody></task>",
	}.graph(t))
	for _, want := range []string{
		"setup.md#Installation Guide:3 REQUIRES → [a lantern and oil] (prerequisites.lead)",
		"setup.md#Installation Guide:5 REQUIRES → [a wick of cotton] (must.lead)",
		"setup.md#Installation Guide:7 REQUIRES → [Python 3.10+] (requires.version)",
		"api.md#Lamp API:3 SUPERSEDES → [v1.0 API] (replaces.lead)",
		"api.md#Lamp API:5 RELATED_TO → auth.md (related.lead)",
		"api.md#Lamp API:5 RELATED_TO → [Moon phases] (related.lead)",
		"api.md#Lamp API:7 REFERENCES → setup.md (see.title)",
		"api.md#Lamp API:9 WARNS_ABOUT → ",
		"api.md:3 SUPERSEDES → old.md#Old lamps (deprecated.favor)",
		"links.md#Links:3 RELATED_TO → auth.md (related.list)",
		"REQUIRES → [Administrator rights on the host are there] (prerequisite.marked)",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %s in\n%s", want, got)
		}
	}
}
