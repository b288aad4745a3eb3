package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The wire form of an error is spec 2's: a remedy does not change it.
func TestRemedyStaysOffTheWire(t *testing.T) {
	t.Parallel()
	bare := &Error{Code: CodeInternal, Message: "no disk", Details: map[string]any{"path": "/x"}}
	want, err := json.Marshal(bare)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(bare.WithRemedy(Configure("home", "/y")))
	if err != nil || string(got) != string(want) {
		t.Errorf("with a remedy the error is %s, %v; want %s", got, err, want)
	}
}

// errorOf finds an Error in a chain of errors; an empty one without it.
func errorOf(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{}
}

// A question of signs was once called one of words that stand everywhere.
func TestCheckQuery(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"": "empty", " \t\n": "empty", "???": "no word", "&& ||": "no word", "🎉": "no word",
		"C++": "", "?5": "", "的": "", "how is it?": "", "½": "",
	} {
		err := CheckQuery(question)
		switch {
		case want == "" && err != nil:
			t.Errorf("%q: %v", question, err)
		case want != "" && (err == nil || errorOf(err).Code != CodeQueryEmpty || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want an error that says %q", question, err, want)
		}
	}
}

func TestRemedyOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want *Remedy
	}{
		{fmt.Errorf("search: %w", Unavailable(nil, "its index is missing").WithRemedy(RunDocent("update", "Lantern@1"))),
			&Remedy{Kind: RemedyRun, Command: []string{"update", "Lantern@1"}}},
		{Invalid("threshold", "it is 7"), &Remedy{Kind: RemedyChange, Key: "threshold"}},
		{Invalid("", "no JSON"), nil},
		{EmptyQuery(), &Remedy{Kind: RemedyChange, Key: "query"}},
		{fmt.Errorf("no disk"), nil},
	} {
		if got := RemedyOf(tt.err); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%v: the remedy is %+v, want %+v", tt.err, got, tt.want)
		}
	}
}
