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

func TestALineThatIsNotAMessageIsAnswered(t *testing.T) {
	a := startAgent(t)
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
		{`[]`, -32600},
		{`[{"jsonrpc":"2.0","id":7,"method":"ping"}]`, -32600}, // of an older protocol
		{`"` + strings.Repeat("x", 17<<20) + `"`, -32600},
	} {
		a.sendLine(c.line)
		got := parseAnswer(t, a.readLine())
		if got.ID != nil || got.Error == nil || got.Error.Code != c.code {
			t.Errorf("%.40s: %+v, want an error %d without an id", c.line, got, c.code)
		}
	}
	a.sendLine("")
	a.sendLine("  \r")
	a.sendLine(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if got := parseAnswer(t, a.readLine()); got.ID == nil || *got.ID != 8 || got.Error != nil {
		t.Errorf("after them: %+v", got)
	}
}

func TestRequestsAreAnsweredAfterTheEndOfTheInput(t *testing.T) {
	a := startAgent(t)
	const requests = 20
	for i := range requests {
		a.sendLine(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search_docs","arguments":{"query":"add a doc set"}}}`, 100+i))
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

func TestAClientMaySendManyRequestsBeforeItReads(t *testing.T) {
	a := startAgent(t)
	const requests = 200
	for i := range requests {
		a.sendLine(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, 100+i))
	}
	for range requests {
		if got := parseAnswer(t, a.readLine()); got.ID == nil || got.Error != nil {
			t.Fatalf("%+v", got)
		}
	}
}

// The protocol had batches until 2025-03-26. A batch that is not one does not end the server.
func TestBatchesOfTheOlderProtocol(t *testing.T) {
	a := startAgentOf(t, "2025-03-26")
	note := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
	ping := func(id int) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id) }
	for _, batch := range []string{"[]", "[1]", "[" + ping(7) + ",{}]", "[" + ping(7) + "," + ping(7) + "]"} {
		a.sendLine(batch)
		if got := parseAnswer(t, a.readLine()); got.ID != nil || got.Error == nil || got.Error.Code != -32600 {
			t.Errorf("%s: %+v", batch, got)
		}
	}
	a.sendLine("[" + note + "," + note + "]")
	a.sendLine("[" + note + "," + ping(7) + "," + note + "," + ping(8) + "]")
	if err := a.send.Close(); err != nil { // the batch is answered after it too
		t.Fatal(err)
	}
	var both []answered
	if line := a.readLine(); json.Unmarshal(line, &both) != nil || len(both) != 2 || *both[0].ID != 7 || *both[1].ID != 8 ||
		both[0].Error != nil || both[1].Error != nil {
		t.Errorf("%s", line)
	}
	if line, err := a.lines.ReadBytes('\n'); err != io.EOF {
		t.Errorf("%s, %v", line, err)
	}
}
