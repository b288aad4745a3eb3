package main

import (
	"os/exec"
	"path/filepath"

	"docent/cmd/internal/dev/campaign/fleet"
)

// killSources kills the add and the update of a repository. Then there is no doc set or a
// whole one, from before or after, and the same command again gives it.
func (c *campaign) killSources() error {
	r := c.row("kill: add, update of a repository")
	if _, err := exec.LookPath("git"); err != nil {
		r.skipped = "git is not installed"
		return nil
	}
	f, err := fleet.New(filepath.Join(c.folder("repository"), "ships"), c.pages, c.rnd)
	if err != nil {
		return err
	}
	commit := func() error {
		for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"},
			{"-c", "user.name=Keeper", "-c", "user.email=keeper@example.org", "commit", "-q", "--allow-empty", "-m", "ships"}} {
			if err := exec.CommandContext(c.ctx, "git", append([]string{"-C", f.Dir}, args...)...).Run(); err != nil {
				return err
			}
		}
		return nil
	}
	if err := commit(); err != nil {
		return err
	}
	add := []string{"add", "file://" + filepath.ToSlash(f.Dir), "--path", ".", "--name", "Fleet", "--version", "1"}
	whole := func(p prepared) {
		if d := c.docent(p.home, add...); d.code != 0 {
			c.fault(&r.broken, r, "%v", d)
		}
		c.settle(r, p.home, "Fleet")
		for _, word := range []string{"flagship", f.Marks[1]} {
			if a := c.search(p.home, word, "Fleet"); word != "" && len(a.files) == 0 {
				c.fault(&r.lost, r, "%s is not found: %v", word, a)
			}
		}
	}
	empty := prepared{filepath.Join(c.folder("sources"), "home"), c.folder("empty")}
	if err := c.killed(r, empty, add, nothing, func() {
		c.settle(r, empty.home)
		whole(empty)
	}); err != nil {
		return err
	}
	dir := c.folder("fetched")
	p := prepared{filepath.Join(dir, "home"), filepath.Join(dir, "copy")}
	if _, err := c.must(p.home, add...); err != nil {
		return err
	}
	if err := copyTree(p.copy, p.home); err != nil {
		return err
	}
	change := func() error {
		if err := f.Change(); err != nil {
			return err
		}
		return commit()
	}
	return c.killed(r, p, []string{"update", "Fleet"}, change, func() {
		c.settle(r, p.home, "Fleet")
		if a := c.search(p.home, "flagship", "Fleet"); len(a.files) == 0 {
			c.fault(&r.lost, r, "the flagship is not found: %v", a)
		}
		whole(p)
	})
}
