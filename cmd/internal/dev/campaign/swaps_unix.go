//go:build unix

package main

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// swapPages adds a folder whose pages are swapped, while they are read, for named pipes
// and links to endless devices: adding ends, and soon.
func (c *campaign) swapPages() error {
	if c.disks == 0 {
		return nil
	}
	r := c.row("pages that are swapped for pipes and devices: add")
	for range c.disks {
		f, err := c.fleet("Fleet", c.pages)
		if err != nil {
			return err
		}
		r.tries++
		stop := make(chan struct{})
		var wg sync.WaitGroup
		seed := c.rnd.Uint64()
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, 3))
			for {
				select {
				case <-stop:
					return
				default:
					err = errors.Join(err, swap(f.Path(1+rnd.IntN(f.Pages-1)), rnd.IntN(2) == 0))
				}
			}
		})
		home := filepath.Join(c.folder("swapped"), "home")
		d := c.docent(home, "add", f.Dir)
		close(stop)
		wg.Wait()
		if err != nil {
			return err
		}
		if d.crashed() || d.code != 0 || d.took > time.Minute {
			c.fault(&r.broken, r, "%v after %v", d, d.took)
		}
		if d.err != "" {
			r.said++
		}
		if a := c.search(home, "flagship", "Fleet"); len(a.files) == 0 {
			c.fault(&r.lost, r, "%v", a)
		}
		c.docent(home, "update") // with the pages as they are now
		c.doctor(r, home)
	}
	return nil
}

// swap puts a pipe or a link to an endless device in a page's place for a moment, and
// then the page again.
func swap(page string, pipe bool) (err error) {
	raw, err := os.ReadFile(page)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	aside, text := page+".aside", page+".text"
	if pipe {
		err = syscall.Mkfifo(aside, 0o600)
	} else {
		err = os.Symlink("/dev/zero", aside)
	}
	return errors.Join(err, os.Rename(aside, page), os.WriteFile(text, raw, 0o600), os.Rename(text, page))
}
