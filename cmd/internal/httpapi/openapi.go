package httpapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"docent/cmd/internal/httpapi/schema"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
)

// named are the types that the specifications name, by their packages and names.
var named = map[string]string{
	"rerank.Response":        "DocsRerankedSearchResponse",
	"rerank.Item":            "RerankedResultItem",
	"rerank.CandidateSet":    "HybridCandidateSet",
	"rerank.CandidateItem":   "HybridCandidateItem",
	"contract.RerankPolicy":  "RerankingPolicy",
	"contract.Error":         "SearchError",
	"contract.Extraction":    "ExtractionResult",
	"httpapi.loginRequest":   "LoginRequest",
	"httpapi.loginResponse":  "LoginResponse",
	"answers.AskRequest":     "HttpapiAskRequest",
	"answers.SearchQuery":    "HttpapiSearchRequest",
	"answers.VerifyRequest":  "HttpapiVerifyRequest",
	"pages.ListAnswer":       "HttpapiPagesAnswer",
	"answers.Traced":         "Answer",
	"contract.Event":         "Event",
	"contract.Result":        "Result",
	"contract.SearchOutput":  "SearchOutput",
	"contract.RerankOutput":  "RerankOutput",
	"contract.OptimizeInput": "OptimizeInput",
}

// services is the folder of the services.
const services = "docent/pipeline/service/"

// newSchemas is the registry of the schemas. A type that the specifications do not name
// is called by its package and its name. Clients know those of all services by one name: they
// were one package.
func newSchemas() *schema.Registry {
	return schema.NewRegistry(func(t reflect.Type) string {
		if name, ok := named[t.String()]; ok || t.Name() == "" {
			return name
		}
		if strings.HasPrefix(t.PkgPath(), services) {
			return "Home" + capitalized(t.Name())
		}
		return capitalized(path.Base(t.PkgPath())) + capitalized(t.Name())
	})
}

func capitalized(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// object is an object of JSON that no type of the program is.
type object = map[string]any

// description gives the OpenAPI description, which is written when it is first asked
// for.
func (s *Server) description() func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		failed, plain := s.schemas.Of(reflect.TypeFor[contract.Error]()), s.schemas.Of(reflect.TypeFor[plainError]())
		s.schemas.Close(failed)
		s.schemas.Close(plain)
		paths := map[string]object{}
		for i := range s.ops {
			op := &s.ops[i]
			if op.foreign {
				continue
			}
			if paths[op.path] == nil {
				paths[op.path] = object{}
			}
			errors := failed
			if op.plainErrors {
				errors = plain
			}
			paths[op.path][strings.ToLower(op.method)] = op.describeEndpoint(errors)
		}
		return json.Marshal(object{
			"openapi": "3.1.0",
			"info": object{"title": "docent", "version": home.Version,
				"description": "Answers from documentation, cited line by line. The answers are those of the command line: the manual's " +
					"pages on the phases and on JSON describe them."},
			"paths": paths,
			"components": object{"schemas": s.schemas.All(), "securitySchemes": object{
				"session": object{"type": "http", "scheme": "bearer",
					"description": "The token of POST /api/auth/login. A server without a password takes every request without one."}}},
			"security": []object{{"session": []string{}}},
		})
	})
}

// contentSchema is a body of some kind.
func contentSchema(kind string, of *schema.Schema) object {
	if of == nil {
		return object{kind: object{}}
	}
	return object{kind: object{"schema": of}}
}

// describeEndpoint is an endpoint in the description.
func (op *endpoint) describeEndpoint(failed *schema.Schema) object {
	o := object{"operationId": op.id, "summary": op.about, "responses": op.describeResponses(failed)}
	if op.open {
		o["security"] = []object{{}}
	}
	var params []object
	for _, p := range op.params {
		described := object{"name": p.name, "in": p.in, "description": p.about, "schema": p.schema}
		if p.in == inPath {
			described["required"] = true
		}
		params = append(params, described)
	}
	if params != nil {
		o["parameters"] = params
	}
	switch {
	case op.form != nil:
		o["requestBody"] = object{"required": true, "content": contentSchema("multipart/form-data", op.fields)}
	case op.in != nil || op.reads:
		kinds := contentSchema("application/json", op.takes)
		if op.text {
			maps.Copy(kinds, contentSchema("text/plain", &schema.Schema{Type: schema.String}))
		}
		body := object{"required": true, "content": kinds}
		if op.inAbout != "" {
			body["description"] = op.inAbout
		}
		o["requestBody"] = body
	}
	return o
}

// describeResponses are the answers of an endpoint by their statuses.
func (op *endpoint) describeResponses(failed *schema.Schema) object {
	text, kinds := &schema.Schema{Type: schema.String}, object{}
	if op.answers != nil {
		maps.Copy(kinds, contentSchema("application/json", op.answers))
	}
	if op.stream != nil {
		maps.Copy(kinds, contentSchema("text/event-stream", text))
	}
	if op.asText || op.out == nil && op.stream == nil {
		maps.Copy(kinds, contentSchema("text/plain", text))
	}
	status := http.StatusOK
	if op.created {
		status = http.StatusCreated
	}
	out := object{strconv.Itoa(status): object{"description": "done", "content": kinds}}
	for _, status := range op.errorStatuses() {
		out[strconv.Itoa(status)] = object{"description": http.StatusText(status), "content": contentSchema("application/json", failed)}
	}
	return out
}

// errorStatuses are those of an operation's errors.
func (op *endpoint) errorStatuses() []int {
	out := []int{http.StatusForbidden, http.StatusInternalServerError}
	body := op.in != nil || op.reads || op.form != nil
	if body || op.refusesUnknownParameters() {
		out = append(out, http.StatusBadRequest)
	}
	if op.namesDocSet() {
		out = append(out, http.StatusNotFound)
	}
	if strings.HasPrefix(op.path, "/api/documents") || op.secret {
		out = append(out, http.StatusNotFound, http.StatusConflict)
	}
	if body {
		out = append(out, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests)
	} else if op.heavy {
		out = append(out, http.StatusTooManyRequests)
	}
	if !op.open || op.id == loginID || op.secret {
		out = append(out, http.StatusUnauthorized)
	}
	if !op.homeless || op.id == readyID {
		out = append(out, http.StatusServiceUnavailable)
	}
	return out
}
