package httpapi

import (
	"net/http"

	"docent/pipeline/service/home"
)

func parameterOperation() operation {
	return operation{method: http.MethodGet, path: "/api/parameters/{name}", id: "parameters", heavy: true,
		about:  "every place that documents an option, flag, field, setting or variable, the most precise name first: what docent param --json prints",
		params: []param{textParam("name", inPath, "the parameter's name, or a pattern with *"), setParam(), countParam("limit", "places at most", mostCount)}, out: home.ParameterAnswer{}, serve: serveParameters}
}

func serveParameters(c *call) error {
	q, err := c.query()
	if err != nil {
		return err
	}
	req := home.ParameterRequest{Name: c.r.PathValue("name"), Sets: q.texts("doc_set"), Limit: q.count("limit")}
	if q.err != nil {
		return q.err
	}
	out, err := c.home.Parameter(c.ctx, req)
	if err != nil {
		return err
	}
	return c.ok(out)
}
