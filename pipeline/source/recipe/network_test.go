package recipe

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestRecipesOnTheNetwork asks the repositories themselves whether a tag or branch fits each
// recipe and whether it has the folder. DOCENT_TEST_RECIPES is "all" or names with commas, and
// DOCENT_TEST_RECIPES_FROM replaces https://github.com/, such as by a mirror. See make recipes.
func TestRecipesOnTheNetwork(t *testing.T) {
	only, from := os.Getenv("DOCENT_TEST_RECIPES"), os.Getenv("DOCENT_TEST_RECIPES_FROM")
	if only == "" {
		t.Skip("DOCENT_TEST_RECIPES is not set: make recipes asks the repositories")
	}
	book, _ := builtin()
	all := book.All()
	if _, err := runGit(t.Context(), "", "ls-remote", "--", addressAt(all[0].Source, from), "HEAD"); err != nil {
		t.Skipf("the network is not there, or git is not: %v", err)
	}
	checked := 0
	for _, r := range all {
		if only != "all" && !strings.Contains(","+only+",", ","+r.Name+",") {
			continue
		}
		checked++
		t.Run(r.Name, func(t *testing.T) { checkRepository(t, r, addressAt(r.Source, from)) })
	}
	if checked == 0 {
		t.Errorf("no recipe is called %s", only)
	}
}

// addressAt is the address of a source, or of its mirror: there owner/name is owner+name/repo.
func addressAt(address, from string) string {
	name, ok := strings.CutPrefix(address, "https://github.com/")
	if from == "" || !ok {
		return address
	}
	return from + strings.ReplaceAll(strings.TrimSuffix(name, ".git"), "/", "+") + "/repo"
}

func checkRepository(t *testing.T, r Recipe, address string) {
	c, err := r.Choose("")
	if err != nil {
		t.Fatal(err)
	}
	want := c.Want
	if c.Scheme != nil {
		out, err := runGit(t.Context(), "", "ls-remote", "--tags", "--heads", "--", address)
		if err != nil {
			t.Fatal(err)
		}
		var refs []string
		for line := range strings.Lines(out) {
			refs = append(refs, strings.Fields(line)[1])
		}
		ref, ok := c.Scheme.Pick("", refs)
		if !ok {
			t.Fatalf("none of %d refs is a version", len(refs))
		}
		if want, err = c.WithRef(ref); err != nil {
			t.Fatal(err)
		}
	}
	clone := t.TempDir()
	args := []string{"clone", "--quiet", "--bare", "--depth=1", "--filter=blob:none"}
	if want.Ref != "" {
		args = append(args, "--branch="+want.Ref)
	}
	if _, err := runGit(t.Context(), "", append(args, "--", address, clone)...); err != nil {
		t.Fatal(err)
	}
	tree := "HEAD"
	if want.Path != "." {
		tree += ":" + want.Path
	}
	out, err := runGit(t.Context(), clone, "ls-tree", "-r", "--name-only", tree)
	if err != nil || strings.TrimSpace(out) == "" {
		t.Fatalf("%s has no folder %s at %q: %v", address, want.Path, want.Ref, err)
	}
	t.Logf("%s at %q: %d files in %s", address, want.Ref, strings.Count(out, "\n"), want.Path)
}

func runGit(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.Output()
	return string(out), err
}
