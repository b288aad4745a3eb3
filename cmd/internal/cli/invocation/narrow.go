package invocation

import (
	"context"
	"os"

	"docent/cmd/internal/cli/console"
	"docent/pipeline/service"
	"docent/pipeline/service/syncing"
	"docent/pipeline/text/plural"
)

// ProjectSets are the doc sets of the project that the working folder lies in. They are
// none where flags name the doc sets, and where there is no such project or none of its
// documentation; remark says why then, or "".
func (c *Call) ProjectSets(ctx context.Context, s *service.Services) (n syncing.Narrowed, remark string) {
	if c.AllSets || len(c.Sets) > 0 {
		return syncing.Narrowed{}, ""
	}
	dir, err := os.Getwd()
	if err != nil {
		return syncing.Narrowed{}, ""
	}
	n, err = s.Syncing.Narrow(ctx, dir)
	switch {
	case err != nil:
		return syncing.Narrowed{}, err.Error() + "; all doc sets are searched"
	case len(n.DocSets) == 0 && len(n.Missing) > 0:
		return syncing.Narrowed{}, "the documentation that " + n.Lock +
			" names is not here (docent sync adds it); all doc sets are searched"
	}
	return n, ""
}

// NarrowToProject are the doc sets that a question goes to: those that it names, else those
// of the project that the working folder lies in, which is said.
func (c *Call) NarrowToProject(ctx context.Context, s *service.Services, named []string) []string {
	if len(named) > 0 {
		return named
	}
	n, remark := c.ProjectSets(ctx, s)
	if remark != "" {
		c.Note("%s", remark)
	}
	if len(n.DocSets) == 0 {
		return nil
	}
	missing := ""
	if len(n.Missing) > 0 {
		missing = "; " + plural.Count(len(n.Missing), "is", "are") + " missing (docent sync)"
	}
	c.Note("asked the %s of the project %s%s; --all-sets asks all", plural.Count(len(n.DocSets), "doc set", "doc sets"),
		console.OneLine(n.Project), missing)
	return n.DocSets
}
