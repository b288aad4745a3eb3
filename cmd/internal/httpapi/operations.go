package httpapi

import (
	"errors"
	"net/http"
	"net/url"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/operation"
)

// described makes the endpoints of the operations that have a route.
func described(ops []operation.Operation[*service.Services]) []endpoint {
	var out []endpoint
	for _, op := range ops {
		if op.Route != nil {
			out = append(out, endpointOf(op))
		}
	}
	return out
}

// endpointOf makes the endpoint of an operation. The fields of its request are parameters,
// or those of a body where the method has one.
func endpointOf(op operation.Operation[*service.Services]) endpoint {
	r := op.Route
	e := endpoint{method: r.Method, path: r.Path, id: r.ID, about: r.About, heavy: true, out: reflect.Zero(op.Answer).Interface()}
	if r.Prints != "" {
		e.about += ": what docent " + r.Prints + " prints"
	}
	if r.Body != nil {
		e.out = reflect.Zero(r.Body.Type).Interface()
	}
	if r.Method == http.MethodGet {
		for _, d := range []operation.Door{operation.InPath, operation.InQuery} {
			for _, f := range op.FieldsAt(d) {
				e.params = append(e.params, param{f.Name, string(d), f.Doc, schemaOf(f)})
			}
		}
	} else {
		e.in, e.closed = reflect.Zero(op.Request).Interface(), true
	}
	e.serve = func(c *call) error { return c.serveOperation(op) }
	return e
}

// schemaOf is the schema of a parameter.
func schemaOf(f operation.Field) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Minimum: f.Minimum, Maximum: f.Maximum}
	for _, v := range f.Enum {
		s.Enum = append(s.Enum, v)
	}
	switch {
	case f.List():
		return &huma.Schema{Type: huma.TypeArray, Items: s}
	case f.Whole():
		s.Type = huma.TypeInteger
	case f.Type.Kind() == reflect.Float64:
		s.Type = huma.TypeNumber
	case f.Type.Kind() == reflect.Bool:
		s.Type = huma.TypeBoolean
	}
	return s
}

// serveOperation reads the request of an operation, runs it and writes its answer.
func (c *call) serveOperation(op operation.Operation[*service.Services]) error {
	req := reflect.New(op.Request)
	var err error
	if op.Route.Method == http.MethodGet {
		err = c.readParameters(op, req)
	} else {
		err = c.decode(req.Interface())
	}
	if err != nil {
		return err
	}
	answer, err := op.Do(c.ctx, c.home, req.Elem().Interface(), c.metrics.watched(nil))
	if err != nil {
		return err
	}
	if ran, ok := answer.(answers.Ran); ok {
		res := ran.Run()
		c.metrics.asked(res)
		c.note.degraded = res.Degraded
	}
	if op.Route.Body != nil {
		answer = op.Route.Body.Of(answer)
	}
	return c.ok(answer)
}

// readParameters reads the parameters of the path and the query into a request.
func (c *call) readParameters(op operation.Operation[*service.Services], req reflect.Value) error {
	query := c.r.URL.Query()
	for _, f := range op.FieldsAt(operation.InPath) {
		query[f.Name] = []string{c.r.PathValue(f.Name)}
		if err := readParameter(f, query, req); err != nil {
			return err
		}
	}
	for _, f := range op.FieldsAt(operation.InQuery) {
		if err := readParameter(f, query, req); err != nil {
			return err
		}
	}
	return nil
}

// readParameter reads one parameter. An empty one is not given, but for a flag (?toc).
func readParameter(f operation.Field, query url.Values, req reflect.Value) error {
	given, ok := query[f.Name]
	if !ok || !f.List() && given[0] == "" && f.Type.Kind() != reflect.Bool {
		return nil
	}
	err := f.Read(req, given)
	if wrong, ok := errors.AsType[*operation.BoundError](err); ok {
		return contract.Invalid(f.Name, "%s is %s, it must be %s", f.Name, quoted(given[0]), wrong.Field.MustBe())
	}
	return err
}
