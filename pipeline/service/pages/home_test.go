package pages_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/corpus"
	"docent/pipeline/service/locate"
	"docent/pipeline/service/pages"
	"docent/pipeline/service/servicetest"
)

const wick = "# Wick care\n\nA wick draws oil.\n\n## Trim\n\nTrim it every evening.\n\n## Soak\n\nIn vinegar.\n"

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{"wick.md": wick, "oil.md": "# Oil\n\nFill it. See [how to trim](wick.md#trim).\n"})
	h.Add("Harbour@1", map[string]string{"pilot.md": "# The pilot\n\nBoards at dawn.\n"})
	return h
}

func TestAPageIsReadWholeOrBySection(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for _, tt := range []struct {
		req   locate.ReadRequest
		text  string
		lines [2]int
	}{
		{locate.ReadRequest{Page: "wick.md"}, wick, [2]int{1, 11}},
		{locate.ReadRequest{Page: "Lantern/Wick care", Section: "Trim"}, "## Trim\n\nTrim it every evening.\n", [2]int{5, 8}},
		{locate.ReadRequest{Page: "wick.md", Section: "#soak"}, "## Soak\n\nIn vinegar.\n", [2]int{9, 11}},
	} {
		p, err := h.Pages.Read(t.Context(), tt.req)
		if err != nil || strings.TrimRight(p.Content, "\n") != strings.TrimRight(tt.text, "\n") || p.DocSet != "Lantern@1" || p.FilePath != "wick.md" || p.Title != "Wick care" || p.Changed || p.SHA256 == "" || p.Lines[0] != tt.lines[0] {
			t.Errorf("%+v: %+v, %v", tt.req, p, err)
		}
	}
	for _, tt := range []struct {
		req  locate.ReadRequest
		says string
	}{
		{locate.ReadRequest{Page: "nothing.md"}, `there is no page "nothing.md"`},
		{locate.ReadRequest{Page: "wick.md", Section: "Tirm"}, "did you mean Trim?"},
		{locate.ReadRequest{Page: "Lantern@1"}, "is a doc set and no page"},
	} {
		_, err := h.Pages.Read(t.Context(), tt.req)
		servicetest.WantError(t, tt.req.Page, err, contract.CodeInvalidRequest, tt.says)
	}
	if _, err := h.Pages.Read(servicetest.Cancelled(t), locate.ReadRequest{Page: "wick.md"}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

// A page is read as its file is now, and says that it changed.
func TestAPageThatChangedOrWent(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	before, err := h.Pages.PageHash(t.Context(), "Lantern@1", "wick.md")
	if err != nil || before == "" {
		t.Fatal(before, err)
	}
	h.Write("Lantern@1", map[string]string{"wick.md": "# Wick care\n\nAnother text.\n"})
	p, err := h.Pages.Read(t.Context(), locate.ReadRequest{Page: "wick.md"})
	if err != nil || !p.Changed || !strings.Contains(p.Content, "Another text.") || p.SHA256 == before {
		t.Errorf("%+v, %v", p, err)
	}
	if after, err := h.Pages.PageHash(t.Context(), "Lantern@1", "wick.md"); err != nil || after == before {
		t.Errorf("its hash is %s, %v", after, err)
	}
	if toc, err := h.Pages.Contents(t.Context(), locate.ReadRequest{Page: "wick.md"}); err != nil || !toc.Changed || len(toc.Headings) != 1 {
		t.Errorf("%+v, %v", toc, err)
	}
	h.Delete("Lantern@1", "wick.md")
	for what, do := range map[string]func() error{
		"read":     func() error { _, err := h.Pages.Read(t.Context(), locate.ReadRequest{Page: "wick.md"}); return err },
		"shown":    func() error { _, err := h.Pages.ReadShown(t.Context(), "Lantern@1", "wick.md"); return err },
		"contents": func() error { _, err := h.Pages.Contents(t.Context(), locate.ReadRequest{Page: "wick.md"}); return err },
	} {
		if err := do(); !errors.Is(err, corpus.ErrPageGone) {
			t.Errorf("%s: %v", what, err)
		}
	}
	list, err := h.Pages.Pages(t.Context(), "Lantern")
	if err != nil || len(list.Pages) != 2 {
		t.Errorf("the list of what was indexed: %+v, %v", list, err)
	}
}

func TestContentsAndLists(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	toc, err := h.Pages.Contents(t.Context(), locate.ReadRequest{Page: "wick.md"})
	if err != nil || len(toc.Headings) != 3 {
		t.Fatalf("%+v, %v", toc, err)
	}
	var got []string
	for _, e := range toc.Headings {
		got = append(got, e.Text+" #"+e.Anchor)
	}
	if want := []string{"Wick care #wick-care", "Trim #trim", "Soak #soak"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	titles, err := h.Pages.Titles(t.Context())
	if err != nil || len(titles) != 3 {
		t.Errorf("%+v, %v", titles, err)
	}
	if _, err := h.Pages.Pages(t.Context(), "Nothing"); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("an unknown doc set: %v", err)
	}
	empty := servicetest.New(t)
	if titles, err := empty.Pages.Titles(t.Context()); err != nil || len(titles) != 0 {
		t.Errorf("of an empty home: %+v, %v", titles, err)
	}
	if all, err := empty.Pages.Resources(t.Context(), pages.ResourcesRequest{Limit: 10, Most: 10}); err != nil || len(all.Pages) != 0 || all.Next != "" {
		t.Errorf("of an empty home: %+v, %v", all, err)
	}
}

// Pages are listed part by part, each once and in one order, however small the parts.
func TestPagesPartByPart(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	whole, err := h.Pages.Resources(t.Context(), pages.ResourcesRequest{Limit: 100, Most: 100})
	if err != nil || len(whole.Pages) < 3 || whole.Next != "" {
		t.Fatalf("%+v, %v", whole, err)
	}
	for limit := 1; limit <= 3; limit++ {
		var got []pages.SectionInfo
		req := pages.ResourcesRequest{Limit: limit, Most: 100}
		for range 50 {
			part, err := h.Pages.Resources(t.Context(), req)
			if err != nil || len(part.Pages) > limit {
				t.Fatalf("%+v, %v", part, err)
			}
			got = append(got, part.Pages...)
			if req.Cursor = part.Next; req.Cursor == "" {
				break
			}
		}
		if !slices.Equal(got, whole.Pages) {
			t.Errorf("by %d: %+v, want %+v", limit, got, whole.Pages)
		}
	}
	if few, err := h.Pages.Resources(t.Context(), pages.ResourcesRequest{Limit: 100, Most: 2}); err != nil || len(few.Pages) != 2 || few.Next != "" {
		t.Errorf("a list of two: %+v, %v", few, err)
	}
	for _, cursor := range []string{"nonsense", "e30x", "eyJuIjotMX0"} {
		_, err := h.Pages.Resources(t.Context(), pages.ResourcesRequest{Cursor: cursor, Limit: 1, Most: 9})
		servicetest.WantError(t, cursor, err, contract.CodeInvalidRequest, "begin without one")
	}
}

// A handle of a section leads to it, and a part says where it leads.
func TestPartsByTheirHandles(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	all, err := h.Pages.Resources(t.Context(), pages.ResourcesRequest{Limit: 100, Most: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all.Pages {
		p, err := h.Pages.ReadPart(t.Context(), pages.PartRequest{Handle: s.Handle})
		if err != nil || p.DocSet != s.DocSet || p.FilePath != s.FilePath || p.Handle != s.Handle || p.Content == "" {
			t.Errorf("%s: %+v, %v", s.Handle, p, err)
		}
		toc, err := h.Pages.Contents(t.Context(), locate.ReadRequest{Page: s.DocSet + "/" + s.FilePath})
		if err != nil {
			t.Fatal(err)
		}
		for _, head := range toc.Headings {
			named, err := h.Pages.ReadPart(t.Context(), pages.PartRequest{ReadRequest: locate.ReadRequest{Page: s.DocSet + "/" + s.FilePath, Section: "#" + head.Anchor}})
			if err != nil {
				t.Fatal(err)
			}
			p, err := h.Pages.ReadPart(t.Context(), pages.PartRequest{Handle: named.Handle})
			if err != nil || p.SectionPath != named.SectionPath || p.Content != named.Content {
				t.Errorf("%s: %+v, %v", head.Text, p, err)
			}
		}
	}
	part, err := h.Pages.ReadPart(t.Context(), pages.PartRequest{ReadRequest: locate.ReadRequest{Page: "wick.md", Section: "Trim"}})
	if err != nil || !strings.Contains(part.Content, "every evening") {
		t.Fatalf("%+v, %v", part, err)
	}
	oil, err := h.Pages.ReadPart(t.Context(), pages.PartRequest{ReadRequest: locate.ReadRequest{Page: "oil.md"}})
	if around := h.Pages.Around(t.Context(), oil); err != nil || len(around) == 0 || around[0].FilePath != "wick.md" || around[0].SectionPath == "" {
		t.Errorf("it leads to %+v, %v", around, err)
	}
	lines, err := h.Pages.ReadPart(t.Context(), pages.PartRequest{ReadRequest: locate.ReadRequest{Page: "wick.md"}, Lines: [2]int{3, 3}})
	if err != nil || strings.TrimSpace(lines.Content) != "A wick draws oil." {
		t.Errorf("%+v, %v", lines, err)
	}
	short, err := h.Pages.ReadPart(t.Context(), pages.PartRequest{ReadRequest: locate.ReadRequest{Page: "wick.md"}, MaxTokens: 10})
	if err != nil || !short.Truncated || short.NextLines == nil || short.Tokens > 10 {
		t.Errorf("%+v, %v", short, err)
	}
	for what, req := range map[string]pages.PartRequest{
		"no such handle": {Handle: "Lantern@1/nothing#x"},
		"lines behind":   {ReadRequest: locate.ReadRequest{Page: "wick.md"}, Lines: [2]int{90, 99}},
		"lines reversed": {ReadRequest: locate.ReadRequest{Page: "wick.md"}, Lines: [2]int{5, 3}},
	} {
		if _, err := h.Pages.ReadPart(t.Context(), req); servicetest.Code(err) != contract.CodeInvalidRequest {
			t.Errorf("%s: %v", what, err)
		}
	}
}
