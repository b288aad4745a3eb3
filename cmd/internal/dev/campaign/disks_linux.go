package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"docent/cmd/internal/dev/campaign/fleet"
)

// The sizes of disks that are tried, in bytes: from one that takes the program's own
// files and hardly more, to one that takes the doc set.
const (
	leastDisk = 1 << 20
	mostDisk  = 8 << 20
)

// fillDisks runs the program in homes on disks that are too small, and gives them room
// then: everything must be as before what failed, or as after it.
func (c *campaign) fillDisks() error {
	r := c.row("full disk: add, update, ask --save")
	f, err := c.fleet("Fleet", c.pages)
	if err != nil {
		return err
	}
	small, err := c.fleet("Boats", smallSet)
	if err != nil {
		return err
	}
	for i := range c.disks {
		size := leastDisk + i*(mostDisk-leastDisk)/max(1, c.disks-1)
		disk := c.folder("disk")
		if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
			r.skipped = fmt.Sprintf("a small disk cannot be mounted here (%v)", err)
			return nil
		}
		r.tries++
		err := c.onDisk(r, disk, f, small)
		if err := errors.Join(err, syscall.Unmount(disk, syscall.MNT_DETACH)); err != nil {
			return err
		}
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
	}
	return c.fillRestores()
}

// restoreOnDisk restores a lost catalog on a disk that has room for hardly more than the
// home: nothing is forgotten when there is room again.
func (c *campaign) restoreOnDisk(r *row, p prepared, room int) (err error) {
	if err := os.RemoveAll(p.home); err != nil {
		return err
	}
	if err := os.MkdirAll(p.home, 0o700); err != nil {
		return err
	}
	if err := syscall.Mount("tmpfs", p.home, "tmpfs", 0, "size=64m"); err != nil {
		r.skipped = fmt.Sprintf("a small disk cannot be mounted here (%v)", err)
		return nil
	}
	defer func() { err = errors.Join(err, syscall.Unmount(p.home, syscall.MNT_DETACH)) }()
	if err := errors.Join(copyTree(p.home, p.copy), loseCatalog(p.home), os.RemoveAll(filepath.Join(p.home, "index"))); err != nil {
		return err
	}
	var st syscall.Statfs_t
	if err := syscall.Statfs(p.home, &st); err != nil {
		return err
	}
	used := int(st.Blocks-st.Bfree) * int(st.Bsize)
	if err := syscall.Mount("", p.home, "", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", used+room)); err != nil {
		return err
	}
	r.tries++
	for range 2 { // the user tries again after an error
		d := c.docent(p.home, "search", "voyage harbour")
		if d.crashed() || d.code > 1 && d.code != 3 {
			c.fault(&r.broken, r, "%d bytes of room: %v", room, d)
		}
		if d.code == 3 {
			r.said++
		}
	}
	if err := syscall.Mount("", p.home, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
		return err
	}
	c.settle(r, p.home, "Fleet", "Boats")
	return nil
}

// fillRestores restores on disks of different sizes.
func (c *campaign) fillRestores() error {
	if c.disks == 0 {
		return nil
	}
	r := c.row("full disk: restore of a lost catalog")
	p, _, err := c.two(true)
	if err != nil {
		return err
	}
	for i := range c.disks {
		if err := c.restoreOnDisk(r, p, 4096+i*(mostDisk/4)/c.disks); err != nil || r.skipped != "" || c.ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// onDisk does everything on one disk.
func (c *campaign) onDisk(r *row, disk string, f, small *fleet.Fleet) error {
	home := filepath.Join(disk, "home")
	file := filepath.Join(disk, "session.json")
	full := false
	try := func(args ...string) bool {
		d := c.docent(home, args...)
		switch {
		case d.code == 3 && strings.TrimSpace(d.err) != "":
			full = true
		case d.code > 1 || d.crashed():
			c.fault(&r.broken, r, "%v", d)
		}
		return d.code == 0
	}
	has := []string{}
	if try("add", small.Dir) {
		has = append(has, "Boats")
	}
	if try("add", f.Dir) {
		has = append(has, "Fleet")
	}
	try("update", "--rebuild")
	saved := false
	for i := range 6 {
		saved = try("ask", "--save", file, fmt.Sprintf("ship %d voyage harbour", i)) || saved
		if _, err := os.Stat(file); err == nil && len(has) > 0 {
			c.wholeSession(r, home, file, saved)
		}
	}
	if full {
		r.said++
	}
	left, err := filepath.Glob(filepath.Join(disk, "*.tmp"))
	if err != nil || len(left) > 0 {
		c.fault(&r.broken, r, "left over: %q, %v", left, err)
	}
	// With room all is as it should be.
	if err := syscall.Mount("", disk, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
		return err
	}
	if _, err := os.Stat(home); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	c.settle(r, home, has...)
	return nil
}
