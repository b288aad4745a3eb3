package impact_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/knowledge/changes"
	"docent/pipeline/service/impact"
	"docent/pipeline/service/servicetest"
)

const head = "# Settings\n\n| setting | type | default | description |\n| --- | --- | --- | --- |\n"

func lantern(t *testing.T) *servicetest.Home {
	t.Helper()
	h := servicetest.New(t)
	h.Add("Lantern@1", map[string]string{"settings.md": head +
		"| `oil_level` | int | `4` | The least oil in the tank. |\n| `wick_length` | int | `6` | The length of the wick. |\n"})
	h.Add("Lantern@2", map[string]string{"settings.md": head + "| `oil_level` | int | `5` | The least oil in the tank. |\n"})
	return h
}

func TestImpactOnAProject(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	project := t.TempDir()
	if err := os.WriteFile(filepath.Join(project, "lantern.yml"), []byte("# set by hand\noil_level: 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := h.Impact.Impact(t.Context(), impact.Request{Names: []string{"Lantern"}, In: project})
	if err != nil {
		t.Fatal(err)
	}
	if a.Before.DocSet != "Lantern@1" || a.After.DocSet != "Lantern@2" || a.Counts[changes.Removed] != 1 || a.Used[changes.Default] != 1 {
		t.Errorf("%+v", a)
	}
	if len(a.Changes) != 1 {
		t.Fatalf("the changes are %+v", a.Changes)
	}
	c := a.Changes[0]
	if c.Name != "oil_level" || c.From != "4" || c.To != "5" || c.TakesNameAway() || c.Before.DocSet != "Lantern@1" || c.After.Lines != [2]int{5, 5} ||
		c.Uses.Count != 1 || c.Uses.Places[0].Path != "lantern.yml" || c.Uses.Places[0].Line != 2 {
		t.Errorf("%+v", c)
	}
	if a, err = h.Impact.Impact(t.Context(), impact.Request{Names: []string{"Lantern"}, In: project, All: true}); err != nil || len(a.Changes) != 2 ||
		!a.Changes[0].TakesNameAway() {
		t.Errorf("all: %+v, %v", a.Changes, err)
	}
}

// Without a folder the changes of the names that are given are listed, or all.
func TestImpactOnNames(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	for name, c := range map[string]struct {
		req  impact.Request
		want string
	}{
		"all":     {impact.Request{}, "wick_length removed; oil_level default"},
		"one":     {impact.Request{Of: []string{"oil_level"}}, "oil_level default"},
		"limit":   {impact.Request{Limit: 1}, "wick_length removed"},
		"unknown": {impact.Request{Of: []string{"soot()", "wick_length"}}, "wick_length removed; no soot()"},
	} {
		c.req.Names = []string{"Lantern@1", "Lantern@2"}
		a, err := h.Impact.Impact(t.Context(), c.req)
		if err != nil || a.Counts[changes.Removed] != 1 || a.Project != (impact.Project{}) {
			t.Fatalf("%s: %+v, %v", name, a, err)
		}
		var got []string
		for _, x := range a.Changes {
			got = append(got, x.Name+" "+string(x.Kind))
		}
		for _, n := range a.Unknown {
			got = append(got, "no "+n)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, err := h.Impact.Impact(t.Context(), impact.Request{Names: []string{"a", "b", "c"}}); err == nil {
		t.Error("three doc sets were compared")
	}
}

func TestImpactThatCannotBeFound(t *testing.T) {
	t.Parallel()
	h := lantern(t)
	_, err := h.Impact.Impact(t.Context(), impact.Request{Names: []string{"Lantern"}, In: filepath.Join(t.TempDir(), "none")})
	if _, ok := errors.AsType[*contract.Error](err); !ok {
		t.Errorf("a folder that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Impact.Impact(ctx, impact.Request{Names: []string{"Lantern"}, In: "."}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}
