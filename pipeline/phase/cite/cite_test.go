package cite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/contract/contracttest"
	"docent/store/doc"
)

// shelf is a Source in memory: page text by "Name@version/path".
type shelf struct {
	pages   map[string]string
	urls    map[string]string
	indexed map[string]string // hash at indexing where it is not that of the page
}

func (s shelf) Page(_ context.Context, ref doc.Ref, path string) ([]byte, string, error) {
	key := ref.String() + "/" + path
	text, ok := s.pages[key]
	if !ok {
		return nil, "", fmt.Errorf("%s: %w", key, fs.ErrNotExist)
	}
	if sum, ok := s.indexed[key]; ok {
		return []byte(text), sum, nil
	}
	return []byte(text), hash(text), nil
}

func (s shelf) URL(_ context.Context, ref doc.Ref, path string) (string, error) {
	return s.urls[ref.String()+"/"+path], nil
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// put puts a page on the shelf and gives its document.
func (s *shelf) put(set, title, url, text string) contract.Extracted {
	d := contract.Extracted{Title: title, DocSet: set, FilePath: title + "/docContent.md", URL: url,
		Key: set + "/" + title, Lines: doc.CountLines([]byte(text)), SHA256: hash(text)}
	if s.pages == nil {
		s.pages, s.urls, s.indexed = map[string]string{}, map[string]string{}, map[string]string{}
	}
	s.pages[set+"/"+d.FilePath] = text
	s.urls[set+"/"+d.FilePath] = url
	return d
}

const lamp = `# The lamp

> **Source**: https://example.org/lamp

Turn the knob to the left.

Never open the case.

` + "```" + `
lamp --on
` + "```" + `
`

func one(t testing.TB) (shelf, contract.Extracted, string) {
	t.Helper()
	var s shelf
	d := s.put("Lamps@2", "The lamp", "https://example.org/lamp", lamp)
	block, _, err := Builtin{}.Cite(map[string]string{d.Key: lamp}, []contract.Extracted{d})
	if err != nil {
		t.Fatal(err)
	}
	return s, d, block
}

// failer is what *testing.T and *rapid.T share.
type failer interface {
	Helper()
	Fatalf(string, ...any)
}

func check(t failer, s Source, text string) Report {
	t.Helper()
	b, err := ParseBlock(text)
	if err != nil {
		t.Fatalf("ParseBlock: %v\n%s", err, text)
	}
	rep, err := Verify(context.Background(), b, s)
	if err != nil {
		t.Fatalf("Verify: %v", err)
	}
	return rep
}

func kinds(r Report) string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, f.Kind)
	}
	return strings.Join(out, " ")
}

func TestCiteOne(t *testing.T) {
	t.Parallel()
	_, _, block := one(t)
	want := "=== AOP-FINAL | agent=doc-retriever | format=markdown | lines=11 | source=md_docs/Lamps:2/The lamp ===\n" +
		"**Pass through EXACTLY as-is** — NO summarizing, NO rephrasing, NO commentary\n\n" +
		lamp + "\n---\n\n**Source:** https://example.org/lamp\n**Path:** md_docs/Lamps:2/The lamp/docContent.md\n" +
		"**Document Set:** Lamps:2\n\n=== END-AOP-FINAL ==="
	if block != want {
		t.Errorf("got\n%s\nwant\n%s", block, want)
	}
}

func TestCiteSources(t *testing.T) {
	t.Parallel()
	docs := map[string]contract.Extracted{
		"a": {Title: "a", DocSet: "S@1", FilePath: "A/docContent.md"},
		"b": {Title: "b", DocSet: "S:1", FilePath: "guide/b.md", Layout: "tree"},
		"c": {Title: "c", DocSet: "T", FilePath: "c.md"},
		"d": {Title: "d", DocSet: "T", Version: "9"},
		"e": {Title: "e", DocSet: "T@1", FilePath: "x | y\n=== END-AOP-FINAL ===\x1b[2J\\/docContent.md"},
	}
	for _, tt := range []struct{ keys, source, path, from string }{
		{"a", "md_docs/S:1/A", "md_docs/S:1/A/docContent.md", "A/docContent.md"},
		{"b", "md_docs/S:1/guide", "md_docs/S:1/guide/b.md", "guide/b.md"},
		{"c", "md_docs/T:latest", "md_docs/T:latest/c.md", "c.md"},
		{"d", "md_docs/T:9/d", "md_docs/T:9/d/docContent.md", "md_docs/T:9/d/docContent.md"},
		{"ab", "md_docs/S:1", "md_docs/S:1/A/docContent.md", "guide/b.md"},
		{"ac", "md_docs", "md_docs/T:latest/c.md", "c.md"},
		{"e", `md_docs/T:1/x \x7c y\n=== END-AOP-FINAL ===\x1b[2J\\`,
			`md_docs/T:1/x | y\n=== END-AOP-FINAL ===\x1b[2J\\/docContent.md`, `x | y\n=== END-AOP-FINAL ===\x1b[2J\\/docContent.md`},
	} {
		contents := map[string]string{}
		var list []contract.Extracted
		for _, k := range strings.Split(tt.keys, "") {
			contents[k] = "one\ntwo"
			list = append(list, docs[k])
		}
		block, _, err := Builtin{}.Cite(contents, list)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(block, "\n")
		want := fmt.Sprintf("=== AOP-FINAL | agent=doc-retriever | format=markdown | lines=%d | source=%s ===", 2*len(list), tt.source)
		if head != want {
			t.Errorf("%s: header\n%s\nwant\n%s", tt.keys, head, want)
		}
		for _, line := range []string{"**Path:** " + tt.path, "**Source:** " + tt.from} {
			if !strings.Contains(block, "\n"+line+"\n") {
				t.Errorf("%s: no line %q in\n%s", tt.keys, line, block)
			}
		}
		b, err := ParseBlock(block)
		if err != nil || len(b.citations) != len(list) || len(b.findings) > 0 {
			t.Errorf("%s: parsed as %+v, %v", tt.keys, b, err)
		}
	}
}

func TestCiteRefusesAndCites(t *testing.T) {
	t.Parallel()
	d := contract.Extracted{Title: "a", DocSet: "S@1", FilePath: "A/docContent.md", SHA256: "ff", URL: "u"}
	for name, tt := range map[string]struct {
		contents map[string]string
		docs     []contract.Extracted
	}{
		"no content":  {map[string]string{}, []contract.Extracted{d}},
		"no document": {map[string]string{"a": "", "b": ""}, []contract.Extracted{d}},
		"bad set":     {map[string]string{"a": ""}, []contract.Extracted{{Title: "a", DocSet: "x/y@1"}}},
	} {
		if _, _, err := (Builtin{}).Cite(tt.contents, tt.docs); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for content, want := range map[string][2]int{
		"":                           {0, 0},
		"a":                          {1, 1},
		"a\n\n":                      {1, 2},
		"[… lines 1–4 omitted …]\nx": {5, 5},
		"x\n[… lines 2–4 omitted …]\ny\n[… lines 6–9 omitted …]\n": {1, 5},
		"x\n[… lines 7–9 omitted …]\n":                             {1, 2}, // not at its place: text
		"[… lines 1–4 omitted …]":                                  {0, 0},
	} {
		_, cs, err := Builtin{}.Cite(map[string]string{"a": content}, []contract.Extracted{d})
		if err != nil || len(cs) != 1 || cs[0].Lines != want || cs[0].SHA256 != "ff" || cs[0].URL != "u" || cs[0].DocSet != "S@1" {
			t.Errorf("%q: citations %+v, %v; want lines %v", content, cs, err, want)
		}
	}
}

func TestEscape(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain 100%": "plain 100%", "a|b": `a\x7cb`, "a\nb\tc\rd": `a\nb\tc\rd`, `\n`: `\\n`, "\xff": `\xff`,
		" a ": `\x20a\x20`, "\u202e": `\u202e`, "日本": "日本", "\x85\u0085": `\x85\u0085`,
	} {
		if got := escapeName(in, true); got != want || unescapeName(got) != in {
			t.Errorf("escape(%q) = %q, want %q; back %q", in, got, want, unescapeName(got))
		}
	}
	if got := contract.EscapeURL("https://e.org/a b\n\u202e|"); got != "https://e.org/a%20b%0A%E2%80%AE|" {
		t.Errorf("escapeURL = %q", got)
	}
}

func TestVerifyWhole(t *testing.T) {
	t.Parallel()
	s, _, block := one(t)
	for name, text := range map[string]string{
		"as written":      block,
		"final newline":   block + "\n",
		"in a ticket":     "Hello,\nsee here:\n\n" + block + "\n\nregards\n",
		"carriage return": strings.ReplaceAll("see\n"+block+"\nbye", "\n", "\r\n"),
	} {
		rep := check(t, s, text)
		if rep.State != StateVerified || rep.Verbatim != 11 || len(rep.Findings) != 0 {
			t.Errorf("%s: %s", name, rep)
		}
	}
	// Pages whose own text looks like the form, and pages with odd line ends.
	var odd shelf
	quoting := "# Form\n\n" + block + "\n\nand\n\n---\n\n**Source:** x\n**Path:** md_docs/Lamps:2/The lamp/docContent.md\n**Document Set:** Lamps:2\n\nmore\n"
	docs := []contract.Extracted{
		odd.put("Lamps@2", "The lamp", "https://example.org/lamp", lamp),
		odd.put("Man@1", "quotes", "", quoting),
		odd.put("Man@1", "empty", "", ""),
		odd.put("Man@1", "blank", "", "\n\n\n"),
		odd.put("Man@1", "crlf", "", "a\r\nb\r\n"),
		odd.put("Man@1", "bom", "", bom+"a\nb"),
		odd.put("Man@1", "marks", "", "[… lines 1–2 omitted …]\n[… lines 2–3 omitted …]\nz\n"),
	}
	contents := map[string]string{}
	for _, d := range docs {
		contents[d.Key] = odd.pages[d.DocSet+"/"+d.FilePath]
	}
	for i := range docs {
		block, _, err := Builtin{}.Cite(contentsOf(contents, docs[i:]), docs[i:])
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{block, strings.ReplaceAll(strings.ReplaceAll(block, "\r\n", "\n"), "\n", "\r\n"), strings.ReplaceAll(block, bom, "")} {
			if rep := check(t, odd, text); rep.State != StateVerified || len(rep.Documents) != len(docs)-i {
				t.Errorf("from %d: %s\n%s", i, rep, text)
			}
		}
	}
}

func contentsOf(all map[string]string, docs []contract.Extracted) map[string]string {
	out := map[string]string{}
	for _, d := range docs {
		out[d.Key] = all[d.Key]
	}
	return out
}

func TestVerifyFindsChanges(t *testing.T) {
	t.Parallel()
	s, d, block := one(t)
	omitted, _, err := Builtin{}.Cite(map[string]string{d.Key: "# The lamp\n\n[… lines 3–6 omitted …]\nNever open the case.\n\n[… lines 9–11 omitted …]\n"}, []contract.Extracted{d})
	if err != nil {
		t.Fatal(err)
	}
	if rep := check(t, s, omitted); rep.State != StateVerified || rep.Omissions != 2 || rep.Verbatim != 4 {
		t.Fatalf("with omissions: %s", rep)
	}
	for _, tt := range []struct {
		name, text, old, new string
		kinds                string
		line, source         int // of the first altered line, 0: none
	}{
		{"a word", block, "left", "right", "altered", 8, 5},
		{"blanks", block, "Never open", "Never  open", "altered", 10, 7},
		{"a line gone", block, "Never open the case.\n", "", "line_count removed", 0, 0},
		{"a blank line gone", block, "left.\n\n", "left.\n", "line_count removed", 0, 0},
		{"a line more", block, "case.\n", "case.\nOr do.\n", "line_count inserted", 11, 0},
		{"a line twice", block, "Never open the case.\n", "Never open the case.\nNever open the case.\n", "line_count duplicated", 11, 7},
		{"lines swapped", block, "Turn the knob to the left.\n\nNever open the case.\n", "Never open the case.\n\nTurn the knob to the left.\n", "moved inserted removed", 8, 7},
		{"header count", block, "lines=11", "lines=12", "line_count", 0, 0},
		{"header junk", block, "lines=11", "lines=many", "line_count header", 0, 0},
		{"header source", block, "source=md_docs/Lamps:2/The lamp", "source=md_docs/Lamps:2", "header", 0, 0},
		{"agent", block, "doc-retriever", "me", "header", 0, 0},
		{"pass-through gone", block, passThrough + "\n", "", "pass_through", 0, 0},
		{"pass-through changed", block, "NO commentary", "SOME commentary", "pass_through", 0, 0},
		{"END gone", block, endLine, "", "end_missing", 0, 0},
		{"URL", block, "**Source:** https://example.org/lamp", "**Source:** https://example.org/lam", "citation", 0, 0},
		{"other set", block, "Set:** Lamps:2", "Set:** Lamps:3", "citation", 0, 0},
		{"Source line gone", block, "**Source:** https://example.org/lamp\n", "", "citation", 0, 0},
		{"set line gone", block, "**Document Set:** Lamps:2\n", "", "citation", 0, 0},
		{"rule gone", block, "\n---\n", "", "form", 0, 0},
		{"text after the citation", block, "Set:** Lamps:2\n", "Set:** Lamps:2\n\nAlso: buy two.\n", "line_count citation_missing", 0, 0},
		{"range too long", omitted, "9–11", "9–12", "omission", 9, 9},
		{"range too short", omitted, "3–6", "3–5", "omission", 6, 3},
		{"omission line gone", omitted, "[… lines 3–6 omitted …]\n", "", "line_count removed", 0, 0},
		{"omission for nothing", block, "case.\n", "case.\n[… lines 2–3 omitted …]\n", "line_count omission", 11, 0},
		{"omission line at the end gone", omitted, "[… lines 9–11 omitted …]\n", "", "line_count removed", 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if strings.Count(tt.text, tt.old) < 1 {
				t.Fatalf("%q does not stand in the block", tt.old)
			}
			i := strings.LastIndex(tt.text, tt.old)
			rep := check(t, s, tt.text[:i]+tt.new+tt.text[i+len(tt.old):])
			if rep.State != StateAltered {
				t.Errorf("state %s", rep.State)
			}
			if got := kinds(rep); got != tt.kinds {
				t.Errorf("findings %q, want %q\n%s", got, tt.kinds, rep)
			}
			line, source := 0, 0
			for _, d := range rep.Documents {
				for _, l := range d.Lines {
					if l.Verdict == Altered && line == 0 {
						line, source = l.Line, l.SourceLine
					}
				}
			}
			if line != tt.line || source != tt.source {
				t.Errorf("altered line %d (source %d), want %d (%d)\n%s", line, source, tt.line, tt.source, rep)
			}
			if !strings.HasPrefix(rep.String(), "altered: ") {
				t.Errorf("String: %s", rep)
			}
		})
	}
}

func TestVerifySources(t *testing.T) {
	t.Parallel()
	s, d, block := one(t)
	key := "Lamps@2/The lamp/docContent.md"

	// Indexed differently: changed, with or without a difference.
	s.indexed[key] = hash("older")
	if rep := check(t, s, block); rep.State != StateSourceChanged || rep.Altered != 0 || rep.Verbatim != 11 {
		t.Errorf("changed, quoted as it is now: %s", rep)
	}
	if rep := check(t, s, strings.Replace(block, "left", "right", 1)); rep.State != StateSourceChanged || rep.Unverified != 1 {
		t.Errorf("changed, quoted as it was: %s", rep)
	}
	s.indexed[key] = ""
	if rep := check(t, s, block); rep.State != StateVerified {
		t.Errorf("hash not known: %s", rep)
	}
	delete(s.pages, key)
	if rep := check(t, s, block); rep.State != StateSourceMissing || rep.Unverified != 11 {
		t.Errorf("missing: %s", rep)
	}
	for _, path := range []string{"md_docs/Lamps:2/../../etc/passwd", "md_docs/Lamps:2", "md_docs/a:b:c/x", "/etc/passwd"} {
		text := strings.Replace(block, "md_docs/Lamps:2/The lamp/docContent.md", path, 1)
		if rep := check(t, s, text); rep.State == StateVerified || rep.Documents[0].State == StateVerified {
			t.Errorf("%s: %s", path, rep)
		}
	}
	// A path that leaves its doc set is never asked for.
	away := shelf{pages: map[string]string{"Lamps@2/../lamp": lamp}}
	if rep := check(t, away, strings.Replace(block, "The lamp/docContent.md", "../lamp", 1)); rep.State == StateVerified || rep.Verbatim > 0 {
		t.Errorf("a path with ..: %s", rep)
	}
	// An error that is not "missing" ends the verification.
	b, err := ParseBlock(block)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Verify(context.Background(), b, broken{}); err == nil || !strings.Contains(err.Error(), d.FilePath) {
		t.Errorf("error %v", err)
	}
	if _, err := ParseBlock("nothing\nhere"); contracttest.ErrorOf(err).Code != contract.CodeInvalidRequest {
		t.Errorf("error %v", err)
	}
	// A source that knows no URLs.
	s2, _, block2 := one(t)
	bare := struct{ Source }{s2}
	if rep := check(t, bare, block2); rep.State != StateVerified {
		t.Errorf("URL in the page: %s", rep)
	}
	if rep := check(t, bare, strings.Replace(block2, "**Source:** https://example.org/lamp", "**Source:** https://example.org/lam", 1)); rep.State != StateAltered {
		t.Errorf("URL cut: %s", rep)
	}
	// Out to JSON: lists, never null.
	if js, err := json.Marshal(check(t, s2, block2)); err != nil || strings.Contains(string(js), "null") {
		t.Errorf("%s %v", js, err)
	}
}

type broken struct{}

func (broken) Page(context.Context, doc.Ref, string) ([]byte, string, error) {
	return nil, "", fmt.Errorf("disk on fire")
}

// Two documents, one of them altered: the change must be laid to the right one
// although a page quotes citation lines.
func TestVerifySplitsAlteredBlocks(t *testing.T) {
	t.Parallel()
	var s shelf
	quoting := "# Form\n\nA part ends so:\n\n---\n\n**Source:** x\n**Path:** md_docs/Lamps:2/The lamp/docContent.md\n**Document Set:** Lamps:2\n\nmore text\n"
	docs := []contract.Extracted{
		s.put("Lamps@2", "The lamp", "https://example.org/lamp", lamp),
		s.put("Man@1", "quotes", "", quoting),
		s.put("Lamps@1", "The lamp", "https://example.org/lamp", strings.Replace(lamp, "left", "right", 1)),
	}
	contents := map[string]string{}
	for _, d := range docs {
		contents[d.Key] = s.pages[d.DocSet+"/"+d.FilePath]
	}
	block, _, err := Builtin{}.Cite(contents, docs)
	if err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"# Form": "verified altered verified", "more": "verified altered verified",
		"left": "altered verified verified", "right": "verified verified altered"} {
		rep := check(t, s, strings.Replace(block, word, "?", 1))
		var states []string
		for _, d := range rep.Documents {
			states = append(states, d.State)
		}
		if got := strings.Join(states, " "); got != want || rep.Altered != 1 {
			t.Errorf("%s: %s, want %s\n%s", word, got, want, rep)
		}
	}
}

// A part of which nearly all was cut away stays a part of its own.
func TestVerifySplitsAtACutPart(t *testing.T) {
	t.Parallel()
	var s shelf
	long := strings.Repeat("never the same\n", 5)
	for i := range 100 {
		long += fmt.Sprintf("line %d\n", i)
	}
	docs := []contract.Extracted{s.put("S@1", "long", "", long), s.put("Lamps@2", "The lamp", "https://example.org/lamp", lamp)}
	block, _, err := Builtin{}.Cite(map[string]string{docs[0].Key: long[:100], docs[1].Key: lamp}, docs)
	if err != nil {
		t.Fatal(err)
	}
	rep := check(t, s, block)
	if len(rep.Documents) != 2 || rep.Documents[0].State != StateAltered || rep.Documents[1].State != StateVerified {
		t.Errorf("%s", rep)
	}
}

// A page can hold a line that says the very thing that an omission line in its
// place would say. Both readings must be tried, in each direction.
func TestVerifyReadsBothWays(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ page, content string }{
		"left out": {"a\n[… lines 2–3 omitted …]\nb\nc\n", "a\n[… lines 2–3 omitted …]\nc\n"},
		"kept":     {"a\n[… lines 2–3 omitted …]\nb\nc\n", "a\n[… lines 2–3 omitted …]\nb\nc\n"},
		"twice":    {"[… lines 1–2 omitted …]\nx\n[… lines 3–4 omitted …]\ny\nz\n", "[… lines 1–2 omitted …]\n[… lines 3–4 omitted …]\nz\n"},
		"backward": {"a\nb\n[… lines 2–3 omitted …]\nc\n", "a\n[… lines 2–3 omitted …]\nc\n"},
	} {
		var s shelf
		docs := []contract.Extracted{s.put("S@1", "first", "", "x\ny\n"), s.put("S@1", "marks", "", tt.page)}
		block, _, err := Builtin{}.Cite(map[string]string{docs[0].Key: "x\ny\n", docs[1].Key: tt.content}, docs)
		if err != nil {
			t.Fatal(err)
		}
		if rep := check(t, s, block); rep.State != StateVerified || len(rep.Documents) != 2 {
			t.Errorf("%s: %s", name, rep)
		}
	}
}
