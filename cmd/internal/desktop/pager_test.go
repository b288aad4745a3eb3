package desktop

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func looking(set map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := set[name]
		return v, ok
	}
}

// The pager is chosen as git chooses its own: the program's variable, PAGER, less.
func TestNewPager(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		set  map[string]string
		want []string // nil: none
	}{
		{map[string]string{"PAGER": "more -f"}, []string{"more", "-f"}},
		{map[string]string{"DOCENT_PAGER": "most", "PAGER": "more"}, []string{"most"}},
		{map[string]string{"DOCENT_PAGER": `"/opt/my pager/p" -x`}, []string{"/opt/my pager/p", "-x"}},
		{map[string]string{"DOCENT_PAGER": "", "PAGER": "more"}, nil},
		{map[string]string{"PAGER": "cat"}, nil},
		{map[string]string{"PAGER": " "}, nil},
		{map[string]string{"PAGER": "more", "TERM": "dumb"}, nil},
	} {
		p, ok := NewPager(looking(tt.set))
		if ok != (tt.want != nil) || !slices.Equal(p.command, tt.want) {
			t.Errorf("%v: %q, %v", tt.set, p.command, ok)
		}
		if ok && !slices.Equal(p.env, []string{"LESS=FRX"}) {
			t.Errorf("%v: the environment gets %q", tt.set, p.env)
		}
		own := maps.Clone(tt.set)
		own["LESS"] = ""
		if p, _ := NewPager(looking(own)); p.env != nil {
			t.Errorf("%v: a person's LESS is replaced", tt.set)
		}
	}
}

// A pager that is not there is an error that names it, and nothing was shown.
func TestMissingPager(t *testing.T) {
	t.Parallel()
	p, _ := NewPager(looking(map[string]string{"PAGER": "no-such-pager-here"}))
	if started, err := p.Show("text"); started || err == nil || !strings.Contains(err.Error(), "no-such-pager-here") {
		t.Errorf("started: %v; %v", started, err)
	}
}
