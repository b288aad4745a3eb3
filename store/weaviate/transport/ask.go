package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Do sends a request with a JSON body, which may be nil, and reads the JSON answer into out,
// which may be nil. Where a host does not answer, or answers that it cannot, the next one is
// asked: every request here may be repeated, and may reach several hosts at the same time.
func (t *Transport) Do(ctx context.Context, method, path string, query url.Values, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	answer, err := t.askPatiently(ctx, call{method: method, path: path, query: query, body: body})
	if err != nil {
		return err
	}
	return decode(method+" "+path, answer, out)
}

// askPatiently sends a request again while the nodes lack a leader or each other for a moment.
func (t *Transport) askPatiently(ctx context.Context, r call) ([]byte, error) {
	began := time.Now()
	for try := 1; ; try++ {
		answer, err := t.askHosts(ctx, r)
		if err == nil {
			return answer, nil
		}
		leaderMayCome := LacksLeader(err) && try < leaderTries
		readersMayCome := LacksReaders(err) && time.Since(began) < readPatience
		if !leaderMayCome && !readersMayCome {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(leaderPause):
		}
	}
}

// Nodes that are busy lose their leader for a moment, without which none answers questions about
// collections and tenants: they are asked again.
const (
	leaderTries = 20
	leaderPause = 500 * time.Millisecond
)

// readPatience is for how long a question is asked again that too few nodes answer. A node that was just
// killed counts as alive for a moment, and the ones left may be busy.
const readPatience = 3 * time.Second

// Query runs a GraphQL query and reads the answer's data into out.
func (t *Transport) Query(ctx context.Context, text string, out any) error {
	answer := struct {
		Data   any                        `json:"data"`
		Errors []struct{ Message string } `json:"errors"`
	}{Data: out} // a pointer, into which the data are read
	if err := t.Do(ctx, http.MethodPost, "/v1/graphql", nil, map[string]string{"query": text}, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return &StatusError{What: "a query", Status: http.StatusUnprocessableEntity, Message: answer.Errors[0].Message}
	}
	return nil
}

// decode reads the JSON of an answer into out, which may be nil.
func decode(asked string, answer []byte, out any) error {
	if out == nil || len(answer) == 0 {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("the answer of the Weaviate to %s is not as expected: %w", asked, err)
	}
	return nil
}
