package httpapi

import (
	"reflect"

	"docent/cmd/internal/httpapi/schema"
	"docent/pipeline/contract"
	"docent/pipeline/phase/cite"
	"docent/pipeline/service/answers"
)

// verified is the report on one block, or the reports on several.
type verified struct{ answers.Verified }

// Schema is schema.Provider's.
func (verified) Schema(r *schema.Registry) *schema.Schema {
	one := r.Of(reflect.TypeFor[cite.Report]())
	several := &schema.Schema{Type: schema.Object, Required: []string{"blocks"},
		Properties: map[string]*schema.Schema{"blocks": {Type: schema.Array, Items: one}}}
	return &schema.Schema{AnyOf: []*schema.Schema{one, several}}
}

// takeText has the verification take a block as text too, as long as a phase's input.
func takeText(e *endpoint) {
	e.inAbout, e.text, e.large, e.out = "a block, as JSON or as text", true, true, verified{}
	e.serve = func(c *call) error {
		req := answers.VerifyRequest{Block: string(c.body)}
		if !c.hasTextBody() {
			if err := c.decodeBody(&req); err != nil {
				return err
			}
		}
		if req.Block == "" {
			return contract.Invalid("block", "there is no block; give one that docent ask wrote")
		}
		out, err := c.home.Answers.VerifyText(c.ctx, req.Block)
		if err != nil {
			return err
		}
		return c.writeFound(verified{out})
	}
}
