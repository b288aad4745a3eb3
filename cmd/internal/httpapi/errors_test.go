package httpapi

import (
	"testing"

	"docent/pipeline/contract"
)

// The form of specification 2 has no field for a remedy: a client reads it in the message, in
// words for who sends requests.
func TestMessagesNameTheirRemedy(t *testing.T) {
	for _, c := range []struct {
		name   string
		remedy *contract.Remedy
		want   string
	}{
		{"none", nil, "it is gone"},
		{"a command for the person at the server", contract.RunDocent("update", "Lantern@1").To("reads it again"),
			"it is gone; docent update Lantern@1 reads it again"},
		{"a command that a request stands for", contract.RunDocent("read", "Lantern@1"), "it is gone"},
		{"a field of the request", contract.Change("limit", "20").To("lower"), "it is gone; lower limit 20"},
		{"a key of the configuration", contract.Configure("sources.hosts", "").To("allows hosts"),
			"it is gone; sources.hosts in the server's configuration allows hosts"},
		{"a key of the configuration without an effect", contract.Configure("store.index", ""), "it is gone"},
		{"two of the same cause", contract.RunDocent("search", "x").And(contract.RunDocent("sets").To("lists those there are")),
			"it is gone; docent sets lists those there are"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &contract.Error{Code: contract.CodeNotFound, Message: "it is gone", Remedy: c.remedy,
				Details: map[string]any{"doc_set": "Lantern@1"}}
			got := withRemedy(e)
			if got.Message != c.want || got.Remedy != nil {
				t.Errorf("got %q with the remedy %v, want %q", got.Message, got.Remedy, c.want)
			}
			if got.Code != e.Code || got.Details["doc_set"] != "Lantern@1" {
				t.Errorf("the code or the details changed: %+v", got)
			}
			if e.Message != "it is gone" || e.Remedy != c.remedy {
				t.Error("the error of the service changed")
			}
		})
	}
}
