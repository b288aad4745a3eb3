package style

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

// Every style of the family without colours must be free of colours.
func TestNoColorHasNoColours(t *testing.T) {
	t.Parallel()
	v := reflect.ValueOf(*New(true, true))
	for i := range v.NumField() {
		s, ok := v.Field(i).Interface().(Style)
		if !ok {
			continue
		}
		for _, p := range strings.FieldsFunc(s.open, func(r rune) bool { return r < '0' || r > '9' }) {
			if p != "1" && p != "9" {
				t.Errorf("%s has the parameter %s", v.Type().Field(i).Name, p)
			}
		}
	}
}

func TestRender(t *testing.T) {
	t.Parallel()
	if got := (Style{}).Render("x"); got != "x" {
		t.Errorf("the zero style changes text: %q", got)
	}
	for _, st := range []*Styles{New(true, false), New(false, false)} {
		if got := st.Accent.Render("x"); !strings.HasPrefix(got, "\x1b[") || !strings.HasSuffix(got, "x"+Reset) {
			t.Errorf("%s: %q", st.Kind, got)
		}
		if got := st.Accent.Render(""); got != "" {
			t.Errorf("an empty text became %q", got)
		}
	}
}

// The prefixes are what terminals have been sent since the first version: one
// sequence a style, attributes before colours.
func TestCompiledPrefixes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name      string
		got, want string
	}{
		{"nothing", compileSGR(plainStyle()).open, ""},
		{"dark title", New(true, false).Title.open, "\x1b[1;38;2;138;173;244m"},
		{"dark row under the cursor", New(true, false).Selected.open, "\x1b[1;38;2;230;234;248;48;2;54;58;79m"},
		{"light struck", New(false, false).Struck.open, "\x1b[9;38;2;102;107;125m"},
		{"contrast title", highContrast(true).Title.open, "\x1b[1;4;38;2;127;215;255m"},
		{"contrast row under the cursor", highContrast(false).Selected.open, "\x1b[1;7;38;2;0;0;0m"},
		{"terminal title", terminalColours().Title.open, "\x1b[1;34m"},
		{"terminal struck", terminalColours().Struck.open, "\x1b[2;9m"},
		{"no colours", New(true, true).Title.open, "\x1b[1m"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, not %q", tt.name, tt.got, tt.want)
		}
	}
}

// A compiled style shows on a terminal what lipgloss would have rendered: the
// same attributes and colours, whatever their order in the sequence.
func TestCompiledAsRendered(t *testing.T) {
	t.Parallel()
	for _, s := range []lipgloss.Style{plainStyle(), plainStyle().Bold(true),
		foreground("#8aadf4").Bold(true).Background(lipgloss.Color("#2a2d3e")),
		foreground("4").Reverse(true).Faint(true)} {
		params := func(text string) []string {
			open, _, _ := strings.Cut(text, "x")
			p := strings.FieldsFunc(open, func(r rune) bool { return r < '0' || r > '9' })
			slices.Sort(p)
			return p
		}
		if got, want := params(compileSGR(s).Render("x")), params(s.Render("x")); !slices.Equal(got, want) {
			t.Errorf("compiled to %q, rendered with %q", got, want)
		}
	}
}

// luminance is the relative luminance of WCAG 2.2 of "r;g;b".
func luminance(t *testing.T, rgb string) float64 {
	var c [3]float64
	var n [3]int
	if _, err := fmt.Sscanf(rgb, "%d;%d;%d", &n[0], &n[1], &n[2]); err != nil {
		t.Fatalf("%q: %v", rgb, err)
	}
	for i, v := range n {
		x := float64(v) / 255
		if c[i] = x / 12.92; x > 0.04045 {
			c[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2]
}

// High contrast is 7:1 at least between each text and the background.
func TestContrast(t *testing.T) {
	t.Parallel()
	for kind, ground := range map[Kind]float64{Contrast: 0, ContrastLight: 1} {
		v := reflect.ValueOf(*StylesOfKind(kind))
		n := 0
		for i := range v.NumField() {
			s, ok := v.Field(i).Interface().(Style)
			if !ok {
				continue
			}
			_, colour, has := strings.Cut(strings.TrimSuffix(s.open, "m"), "38;2;")
			if !has {
				t.Errorf("%s %s has no colour of its own", kind, v.Type().Field(i).Name)
				continue
			}
			n++
			a, b := luminance(t, colour), ground
			if r := (max(a, b) + 0.05) / (min(a, b) + 0.05); r < 7 {
				t.Errorf("%s %s: contrast %.1f", kind, v.Type().Field(i).Name, r)
			}
		}
		if n < 10 {
			t.Errorf("%s: only %d styles were looked at", kind, n)
		}
	}
}

// The terminal's own colours are sixteen, and it chooses them.
func TestTerminalColours(t *testing.T) {
	t.Parallel()
	v := reflect.ValueOf(*StylesOfKind(ANSI))
	for i := range v.NumField() {
		if s, ok := v.Field(i).Interface().(Style); ok && (strings.Contains(s.open, "38;") || strings.Contains(s.open, "48;")) {
			t.Errorf("%s names a colour itself: %q", v.Type().Field(i).Name, s.open)
		}
	}
	for _, k := range StyleKinds() {
		if StylesOfKind(k).Kind != k {
			t.Errorf("OfKind(%s) is %s", k, StylesOfKind(k).Kind)
		}
	}
	if names := ThemeNames(); len(names) != len(Themes()) || names[0] != string(Auto) {
		t.Errorf("the themes are named %q", names)
	}
	for _, th := range Themes() {
		if StylesOf(th, true) == nil || th.About() == "" {
			t.Errorf("theme %q", th)
		}
	}
}
