package httpapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"docent/pipeline/contract"
	"docent/pipeline/service/answers"
)

// mergeEntry is an output of phase 0a or 0b as the merge reads it.
type mergeEntry struct {
	Phase  string `json:"phase" enum:"0a,0b"`
	Output any    `json:"output"`
}

// phaseEndpoints are one operation a phase. The bodies are those of docent phase, and
// are checked by the phases themselves: fields that they do not know are handed on.
func phaseEndpoints() []endpoint {
	optimize, route := contract.OptimizeInput{}, contract.OptimizeInput{}
	list := []struct {
		phase, about string
		in, out      any
		params       []param
	}{
		{contract.PhaseOptimize, "cleans a question and writes ranked queries", optimize, contract.Optimized{}, []param{setParam()}},
		{contract.PhaseRoute, "says what kind of question it is", route, contract.Routed{}, []param{setParam()}},
		{contract.PhaseMerge, "joins the outputs of 0a and 0b", []mergeEntry{}, contract.SearchInput{}, nil},
		{contract.PhaseSearch, "finds pages and headings", contract.SearchInput{}, contract.SearchOutput{}, []param{setParam(), flagParam("explain", "say how the scores came about")}},
		{contract.PhaseRerank, "orders them against the question", contract.RerankInput{}, contract.RerankOutput{},
			[]param{choiceParam("fallback_mode", "where reranking fails", contract.FallbackModes()...)}},
		{contract.PhaseExtract, "reads whole documents", contract.ExtractInput{}, contract.Extraction{}, []param{countParam("max_docs", "documents at most", 100)}},
		{contract.PhaseCheck, "says whether they are too long", contract.Extraction{}, contract.Check{}, []param{
			choiceParam("extent", "whole documents, or sections", contract.Extents()...), countParam("lines", "of a block of sections at most", 2000), countParam("max_tokens", "a budget for the block", 10_000_000),
			flagParam("full", "a wish for the whole documents"), flagParam("compress", "a wish for compression"), flagParam("summarize", "a wish for a model's words")}},
		{contract.PhaseProcess, "shortens what is too long", contract.Check{}, contract.Processed{}, nil},
	}
	out := make([]endpoint, len(list))
	for i, p := range list {
		out[i] = endpoint{method: http.MethodPost, path: "/api/phases/" + p.phase, id: "phase" + strings.ReplaceAll(capital(p.phase), ".", "_"), about: "phase " + p.phase + ": " + p.about,
			in: p.in, out: p.out, params: p.params, inAbout: "what docent phase " + p.phase + " reads", large: true, heavy: true,
			text: p.phase == contract.PhaseOptimize || p.phase == contract.PhaseRoute, serve: func(c *call) error { return c.phase(p.phase) }}
	}
	return out
}

func (c *call) phase(phase string) error {
	req := answers.PhaseRequest{Phase: phase, Input: c.body, Remote: true}
	q, err := c.query()
	if err != nil {
		return err
	}
	p := contract.Preferences{Full: q.flag("full"), Compress: q.flag("compress"), Summarize: q.flag("summarize"), Extent: q.text("extent"), Lines: q.count("lines"), MaxTokens: q.count("max_tokens")}
	req.DocSets, req.Explain, req.FallbackMode, req.MaxDocs = q.texts("doc_set"), q.flag("explain"), q.text("fallback_mode"), q.count("max_docs")
	if q.err != nil {
		return q.err
	}
	if err := answers.CheckWish(&p); err != nil {
		return err
	}
	req.Preferences = p
	if err := answers.PassedOn(c.body); err != nil {
		return err
	}
	out, err := c.home.Answers.Phase(c.ctx, req)
	if err != nil {
		return err
	}
	c.note.degraded = out.Trace.Degraded
	// Who answered is no part of a phase's output.
	engine := out.Trace.Engine
	if engine == "" {
		engine = contract.EngineBuiltin
	}
	c.w.Header().Set("Docent-Engine", headerText(engine))
	for _, d := range out.Trace.Degraded {
		c.w.Header().Add("Docent-Degraded", headerText(d.Used+" instead of "+d.Wanted+": "+d.Reason))
	}
	return c.ok(out.Output)
}

// headerText is a text as a header can have it.
func headerText(s string) string {
	q := strconv.QuoteToASCII(s)
	return q[1 : len(q)-1]
}

// query reads the parameters of a request: those of the operation and no others.
type query struct {
	params []param
	values map[string][]string
	err    error
}

func (c *call) query() (*query, error) {
	q := &query{params: c.op.params, values: c.r.URL.Query()}
	for name := range q.values {
		known := false
		for _, p := range c.op.params {
			known = known || p.in == inQuery && p.name == name
		}
		if !known {
			return nil, contract.Invalid(name, "there is no parameter %s here; the description at /openapi.json lists those there are", quoted(name))
		}
	}
	return q, nil
}

func (q *query) texts(name string) []string { return q.values[name] }

func (q *query) text(name string) string {
	if v := q.values[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func (q *query) flag(name string) bool {
	v := q.text(name)
	if v == "" {
		if _, given := q.values[name]; given {
			return true // ?toc
		}
		return false
	}
	on, err := strconv.ParseBool(v)
	if err != nil {
		q.err = contract.Invalid(name, "%s is %s, it must be true or false", name, quoted(v))
	}
	return on
}

// count is a number within the bounds that the parameter's schema has; 0: it is not
// given.
func (q *query) count(name string) int {
	v := q.text(name)
	i := slices.IndexFunc(q.params, func(p param) bool { return p.name == name && p.in == inQuery })
	if v == "" || i < 0 {
		return 0
	}
	least, most := int(*q.params[i].schema.Minimum), int(*q.params[i].schema.Maximum)
	n, err := strconv.Atoi(v)
	if err != nil || n < least || n > most {
		q.err = contract.Invalid(name, "%s is %s, it must be a whole number from %d to %d", name, quoted(v), least, most)
		return 0
	}
	return n
}

// share is a number from 0 to 1; nil: it is not given.
func (q *query) share(name string) *float64 {
	v := q.text(name)
	if v == "" {
		return nil
	}
	n, err := strconv.ParseFloat(v, 64)
	if err != nil || !(n >= 0 && n <= 1) {
		q.err = contract.Invalid(name, "%s is %s, it must be a number from 0 to 1", name, quoted(v))
		return nil
	}
	return &n
}

func shareParam(name, about string) param {
	least, most := 0.0, 1.0
	return param{name, inQuery, about, &huma.Schema{Type: huma.TypeNumber, Minimum: &least, Maximum: &most}}
}

func setParam() param {
	return param{"doc_set", inQuery, "narrows to a doc set, Name or Name@version; may be repeated", &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}}}
}

func flagParam(name, about string) param {
	return param{name, inQuery, about, &huma.Schema{Type: huma.TypeBoolean}}
}

// mostCount is what a count may be where no other bound is named.
const mostCount = 1_000_000_000

func countParam(name, about string, most float64) param {
	least := 1.0
	return param{name, inQuery, about, &huma.Schema{Type: huma.TypeInteger, Minimum: &least, Maximum: &most}}
}

func choiceParam(name, about string, values ...string) param {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range values {
		s.Enum = append(s.Enum, v)
	}
	return param{name, inQuery, about, s}
}

func textParam(name, in, about string) param {
	return param{name, in, about, &huma.Schema{Type: huma.TypeString}}
}
