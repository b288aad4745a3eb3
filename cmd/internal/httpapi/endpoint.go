package httpapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"docent/cmd/internal/httpapi/schema"
	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/operation"
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

	takes   *schema.Schema // of in
	answers *schema.Schema // of out
	fields  *schema.Schema // of form
}

// param is a parameter in the path or the query.
type param struct {
	name, in, about string
	schema          *schema.Schema
}

const (
	inPath  = "path"
	inQuery = "query"
)

// muxPattern is the path as the mux takes it.
func (op *endpoint) muxPattern() string {
	if op.path == "/" {
		return "/{$}"
	}
	return strings.ReplaceAll(op.path, "{page}", "{page...}")
}

// refusesUnknownParameters reports whether parameters that the operation does not have are refused. Programs
// that check whether the server runs send other ones.
func (op *endpoint) refusesUnknownParameters() bool { return strings.HasPrefix(op.path, "/api/") }

// namesDocSet reports whether the path of the endpoint names a doc set, and perhaps a page of it.
func (op *endpoint) namesDocSet() bool { return strings.Contains(op.path, "{set}") }

func (op *endpoint) bodyLimit(l Limits) int64 {
	if op.large {
		return l.Phase
	}
	return l.Body
}

// prepareSchemas makes the schemas of an endpoint.
func (op *endpoint) prepareSchemas(r *schema.Registry) {
	of := func(value any) *schema.Schema {
		if value == nil {
			return nil
		}
		return r.Of(reflect.TypeOf(value))
	}
	op.takes, op.fields, op.answers = of(op.in), of(op.form), of(op.out)
	if op.closed {
		r.Close(op.takes)
	}
	if op.stream != nil {
		r.Close(of(op.stream)) // its schema is among the components
	}
}

// endpoints are all of them. The order is that of the description.
func endpoints(ops []operation.Operation[*service.Services]) []endpoint {
	return slices.Concat(described(ops), phaseEndpoints(ops), showEndpoints(),
		[]endpoint{followEndpoint()}, documentEndpoints(), loginEndpoints(), stateEndpoints())
}

// decodeBody reads the body into a struct and checks it against its schema.
func (c *call) decodeBody(into any) error {
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
	fault := c.schemas.Check(c.op.takes, value)
	switch {
	case fault == nil:
		return nil
	case fault.Kind == schema.Unknown:
		return c.unknownField(fault.At)
	case fault.Kind == schema.Missing:
		return contract.Invalid(fault.At, "the field %s is missing", fault.At[strings.LastIndex(fault.At, ".")+1:])
	}
	return contract.Invalid(fault.At, "the field %s is wrong: %s", fault.At, fault.What)
}

// otherCase is a field of the input that differs from one of the schema in case alone, or
// "". Decoding takes both for the same, but the schema checks one.
func (c *call) otherCase(value any) string {
	fields, ok := value.(map[string]any)
	if !ok {
		return ""
	}
	properties := c.schemas.Resolve(c.op.takes).Properties
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if properties[name] != nil {
			continue
		}
		for known := range properties {
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
	known := slices.Sorted(maps.Keys(c.schemas.Resolve(c.op.takes).Properties))
	if near := spelling.Nearest(at, known); len(near) > 0 {
		return contract.Invalid(at, "there is no field %s; did you mean %s?", quotedInError(at), strings.Join(near, " or "))
	}
	return contract.Invalid(at, "there is no field %s; the fields are %s", quotedInError(at), strings.Join(known, ", "))
}

// quotedInError is a text of a request as an error quotes it.
func quotedInError(s string) string {
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
