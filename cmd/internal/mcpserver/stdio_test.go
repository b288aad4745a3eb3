package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// answered is what a test reads of an answer.
type answered struct {
	ID    *int `json:"id"`
	Error *struct{ Code int }
	Rest  json.RawMessage `json:"result"`
}

func parseAnswer(t *testing.T, line []byte) answered {
	t.Helper()
	var got answered
	if err := json.Unmarshal(line, &got); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	return got
}

func TestALineThatIsNoMessageIsAnswered(t *testing.T) {
	a := converse(t)
	for _, c := range []struct {
		line string
		code int
	}{
		{`nonsense`, -32700},
		{`{"jsonrpc":"2.0","id":7,`, -32700},
		{`{"a":1} {"b":2}`, -32700},
		{`42`, -32600},
		{`{}`, -32600},
		{`{"jsonrpc":"1.0","id":7,"method":"ping"}`, -32600},
		{`"` + strings.Repeat("x", 17<<20) + `"`, -32600},
	} {
		a.say(c.line)
		got := parseAnswer(t, a.hear())
		if got.ID != nil || got.Error == nil || got.Error.Code != c.code {
			t.Errorf("%.40s: %+v, want an error %d without an id", c.line, got, c.code)
		}
	}
	a.say("")
	a.say("  \r")
	a.say(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if got := parseAnswer(t, a.hear()); got.ID == nil || *got.ID != 8 || got.Error != nil {
		t.Errorf("a request after lines that are none: %+v", got)
	}
}

func TestRequestsAreAnsweredAfterTheEndOfTheInput(t *testing.T) {
	a := converse(t)
	const requests = 20
	for i := range requests {
		a.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":"add a doc set"}}}`, 100+i))
	}
	if err := a.send.Close(); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for {
		line, err := a.lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := parseAnswer(t, line); got.ID != nil {
			if got.Error != nil {
				t.Errorf("request %d: error %d", *got.ID, got.Error.Code)
			}
			seen[*got.ID] = true
		}
	}
	if len(seen) != requests {
		t.Errorf("%d of %d requests were answered", len(seen), requests)
	}
}
