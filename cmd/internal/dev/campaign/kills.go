package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"docent/cmd/internal/dev/campaign/fleet"
)

// smallSet is how many pages the second doc set has, which is added and removed.
const smallSet = 40

// settle looks at a home after a process was killed in it: it must work at once, have
// these doc sets, and doctor must find nothing after the first answer, which mends.
func (c *campaign) settle(r *row, home string, want ...string) {
	a := c.search(home, "voyage harbour")
	if a.crashed() || a.code > 1 {
		c.fault(&r.broken, r, "%v", a)
	}
	if a.err != "" {
		r.said++
	}
	listed, d := c.sets(home)
	for _, name := range want {
		list, err := os.ReadFile(filepath.Join(home, "sets.json"))
		if !slices.Contains(listed, name) || err != nil || !strings.Contains(string(list), `"`+name+`"`) {
			c.fault(&r.lost, r, "%s is not registered any more: %v (%q), %s, %v", name, listed, d.err, list, err)
		}
	}
	c.doctor(r, home)
	c.litter(r, home)
}

// doctor requires that doctor finds nothing; where it does, what it advises must mend
// it.
func (c *campaign) doctor(r *row, home string) {
	first := c.docent(home, "doctor")
	if first.code == 0 {
		r.mended++
		return
	}
	c.docent(home, "update")
	if again := c.docent(home, "doctor"); again.code != 0 || first.crashed() {
		c.fault(&r.broken, r, "doctor says\n%s%s, and after an update\n%s%s", first.out, first.err, again.out, again.err)
		return
	}
	r.mended++
	r.said++
}

// litter requires that nothing lies in a home that no doc set has.
func (c *campaign) litter(r *row, home string) {
	d := c.docent(home, "status", "--json")
	entries, err := os.ReadDir(filepath.Join(home, "index"))
	if err != nil {
		c.fault(&r.broken, r, "%v (%v)", err, d)
	}
	numbers := map[string]bool{}
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), ".")
		if _, err := strconv.Atoi(number); err == nil {
			numbers[number] = true
		}
	}
	if listed, _ := c.sets(home); len(numbers) > len(listed)+1 { // the manual
		c.fault(&r.broken, r, "%d doc sets, and the indexes of %d: %v", len(listed)+1, len(numbers), entries)
	}
}

// killUpdates kills updates of all kinds. Then the home must answer from the state before
// or after, and the next update must give what a new home gives.
func (c *campaign) killUpdates() error {
	r := c.row("kill: update, with --settle, with --rebuild")
	f, err := c.fleet("Fleet", c.pages)
	if err != nil {
		return err
	}
	home := filepath.Join(c.folder("updates"), "home")
	if _, err := c.must(home, "add", f.Dir); err != nil {
		return err
	}
	kinds := [][]string{{"update", "Fleet"}, {"update", "--settle", "Fleet"}, {"update", "--rebuild", "Fleet"}}
	takes := make([]time.Duration, len(kinds))
	for i, args := range kinds {
		if err := f.Change(); err != nil {
			return err
		}
		d, err := c.must(home, args...)
		if err != nil {
			return err
		}
		takes[i] = d.took
	}
	for i := range c.kills {
		r.tries++
		if err := f.Change(); err != nil {
			return err
		}
		kind := i % len(kinds)
		// Sometimes a second writer begins where the first was killed, and is killed too.
		for range 1 + c.rnd.IntN(2) {
			if err := c.kill(home, takes[kind], kinds[kind]...); err != nil {
				return err
			}
		}
		c.afterKilledUpdate(r, f, home)
		if err := c.likeNew(r, f, home); err != nil || c.ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// afterKilledUpdate requires answers from pages that are there.
func (c *campaign) afterKilledUpdate(r *row, f *fleet.Fleet, home string) {
	a := c.search(home, "flagship", "Fleet")
	if len(a.files) == 0 || !strings.HasSuffix(a.files[0], "/ship-000.md") {
		c.fault(&r.lost, r, "the flagship is not found: %v %v", a.files, a)
	}
	for _, file := range c.search(home, "voyage harbour crew", "Fleet").files {
		if _, err := os.Stat(filepath.Join(f.Dir, filepath.Base(file))); err != nil {
			c.fault(&r.silent, r, "a page is found that is not there: %v", err)
		}
	}
}

// likeNew requires that an update gives what a new home gives.
func (c *campaign) likeNew(r *row, f *fleet.Fleet, home string) error {
	if d := c.docent(home, "update", "--settle"); d.code != 0 {
		c.fault(&r.broken, r, "%v", d)
	}
	c.doctor(r, home)
	dir := c.folder("new")
	fresh := filepath.Join(dir, "home")
	if _, err := c.must(fresh, "add", f.Dir); err != nil {
		return err
	}
	some := f.Marks[1+c.rnd.IntN(f.Pages-1)]
	for _, question := range []string{"voyage harbour crew", "whale oil porcelain", "flagship " + some} {
		got, want := c.search(home, question, "Fleet"), c.search(fresh, question, "Fleet")
		if len(got.files) == 0 || !got.same(want) {
			c.fault(&r.lost, r, "%q finds %v, in a new home %v", question, got.files, want.files)
		}
	}
	return os.RemoveAll(dir)
}

// killed tries work in a prepared home: it is killed, and the home looked at.
func (c *campaign) killed(r *row, p prepared, args []string, prepare func() error, look func()) error {
	var takes time.Duration
	for i := range c.kills + 1 {
		if err := p.restore(); err != nil {
			return err
		}
		if err := prepare(); err != nil {
			return err
		}
		if i == 0 { // to know how long it takes
			d := c.docent(p.home, args...)
			if d.code != 0 {
				return errors.New(d.String())
			}
			takes = d.took
			continue
		}
		r.tries++
		if err := c.kill(p.home, takes, args...); err != nil {
			return err
		}
		look()
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
	}
	return nil
}

func nothing() error { return nil }

// two makes a home with the doc set Fleet, and with the small one if it is to have it.
func (c *campaign) two(both bool) (prepared, *fleet.Fleet, error) {
	big, err := c.fleet("Fleet", c.pages)
	if err != nil {
		return prepared{}, nil, err
	}
	small, err := c.fleet("Boats", smallSet)
	if err != nil {
		return prepared{}, nil, err
	}
	docs := []*fleet.Fleet{big}
	if both {
		docs = append(docs, small)
	}
	p, err := c.prepare(docs...)
	return p, small, err
}

func (c *campaign) killAdds() error {
	r := c.row("kill: add")
	p, small, err := c.two(false)
	if err != nil {
		return err
	}
	return c.killed(r, p, []string{"add", small.Dir}, nothing, func() {
		c.settle(r, p.home, "Fleet")
		if d := c.docent(p.home, "add", small.Dir); d.code != 0 {
			c.fault(&r.broken, r, "%v", d)
		}
		c.settle(r, p.home, "Fleet", "Boats")
	})
}

func (c *campaign) killRemovals() error {
	r := c.row("kill: rm")
	p, small, err := c.two(true)
	if err != nil {
		return err
	}
	return c.killed(r, p, []string{"rm", "Boats"}, nothing, func() {
		c.settle(r, p.home, "Fleet")
		listed, _ := c.sets(p.home)
		list, _ := os.ReadFile(filepath.Join(p.home, "sets.json"))
		if slices.Contains(listed, "Boats") != strings.Contains(string(list), `"Boats"`) {
			c.fault(&r.broken, r, "list and catalog are at odds: %v, %s", listed, list)
		}
		if a := c.search(p.home, "flagship", "Boats"); slices.Contains(listed, "Boats") && len(a.files) == 0 {
			c.fault(&r.lost, r, "half a doc set: %v", a)
		}
		if d := c.docent(p.home, "add", small.Dir); d.code != 0 {
			c.fault(&r.broken, r, "%v", d)
		}
	})
}

func (c *campaign) killStarts() error {
	r := c.row("kill: first start")
	p := prepared{filepath.Join(c.folder("start"), "home"), c.folder("empty")}
	return c.killed(r, p, []string{"search", "verify a block"}, nothing, func() { c.settle(r, p.home) })
}

func (c *campaign) killRestores() error {
	r := c.row("kill: restore of a lost catalog")
	p, _, err := c.two(true)
	if err != nil {
		return err
	}
	lose := func() error { return loseCatalog(p.home) }
	return c.killed(r, p, []string{"search", "voyage harbour"}, lose, func() { c.settle(r, p.home, "Fleet", "Boats") })
}

// killSaves kills a process that saves a session over an earlier one, and one that saves
// the first: there must be a whole one, or no file if there was no earlier one.
func (c *campaign) killSaves() error {
	r := c.row("kill: ask --save")
	p, _, err := c.two(false)
	if err != nil {
		return err
	}
	file := filepath.Join(c.folder("saved"), "session.json")
	had := false
	prepare := func() error {
		had = c.rnd.IntN(2) == 0
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if !had {
			return nil
		}
		_, err := c.must(p.home, "ask", "--save", file, "flagship")
		return err
	}
	return c.killed(r, p, []string{"ask", "--save", file, "whale oil porcelain"}, prepare, func() {
		c.wholeSession(r, p.home, file, had)
		c.settle(r, p.home, "Fleet")
	})
}

// wholeSession requires that a session can be opened; none may be there unless had.
func (c *campaign) wholeSession(r *row, home, file string, had bool) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) && !had {
		return
	}
	if d := c.docent(home, "sessions", "export", file); d.code != 0 {
		c.fault(&r.lost, r, "the session is gone: %v", d)
	}
}
