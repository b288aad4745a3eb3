package tending

import (
	"fmt"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/text/plural"
)

// defaultQuestions are asked in both places.
const defaultQuestions = 50

func migrateCmd(c *invocation.Call) *cobra.Command {
	var to app.StorePlaces
	var folder bool
	var questions int
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "move the stores of the home to servers, or back",
		Long: `Indexes all doc sets again in stores at other places, and compares them with those that
the home has: pages, their contents, and the first section that questions find. The stores
that it has stay. Prints the lines for docent.toml. A move that was ended goes on with the next call.`,
		Example: `  docent help cluster`,
		Args:    arguments.ExactArgs(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case folder && (to.Index != "" || to.Catalog != ""):
				return contract.Invalid("to_folder", "--to-folder and an address exclude each other; give one of them")
			case !folder && to.Index == "":
				return contract.Invalid("index", "say where to: --index ADDRESS, with --catalog ADDRESS too, or --to-folder")
			}
			moved, err := app.MoveStores(cmd.Context(), c.Options(), to, questions, home.Watch{Note: c.Note, Events: c.ProgressBar()})
			if err != nil {
				return err
			}
			return printMoved(c, to, moved)
		},
	}
	cmd.Flags().StringVar(&to.Index, "index", "", "`ADDRESS` of the Weaviate for the indexes")
	cmd.Flags().StringVar(&to.Catalog, "catalog", "", "`ADDRESS` of the PostgreSQL schema for the catalog")
	cmd.Flags().BoolVar(&folder, "to-folder", false, "back into the home's folder")
	cmd.Flags().IntVar(&questions, "questions", defaultQuestions, "ask `N` questions in both places")
	return cmd
}

// printMoved prints the comparison; exit code 1 where a doc set is not as it was.
func printMoved(c *invocation.Call, to app.StorePlaces, m app.Moved) error {
	if c.JSON {
		if err := c.PrintJSON(m); err != nil {
			return err
		}
	} else {
		printText(c, to, m)
	}
	if !m.Whole() {
		return failure.ExitCode(failure.CodeNothing)
	}
	return nil
}

func printText(c *invocation.Call, to app.StorePlaces, m app.Moved) {
	for _, s := range m.Sets {
		state := "the same"
		if !s.Whole {
			state = "NOT the same: docent update brings both up to date; then migrate again"
		}
		fmt.Fprintf(c.IO.Out, "%s: %s, %s: %s\n", console.OneLine(s.Set), plural.Count(s.Pages, "page", "pages"),
			plural.Count(s.Sections, "section", "sections"), state)
	}
	fmt.Fprintf(c.IO.Out, "%d of %s find the same section first\n", m.Same, plural.Count(m.Asked, "question", "questions"))
	for _, q := range m.Other {
		fmt.Fprintf(c.IO.Out, "  another one: %s\n", console.OneLine(q))
	}
	switch {
	case !m.Whole():
	case to.Index == "":
		fmt.Fprintf(c.IO.Out, "\ntake store.index and store.catalog out of docent.toml, and start docent's servers again\n")
	default:
		fmt.Fprintf(c.IO.Out, "\nput into docent.toml, and start docent's servers again:\n\n[store]\nindex = %q\ncatalog = %q\n", to.Index,
			to.Catalog)
	}
}
