package sourcing

import (
	"cmp"
	"context"

	"docent/pipeline/source"
)

// instead is the source to take in the place of one that cannot be had.
func (svc *Service) instead(ctx context.Context, req AddRequest, want source.Want, failed error) (source.Want, bool) {
	if req.Exactly || svc.opt.Instead == nil || ctx.Err() != nil {
		return source.Want{}, false
	}
	return svc.opt.Instead(want, failed)
}

// requestFor is a request for another source in the place of that of a request.
func requestFor(other source.Want, req AddRequest) AddRequest {
	req.Source, req.Near, req.Path = sourceOf(other), other.Near, cmp.Or(req.Path, other.Path)
	req.Name, req.Exactly = cmp.Or(req.Name, other.Name), true
	if other.Pick != nil {
		req.Pick = func(refs []string) (string, bool) {
			picked, ok := other.Pick(refs)
			return picked.Ref, ok
		}
	}
	return req
}
