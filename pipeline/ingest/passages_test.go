package ingest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"docent/store/doc"
)

func TestParameters(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"--feature-gates mapStringBool turns them on\nplain prose of --flags":  "--feature-gates",
		"maxTokens: the most\nThe most tokens\nserver.port  where it listens":  "maxTokens server.port",
		"Name\tMeaning\nretry_limit\thow often\nA cell of many words\tno name": "Name retry_limit",
		"-v\nhttps://example.org/a_b\n3.5\nx\n":                                "-v",
		"AWS_REGION=eu where\nKubernetes is\nkube-proxy runs\niPhone":          "AWS_REGION=eu iPhone",
		"": "",
	} {
		if got := strings.Join(parameters(text), " "); got != want {
			t.Errorf("parameters(%q) = %q, want %q", text, got, want)
		}
	}
}

// A line without white space is cut all the same, and nothing of it is lost.
func TestWindowsOfALineWithoutSpaces(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"statements": strings.Repeat("lamp_1=oil(1);", 20_000),
		"one word":   strings.Repeat("a", 300_000),
		"letters":    strings.Repeat("é", 100_000),
	} {
		got := windows("before\n" + line + "\nbehind\n")
		if strings.Join(got, "") != "before\n"+line+"\nbehind\n" {
			t.Errorf("%s: something is lost", name)
		}
		for _, w := range got {
			if len(w) > 2*windowBytes+4 || !utf8.ValidString(w) {
				t.Errorf("%s: a window has %d bytes", name, len(w))
			}
			if name == "statements" && strings.HasPrefix(w, "amp") {
				t.Errorf("a word is cut: %.20q", w)
			}
		}
	}
	d := doc.Document{Title: "T", Sections: []doc.Section{{}}}
	code := strings.Repeat("lamp_1=oil(1);", 20_000)
	if got := Passages(d, []doc.Chunk{{Code: code}}, nil); len(got) < 20 {
		t.Errorf("%d passages of %d bytes", len(got), len(code))
	}
}
