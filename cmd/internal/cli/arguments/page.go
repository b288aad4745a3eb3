package arguments

import (
	"context"
	"strings"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/locate"
)

// PageRequest reads SET/PAGE#SECTION.
func PageRequest(ctx context.Context, c *invocation.Call, a *app.App, args []string) locate.ReadRequest {
	req := locate.ReadRequest{Sets: c.Sets}
	req.Page, req.Section = a.Locate.PageAndSection(ctx, strings.Join(args, " "), c.Sets)
	return req
}
