package httpapi

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"docent/cmd/internal/httpapi/schema"
	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
)

// described makes the endpoints of the operations that have a route.
func described(ops []operation.Operation[*service.Services]) []endpoint {
	var out []endpoint
	for _, op := range ops {
		if op.Route == nil {
			continue
		}
		e := endpointOf(op)
		if op.Answer == reflect.TypeFor[answers.Verified]() {
			takeText(&e)
		}
		out = append(out, e)
	}
	return out
}

// endpointOf makes the endpoint of an operation. The fields of its request are parameters,
// or those of a body.
func endpointOf(op operation.Operation[*service.Services]) endpoint {
	r := op.Route
	e := endpoint{method: r.Method, path: r.Path, id: r.ID, about: r.About, heavy: true, out: reflect.Zero(op.Answer).Interface()}
	if r.Prints != "" {
		e.about += ": what docent " + r.Prints + " prints"
	}
	if r.Events {
		e.about += "; with Accept: text/event-stream its events too"
		e.stream = pipeline.Event{}
	}
	if r.Text != nil {
		e.about += "; with Accept: text/markdown its text alone"
		e.asText = true
	}
	if r.Body != nil {
		e.out = reflect.Zero(r.Body.Type).Interface()
	}
	if !hasBody(op) {
		e.params = parametersOf(op.Fields, nil)
	} else {
		e.in, e.closed = reflect.Zero(op.Request).Interface(), true
	}
	e.serve = func(c *call) error { return c.serveOperation(op) }
	return e
}

// hasBody reports whether an operation takes a body: one that reads has none, and one that the
// path says all of.
func hasBody(op operation.Operation[*service.Services]) bool {
	return op.Route.Method != http.MethodGet && len(operation.FieldsAt(op.Fields, operation.InPath)) == 0
}

// parametersOf are the parameters of a request in the path and the query; of those in the
// query the named ones, nil: all.
func parametersOf(fields []operation.Field, named []string) []param {
	var out []param
	for _, d := range []operation.Door{operation.InPath, operation.InQuery} {
		for _, f := range operation.FieldsAt(fields, d) {
			if named == nil || slices.Contains(named, f.Name) {
				out = append(out, param{f.Name, string(d), f.Doc, parameterSchema(f)})
			}
		}
	}
	return out
}

// parametersIn are the parameters of an endpoint of the server's own, by the struct that they
// are read into.
func parametersIn[R any]() []param { return parametersOf(fieldsInRequest[R](), nil) }

func fieldsInRequest[R any]() []operation.Field {
	fields, err := operation.FieldsOf(reflect.TypeFor[R]())
	if err != nil {
		panic(err) // a tag that is no good is a fault of the program
	}
	return fields
}

// parametersFor reads the parameters of a request of such an endpoint.
func parametersFor[R any](c *call) (R, error) {
	var req R
	err := c.readParameters(fieldsInRequest[R](), reflect.ValueOf(&req))
	return req, err
}

// parameterSchema is the schema of a parameter.
func parameterSchema(f operation.Field) *schema.Schema {
	s := &schema.Schema{Type: schema.String, Minimum: f.Minimum, Maximum: f.Maximum}
	s.Enum = append(s.Enum, f.Enum...)
	switch {
	case f.List():
		return &schema.Schema{Type: schema.Array, Items: s}
	case f.IsWhole():
		s.Type = schema.Integer
	case f.Type.Kind() == reflect.Float64:
		s.Type = schema.Number
	case f.Type.Kind() == reflect.Bool:
		s.Type = schema.Boolean
	}
	return s
}

// serveOperation reads the request of an operation, runs it and writes its answer.
func (c *call) serveOperation(op operation.Operation[*service.Services]) error {
	req := reflect.New(op.Request)
	var err error
	if !hasBody(op) {
		err = c.readParameters(op.Fields, req)
	} else {
		err = c.decodeBody(req.Interface())
	}
	if err != nil {
		return err
	}
	run := func(sink pipeline.Sink) (any, error) { return c.runOperation(op, req.Elem().Interface(), sink) }
	if op.Route.Events && c.wantsEvents() {
		return c.streamEvents(run)
	}
	answer, err := run(nil)
	if err != nil {
		return err
	}
	if accept := c.r.Header.Get("Accept"); op.Route.Text != nil &&
		(strings.HasPrefix(accept, "text/markdown") || strings.HasPrefix(accept, "text/plain")) {
		c.done()
		c.sendResponse(http.StatusOK, "text/plain; charset=utf-8", []byte(op.Route.Text(answer)))
		return nil
	}
	return c.writeFound(answer)
}

// runOperation runs an operation, counts its run if it is one, and returns the answer.
func (c *call) runOperation(op operation.Operation[*service.Services], req any, sink pipeline.Sink) (any, error) {
	answer, err := op.Do(c.ctx, c.home, req, c.metrics.watchPhases(sink))
	if err != nil {
		return nil, err
	}
	if ran, ok := answer.(answers.Ran); ok {
		res := ran.Outcome()
		c.metrics.countQuestion(res)
		if !op.Route.Events {
			c.note.degraded = res.Degraded
		}
	}
	if op.Route.Body != nil {
		answer = op.Route.Body.Of(answer)
	}
	return answer, nil
}

// readParameters reads the parameters of the path and the query into a request.
func (c *call) readParameters(fields []operation.Field, req reflect.Value) error {
	query := c.r.URL.Query()
	for _, f := range operation.FieldsAt(fields, operation.InPath) {
		query[f.Name] = []string{c.r.PathValue(f.Name)}
		if err := readParameter(f, query, req); err != nil {
			return err
		}
	}
	for _, f := range operation.FieldsAt(fields, operation.InQuery) {
		if err := readParameter(f, query, req); err != nil {
			return err
		}
	}
	return nil
}

// readParameter reads one parameter. An empty text is not given, and an empty flag is true (?toc).
// An empty number counts as 0, as specification 4 has it: limit= is out of bounds, offset= is not.
func readParameter(f operation.Field, query url.Values, req reflect.Value) error {
	given, ok := query[f.Name]
	if !ok {
		return nil
	}
	if !f.List() && given[0] == "" && f.Type.Kind() != reflect.Bool {
		if f.Minimum == nil || *f.Minimum <= 0 {
			return nil
		}
		return contract.Invalid(f.Name, "%s is empty, it must be %s", f.Name, f.MustBe())
	}
	err := f.Read(req, given)
	if wrong, ok := errors.AsType[*operation.BoundError](err); ok {
		return contract.Invalid(f.Name, "%s is %s, it must be %s", f.Name, quotedInError(given[0]), wrong.Field.MustBe())
	}
	return err
}

// checkParameters refuses parameters that an endpoint does not have.
func (c *call) checkParameters() error {
	for name := range c.r.URL.Query() {
		if !slices.ContainsFunc(c.op.params, func(p param) bool { return p.in == inQuery && p.name == name }) {
			return contract.Invalid(name, "there is no parameter %s here; the description at /openapi.json lists those there are",
				quotedInError(name))
		}
	}
	return nil
}
