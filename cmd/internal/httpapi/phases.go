package httpapi

import (
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
)

// mergeEntry is an output of phase 0a or 0b as the merge reads it.
type mergeEntry struct {
	Phase  string `json:"phase" enum:"0a,0b"`
	Output any    `json:"output"`
}

// phaseEndpoints are one operation a phase. The bodies are those of docent phase, and
// are checked by the phases themselves: fields that they do not know are handed on.
func phaseEndpoints(ops []operation.Operation[*service.Services]) []endpoint {
	op, ok := operation.FindNamed(ops, "phase")
	if !ok {
		return nil
	}
	optimize, route := contract.OptimizeInput{}, contract.OptimizeInput{}
	list := []struct {
		phase, about string
		in, out      any
		fields       []string // of the query
	}{
		{contract.PhaseOptimize, "cleans a question and writes ranked queries", optimize, contract.Optimized{}, []string{"doc_set"}},
		{contract.PhaseRoute, "says what kind of question it is", route, contract.Routed{}, []string{"doc_set"}},
		{contract.PhaseMerge, "joins the outputs of 0a and 0b", []mergeEntry{}, contract.SearchInput{}, []string{}},
		{contract.PhaseSearch, "finds pages and headings", contract.SearchInput{}, contract.SearchOutput{}, []string{"doc_set", "explain"}},
		{contract.PhaseRerank, "orders them against the question", contract.RerankInput{}, contract.RerankOutput{},
			[]string{"fallback_mode"}},
		{contract.PhaseExtract, "reads whole documents", contract.ExtractInput{}, contract.Extraction{}, []string{"max_docs"}},
		{contract.PhaseCheck, "says whether they are too long", contract.Extraction{}, contract.Check{},
			[]string{"extent", "lines", "max_tokens", "full", "compress", "summarize"}},
		{contract.PhaseProcess, "shortens what is too long", contract.Check{}, contract.Processed{}, []string{}},
	}
	out := make([]endpoint, len(list))
	for i, p := range list {
		out[i] = endpoint{method: http.MethodPost, path: "/api/phases/" + p.phase,
			id: "phase" + strings.ReplaceAll(capitalized(p.phase), ".", "_"), about: "phase " + p.phase + ": " + p.about,
			in: p.in, out: p.out, params: parametersOf(op.Fields, p.fields), inAbout: "what docent phase " + p.phase + " reads",
			large: true, heavy: true,
			text:  p.phase == contract.PhaseOptimize || p.phase == contract.PhaseRoute,
			serve: func(c *call) error { return c.servePhase(op, p.phase) }}
	}
	return out
}

func (c *call) servePhase(op operation.Operation[*service.Services], phase string) error {
	req := answers.PhaseQuery{Phase: phase, Input: c.body, Remote: true}
	if err := c.readParameters(op.Fields, reflect.ValueOf(&req)); err != nil {
		return err
	}
	answer, err := op.Do(c.ctx, c.home, req, nil)
	if err != nil {
		return err
	}
	out := answer.(answers.PhaseAnswer)
	c.note.degraded = out.Trace.Degraded
	// The engine is no part of a phase's output.
	engine := out.Trace.Engine
	if engine == "" {
		engine = contract.EngineBuiltin
	}
	c.w.Header().Set("Docent-Engine", headerText(engine))
	for _, d := range out.Trace.Degraded {
		c.w.Header().Add("Docent-Degraded", headerText(d.Used+" instead of "+d.Wanted+": "+d.Reason))
	}
	return c.writeFound(out.Output)
}

// headerText is a text as a header can have it.
func headerText(s string) string {
	q := strconv.QuoteToASCII(s)
	return q[1 : len(q)-1]
}
