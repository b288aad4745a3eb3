package process

import (
	"regexp"
	"strings"
	"testing"

	"docent/pipeline/contract"
)

// A line of megabytes counts as one line, but it is unreadable: a shortened answer has an
// omission line in its place, with its size. The full text has it.
func TestLongLineIsOmitted(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("gasket w7 ", 50_000)
	page := "# L\n\nThe gasket is here.\n\n" + long + "\n\nThe end.\n"
	for name, w := range map[string]contract.Preferences{
		"compress":   {Compress: true},
		"sections":   {Extent: contract.ExtentSections},
		"max-tokens": {MaxTokens: 800},
	} {
		out := run(t, builtin(0), extraction("gasket", page), w)
		if text := out.Contents["a"]; strings.Contains(text, "w7") || !strings.Contains(text, "The gasket is here.") || !strings.Contains(text, " omitted …]") {
			t.Errorf("%s: %.200q", name, text)
		}
		found := false
		for _, o := range out.Omitted {
			found = found || o.Lines[0] <= 5 && o.Lines[1] >= 5 && o.Bytes > len(long)
		}
		if !found {
			t.Errorf("%s: the size is not said: %+v", name, out.Omitted)
		}
	}
	if out := run(t, builtin(0), extraction("gasket", page), contract.Preferences{Full: true}); out.Contents["a"] != page {
		t.Error("the full text is cut")
	}
	// A page of nothing else is an omission line.
	out := run(t, builtin(0), extraction("gasket", long+"\n"), contract.Preferences{Compress: true})
	if text := out.Contents["a"]; text != contract.OmissionLine(1, 1)+"\n" || len(out.Documents) != 1 {
		t.Errorf("a page of one line: %.200q", text)
	}
}

func TestItemIndent(t *testing.T) {
	t.Parallel()
	want := regexp.MustCompile(`^([ \t>]*)([-*+]|\d{1,9}[.)])([ \t]|\r?\n|$)`)
	for _, line := range []string{"", " ", "- a", "-", "-\n", "-\r\n", "-\r", "-a", "* a", "+\ta", "1. a", "12) a", "1.a", "1", "123456789. a", "1234567890. a",
		"  > - a", "\t\t- a", ">>1) b", "- ", "--", "1-", "a - b", "é- b"} {
		n := -1
		if m := want.FindStringSubmatch(line); m != nil {
			n = len(m[1])
		}
		if got := itemIndent(line); got != n {
			t.Errorf("itemIndent(%q) = %d, want %d", line, got, n)
		}
	}
}
