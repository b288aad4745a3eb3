package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/store"
)

func (c *command) workerCmd() *cobra.Command {
	var workers int
	var once bool
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "take the jobs of files that were handed in, until interrupted",
		Long: `Makes pages of the files that were handed in, until it is interrupted; then it ends
what it is at, and leaves the rest for the next worker. Several may run at once. With
--json it prints each document whose status changed, one a line.`,
		Example:           `  docent worker --once`,
		Args:              exactArgs(0, "no arguments"),
		ValidArgsFunction: completeWords(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if workers < 0 || workers > 256 {
				return contract.Invalid("workers", "--workers is %d, it can be 1 to 256 (0: one a processor, at most 4)", workers)
			}
			return c.withHome(cmd.Context(), func(a *app.App) error { return c.worker(cmd.Context(), a, workers, once) })
		},
	}
	cmd.Flags().IntVar(&workers, "workers", 0, "files of each lane (fast, heavy) read at the same time (default: one a processor, at "+
		"most 4)")
	cmd.Flags().BoolVar(&once, "once", false, "end when no job waits any more")
	return cmd
}

func (c *command) worker(ctx context.Context, a *app.App, workers int, once bool) error {
	told := make(chan contract.Document)
	printed := make(chan struct{})
	n := 0
	go func() { // one at a time, whatever goroutine tells
		defer close(printed)
		for d := range told {
			n++
			c.printDocument(d)
		}
	}()
	req := intake.WorkRequest{Workers: workers, Grace: intake.DefaultGrace,
		Timeout: max(intake.DefaultTimeout, a.Config.PDF.TimeLimit()+time.Minute), Told: func(d contract.Document) { told <- d }}
	var err error
	if once {
		err = a.Intake.WorkOnce(ctx, req)
	} else {
		if !c.quiet {
			c.note("waiting for files; ctrl+c ends")
		}
		err = a.Intake.Work(ctx, req)
	}
	close(told)
	<-printed
	if ctx.Err() != nil {
		return nil // it was asked to end, and did so in good order
	}
	if once && n == 0 && err == nil && !c.quiet {
		c.note("no job waits")
	}
	return err
}

// printDocument tells of a document's status.
func (c *command) printDocument(d contract.Document) {
	if c.json {
		_ = c.printJSON(d) // a reader that has gone is noticed when the command ends
		return
	}
	if c.quiet || d.Status == store.UploadProcessing && c.verbose == 0 {
		return
	}
	fmt.Fprintln(c.io.Out, oneLine(documentText(d)))
}

// documentText says what became of a document.
func documentText(d contract.Document) string {
	switch {
	case d.Status == store.UploadCompleted:
		return fmt.Sprintf("%s: %s, %s", d.Filename, d.Page, plural(*d.ChunkCount, "passage", "passages"))
	case d.Status == store.UploadFailed:
		return fmt.Sprintf("%s: failed: %s", d.Filename, d.FailReason)
	case d.FailReason != "":
		return fmt.Sprintf("%s: %s; it is tried again by docent worker", d.Filename, d.FailReason)
	}
	return d.Filename + ": " + d.Status
}

// areFiles reports whether all paths are files, and none.
func areFiles(paths []string) (all, none bool) {
	isFile := func(path string) bool {
		st, err := os.Stat(path)
		return err == nil && !st.IsDir()
	}
	return !slices.ContainsFunc(paths, func(p string) bool { return !isFile(p) }), !slices.ContainsFunc(paths, isFile)
}

// addFiles hands files in and waits for them to be pages.
func (c *command) addFiles(ctx context.Context, req intake.AddFilesRequest) error {
	return c.withHome(ctx, func(a *app.App) error {
		good, copied := 0, 0
		req.Watch = home.Watch{Note: c.note, Events: newBar(c).showEvent, Allow: c.allows()}
		files, err := a.Intake.AddFiles(ctx, req, func(f intake.AddedFile) {
			if f.Document.Status == store.UploadCompleted {
				good++
				if !f.Known {
					copied++
				}
			}
			c.printAdded(f)
		})
		if err != nil {
			return err
		}
		if c.json {
			if err := c.printJSON(map[string]any{"files": files}); err != nil {
				return err
			}
		} else if copied > 0 && !c.quiet {
			c.note("copied into the home; docent rm %s/NAME deletes one", home.UploadsRef())
		}
		if good == 0 {
			return exitCode(codeNothing)
		}
		return nil
	})
}

// printAdded says what became of a file that was handed in.
func (c *command) printAdded(f intake.AddedFile) {
	switch {
	case c.json:
	case f.Err != nil:
		c.note("%s: %v", f.Path, f.Err)
	case f.Document.Status == store.UploadCompleted && c.quiet:
	case f.Known:
		fmt.Fprintln(c.io.Out, oneLine(fmt.Sprintf("%s is there already: %s", f.Path, documentText(f.Document))))
	default:
		fmt.Fprintln(c.io.Out, oneLine(documentText(f.Document)))
	}
}
