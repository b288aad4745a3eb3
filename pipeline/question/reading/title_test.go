package reading

import "testing"

func TestIsTitled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, docSet, name string
		want                bool
	}{
		{"Lamps", "Harbour@2", "lamp", true},
		{"wick(8)", "tools@latest", "wick", true},
		{"wick(3pm)", "tools@latest", "wick", true},
		{"lantern-trim(1)", "lantern@latest", "trim", true},
		{"trim", "lantern@latest", "lantern trim", true},
		{"lantern_trim", "Lantern", "Lantern trim", true},
		{"lantern-trim-all(1)", "lantern@latest", "trim", false},
		{"Trim a lantern", "lantern@latest", "trim", false},
		{"f(x)", "lantern@latest", "f", false},
		{"lantern", "lantern@latest", "lantern", true},
		{"", "lantern@latest", "", false},
		{"s", "lantern@latest", "", false},
	} {
		if got := isTitled(c.title, c.docSet, c.name); got != c.want {
			t.Errorf("isTitled(%q, %q, %q) = %v", c.title, c.docSet, c.name, got)
		}
	}
}

func TestFitOfTitle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title, name, question string
		want                  int
	}{
		{"lantern-trim(1)", "trim", "Lantern trim vs lantern light", 2},
		{"lantern-trim(1)", "lantern light", "what lantern-light does", 0},
		{"lantern-light(1)", "light", "trim vs lantern light?", 2},
		{"lantern-trim(1)", "trim", "trim vs light", 1},
		{"trim", "trim", "lantern trim vs lantern light", 1},
		{"Trim a wick", "trim", "lantern trim vs lantern light", 0},
	} {
		if got := FitOfTitle(c.title, "lantern@latest", c.name, c.question); got != c.want {
			t.Errorf("FitOfTitle(%q, %q, %q) = %d, want %d", c.title, c.name, c.question, got, c.want)
		}
	}
}

func TestHasNames(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]bool{
		"Wicks and mantles": true, "mantle(s) of a wick": false, "Choosing a mantle, a wick": true, "Wickedness of mantles": false, "Wicks": false,
	} {
		if got := HasNames(heading, []string{"wick", "Mantles"}); got != want {
			t.Errorf("HasNames(%q) = %v", heading, got)
		}
	}
}
