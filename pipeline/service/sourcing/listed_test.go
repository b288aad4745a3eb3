package sourcing_test

import (
	"errors"
	"strings"
	"testing"

	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
	"docent/pipeline/source/packages"
	"docent/pipeline/source/repositories"
)

// listed is a list with one package.
type listed struct{}

func (listed) Find(kind, name string) (repositories.Repository, bool) {
	return repositories.Repository{Address: "https://github.com/lantern/oil-lamp", Tag: "oil-{version}"}, kind == "npm" && name == "@lantern/oil"
}

// A package whose client fails is taken from the repository that the list knows, under its own
// name, and that is said. What a client says of the package itself stands.
func TestPackagesByTheirListedRepository(t *testing.T) {
	t.Parallel()
	repository, client := lantern(), &shelf{fails: &source.Error{Source: "npm:@lantern/oil", Reason: "npm is not installed here", Err: errors.New("x")}}
	h := openAt(t, repository, func(o *sourcing.Options) { o.Listed, o.Fetchers[source.KindPackage] = listed{}, client })
	var said notes
	out, err := add(t, h, sourcing.AddRequest{Source: "npm:@lantern/oil@2"}, said.watch())
	if err != nil || len(out.Sets) != 1 || out.Sets[0].Set != "lantern-oil@2" || out.Source.Source != "https://github.com/lantern/oil-lamp@2" {
		t.Fatalf("%+v %v", out, err)
	}
	want := "npm:@lantern/oil@2: npm is not installed here; docent's list knows its repository, https://github.com/lantern/oil-lamp@2"
	if len(said) == 0 || said[0] != want {
		t.Errorf("%q, want %q first", said, want)
	}
	// A module's path is the address of its repository.
	client.fails = &source.Error{Source: "go:github.com/lantern/glass", Reason: "go is not installed here", Err: errors.New("x")}
	if out, err = add(t, h, sourcing.AddRequest{Source: "go:github.com/lantern/glass"}, said.watch()); err != nil ||
		out.Source.Source != "https://github.com/lantern/glass" || !strings.Contains(said[len(said)-1]+said[1], "its path is the address of a repository") {
		t.Errorf("%+v %v, said %q", out.Source, err, said)
	}
	asked := repository.asked
	for _, c := range []struct {
		req   sourcing.AddRequest
		fails error
	}{
		{sourcing.AddRequest{Source: "npm:unknown"}, client.fails},
		{sourcing.AddRequest{Source: "npm:@lantern/oil@1", Exactly: true}, client.fails},
		{sourcing.AddRequest{Source: "npm:@lantern/oil@1"}, &source.Error{Source: "npm:@lantern/oil", Reason: "empty", Err: &packages.NoDocumentationError{}}},
	} {
		client.fails = c.fails
		if _, err := add(t, h, c.req, said.watch()); err == nil || repository.asked != asked {
			t.Errorf("%+v: %v, the repository was asked %d times", c.req, err, repository.asked-asked)
		}
	}
}
