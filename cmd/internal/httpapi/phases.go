package httpapi

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"docent/cmd/internal/httpapi/schema"
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
	op, ok := operation.Named(ops, "phase")
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
		{contract.PhaseRerank, "orders them against the question", contract.RerankInput{}, contract.RerankOutput{}, []string{"fallback_mode"}},
		{contract.PhaseExtract, "reads whole documents", contract.ExtractInput{}, contract.Extraction{}, []string{"max_docs"}},
		{contract.PhaseCheck, "says whether they are too long", contract.Extraction{}, contract.Check{}, []string{"extent", "lines", "max_tokens", "full", "compress", "summarize"}},
		{contract.PhaseProcess, "shortens what is too long", contract.Check{}, contract.Processed{}, []string{}},
	}
	out := make([]endpoint, len(list))
	for i, p := range list {
		out[i] = endpoint{method: http.MethodPost, path: "/api/phases/" + p.phase, id: "phase" + strings.ReplaceAll(capital(p.phase), ".", "_"), about: "phase " + p.phase + ": " + p.about,
			in: p.in, out: p.out, params: parametersOf(op, p.fields), inAbout: "what docent phase " + p.phase + " reads", large: true, heavy: true,
			text: p.phase == contract.PhaseOptimize || p.phase == contract.PhaseRoute, serve: func(c *call) error { return c.phase(op, p.phase) }}
	}
	return out
}

func (c *call) phase(op operation.Operation[*service.Services], phase string) error {
	req := answers.PhaseQuery{Phase: phase, Input: c.body, Remote: true}
	if err := c.readParameters(op, reflect.ValueOf(&req)); err != nil {
		return err
	}
	answer, err := op.Do(c.ctx, c.home, req, nil)
	if err != nil {
		return err
	}
	out := answer.(answers.PhaseAnswer)
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
	return param{name, inQuery, about, &schema.Schema{Type: schema.Number, Minimum: &least, Maximum: &most}}
}

func setParam() param {
	return param{"doc_set", inQuery, "narrows to a doc set, Name or Name@version; may be repeated", &schema.Schema{Type: schema.Array, Items: &schema.Schema{Type: schema.String}}}
}

func flagParam(name, about string) param {
	return param{name, inQuery, about, &schema.Schema{Type: schema.Boolean}}
}

// mostCount is what a count may be where no other bound is named.
const mostCount = 1_000_000_000

func countParam(name, about string, most float64) param {
	least := 1.0
	return param{name, inQuery, about, &schema.Schema{Type: schema.Integer, Minimum: &least, Maximum: &most}}
}

func choiceParam(name, about string, values ...string) param {
	s := &schema.Schema{Type: schema.String}
	for _, v := range values {
		s.Enum = append(s.Enum, v)
	}
	return param{name, inQuery, about, s}
}

func textParam(name, in, about string) param {
	return param{name, in, about, &schema.Schema{Type: schema.String}}
}
