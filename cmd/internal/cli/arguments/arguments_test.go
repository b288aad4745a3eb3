package arguments_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"docent/cmd/internal/cli/arguments"
	"docent/cmd/internal/cli/invocation"
)

// commands are docent with a command that takes a question and one that does not.
func commands() *cobra.Command {
	root := &cobra.Command{Use: "docent"}
	ask := &cobra.Command{Use: "ask QUESTION", Run: func(*cobra.Command, []string) {}}
	ask.Flags().Int("max-docs", 0, "documents at most")
	ask.Flags().Bool("full", false, "whole documents")
	sets := &cobra.Command{Use: "sets", Aliases: []string{"ls"}, Run: func(*cobra.Command, []string) {}}
	sets.Flags().Int("limit", 0, "doc sets at most")
	param := &cobra.Command{Use: "param", Run: func(*cobra.Command, []string) {}}
	param.Flags().Int("limit", 0, "places at most")
	root.AddCommand(ask, sets, param)
	root.PersistentFlags().StringArray("set", nil, "a doc set")
	root.PersistentFlags().BoolP("quiet", "q", false, "results only")
	return root
}

func TestQuestionsBehindDashes(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"ask --feature-gates":           "ask -- --feature-gates",
		"ask -q --feature-gates":        "ask -q -- --feature-gates",
		"--feature-gates":               "-- --feature-gates",
		"ask --max-docs 3 --pod-cidr":   "ask --max-docs 3 -- --pod-cidr",
		"ask --set Lamp --feature-gate": "ask --set Lamp -- --feature-gate",
		"ask -wraplength":               "ask -- -wraplength",
		"ask -q -Xmx":                   "ask -q -- -Xmx",
		"param --set":                   "param -- --set",
		"param -q --limit":              "param -q -- --limit",
		// These stay as they are: cobra finds the fault, or nothing is to be done.
		"param --limit 3":          "param --limit 3",
		"param oil --limit":        "param oil --limit",
		"param --set --limit 3":    "param --set --limit 3",
		"ask --max-doc 3 oil":      "ask --max-doc 3 oil",
		"ask --max-doc":            "ask --max-doc",
		"ask --budget 3 oil":       "ask --budget 3 oil",
		"ask --budget=3":           "ask --budget=3",
		"ask --full oil":           "ask --full oil",
		"ask -- --feature-gates":   "ask -- --feature-gates",
		"sets --feature-gates":     "sets --feature-gates",
		"ask -x":                   "ask -x",
		"ask -fulll":               "ask -fulll",
		"ask -qq":                  "ask -qq",
		"ask --help":               "ask --help",
		"ask how do I trim a wick": "ask how do I trim a wick",
	} {
		if got := arguments.QuestionsBehindDashes(commands(), strings.Fields(given)); strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", given, strings.Join(got, " "), want)
		}
	}
	words := []string{"ask", "--save the lamp"}
	if got := arguments.QuestionsBehindDashes(commands(), words); !slices.Equal(got, []string{"ask", "--", "--save the lamp"}) {
		t.Errorf("an argument with a blank in it: %q", got)
	}
}

func TestFaultyFlagsNameTheNearest(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"ask --max-dosc 3 oil": "docent ask has no flag --max-dosc; did you mean --max-docs? docent ask --help lists the flags; " +
			"to ask about the word itself, put -- before it: docent ask -- --max-dosc",
		"ls --count 3": "docent ls has no flag --count; did you mean --limit? docent ls --help lists the flags",
		"ask --format=full oil": "docent ask has no flag --format; did you mean --full? docent ask --help lists the flags; " +
			"to ask about the word itself, put -- before it: docent ask -- --format",
		"ls --max-results 3": "docent ls has no flag --max-results; did you mean --limit? docent ls --help lists the flags",
		"ls -n 3":            "docent ls has no flag -n; did you mean --limit? docent ls --help lists the flags",
		"sets --docs":        "docent sets has no flag --docs; docent sets --help lists the flags",
		"sets --limit x":     `--limit is "x", it must be a whole number of at least 1`,
		"sets --limit":       "flag needs an argument: --limit; docent sets --help lists the flags",
		"ask --full=maybe":   `--full is "maybe", it must be true or false`,
	} {
		root := commands()
		root.SilenceErrors, root.SilenceUsage = true, true
		root.SetFlagErrorFunc(arguments.BadFlag(&invocation.Call{Args: strings.Fields(given)}))
		root.SetArgs(strings.Fields(given))
		if err := root.Execute(); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
}

func TestMisspelledCommands(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"stes":             `there is no command "stes"; did you mean docent sets? (to ask it as a question: docent ask stes)`,
		"stes --limit 3":   `there is no command "stes"; did you mean docent sets? (to ask it as a question: docent "stes --limit 3")`,
		"lanterns":         "",
		"how do I trim it": "",
		"is":               "",
	} {
		err := arguments.MisspelledCommand(commands(), strings.Fields(given))
		if got := message(err); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
	if err := arguments.MisspelledCommand(commands(), []string{"stes of lamps"}); err != nil {
		t.Errorf("a question in quotes: %v", err)
	}
}

// What other tools call a command is one where a doc set or a path follows; everything else is a
// question.
func TestCommandsOfOtherTools(t *testing.T) {
	t.Parallel()
	isDocSet := func(name string) bool { return name == "Lantern" }
	for given, want := range map[string]string{
		"remove Lantern":        `there is no command "remove"; did you mean docent rm? (to ask it as a question: docent "remove Lantern")`,
		"install ./docs":        `there is no command "install"; did you mean docent add? (to ask it as a question: docent "install ./docs")`,
		"cat Lantern/wicks.md":  `there is no command "cat"; did you mean docent read? (to ask it as a question: docent "cat Lantern/wicks.md")`,
		"upgrade Lantern@2.1":   `there is no command "upgrade"; did you mean docent update? (to ask it as a question: docent "upgrade Lantern@2.1")`,
		"find wicks":            `there is no command "find"; did you mean docent search? (to ask it as a question: docent "find wicks")`,
		"find":                  "",
		"find wicks that smoke": "",
		"remove wicks":          "",
		"remove":                "",
		"remove Lantern wicks":  "",
		"trim Lantern":          "",
		"install lantern/docs?": "",
	} {
		if got := message(arguments.OtherCommand(strings.Fields(given), isDocSet)); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestJSONIsAskedFor(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]bool{
		"ask --json oil": true, "ask oil": false, "ask -- --json": false, "search --contract docs oil": true,
		"search --contract=docs": true, "search oil docs": false, "--bogus --json": true,
	} {
		if got := arguments.WantsJSON(strings.Fields(given)); got != want {
			t.Errorf("%s: %t", given, got)
		}
	}
}
