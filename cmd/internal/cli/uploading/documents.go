package uploading

import (
	"context"
	"fmt"
	"slices"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/service/intake"
	"docent/pipeline/text/plural"
)

// CountDocuments counts the names that are of single files.
func CountDocuments(names []string) (n int) {
	for _, name := range names {
		if intake.NamesDocument(name) {
			n++
		}
	}
	return n
}

// DeleteDocuments deletes files that were handed in.
func DeleteDocuments(ctx context.Context, c *invocation.Call, names []string) error {
	return c.WithHome(ctx, func(a *app.App) error {
		var ids []string
		for _, name := range names {
			found, err := a.Intake.FindDocuments(ctx, name)
			if err != nil {
				return err
			}
			ids = append(ids, found...)
		}
		slices.Sort(ids)
		deleted, err := a.Intake.DeleteDocuments(ctx, slices.Compact(ids)...)
		if err != nil {
			return err
		}
		if c.JSON {
			return c.PrintJSON(map[string]any{"deleted": deleted})
		}
		if !c.Quiet {
			fmt.Fprintf(c.IO.Out, "deleted %s and the copies in the home\n", plural.Count(len(deleted), "document", "documents"))
		}
		return nil
	})
}
