package style

import (
	"reflect"
	"strings"
	"testing"
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
	if rgb("#ff0080") != "255;0;128" || rgb("none") != "128;128;128" {
		t.Error("rgb reads colours wrongly")
	}
}
