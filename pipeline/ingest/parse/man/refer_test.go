package man_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse"
	"docent/pipeline/ingest/parse/man"
)

// listed are files of a doc set, of which only the paths are known.
type listed []string

func (l listed) List(endings ...string) (out []string) {
	for _, file := range l {
		if slices.ContainsFunc(endings, func(e string) bool { return strings.HasSuffix(file, e) }) {
			out = append(out, file)
		}
	}
	return out
}

func (listed) Open(string) (parse.Opened, error) { return parse.Opened{}, fs.ErrNotExist }

// Manual pages refer to each other by name and section. The references were text, so that nothing led
// from one page of a set to another.
func TestReferencesToOtherPages(t *testing.T) {
	t.Parallel()
	set := listed{"de/man1/lamp.1", "de/man8/wick_trim.8", "man1/lamp.1", "man3/oil.3.gz", "man8/wick_trim.8"}
	for name, c := range map[string]struct{ path, src, want string }{
		"mdoc": {"man1/lamp.1", ".Dd today\n.Dt LAMP 1\n.Os\n.Sh SEE ALSO\n.Xr oil 3 ,\n.Xr wick_trim 8 ,\n.Xr gone 1 ,\n.Xr lamp 1\n",
			"[oil(3)](../man3/oil.3.gz),\n[wick_trim(8)](../man8/wick_trim.8),\ngone(1),\nlamp(1)"},
		"man": {"man1/lamp.1", ".TH LAMP 1\n.SH SEE ALSO\n.BR oil (3),\n\\fIwick_trim\\fR(8), \\fBx-oil\\fR(3)\n.PP\nCall\n.B oil(3)\nor light(x)(3).\n",
			"[`oil`(3)](../man3/oil.3.gz),\n[*wick_trim*(8)](../man8/wick_trim.8), `x-oil`(3)\n\nCall\n`oil(3)`\nor light(x)(3)."},
		"a translation": {"de/man1/lamp.1", ".TH LAMP 1\n.SH SIEHE AUCH\n.BR wick_trim (8)\n", "[`wick_trim`(8)](../man8/wick_trim.8)"},
		"its own name":  {"man8/wick_trim.8", ".TH WICK_TRIM 8\n.SH NAME\nlamp(1), oil(3) \\- burn\n.SH USE\nSee oil(3).\n", "lamp(1), oil(3) - burn\n\n## USE\n\nSee [oil(3)](../man3/oil.3.gz)."},
	} {
		d, err := man.Parser{}.Parse(t.Context(), []byte(c.src), parse.Options{Path: c.path,
			Survey: func(_ string, of func(parse.Files) any) any { return of(set) }})
		_, got, _ := strings.Cut(strings.TrimSpace(string(d.Text)), "\n\n")
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
	}
}
