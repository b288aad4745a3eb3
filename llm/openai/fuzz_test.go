package openai

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// No stream causes a panic, and the returned text is the streamed text.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{"", "data: [DONE]\n", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n",
		"data: {\"error\":\"x\"}\n", "data: {\"choices\":[{\"delta\":{\"content\":\"\xff\"}}]}", ": c\r\n\r\ndata:{}\r\n", "<html>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var streamed strings.Builder
		a := answer{onPiece: func(p string) error { streamed.WriteString(p); return nil }}
		err := readEvents(strings.NewReader(body), a.addEvent)
		if a.text.String() != streamed.String() || !utf8.ValidString(a.text.String()) {
			t.Errorf("%q, streamed was %q (%v)", a.text.String(), streamed.String(), err)
		}
	})
}
