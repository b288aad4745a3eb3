package httpapi

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"docent/pipeline"
	"docent/pipeline/contract"
	"docent/pipeline/phase/rerank"
	"docent/pipeline/service/answers"
	"docent/pipeline/service/home"
)

// named are the types that the specifications name.
var named = map[reflect.Type]string{
	reflect.TypeFor[rerank.Response]():        "DocsRerankedSearchResponse",
	reflect.TypeFor[rerank.Item]():            "RerankedResultItem",
	reflect.TypeFor[rerank.CandidateSet]():    "HybridCandidateSet",
	reflect.TypeFor[rerank.CandidateItem]():   "HybridCandidateItem",
	reflect.TypeFor[contract.RerankPolicy]():  "RerankingPolicy",
	reflect.TypeFor[contract.Error]():         "SearchError",
	reflect.TypeFor[contract.Extraction]():    "ExtractionResult",
	reflect.TypeFor[loginRequest]():           "LoginRequest",
	reflect.TypeFor[loginResponse]():          "LoginResponse",
	reflect.TypeFor[answers.Traced]():         "Answer",
	reflect.TypeFor[pipeline.Event]():         "Event",
	reflect.TypeFor[contract.Result]():        "Result",
	reflect.TypeFor[contract.SearchOutput]():  "SearchOutput",
	reflect.TypeFor[contract.RerankOutput]():  "RerankOutput",
	reflect.TypeFor[contract.OptimizeInput](): "OptimizeInput",
}

// newSchemas is the registry of the schemas. A type that the specifications do not name
// is called by its package and its name.
func newSchemas() huma.Registry {
	return huma.NewMapRegistry("#/components/schemas/", func(t reflect.Type, hint string) string {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if name, ok := named[t]; ok {
			return name
		}
		if t.Name() == "" {
			return huma.DefaultSchemaNamer(t, hint)
		}
		_, pkg, _ := strings.Cut("/"+t.PkgPath(), "docent/")
		return capital(pkg[strings.LastIndex(pkg, "/")+1:]) + capital(t.Name())
	})
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// description gives the OpenAPI description, which is written when it is first asked
// for.
func (s *Server) description() func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		api := huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "docent", Version: home.Version,
				Description: "Answers from documentation, cited line by line. The answers are those of the command line: the manual's pages on the phases and on JSON describe them."},
			Paths: map[string]*huma.PathItem{},
			Components: &huma.Components{Schemas: s.schemas, SecuritySchemes: map[string]*huma.SecurityScheme{
				"session": {Type: "http", Scheme: "bearer", Description: "The token of POST /api/auth/login. A server without a password takes every request without one."}}},
			Security: []map[string][]string{{"session": {}}},
		}
		for i := range s.ops {
			if !s.ops[i].foreign {
				s.ops[i].describe(&api, s.schemas)
			}
		}
		return json.Marshal(&api)
	})
}

// describe adds an operation to the description.
func (op *endpoint) describe(api *huma.OpenAPI, r huma.Registry) {
	o := &huma.Operation{OperationID: op.id, Summary: op.about, Method: op.method, Path: op.path, Responses: map[string]*huma.Response{}}
	if op.open {
		o.Security = []map[string][]string{{}}
	}
	for _, p := range op.params {
		o.Parameters = append(o.Parameters, &huma.Param{Name: p.name, In: p.in, Description: p.about, Required: p.in == inPath, Schema: p.schema})
	}
	if op.in != nil || op.reads {
		body := &huma.RequestBody{Required: true, Description: op.inAbout, Content: map[string]*huma.MediaType{}}
		body.Content["application/json"] = &huma.MediaType{Schema: op.schema}
		if op.text {
			body.Content["text/plain"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
		}
		o.RequestBody = body
	}
	if op.form != nil {
		o.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: op.fields}}}
	}
	ok := &huma.Response{Description: "done", Content: map[string]*huma.MediaType{}}
	if op.answers != nil {
		ok.Content["application/json"] = &huma.MediaType{Schema: op.answers}
	}
	if op.stream != nil {
		r.Schema(reflect.TypeOf(op.stream), true, "")
		ok.Content["text/event-stream"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	status := http.StatusOK
	if op.asText || op.out == nil && op.stream == nil {
		ok.Content["text/plain"] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	if op.created {
		status = http.StatusCreated
	}
	o.Responses[strconv.Itoa(status)] = ok
	failed := r.Schema(reflect.TypeFor[contract.Error](), true, "")
	if op.plainErrors {
		failed = r.Schema(reflect.TypeFor[plainError](), true, "")
	}
	for _, status := range op.statuses() {
		o.Responses[strconv.Itoa(status)] = &huma.Response{Description: http.StatusText(status), Content: map[string]*huma.MediaType{"application/json": {Schema: failed}}}
	}
	api.AddOperation(o)
}

// statuses are those of an operation's errors.
func (op *endpoint) statuses() []int {
	out := []int{http.StatusForbidden, http.StatusInternalServerError}
	body := op.in != nil || op.reads || op.form != nil
	if body || op.strict() {
		out = append(out, http.StatusBadRequest)
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
