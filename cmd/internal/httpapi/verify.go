package httpapi

import (
	"net/http"
	"reflect"

	"docent/cmd/internal/httpapi/schema"
	"docent/pipeline/contract"
	"docent/pipeline/phase/cite"
	"docent/pipeline/service/answers"
)

// verifyRequest is a text with AOP-FINAL blocks.
type verifyRequest struct {
	Block string `json:"block" doc:"a text with one AOP-FINAL block, or several"`
}

// verified is the report on one block, or the reports on several.
type verified struct{ answers.Verified }

// Schema is schema.Provider's.
func (verified) Schema(r *schema.Registry) *schema.Schema {
	one := r.Of(reflect.TypeFor[cite.Report]())
	several := &schema.Schema{Type: schema.Object, Required: []string{"blocks"}, Properties: map[string]*schema.Schema{"blocks": {Type: schema.Array, Items: one}}}
	return &schema.Schema{AnyOf: []*schema.Schema{one, several}}
}

func verifyEndpoint() endpoint {
	return endpoint{method: http.MethodPost, path: "/api/verify", id: "verify", about: "proves an AOP-FINAL block line by line against the sources: what docent verify --json prints",
		in: verifyRequest{}, inAbout: "a block, as JSON or as text", out: verified{}, text: true, large: true, closed: true, heavy: true, serve: func(c *call) error {
			text := string(c.body)
			if !c.isText() {
				var q verifyRequest
				if err := c.decode(&q); err != nil {
					return err
				}
				text = q.Block
			}
			if text == "" {
				return contract.Invalid("block", "there is no block; give one that docent ask wrote")
			}
			out, err := c.home.Answers.VerifyText(c.ctx, text)
			if err != nil {
				return err
			}
			return c.ok(verified{out})
		}}
}
