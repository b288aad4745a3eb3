package intake

import (
	"context"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
)

// Operations are what the service offers at the doors.
func Operations() []operation.Operation[*Service] {
	return []operation.Operation[*Service]{
		operation.New("jobs", "the jobs of files that were handed in",
			func(ctx context.Context, svc *Service, req JobsRequest) (contract.JobList, error) {
				return svc.Jobs(ctx, req)
			}).
			OnCommandLine(),
	}
}
