package parse_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/formats"
	"docent/store/doc"
)

func all(t *testing.T) *parse.Registry {
	t.Helper()
	r, err := formats.AllParsers()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Which files are pages, and of which format, depends on the layout too.
func TestFor(t *testing.T) {
	t.Parallel()
	r := all(t)
	for _, tt := range []struct {
		file   string
		layout doc.Layout
		want   doc.Format // "": no page
	}{
		{"a.md", doc.LayoutTree, doc.FormatMarkdown},
		{"sub/B.MDX", doc.LayoutTree, doc.FormatMarkdown},
		{"a.markdown", doc.LayoutTree, doc.FormatMarkdown},
		{"a.txt", doc.LayoutTree, ""},
		{".hidden.md", doc.LayoutTree, ""},
		{"a.html", doc.LayoutTree, doc.FormatHTML},
		{"a.wiki", doc.LayoutTree, ""},
		{"Wicks/a.html", doc.LayoutTitled, ""},
		{"md", doc.LayoutTree, ""},
		{"Wicks/docContent.md", doc.LayoutTitled, doc.FormatMarkdown},
		{"Wicks/docTOC.md", doc.LayoutTitled, doc.FormatMarkdown}, // stands for a page without text
		{"Wicks/other.md", doc.LayoutTitled, ""},
		{"1.txt", doc.LayoutText, doc.FormatText},
		{"1.md", doc.LayoutText, ""},
		{".1.txt", doc.LayoutText, ""},
	} {
		p, err := r.ParserFor(tt.file, tt.layout, parse.HeadOf(nil))
		if tt.want == "" {
			if !errors.Is(err, parse.ErrNoParser) {
				t.Errorf("%s is a page of %s: %v", tt.file, tt.layout, err)
			}
			continue
		}
		if err != nil || p.Info().Format != tt.want {
			t.Errorf("%s in %s: %v, want %s", tt.file, tt.layout, err, tt.want)
		}
	}
	if got := r.Describe(); !strings.HasPrefix(got, "Markdown, HTML, ") || !strings.Contains(got, ", DITA, ") || len(got) > 300 {
		t.Errorf("the formats are %q", got)
	}
}

// The rendition of a text format is the source itself: no copy, no map.
func TestTextFormatsAreTheirOwnRendition(t *testing.T) {
	t.Parallel()
	r := all(t)
	src := []byte("# Wicks\n\nTrim them.\n")
	for file, layout := range map[string]doc.Layout{"a.md": doc.LayoutTree, "a.mdx": doc.LayoutTree, "1.txt": doc.LayoutText} {
		d, err := r.Parse(context.Background(), src, parse.File{Path: file, Layout: layout})
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.ParserOf(d.Format)
		if err != nil {
			t.Fatal(err)
		}
		info := p.Info()
		if !d.Verbatim() || !info.Verbatim || d.Map != nil || d.TextSHA256() != "" || d.Parser != info.Version || d.Plain != info.Plain {
			t.Errorf("%s: verbatim %v (%v), map %v, hash %q, version %d (%d)", file, d.Verbatim(), info.Verbatim, d.Map, d.TextSHA256(), d.Parser, info.Version)
		}
		if got := d.Location(2); got != (doc.Location{Line: 2}) {
			t.Errorf("%s: line 2 stands at %+v", file, got)
		}
	}
}

// What Structure reads of a text is what Parse read of it.
func TestStructure(t *testing.T) {
	t.Parallel()
	r := all(t)
	src := []byte("Wicks\n\n# Trim\n\n- one\n- two\n")
	for file, layout := range map[string]doc.Layout{"a.md": doc.LayoutTree, "1.txt": doc.LayoutText} {
		d, err := r.Parse(context.Background(), src, parse.File{Path: file, Layout: layout})
		if err != nil {
			t.Fatal(err)
		}
		s, err := r.Structure(context.Background(), d.Text, d.Format)
		if err != nil || len(s.Blocks) != len(d.Blocks) {
			t.Fatalf("%s: %d blocks, %v; parsed were %d", file, len(s.Blocks), err, len(d.Blocks))
		}
		for i := range s.Blocks {
			if s.Blocks[i].Kind != d.Blocks[i].Kind || s.Blocks[i].Span != d.Blocks[i].Span {
				t.Errorf("%s: block %d is %+v, parsed was %+v", file, i, s.Blocks[i], d.Blocks[i])
			}
		}
	}
	if _, err := r.Structure(context.Background(), src, "troff"); !errors.Is(err, parse.ErrNoParser) {
		t.Errorf("a format without a parser: %v", err)
	}
}

// fake is a parser with nothing but an Info.
type fake parse.Info

func (f fake) Info() parse.Info { return parse.Info(f) }

func (fake) Parse(context.Context, []byte, parse.Options) (doc.Document, error) {
	return doc.Document{}, nil
}

func (fake) Structure(context.Context, []byte) (doc.Document, error) { return doc.Document{}, nil }

func TestRegister(t *testing.T) {
	t.Parallel()
	good := parse.Info{Format: "wiki", Version: 1, Name: "Wiki", Extensions: []string{".wiki", ".wik"}}
	for _, tt := range []struct {
		name  string
		alter func(*parse.Info)
		want  string // part of the error, or ""
	}{
		{"good", func(*parse.Info) {}, ""},
		{"text files in a layout where they are no pages yet", func(i *parse.Info) { i.Extensions = []string{".txt"} }, ""},
		{"no format", func(i *parse.Info) { i.Format = "" }, "lacks"},
		{"no version", func(i *parse.Info) { i.Version = 0 }, "lacks"},
		{"no name", func(i *parse.Info) { i.Name = "" }, "lacks"},
		{"no extensions", func(i *parse.Info) { i.Extensions = nil }, "lacks"},
		{"upper case", func(i *parse.Info) { i.Extensions = []string{".WIKI"} }, "lower case"},
		{"no dot", func(i *parse.Info) { i.Extensions = []string{"wiki"} }, "dot"},
		{"format taken", func(i *parse.Info) { i.Format = doc.FormatMarkdown }, "has a parser"},
		{"an ending that others sniff too", func(i *parse.Info) { i.Sniffed, i.Sniff = []string{".md"}, never }, ""},
		{"content alone", func(i *parse.Info) { i.Extensions, i.Sniffed, i.Sniff = nil, []string{".xml"}, never }, ""},
		{"nothing to sniff", func(i *parse.Info) { i.Sniff = never }, "go together"},
		{"nothing that sniffs", func(i *parse.Info) { i.Sniffed = []string{".xml"} }, "go together"},
		{"extension taken", func(i *parse.Info) { i.Extensions = []string{".md"} }, "pages of \"markdown\""},
	} {
		info := good
		tt.alter(&info)
		err := all(t).Register(fake(info))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func never([]byte) bool { return false }

// Where the ending does not tell, the content does: the parsers that share an ending
// are asked in turn, and the one that has it to itself gets the rest.
func TestForByContent(t *testing.T) {
	t.Parallel()
	begins := func(with string) func([]byte) bool {
		return func(head []byte) bool { return strings.HasPrefix(string(head), with) }
	}
	r := &parse.Registry{}
	for _, info := range []parse.Info{
		{Format: "any", Version: 1, Name: "Any", Extensions: []string{".x"}},
		{Format: "faulty", Version: 1, Name: "Faulty", Sniffed: []string{".x"}, Sniff: func(h []byte) bool { return h[3] == 0 }},
		{Format: "one", Version: 1, Name: "One", Extensions: []string{".one"}, Sniffed: []string{".x", ".y"}, Sniff: begins("1")},
		{Format: "two", Version: 1, Name: "Two", Sniffed: []string{".x"}, Sniff: begins("12")},
		{Format: "long", Version: 1, Name: "Long", Sniffed: []string{".l"}, Sniff: func(h []byte) bool { return len(h) == parse.HeadBytes }},
	} {
		if err := r.Register(fake(info)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		file, content string
		want          doc.Format
	}{
		{"a.x", "123", "one"}, {"a.x", "2", "any"}, {"a.x", "", "any"}, {"a.X", "1", "one"}, {"a.y", "1", "one"}, {"a.y", "2", ""}, {"a.one", "2", "one"},
		{"a.l", strings.Repeat("x", 2*parse.HeadBytes), "long"},
	} {
		p, err := r.ParserFor(tt.file, doc.LayoutTree, parse.HeadOf([]byte(tt.content)))
		if tt.want == "" {
			if !errors.Is(err, parse.ErrNoParser) {
				t.Errorf("%s %q: %v", tt.file, tt.content, err)
			}
		} else if err != nil || p.Info().Format != tt.want {
			t.Errorf("%s %q: %v, want %s", tt.file, tt.content, err, tt.want)
		}
	}
	unread := errors.New("may not be read")
	asked := 0
	head := func() ([]byte, error) { asked++; return nil, unread }
	if _, err := r.ParserFor("a.y", doc.LayoutTree, head); !errors.Is(err, unread) {
		t.Errorf("a file that cannot be read: %v", err)
	}
	if _, err := r.ParserFor("a.one", doc.LayoutTree, head); err != nil || asked != 1 {
		t.Errorf("an ending that tells: %v, files were read %d times", err, asked)
	}
	if _, err := r.ParserFor("a.y", doc.LayoutTitled, head); !errors.Is(err, parse.ErrNoParser) || asked != 1 {
		t.Errorf("a layout that tells: %v, files were read %d times", err, asked)
	}
	if got, want := r.Describe(), "Any, Faulty, One, Two, Long"; got != want {
		t.Errorf("described are %q, want %q", got, want)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		path   string
		layout doc.Layout
		want   string
	}{
		{"Agent Skills/docContent.md", doc.LayoutTitled, "Agent Skills"},
		{"docContent.md", doc.LayoutTitled, "docContent"},
		{"guide/hooks.md", doc.LayoutTree, "hooks"},
		{"guide/index.md", doc.LayoutTree, "guide"},
		{"guide/README.md", doc.LayoutTree, "guide"},
		{"index.md", doc.LayoutTree, "index"},
		{"a.b.mdx", doc.LayoutTree, "a.b"},
	} {
		if got := parse.DefaultTitle(tt.path, tt.layout); got != tt.want {
			t.Errorf("Title(%q, %s) is %q, want %q", tt.path, tt.layout, got, tt.want)
		}
	}
}
