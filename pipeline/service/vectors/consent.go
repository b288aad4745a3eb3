package vectors

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"docent/pipeline/service/home"
	"docent/store/durable"
)

// A model server that was found and not configured may belong to any user who listens on
// that port: no question and no text of a page is sent to it unless a person agreed. The
// answer is kept in the home, by the server's address.

// Consent is what a person said of asking a server that was found.
type Consent string

// The answers. Told means that a person was shown how to answer and gave no answer; in the
// file the doors follow at which that was: "told cli app".
const (
	Unasked Consent = ""
	Told    Consent = "told"
	Allowed Consent = "allowed"
	Refused Consent = "refused"
)

// consentTo is what a person said of a server, by its address. A file that cannot be read
// says nothing.
func consentTo(dir, address string) Consent {
	kept := readConsents(dir)[address]
	if first, _, _ := strings.Cut(string(kept), " "); Consent(first) == Told {
		return Told
	}
	return kept
}

// ToldAt reports whether a server was offered at a door, such as "cli".
func ToldAt(dir, address, door string) bool {
	fields := strings.Fields(string(readConsents(dir)[address]))
	return len(fields) > 0 && Consent(fields[0]) == Told && slices.Contains(fields[1:], door)
}

// SetTold records that a server was offered at a door. An answer that a person gave stays.
func SetTold(dir, address, door string) error {
	switch kept := readConsents(dir)[address]; {
	case consentTo(dir, address) == Unasked:
		return setConsent(dir, address, Told+Consent(" "+door))
	case consentTo(dir, address) == Told && !ToldAt(dir, address, door):
		return setConsent(dir, address, kept+Consent(" "+door))
	}
	return nil
}

// MayAsk reports whether a server may get questions and texts of pages: it is named, or a
// person allowed it.
func (s *ModelServer) MayAsk(dir string) bool {
	return s.Named || consentTo(dir, s.Client.Address()) == Allowed
}

// IsRefused reports whether a person wants no request to a server at all. One that is named
// cannot be refused.
func (s *ModelServer) IsRefused(dir string) bool {
	return !s.Named && consentTo(dir, s.Client.Address()) == Refused
}

// AllowFound allows the servers that were found and not named, and gives their addresses.
func AllowFound(dir string, servers []*ModelServer) ([]string, error) {
	return answerFound(dir, servers, Allowed)
}

// RefuseFound refuses the servers that were found and not named, and gives their addresses.
func RefuseFound(dir string, servers []*ModelServer) ([]string, error) {
	return answerFound(dir, servers, Refused)
}

func answerFound(dir string, servers []*ModelServer, said Consent) (about []string, err error) {
	for _, s := range servers {
		if s.Named {
			continue
		}
		if err := setConsent(dir, s.Client.Address(), said); err != nil {
			return about, err
		}
		about = append(about, s.Client.Address())
	}
	return about, nil
}

func readConsents(dir string) map[string]Consent {
	raw, err := os.ReadFile(filepath.Join(dir, home.ConsentName))
	out := map[string]Consent{}
	if err != nil || json.Unmarshal(raw, &out) != nil {
		return map[string]Consent{}
	}
	return out
}

// unwritable is the error of a home in dir that cannot be written.
func unwritable(dir string, err error) error {
	return &home.UnavailableError{What: fmt.Sprintf("the home %s cannot be written (%s)", dir, home.HomeAdvice(err)), Err: err,
		Remedy: home.OtherHome(err)}
}

// setConsent keeps what a person said of a server.
func setConsent(dir, address string, c Consent) error {
	all := readConsents(dir)
	all[address] = c
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return unwritable(dir, err)
	}
	if err := durable.WriteFile(filepath.Join(dir, home.ConsentName), append(raw, '\n')); err != nil {
		return unwritable(dir, err)
	}
	return nil
}

// consent asks whether texts of pages may be sent to a server that was found, once for
// each call of Embed, and reports how to agree where there is no person to ask. In the
// background it is silent: the first question offers the server.
func (e *embedding) consent(ctx context.Context, err *home.UnnamedError) (allowed bool, failed error) {
	if e.unnamed || e.background {
		return false, nil
	}
	e.unnamed = true
	if e.watch.Allow == nil {
		e.watch.Notef("%v", err)
		return false, nil
	}
	answer, answered := e.watch.Allow(ctx, err)
	if !answered {
		return false, nil
	}
	said := Refused
	if answer {
		said = Allowed
	}
	return answer, setConsent(e.svc.home.Dir, err.Address, said)
}
