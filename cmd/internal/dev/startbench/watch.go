package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// checkedOut is how many files change at once when the watcher is measured, as when
// another branch is checked out.
const checkedOut = 1000

// watchCheckout has docent watch follow a doc set, changes many of its pages as git does,
// by a new file in each one's place, and measures the time from the last change until all
// of them can be found.
func (b *build) watchCheckout(set, dir string, n, run int) (lag time.Duration, err error) {
	var pages []string
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(p) == ".md" {
			pages = append(pages, p)
		}
		return err
	})
	if err != nil || len(pages) <= n {
		return 0, errors.Join(err, fmt.Errorf("%s has %d pages, %d are to be changed", dir, len(pages), n))
	}
	cmd := exec.Command(b.bin, "watch", "--json", "-q", set)
	cmd.Env = b.env
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		err = errors.Join(err, cmd.Process.Kill())
		_ = cmd.Wait() // it reports the kill
	}()
	told := bufio.NewReader(out)
	// One page first, so that the watcher is at its work before many change.
	if err := replace(pages[n:n+1], run); err != nil {
		return 0, err
	}
	if err := until(told, 1); err != nil {
		return 0, err
	}
	if err := replace(pages[:n], run); err != nil {
		return 0, err
	}
	last := time.Now()
	err = until(told, n)
	return time.Since(last), err
}

// replace puts a new file in the place of each page.
func replace(pages []string, run int) error {
	for _, p := range pages {
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		aside := p + ".new"
		if err := os.WriteFile(aside, fmt.Appendf(text, "\n## Checkout %d\n\nIt was checked out.\n", run), 0o600); err != nil {
			return err
		}
		if err := os.Rename(aside, p); err != nil {
			return err
		}
	}
	return nil
}

// until reads what docent watch tells until so many pages were changed.
func until(told *bufio.Reader, n int) error {
	for n > 0 {
		line, err := told.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("docent watch ended: %w", err)
		}
		var report struct {
			Changed int `json:"changed"`
		}
		if err := json.Unmarshal(line, &report); err != nil {
			return err
		}
		n -= report.Changed
	}
	return nil
}
