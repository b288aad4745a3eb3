package answers_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/servicetest"
)

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{
		"wick.md":  "# Wick care\n\nA wick draws oil.\n\n## Trim\n\nTrim the wick to six millimetres every evening.\n",
		"oil.md":   "# Oil\n\nFill the lantern with colza oil before the evening.\n",
		"glass.md": "# Glass\n\nPolish the chimney with chalk.\n",
	})
	h.Add("Harbour@1", map[string]string{"pilot.md": "# The pilot\n\nThe pilot boards at dawn.\n"})
	return h
}

func TestAQuestionIsAnsweredFromThePages(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	res, err := h.Answers.Ask(t.Context(), pipeline.Request{Question: "How do I trim the wick?"}, nil)
	if err != nil || !strings.Contains(res.Final, "six millimetres") || len(res.Citations) == 0 || res.Citations[0].FilePath != "wick.md" {
		t.Fatalf("%v: %s", err, res.Final)
	}
	rep, err := h.Answers.VerifyText(t.Context(), res.Final)
	if err != nil || len(rep) == 0 || rep[0].State != "verified" {
		t.Errorf("the answer is proved as %+v, %v", rep, err)
	}
	within, err := h.Answers.Ask(t.Context(), pipeline.Request{Question: "the pilot in the evening", DocSets: []string{"Harbour"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range within.Citations {
		if c.DocSet != "Harbour@1" {
			t.Errorf("another doc set is cited: %+v", c)
		}
	}
}

func TestQuestionsThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	low, high, none := -0.1, 1.1, math.NaN()
	for _, tt := range []struct {
		what string
		req  pipeline.Request
		code string
		says string
	}{
		{"nothing", pipeline.Request{}, contract.CodeQueryEmpty, ""},
		{"blanks", pipeline.Request{Question: " \n\t"}, contract.CodeQueryEmpty, ""},
		{"an unknown scene", pipeline.Request{Question: "wick", Scene: "opera"}, contract.CodeInvalidRequest, `the scene "opera" is none of`},
		{"a low threshold", pipeline.Request{Question: "wick", Threshold: &low}, contract.CodeInvalidRequest, "between 0 and 1"},
		{"a high threshold", pipeline.Request{Question: "wick", Threshold: &high}, contract.CodeInvalidRequest, "between 0 and 1"},
		{"no number", pipeline.Request{Question: "wick", Threshold: &none}, contract.CodeInvalidRequest, "between 0 and 1"},
		{"whole and shortened", pipeline.Request{Question: "wick", Preferences: contract.Preferences{Full: true, Compress: true}}, contract.CodeInvalidRequest, "exclude each other"},
		{"an unknown doc set", pipeline.Request{Question: "wick", DocSets: []string{"Nothing"}}, contract.CodeInvalidRequest, "Nothing"},
		{"an unknown fallback", pipeline.Request{Question: "wick", FallbackMode: "nothing"}, contract.CodeInvalidRequest, "nothing"},
	} {
		_, err := h.Answers.Ask(t.Context(), tt.req, nil)
		servicetest.WantError(t, tt.what, err, tt.code, tt.says)
	}
	if _, err := h.Answers.Ask(servicetest.Cancelled(t), pipeline.Request{Question: "wick"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

func TestWishesThatExcludeEachOther(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what string
		p    contract.Preferences
		says string
	}{
		{"the full text of sections", contract.Preferences{Extent: contract.ExtentSections, Full: true}, "exclude each other"},
		{"lines of documents", contract.Preferences{Extent: contract.ExtentDocuments, Lines: 10}, "leave it out, or ask for sections"},
		{"lines of the full text", contract.Preferences{Full: true, Lines: 10}, "leave it out"},
	} {
		servicetest.WantError(t, tt.what, answers.CheckWish(&tt.p), contract.CodeInvalidRequest, tt.says)
	}
	p := contract.Preferences{Lines: 10}
	if err := answers.CheckWish(&p); err != nil || p.Extent != contract.ExtentSections {
		t.Errorf("lines alone: %+v, %v", p, err)
	}
}

func TestPhasesByTheirNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"0a", "0b", "merge", "1", "1.5", "2", "2.5", "3"} {
		if phase, err := answers.PhaseByName(name); err != nil || phase == "" {
			t.Errorf("%s: %q, %v", name, phase, err)
		}
	}
	_, err := answers.PhaseByName("4")
	servicetest.WantError(t, "phase 4", err, contract.CodeInvalidRequest, `there is no phase "4"`, "0a 0b merge 1 1.5 2 2.5 3")
}

// An error that an earlier phase of a chain wrote is passed on, and other input is not.
func TestErrorsOfEarlierPhasesArePassedOn(t *testing.T) {
	t.Parallel()
	raw, err := json.MarshalIndent(contract.EmptyQuery(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	failed := string(raw)
	for _, tt := range []struct {
		raw    string
		passed bool
	}{
		{failed, true},
		{"\n " + failed + "\n", true},
		{`[{"output": ` + failed + `}]`, true},
		{`[{"output": {"results": []}}, {"output": ` + failed + `}]`, true},
		{`{"results": []}`, false},
		{`[{"output": {}}]`, false},
		{`{"code": `, false},
		{`How do I trim the wick?`, false},
		{``, false},
	} {
		err := answers.PassedOn([]byte(tt.raw))
		passed, ok := errors.AsType[*answers.PassedError](err)
		if ok != tt.passed || ok && strings.Contains(string(passed.Raw), "\n") {
			t.Errorf("%q: %v", tt.raw, err)
		}
	}
}

// Results are listed page by page, each once, and a cursor is of one question alone.
func TestASearchPageByPage(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	all := 0.0
	req := answers.SearchRequest{Request: pipeline.Request{Question: "evening oil wick", Threshold: &all}, Limit: 1}
	seen := map[string]bool{}
	for range 10 {
		out, err := h.Answers.Search(t.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range out.Page.Results {
			if seen[r.FilePath] {
				t.Errorf("%s is listed twice", r.FilePath)
			}
			seen[r.FilePath] = true
		}
		if req.Cursor = out.Page.NextCursor; req.Cursor == "" {
			break
		}
	}
	if len(seen) < 2 {
		t.Errorf("found were %v", seen)
	}
	req.Cursor = "nonsense"
	if _, err := h.Answers.Search(t.Context(), req, nil); servicetest.Code(err) != contract.CodeInvalidRequest {
		t.Errorf("a cursor that is none: %v", err)
	}
}

func TestAnEmptyHomeAnswersNothing(t *testing.T) {
	t.Parallel()
	h := servicetest.New(t)
	_, err := h.Answers.Suggest(t.Context(), "wick", nil)
	servicetest.WantError(t, "suggestions", err, contract.CodeCollectionUnavailable, "there are no doc sets", "docent add PATH")
	if out, err := h.Answers.Query(t.Context(), answers.QueryRequest{Query: "wick", TopK: 5}); err != nil || out.Results == nil || len(out.Results) != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	for _, topK := range []int{0, -1, 101} {
		_, err := h.Answers.Query(t.Context(), answers.QueryRequest{Query: "wick", TopK: topK})
		servicetest.WantError(t, "topK", err, contract.CodeInvalidRequest, "it can be 1 to 100")
	}
	if res, err := h.Answers.Ask(t.Context(), pipeline.Request{Question: "wick"}, nil); err == nil && len(res.Citations) != 0 {
		t.Errorf("%+v", res.Citations)
	}
}

// An index that was damaged is built again, and the question is answered.
func TestAQuestionOverADamagedIndex(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	h.RemoveAll("index/1")
	h = h.Reopen()
	res, err := h.Answers.Ask(t.Context(), pipeline.Request{Question: "How do I trim the wick?"}, nil)
	if err != nil || !strings.Contains(res.Final, "six millimetres") {
		t.Errorf("%v: %s", err, res.Final)
	}
}

func TestManyAskAtOnceWhilePagesChange(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 3 {
				if res, err := h.Answers.Ask(t.Context(), pipeline.Request{Question: "How do I trim the wick?"}, nil); err != nil || !strings.Contains(res.Final, "wick") {
					t.Errorf("%v: %s", err, res.Final)
				}
			}
		})
	}
	h.Write("Lantern@1", map[string]string{"new.md": "# New\n\nA new page.\n"})
	h.Update("Lantern@1")
	all.Wait()
}

// A model that is required and not there ends a question before it begins.
func TestAQuestionWithoutItsModel(t *testing.T) {
	t.Parallel()
	models, _ := servicetest.Fake()
	models.Down = contract.Unavailable(errors.New("no model"), "the model is down")
	h := servicetest.Open(t, servicetest.Options{Models: models})
	h.Add("Lantern@1", map[string]string{"a.md": "# A\n\nText.\n"})
	if _, err := h.Answers.Ask(t.Context(), pipeline.Request{Question: "text"}, nil); servicetest.Code(err) != contract.CodeCollectionUnavailable {
		t.Errorf("%v", err)
	}
}
