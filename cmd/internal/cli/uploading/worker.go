package uploading

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/cli/keeping"
	"docent/cmd/internal/cli/wording"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/store"
)

func workerCmd(c *invocation.Call) *cobra.Command {
	var workers int
	var once bool
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "take the jobs of files that were handed in, until interrupted",
		Long: `Makes pages of the files that were handed in, until it is interrupted; then it ends
what it is at, and leaves the rest for the next worker. Several may run at once. With
--json it prints each document whose status changed, one a line.`,
		Example:           `  docent worker --once`,
		Args:              arguments.ExactArgs(0, "no arguments"),
		ValidArgsFunction: completing.Words(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if workers < 0 || workers > 256 {
				return contract.Invalid("workers", "--workers is %d, it can be 1 to 256 (0: one a processor, at most 4)", workers)
			}
			return c.WithHome(cmd.Context(), func(a *app.App) error { return recordedWorker(cmd.Context(), c, a, workers, once) })
		},
	}
	cmd.Flags().IntVar(&workers, "workers", 0, "files of each lane (fast, heavy) read at the same time (default: one a processor, at "+
		"most 4)")
	cmd.Flags().BoolVar(&once, "once", false, "end when no job waits any more")
	return cmd
}

// recordedWorker works with its jobs recorded as traces.
func recordedWorker(ctx context.Context, c *invocation.Call, a *app.App, workers int, once bool) error {
	log := slog.New(slog.NewTextHandler(c.IO.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	ctx, ended, err := keeping.Recording{Program: "docent worker", Collector: a.Config.Traces, Env: c.IO.Env, Log: log}.Begin(ctx)
	if err != nil {
		return err
	}
	return errors.Join(worker(ctx, c, a, workers, once), ended())
}

func worker(ctx context.Context, c *invocation.Call, a *app.App, workers int, once bool) error {
	told := make(chan contract.Document)
	printed := make(chan struct{})
	n := 0
	go func() { // one at a time, whatever goroutine tells
		defer close(printed)
		for d := range told {
			n++
			printDocument(c, d)
		}
	}()
	req := intake.WorkRequest{Workers: workers, Grace: intake.DefaultGrace,
		Timeout: max(intake.DefaultTimeout, a.Config.PDF.TimeLimit()+time.Minute), Told: func(d contract.Document) { told <- d }}
	var err error
	if once {
		err = a.Intake.WorkOnce(ctx, req)
	} else {
		if !c.Quiet {
			c.Note("waiting for files; ctrl+c ends")
		}
		err = a.Intake.WorkOnJobs(ctx, req)
	}
	close(told)
	<-printed
	if ctx.Err() != nil {
		return nil // it was asked to end, and did so in good order
	}
	if once && n == 0 && err == nil && !c.Quiet {
		c.Note("no job waits")
	}
	return err
}

// printDocument tells of a document's status.
func printDocument(c *invocation.Call, d contract.Document) {
	if c.JSON {
		_ = c.PrintJSON(d) // a reader that has gone is noticed when the command ends
		return
	}
	if c.Quiet || d.Status == store.UploadProcessing && c.Verbose == 0 {
		return
	}
	fmt.Fprintln(c.IO.Out, console.OneLine(wording.DocumentText(d)))
}

// AreFiles reports whether all paths are files, and none.
func AreFiles(paths []string) (all, none bool) {
	isFile := func(path string) bool {
		st, err := os.Stat(path)
		return err == nil && !st.IsDir()
	}
	return !slices.ContainsFunc(paths, func(p string) bool { return !isFile(p) }), !slices.ContainsFunc(paths, isFile)
}

// FileFlags are the flags about single files.
type FileFlags struct {
	ocr       string
	languages []string
}

// AddTo makes the flags of a command.
func (f *FileFlags) AddTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.ocr, "ocr", "", "of a single PDF: `MODE` auto, force or never (default: the configuration's)")
	cmd.Flags().StringSliceVar(&f.languages, "ocr-languages", nil,
		"of a single PDF: `LANGUAGES` of scanned pages, such as en,vi (default: the configuration's)")
	completing.Flag(cmd, "ocr", completing.Words(intake.OCRModes()...))
	completing.Flag(cmd, "ocr-languages", completing.Words("en", "vi"))
}

// AddFiles hands files in and waits for them to be pages. allow is home.Watch's.
func AddFiles(ctx context.Context, c *invocation.Call, paths []string, f FileFlags,
	allow func(context.Context, *home.UnnamedError) (yes, answered bool)) error {
	req := intake.AddFilesRequest{Paths: paths, OCRMode: f.ocr, OCRLanguages: f.languages}
	return c.WithHome(ctx, func(a *app.App) error {
		good, copied := 0, 0
		req.Watch = home.Watch{Note: c.Note, Events: c.ProgressBar(), Allow: allow}
		files, err := a.Intake.AddFiles(ctx, req, func(f intake.AddedFile) {
			if f.Document.Status == store.UploadCompleted {
				good++
				if !f.Known {
					copied++
				}
			}
			printAdded(c, f)
		})
		if err != nil {
			return err
		}
		if c.JSON {
			if err := c.PrintJSON(map[string]any{"files": files}); err != nil {
				return err
			}
		} else if copied > 0 && !c.Quiet {
			c.Note("copied into the home; docent rm %s/NAME deletes one", home.UploadsRef())
		}
		if good == 0 {
			return failure.ExitCode(failure.CodeNothing)
		}
		return nil
	})
}

// printAdded says what became of a file that was handed in.
func printAdded(c *invocation.Call, f intake.AddedFile) {
	switch {
	case c.JSON:
	case f.Err != nil:
		c.Note("%s: %v", f.Path, f.Err)
	case f.Document.Status == store.UploadCompleted && c.Quiet:
	case f.Known:
		fmt.Fprintln(c.IO.Out, console.OneLine(fmt.Sprintf("%s is there already: %s", f.Path, wording.DocumentText(f.Document))))
	default:
		fmt.Fprintln(c.IO.Out, console.OneLine(wording.DocumentText(f.Document)))
	}
}
