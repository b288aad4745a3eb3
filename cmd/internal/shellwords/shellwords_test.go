package shellwords_test

import (
	"testing"

	"docent/cmd/internal/shellwords"
	"docent/pipeline/contract"
)

// A remedy is a command, quoted for the shell, or a flag.
func TestRemediesAreWorded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		remedy *contract.Remedy
		want   string
	}{
		{nil, "broken"},
		{contract.RunDocent("update", "Lantern@1"), "broken; docent update Lantern@1"},
		{contract.RunDocent("rm", "Dim lamp@1").To("forgets it"), "broken; docent rm 'Dim lamp@1' forgets it"},
		{contract.RunDocent("rm", "it's; $(x)"), `broken; docent rm 'it'\''s; $(x)'`},
		{contract.RunDocent("search", "wick oil").To("finds pages"), "broken; docent search finds pages"},
		{contract.RunDocent("sets").To("lists them").And(contract.RunDocent("add", "PATH").To("adds one")),
			"broken; docent sets lists them, docent add PATH adds one"},
		{contract.Change("max_tokens").To("raise"), "broken; raise --max-tokens"},
		{contract.Change("engine", "builtin").To("or do without:"), "broken; or do without: --engine builtin"},
		{contract.Change("home").To("choose another with"), "broken; choose another with --home or DOCENT_HOME"},
		{contract.Change("threshold"), "broken"},
		{contract.Configure("home", "/y"), "broken"},
	} {
		if got := shellwords.CommandLine().Message("broken", tt.remedy); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
