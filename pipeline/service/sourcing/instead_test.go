package sourcing_test

import (
	"errors"
	"testing"

	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
)

// A package that cannot be had is taken from the source that stands in for it, under its own
// name, which is said. Whoever wants the package alone gets the error.
func TestAnotherSourceInsteadOfAPackage(t *testing.T) {
	t.Parallel()
	repository, client := lantern(), &shelf{fails: &source.Error{Source: "npm:oil", Reason: "npm is not installed here", Err: errors.New("x")}}
	h := openAt(t, repository, func(o *sourcing.Options) {
		o.Fetchers[source.KindPackage] = client
		o.Instead = func(want source.Want, failed error) (source.Want, bool) {
			return source.Want{Kind: source.KindGit, Address: "https://example.org/oil.git", Version: "2", Name: "oil-lamp", Note: want.Address + " is elsewhere"},
				want.Address == "npm:oil" && errors.Is(failed, client.fails)
		}
	})
	var said notes
	out, err := add(t, h, sourcing.AddRequest{Source: "npm:oil@2"}, said.watch())
	if err != nil || len(out.Sets) != 1 || out.Sets[0].Set != "oil-lamp@2" || out.Source.Source != "https://example.org/oil.git@2" {
		t.Fatalf("%+v %v", out, err)
	}
	if len(said) == 0 || said[0] != "npm:oil is elsewhere" {
		t.Errorf("%q is said", said)
	}
	asked := repository.asked
	for _, req := range []sourcing.AddRequest{{Source: "npm:unknown"}, {Source: "npm:oil@1", Exactly: true}} {
		if _, err := add(t, h, req, said.watch()); err == nil || repository.asked != asked {
			t.Errorf("%+v: %v, the repository was asked %d times", req, err, repository.asked-asked)
		}
	}
}
