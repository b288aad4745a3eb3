package care

import (
	"context"

	"docent/pipeline/service/operation"
)

// StatusRequest asks how the home stands, or the pages of a doc set.
type StatusRequest struct {
	Set *string `json:"doc_set,omitempty" arg:"SET" doc:"the doc set whose pages are listed"`
}

// Operations are what the service offers at the doors. The answer of status is a Status, or a
// PagesAnswer.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("status", "what is there: home, doc sets, indexes; of a doc set, its pages",
			func(ctx context.Context, svc *Service, req StatusRequest) (any, error) {
				if req.Set != nil {
					return svc.SetStatus(ctx, *req.Set)
				}
				return svc.Status(ctx)
			}).
			OnCommandLine(),
	}
}
