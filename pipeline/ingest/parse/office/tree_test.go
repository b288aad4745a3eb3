package office_test

import (
	"context"
	"strings"
	"testing"

	"docent/pipeline/ingest/parse/office"
)

func TestRead(t *testing.T) {
	t.Parallel()
	root, whole := office.Read(t.Context(), []byte(`<?xml version="1.0"?><a:lamp xmlns:a="u" a:oil="rape" x="1">one <b>two</b>&amp;<c/></a:lamp>`))
	lamp := root.Child("lamp")
	if !whole || lamp.Attr("oil") != "rape" || lamp.Attr("a") != "" || root.PlainText() != "one two&" || root.Find("b").PlainText() != "two" {
		t.Errorf("%+v, whole %v", lamp, whole)
	}
	var none *office.Node
	if none.Child("a") != nil || none.Find("a") != nil || none.Attr("a") != "" || none.PlainText() != "" {
		t.Error("an element that is not there has something")
	}
}

// Damaged parts, and parts that nest too deeply, are read as far as they can be; a canceled context ends the reading.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{"<a>wick<b": "wick", "<a>wick</b>": "wick", "<a>wick &x; oil</a>": "", "": ""} {
		root, whole := office.Read(t.Context(), []byte(src))
		if got := root.PlainText(); !strings.HasPrefix(got, want) || whole && src != "<a>wick</b>" {
			t.Errorf("%q: %q, whole %v", src, got, whole)
		}
	}
	root, whole := office.Read(t.Context(), []byte(strings.Repeat("<a>", 1000)+"x"+strings.Repeat("</a>", 1000)+"<b>y</b>"))
	if !whole || root.PlainText() != "y" {
		t.Errorf("deep elements: %q, whole %v", root.PlainText(), whole)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, whole := office.Read(ctx, []byte("<a></a>")); whole {
		t.Error("it was read")
	}
}
