package driver_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"docent/cmd/internal/cli/completing"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/cli/driver"
	"docent/cmd/internal/cli/failure"
	"docent/cmd/internal/cli/invocation"
	"docent/cmd/internal/config"
	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/operation"
)

// trimming asks for wicks to be trimmed.
type trimming struct {
	Wicks []string `json:"wicks" arg:"WICK" doc:"the wicks"`
	Short bool     `json:"short,omitempty" flag:"short" doc:"shorter than usual"`
	Cut   *int     `json:"cut,omitempty" flag:"cut" minimum:"1" maximum:"9" doc:"millimetres"`
}

// trimmed is the answer.
type trimmed struct {
	Wicks []string `json:"wicks"`
	Short bool     `json:"short"`
}

// lamps are the operations of the tests.
func lamps() []operation.Operation[*service.Services] {
	trim := operation.New("trim", "trims wicks",
		func(_ context.Context, _ *service.Services, req trimming) (trimmed, error) {
			return trimmed{req.Wicks, req.Short}, nil
		})
	leafing := operation.New("leaf", "turns the leaves of a page",
		func(_ context.Context, _ *service.Services, req leafed) (trimmed, error) {
			return trimmed{Wicks: []string{req.Page}}, nil
		})
	look := operation.New("look", "says how the lamps are",
		func(context.Context, *service.Services, struct{}) (trimmed, error) { return trimmed{}, nil })
	return []operation.Operation[*service.Services]{trim.OnCommandLine(), look.OnCommandLine(), leafing.OnCommandLine()}
}

// leafed is what takes a page.
type leafed struct {
	Page string `json:"page" arg:"SET/PAGE" doc:"a page"`
}

// called is a call of a command of the operations.
type called struct {
	out, home string
	err       error
}

func call(t *testing.T, views func(*invocation.Call) map[string]driver.View, args ...string) called {
	t.Helper()
	var out bytes.Buffer
	c := &invocation.Call{IO: console.IO{In: strings.NewReader(""), Out: &out, Err: &out, Env: func(string) string { return "" }},
		Home: filepath.Join(t.TempDir(), "home"), Engine: config.EngineBuiltin, Quiet: true, Operations: lamps()}
	root := &cobra.Command{Use: "docent", SilenceErrors: true, SilenceUsage: true}
	root.PersistentFlags().BoolVar(&c.JSON, "json", false, "")
	root.AddCommand(driver.Commands(c, views(c))...)
	root.SetArgs(args)
	root.SetOut(&out)
	err := root.ExecuteContext(t.Context())
	return called{out.String(), c.Home, err}
}

// steps is a view of trim that writes down what it is asked for.
func steps(c *invocation.Call) map[string]driver.View {
	var dry bool
	say := func(what string) func(any) error {
		return func(any) error {
			_, err := c.IO.Out.Write([]byte(what + "\n"))
			return err
		}
	}
	return map[string]driver.View{"trim": {
		Use: "WICK...", Args: "at least one wick", Example: "  docent trim left",
		Flags:  func(fl *pflag.FlagSet) { fl.BoolVar(&dry, "dry", false, "only say it") },
		Values: map[string]cobra.CompletionFunc{"cut": completing.Words("2", "4")},
		Check: driver.Typed(func(req trimming) error {
			if dry && req.Short {
				return contract.Invalid("dry", "--dry and --short exclude each other")
			}
			return nil
		}),
		Before: say("before"), Text: driver.Written(func(a trimmed, to driver.Paper) {
			table := driver.NewTable()
			table.Row("WICK\tSTATE")
			for _, w := range a.Wicks {
				table.Row("%s\ttrimmed", w)
			}
			table.Write(to)
		}),
		After: func(any) error { return failure.ExitCode(failure.CodeNothing) },
	}}
}

func TestViewStandsAroundTheAnswer(t *testing.T) {
	t.Parallel()
	got := call(t, steps, "trim", "left", "the right one")
	if want := "before\nWICK           STATE\nleft           trimmed\nthe right one  trimmed\n"; got.out != want {
		t.Errorf("%q, want %q", got.out, want)
	}
	if code, ok := errors.AsType[failure.ExitCode](got.err); !ok || code != failure.CodeNothing {
		t.Errorf("it ended with %v", got.err)
	}
	if got := call(t, steps, "trim", "--json", "--short", "left"); got.out != "before\n{\"wicks\":[\"left\"],\"short\":true}\n" {
		t.Errorf("JSON: %q", got.out)
	}
}

// A request that is refused opens no home.
func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	for said, args := range map[string][]string{
		"docent trim takes at least one wick; docent trim --help has an example": {"trim"},
		"--dry and --short exclude each other":                                   {"trim", "--dry", "--short", "left"},
		"--cut is 12, it can be at most 9":                                       {"trim", "--cut", "12", "left"},
		"docent look takes no arguments; docent look --help has an example":      {"look", "left"},
		"docent leaf takes SET/PAGE; docent leaf --help has an example":          {"leaf"}, // of an operation without a view
	} {
		got := call(t, steps, args...)
		if got.err == nil || got.err.Error() != said {
			t.Errorf("%q: %v, want %s", args, got.err, said)
		}
		if _, err := os.Stat(got.home); !os.IsNotExist(err) {
			t.Errorf("%q: a home was opened, %v", args, err)
		}
	}
}

// Flags of an operation are described by it, and completed by the view.
func TestFlagsOfOperations(t *testing.T) {
	t.Parallel()
	if got := call(t, steps, "trim", "--help"); got.err != nil || !strings.Contains(got.out, "millimetres") || !strings.Contains(got.out, "only say it") {
		t.Errorf("%v\n%s", got.err, got.out)
	}
	if got := call(t, steps, cobra.ShellCompNoDescRequestCmd, "trim", "--cut", ""); got.err != nil || !strings.HasPrefix(got.out, "2\n4\n") {
		t.Errorf("%v\n%s", got.err, got.out)
	}
}

// Another door may ask an operation that takes nothing and has a text; its remarks are lines
// too.
func TestQuestions(t *testing.T) {
	t.Parallel()
	views := map[string]driver.View{"look": {Text: func(_ any, to driver.Paper) {
		to.Line("three lamps\tburn")
		to.Row("oil", "low")
		to.Note("%s is near", errors.New("a\nstorm"))
	}}, "trim": {Text: func(any, driver.Paper) {}}}
	all := driver.Questions(lamps(), views)
	if len(all) != 1 || all[0].Name != "look" || all[0].Line != "says how the lamps are" {
		t.Fatalf("%+v", all)
	}
	lines, err := all[0].Ask(t.Context(), nil, "")
	if want := "three lamps burn|oil            low|a; storm is near"; err != nil || strings.Join(lines, "|") != want {
		t.Errorf("%q, %v, want %q", lines, err, want)
	}
	views["leaf"] = driver.View{Text: driver.Written(func(answer trimmed, to driver.Paper) { to.Line("leaves of " + answer.Wicks[0]) })}
	all = driver.Questions(lamps(), views)
	if len(all) != 2 || all[0].OnPage || !all[1].OnPage {
		t.Fatalf("one about a page: %+v", all)
	}
	if lines, err = all[1].Ask(t.Context(), nil, "Harbour/lamps.md"); err != nil || strings.Join(lines, "|") != "leaves of Harbour/lamps.md" {
		t.Errorf("%q, %v", lines, err)
	}
	if got := driver.Questions(lamps(), nil); len(got) != 0 {
		t.Errorf("without texts: %+v", got)
	}
}
