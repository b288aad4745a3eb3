package vectors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"docent/pipeline/service/home"
	"docent/store/durable"
)

// A model server that was found and not configured may belong to any user who listens on
// that port: no text of a page is sent to it for vectors unless a person agreed. The
// answer is kept in the home, by the server's address.

// Consent is what a person said of sending texts of pages to a server that was found.
type Consent string

// The answers. Told means that a person was shown how to answer and gave no answer.
const (
	Unasked Consent = ""
	Told    Consent = "told"
	Allowed Consent = "allowed"
	Refused Consent = "refused"
)

// ConsentTo is what a person said of a server, by its address. A file that cannot be read
// says nothing.
func ConsentTo(dir, address string) Consent { return readConsents(dir)[address] }

func readConsents(dir string) map[string]Consent {
	raw, err := os.ReadFile(filepath.Join(dir, home.ConsentName))
	out := map[string]Consent{}
	if err != nil || json.Unmarshal(raw, &out) != nil {
		return map[string]Consent{}
	}
	return out
}

// SetConsent keeps what a person said of a server.
func SetConsent(dir, address string, c Consent) error {
	all := readConsents(dir)
	all[address] = c
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &home.UnavailableError{What: fmt.Sprintf("the home %s cannot be written (%s)", dir, home.HomeAdvice(err)), Err: err}
	}
	if err := durable.WriteFile(filepath.Join(dir, home.ConsentName), append(raw, '\n')); err != nil {
		return &home.UnavailableError{What: fmt.Sprintf("the home %s cannot be written (%s)", dir, home.HomeAdvice(err)), Err: err}
	}
	return nil
}

// consent asks whether texts of pages may be sent to a server that was found, once for
// each call of Embed, and reports how to agree where there is no person to ask.
func (e *embedding) consent(ctx context.Context, err *home.UnnamedError) (allowed bool, failed error) {
	if e.unnamed || ConsentTo(e.svc.home.Dir, err.Address) == Refused {
		return false, nil
	}
	e.unnamed = true
	if e.watch.Allow == nil {
		if e.background && ConsentTo(e.svc.home.Dir, err.Address) == Told {
			return false, nil
		}
		e.watch.Notef("%v", err)
		if e.background {
			e.first = err
		}
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
	return answer, SetConsent(e.svc.home.Dir, err.Address, said)
}

// toldOnce records that the app's user saw the message about a server, so that it is
// shown once.
func (e *embedding) toldOnce() error {
	unnamed, ok := errors.AsType[*home.UnnamedError](e.first)
	if !ok {
		return nil
	}
	if ConsentTo(e.svc.home.Dir, unnamed.Address) != Unasked {
		return nil // answered by another process
	}
	err := SetConsent(e.svc.home.Dir, unnamed.Address, Told)
	if errors.Is(err, fs.ErrPermission) {
		return nil // it is said again
	}
	return err
}
