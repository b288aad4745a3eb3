package sourcing_test

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"docent/pipeline/service/library"
	"docent/pipeline/service/servicetest"
	"docent/pipeline/service/sourcing"
	"docent/pipeline/source"
)

// A server fetches only from hosts that it is allowed, and from no address inside its network
// that was not named.
func TestHostsOfAServer(t *testing.T) {
	t.Parallel()
	s := lantern()
	opt := sourcing.Options{Now: time.Now, Fetchers: map[string]source.Fetcher{source.KindGit: s},
		Explain: func(source.Want) (source.Want, error) {
			return source.Want{Kind: source.KindGit, Address: "https://evil.example/x.git"}, nil
		},
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			list := map[string]string{"lamps.example": "203.0.114.7", "docs.lamps.example": "203.0.114.8", "inside.example": "10.0.0.7",
				"loop.example": "127.0.0.1", "both.example": "203.0.114.9 fe80::1", "named.example": "10.0.0.9", "shared.example": "100.64.1.1"}[host]
			var out []netip.Addr
			for a := range strings.FieldsSeq(list) {
				out = append(out, netip.MustParseAddr(a))
			}
			if len(out) == 0 {
				return nil, fmt.Errorf("no such host")
			}
			return out, nil
		}}
	h := servicetest.Open(t, servicetest.Options{Sources: opt})
	if _, err := h.Sourcing.AddRemote(t.Context(), sourcing.RemoteRequest{Source: "https://lamps.example/a.git"}, nil); err == nil ||
		!strings.Contains(err.Error(), "fetches no documentation") {
		t.Errorf("without a configuration: %v", err)
	}
	opt.Hosts = []string{"lamps.example", "*.lamps.example", "inside.example", "loop.example", "both.example", "named.example", "10.0.0.9",
		"gone.example", "shared.example"}
	h = servicetest.Open(t, servicetest.Options{Sources: opt})
	for from, says := range map[string]string{
		"https://other.example/a.git": "may not fetch from other.example", "git@other.example:a": "may not fetch from other.example",
		"recipe": "may not fetch from evil.example", "file:///etc": "may not fetch from file:///etc", "npm:react": "cannot be fetched",
		"https://lamps.example.evil.example/a.git": "may not fetch from", "https://inside.example/a.git": "10.0.0.7, an address of",
		"https://loop.example/a.git": "127.0.0.1", "https://both.example/a.git": "fe80::1", "https://gone.example/a.git": "is not known",
		"https://shared.example/a.git": "100.64.1.1", "https://127.0.0.1/a.git": "may not fetch from 127.0.0.1",
		"https://lamps.example@other.example/a.git": "may not fetch from other.example", "./docs": "is no source",
	} {
		if _, err := h.Sourcing.AddRemote(t.Context(), sourcing.RemoteRequest{Source: from}, nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", from, err)
		}
	}
	if s.asked != 0 {
		t.Errorf("%d sources were asked", s.asked)
	}
	for i, from := range []string{"https://lamps.example/a.git", "ssh://git@docs.LAMPS.example/a.git", "https://named.example/a.git", "git@10.0.0.9:a"} {
		out, err := h.Sourcing.AddRemote(t.Context(), sourcing.RemoteRequest{Source: from, Name: fmt.Sprint("Lamp", i)}, nil)
		if err != nil || len(out.Sets) != 1 || !s.strict {
			t.Errorf("%s: %v, %+v", from, err, out)
		}
	}

	// An update asks the source as strictly, and not at all once its host is allowed no more.
	asked := s.asked
	s.strict = false
	if _, err := h.Sourcing.UpdateRemote(t.Context(), library.SetRequest{Set: "Lamp0"}, nil); err != nil || s.asked != asked+1 || !s.strict {
		t.Errorf("an update: %v, asked %d times, strict %v", err, s.asked-asked, s.strict)
	}
	opt.Hosts[0] = "elsewhere.example"
	asked = s.asked
	out, err := h.Sourcing.UpdateRemote(t.Context(), library.SetRequest{Set: "Lamp0"}, nil)
	if err != nil || s.asked != asked || len(out.Sets) != 1 {
		t.Errorf("an update from a host that is not allowed: %v, asked %d times, %+v", err, s.asked-asked, out)
	}
	if _, err := h.Sourcing.UpdateRemote(t.Context(), library.SetRequest{Set: "Nowhere"}, nil); err == nil {
		t.Error("a doc set that is not there was updated")
	}
}
