package dita_test

import (
	"strings"
	"testing"
)

// What other files push to a page stands in it: instead of an element, before or behind
// it. The page that pushes shows it too.
func TestPushes(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"lamp.dita": `<task id="lamp"><title>Lamp</title><taskbody>
<steps><step id="open"><cmd>Open it.</cmd></step>
<step id="trim"><cmd>Trim it.</cmd></step></steps>
<result id="end"><p>It burns.</p></result></taskbody></task>`,
		"more/oil.dita": `<task id="oil"><title>Oil</title><taskbody><steps>
<step conaction="pushbefore"><cmd>Look for <b>leaks</b>.</cmd></step>
<step conaction="mark" conref="../lamp.dita#lamp/open"/>
<step conaction="mark" conref="../lamp.dita#lamp/trim"/>
<step conaction="pushafter" id="own"><cmd>Fill it.</cmd></step></steps>
<result conaction="pushreplace" conref="../lamp.dita#lamp/end"><p>It burns for hours.</p></result></taskbody></task>`,
		"other.dita": `<topic id="other"><title>Other</title><body><p id="end" conaction="pushreplace" conref="nowhere.dita#x/y">Stays.</p></body></topic>`,
	}
	d := readFrom(t, files, "lamp.dita")
	const want = "# Lamp\n\n1. Look for **leaks**.\n2. Open it.\n3. Trim it.\n4. Fill it.\n\n**Result**\n\nIt burns for hours.\n"
	if got := string(d.Text); got != want || len(d.Warnings) > 0 {
		t.Errorf("%s\nwarnings %q, want\n%s", got, d.Warnings, want)
	}
	for i, at := range d.Map {
		if at.Line > 4 {
			t.Errorf("line %d stands at %+v", i+1, at)
		}
	}
	if text := string(readFrom(t, files, "more/oil.dita").Text); !strings.Contains(text, "Fill it.") || !strings.Contains(text, "It burns for hours.") {
		t.Errorf("the page that pushes says\n%s", text)
	}
	if text := string(readFrom(t, files, "other.dita").Text); !strings.Contains(text, "Stays.") {
		t.Errorf("pushed to no file:\n%s", text)
	}
	// Files that push to themselves and to each other end.
	files = map[string]string{
		"a.dita": `<topic id="a"><title>A</title><body><p id="p" conaction="pushreplace" conref="b.dita#b/p">from a</p><p id="q">own</p><p conaction="pushreplace" conref="#a/q">new</p></body></topic>`,
		"b.dita": `<topic id="b"><title>B</title><body><p id="p">of b</p><p conaction="pushreplace" conref="a.dita#a/p">from b</p></body></topic>`,
	}
	if text := string(readFrom(t, files, "b.dita").Text); !strings.Contains(text, "from a") || strings.Contains(text, "of b") {
		t.Errorf("%s", text)
	}
	if text := string(readFrom(t, files, "a.dita").Text); !strings.Contains(text, "new") || strings.Contains(text, "own") {
		t.Errorf("%s", text)
	}
}
