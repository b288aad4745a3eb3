package pipeline

import (
	"context"
	"slices"
	"testing"

	"docent/pipeline/contract"
)

// The result for another request runs only what follows from the difference, and
// leaves the session and its result as they are.
func TestInstead(t *testing.T) {
	t.Parallel()
	f, p := newFakes()
	req := Request{Question: "hooks"}
	res, err := p.Run(context.Background(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.took()
	recalled, q := newFakes()
	p.Recalled = q
	s := p.Resume(req, res)
	if s.staleFrom() != "" {
		t.Errorf("a resumed session is stale from %s", s.staleFrom())
	}
	other, err := s.Instead(context.Background(), WithExtent(contract.ExtentSections))
	if err != nil || other.Final != "block of 3" {
		t.Errorf("%q, %v", other.Final, err)
	}
	if got := recalled.took(); !slices.Equal(got, from(contract.PhaseExtract)) || len(f.took()) > 0 {
		t.Errorf("ran %v", got)
	}
	if s.Request().Preferences != (contract.Preferences{}) || s.staleFrom() != "" {
		t.Errorf("the session has changed: %+v, stale from %s", s.Request(), s.staleFrom())
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	res := Result{Final: "=== AOP-FINAL", Citations: []contract.Citation{{FilePath: "a.md"}, {FilePath: "a.md"}}}
	if (Result{}).Size() != (Size{}) || res.Size() != (Size{}) {
		t.Error("nothing has a size")
	}
	res.Phases.Extract = &contract.Extraction{TotalLineCount: 947, Documents: []contract.Extracted{{FilePath: "a.md"}}}
	if got := res.Size().String(); got != "947 lines of 1 page" {
		t.Errorf("whole: %s", got)
	}
	res.Phases.Process = &contract.Processed{LineCount: 1, Documents: []contract.Extracted{{Quoted: make([]contract.Quote, 2)}}}
	if got := res.Size().String(); got != "1 line of 2 sections" {
		t.Errorf("sections: %s", got)
	}
}

// The extents are each other's other one; the full text is whole documents.
func TestOtherExtent(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		has  contract.Preferences
		want string
	}{
		{contract.Preferences{}, contract.ExtentSections},
		{contract.Preferences{Extent: contract.ExtentDocuments}, contract.ExtentSections},
		{contract.Preferences{Extent: contract.ExtentSections}, contract.ExtentDocuments},
		{contract.Preferences{Extent: contract.ExtentSections, Full: true}, contract.ExtentSections},
	} {
		req := Request{Preferences: tt.has}
		if got := req.OtherExtent(); got != tt.want {
			t.Errorf("%+v: %s", tt.has, got)
		}
		if WithExtent(tt.want)(&req); req.OtherExtent() == tt.want {
			t.Errorf("%+v: %+v has the other extent", tt.has, req.Preferences)
		}
	}
}
