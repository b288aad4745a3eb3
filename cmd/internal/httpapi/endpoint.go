package httpapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"docent/pipeline/contract"
	"docent/pipeline/text/spelling"
)

// endpoint is a method on a path.
type endpoint struct {
	method, path string
	id           string // its name in the description
	about        string // one line
	params       []param
	in           any // a value of the request's type; nil: it has no body
	inAbout      string
	out          any  // of the response's type
	text         bool // the body may be plain text
	asText       bool // the answer may be plain text, by the header Accept
	reads        bool // a body of any form, which the service checks
	large        bool // the body may be as long as a phase's input
	stream       any  // of the type of the last of server-sent events; nil: it sends none
	form         any  // of the type of a form, which the operation reads itself; nil: it has none
	created      bool // a success is 201
	secret       bool // the token is the callback's secret
	closed       bool // fields that the request does not have are refused
	plainErrors  bool // errors are of specification 4's form
	open         bool // no token is needed
	heavy        bool // waits for its turn
	homeless     bool // needs no home
	foreign      bool // of another protocol: not in the description
	serve        func(c *call) error

	schema  *huma.Schema // of in
	answers *huma.Schema // of out
	fields  *huma.Schema // of form
}

// param is a parameter in the path or the query.
type param struct {
	name, in, about string
	schema          *huma.Schema
}

const (
	inPath  = "path"
	inQuery = "query"
)

// route is the path as the mux takes it.
func (op *endpoint) route() string {
	if op.path == "/" {
		return "/{$}"
	}
	return strings.ReplaceAll(op.path, "{page}", "{page...}")
}

// strict says whether parameters that the operation does not have are refused. Those who
// look whether the server runs send what they like.
func (op *endpoint) strict() bool { return strings.HasPrefix(op.path, "/api/") }

func (op *endpoint) limit(l Limits) int64 {
	if op.large {
		return l.Phase
	}
	return l.Body
}

// prepare makes the schemas of an operation.
func (op *endpoint) prepare(r huma.Registry) {
	if op.in != nil {
		op.schema = r.Schema(reflect.TypeOf(op.in), true, "")
	}
	if op.form != nil {
		op.fields = r.Schema(reflect.TypeOf(op.form), true, "")
	}
	if op.out != nil {
		op.answers = r.Schema(reflect.TypeOf(op.out), true, "")
	}
}

// loosen lets objects have more fields than their schemas: later versions may add some.
// Requests that are closed stay so.
func loosen(ops []endpoint, r huma.Registry) {
	closed := map[*huma.Schema]bool{}
	for _, op := range ops {
		if op.closed {
			closed[r.SchemaFromRef(op.schema.Ref)] = true
		}
	}
	for _, s := range r.Map() {
		if no, is := s.AdditionalProperties.(bool); is && !no && !closed[s] {
			s.AdditionalProperties = nil
		}
	}
}

// allowNull has fields be null that are written where they point to nothing, such as a
// phase that did not run. The schemas of structs that are pointed to do not say so.
func allowNull(r huma.Registry) {
	for name, s := range r.Map() {
		t := r.TypeFromRef("#/components/schemas/" + name)
		for t != nil && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, f := range reflect.VisibleFields(t) {
			as, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			field := s.Properties[as]
			if f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") && field != nil && field.Ref != "" {
				s.Properties[as] = &huma.Schema{AnyOf: []*huma.Schema{field, {Type: "null"}}}
			}
		}
	}
}

// endpoints are all of them. The order is that of the description.
func endpoints() []endpoint {
	return slices.Concat([]endpoint{askEndpoint(), searchEndpoint()}, phaseEndpoints(), docSetEndpoints(), showEndpoints(),
		[]endpoint{verifyEndpoint(), followEndpoint()}, documentEndpoints(), loginEndpoints(), stateEndpoints())
}

// decode reads the body into a struct and checks it against its schema.
func (c *call) decode(into any) error {
	if err := contract.Decode(c.body, into); err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(c.body, &value); err != nil {
		return contract.Invalid(contract.Input, "the input is no JSON: %v", err)
	}
	if name := c.otherCase(value); name != "" {
		return c.unknownField(name)
	}
	var res huma.ValidateResult
	huma.Validate(c.schemas, c.op.schema, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, value, &res)
	if len(res.Errors) == 0 {
		return nil
	}
	wrong, ok := res.Errors[0].(*huma.ErrorDetail)
	if !ok {
		return contract.Invalid(contract.Input, "the input does not fit: %v", res.Errors[0])
	}
	if wrong.Message == "unexpected property" {
		return c.unknownField(wrong.Location)
	}
	if name, ok := strings.CutPrefix(wrong.Message, "expected required property "); ok {
		name = strings.TrimSuffix(name, " to be present")
		return contract.Invalid(strings.TrimPrefix(wrong.Location+"."+name, "."), "the field %s is missing", name)
	}
	return contract.Invalid(wrong.Location, "the field %s is wrong: %s", wrong.Location, wrong.Message)
}

// otherCase is a field of the input that differs from one of the schema in case alone, ""
// for none. Decoding takes both for the same, but the schema checks one.
func (c *call) otherCase(value any) string {
	fields, ok := value.(map[string]any)
	if !ok {
		return ""
	}
	schema := c.op.schema
	for schema.Ref != "" {
		schema = c.schemas.SchemaFromRef(schema.Ref)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if schema.Properties[name] != nil {
			continue
		}
		for known := range schema.Properties {
			if strings.EqualFold(known, name) {
				return name
			}
		}
	}
	return ""
}

// unknownField refuses a field that the request does not have: it may be a slip, and
// would be ignored without a word.
func (c *call) unknownField(at string) error {
	schema := c.op.schema
	for schema.Ref != "" {
		schema = c.schemas.SchemaFromRef(schema.Ref)
	}
	var known []string
	for name := range schema.Properties {
		known = append(known, name)
	}
	slices.Sort(known)
	if near := spelling.Nearest(at, known); len(near) > 0 {
		return contract.Invalid(at, "there is no field %s; did you mean %s?", quoted(at), strings.Join(near, " or "))
	}
	return contract.Invalid(at, "there is no field %s; the fields are %s", quoted(at), strings.Join(known, ", "))
}

// quoted is a text of a request as an error quotes it.
func quoted(s string) string {
	const most = 80
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return `"?"`
	}
	return string(raw)
}
