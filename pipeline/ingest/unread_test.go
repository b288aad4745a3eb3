package ingest

import (
	"fmt"
	"testing"
)

// Files that no parser reads are counted by their endings, whatever their names and
// however many there are.
func TestUnread(t *testing.T) {
	t.Parallel()
	var u Unread
	if u.String() != "" {
		t.Errorf("nothing is %q", u)
	}
	for _, f := range []string{"a.png", "b/c.PNG", "LICENSE", "d.css", "e.css", "f.js", "g.ico", "h.svg", "i.x\x1b[31m", ".hidden", "dir/.git.png", "j." + fmt.Sprintf("%040d", 1)} {
		u.addFile(f)
	}
	u.sortEndings()
	if got, want := u.String(), "2 .css, 2 .png, 1 without an ending, 1 .ico, 1 .js and 3 others (no parser reads them)"; got != want || u.Files != 10 || len(u.Paths) != 10 {
		t.Errorf("%q, %d files, want %q", got, u.Files, want)
	}
	u = Unread{}
	for i := range 30_000 {
		u.addFile(fmt.Sprintf("f.%d", i%1000))
	}
	u.sortEndings()
	sum := 0
	for _, e := range u.Endings {
		sum += e.Files
	}
	if sum != 30_000 || u.Files != 30_000 || len(u.Endings) > mostEndings+1 || len(u.Paths) != mostUnread {
		t.Errorf("%d of %d files in %d endings, %d paths", sum, u.Files, len(u.Endings), len(u.Paths))
	}
}
