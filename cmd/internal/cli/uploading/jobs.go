package uploading

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/pipeline/contract"
	"docent/pipeline/service/home"
	"docent/pipeline/service/intake"
	"docent/pipeline/text/plural"
)

// jobsView prints the jobs as a table; what changes them are commands below it.
func jobsView(c *invocation.Call) driver.View {
	return driver.View{
		Use: "[retry|cancel|purge ID...]",
		Long: `Lists the jobs of files that were handed in one by one, the newest first. retry tries
a file again, cancel ends a job, purge takes jobs that are at their end off the list:
those named, or all. --all retries all that failed, or cancels all that wait or run.`,
		Example: `  docent jobs --state failed`,
		Usage: map[string]string{"state": "only jobs in this `STATE`: " + strings.Join(intake.JobStates(), ", ") + "; repeatable",
			"limit": "jobs at most (default: all)"},
		Args:  "no arguments but retry, cancel and purge",
		Below: func() []*cobra.Command { return []*cobra.Command{retryCmd(c), cancelCmd(c), purgeCmd(c)} },
		Text:  driver.Written(writeJobs),
	}
}

// writeJobs writes a list of jobs as a table.
func writeJobs(list contract.JobList, to driver.Paper) {
	if list.Total == 0 {
		to.Note("there are no jobs; docent add FILE makes one")
		return
	}
	now := time.Now()
	table := driver.NewTable()
	table.Row("ID\tSTATE\tATTEMPT\tAGE\tLANE\tFILE\tREASON")
	for _, j := range list.Jobs {
		reason := console.OneLine(j.Reason)
		if j.NextAt != nil {
			reason = strings.TrimPrefix(fmt.Sprintf("%s; again in %s", reason, ageText(j.NextAt.Sub(now))), "; ")
		}
		table.Row("%d\t%s\t%d of %d\t%s\t%s\t%s\t%s", j.ID, j.State, j.Attempt, j.MaxAttempts, ageText(now.Sub(j.CreatedAt)),
			j.Lane, console.OneLine(j.Filename), reason)
	}
	table.Write(to)
	if more := list.Total - len(list.Jobs); more > 0 {
		to.Note("%s more", plural.Count(more, "job", "jobs"))
	}
}

// ageText is a time that has passed, in one number: "40 s", "5 min", "3 h", "12 d".
func ageText(d time.Duration) string {
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// jobIDs reads numbers of jobs.
func jobIDs(args []string) ([]int64, error) {
	var ids []int64
	for _, a := range args {
		id, err := strconv.ParseInt(a, 10, 64)
		if err != nil || id < 1 {
			return nil, contract.Invalid("id", "%q is no number of a job; docent jobs lists them", a)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// completeJobs completes with the numbers of jobs in some states.
func completeJobs(c *invocation.Call, states ...string) cobra.CompletionFunc {
	return completing.FromHome(c, func(ctx context.Context, a *app.App, _ string) ([]string, cobra.ShellCompDirective) {
		list, err := a.Intake.Jobs(ctx, intake.JobsRequest{States: states, Limit: 100})
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var ids []string
		for _, j := range list.Jobs {
			ids = append(ids, strconv.FormatInt(j.ID, 10))
		}
		return ids, cobra.ShellCompDirectiveKeepOrder
	})
}

// changeJobs is a command that changes jobs by their numbers, or with --all those in some
// states.
func changeJobs(c *invocation.Call, use, short, example, done string, states []string,
	change func(context.Context, *app.App, int64) (contract.Job, error)) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: use + " ID...", Short: short, Example: example, ValidArgsFunction: completeJobs(c, states...),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := jobIDs(args)
			if err != nil {
				return err
			}
			if all == (len(ids) > 0) {
				return failure.UsageError("docent jobs %s takes numbers of jobs, or --all; docent jobs lists them", use)
			}
			ctx := cmd.Context()
			return c.WithHome(ctx, func(a *app.App) error {
				if all {
					list, err := a.Intake.Jobs(ctx, intake.JobsRequest{States: states})
					if err != nil {
						return err
					}
					ids = newestOfEach(list.Jobs)
				}
				out := contract.JobList{Jobs: []contract.Job{}}
				for _, id := range ids {
					j, err := change(ctx, a, id)
					if e, ok := asConflict(err); ok && all {
						c.Note("%s", e.Message) // it has changed in between
						continue
					}
					if err != nil {
						return err
					}
					out.Jobs = append(out.Jobs, j)
				}
				out.Total = len(out.Jobs)
				if c.JSON {
					return c.PrintJSON(out)
				}
				if !c.Quiet {
					fmt.Fprintf(c.IO.Out, "%s %s\n", plural.Count(out.Total, "job", "jobs"), done)
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "all jobs that are "+strings.Join(states, " or "))
	return cmd
}

// newestOfEach is the newest job of each document: an earlier one says nothing of it.
func newestOfEach(jobs []contract.Job) (ids []int64) {
	seen := map[string]bool{}
	for _, j := range jobs {
		if !seen[j.DocumentID] {
			seen[j.DocumentID] = true
			ids = append(ids, j.ID)
		}
	}
	return ids
}

func asConflict(err error) (*contract.Error, bool) {
	if err == nil {
		return nil, false
	}
	_, e := home.Classify(err)
	return e, e.Code == contract.CodeConflict || e.Code == contract.CodeNotFound
}

func retryCmd(c *invocation.Call) *cobra.Command {
	return changeJobs(c, "retry", "try files again whose jobs failed", `  docent jobs retry --all`, "to be tried again",
		[]string{"failed", "cancelled", "retry"},
		func(ctx context.Context, a *app.App, id int64) (contract.Job, error) {
			return a.Intake.RetryJob(ctx, id)
		})
}

func cancelCmd(c *invocation.Call) *cobra.Command {
	return changeJobs(c, "cancel", "end jobs; their files fail", `  docent jobs cancel --all`, "cancelled",
		[]string{"waiting", "retry", "running"},
		func(ctx context.Context, a *app.App, id int64) (contract.Job, error) {
			return a.Intake.CancelJob(ctx, id)
		})
}

func purgeCmd(c *invocation.Call) *cobra.Command {
	return &cobra.Command{
		Use: "purge [ID...]", Short: "take jobs that are at their end off the list", Example: `  docent jobs purge`,
		ValidArgsFunction: completeJobs(c, "done", "failed", "cancelled"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := jobIDs(args)
			if err != nil {
				return err
			}
			return c.WithHome(cmd.Context(), func(a *app.App) error {
				n, err := a.Intake.PurgeJobs(cmd.Context(), ids...)
				if err != nil {
					return err
				}
				if c.JSON {
					return c.PrintJSON(map[string]int{"purged": n})
				}
				if !c.Quiet {
					fmt.Fprintf(c.IO.Out, "%s taken off the list; their documents stay\n", plural.Count(n, "job", "jobs"))
				}
				return nil
			})
		},
	}
}
