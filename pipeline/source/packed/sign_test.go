package packed

import (
	"bytes"
	"crypto/rand"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// pair is a new pair of keys.
func pair(t *testing.T) (public minisign.PublicKey, signer *Signer) {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return public, &Signer{private}
}

func sign(t *testing.T, s *Signer, raw []byte) []byte {
	t.Helper()
	text, err := s.Sign(bytes.NewReader(raw), "lamps\n.docent")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A signature counts where a key is known: a wrong one is always refused, a missing one where one
// must be there.
func TestSignatures(t *testing.T) {
	t.Parallel()
	raw := write(t, lamps())
	public, signer := pair(t)
	stranger, other := pair(t)
	good := sign(t, signer, raw)
	if !bytes.Equal(good, sign(t, signer, raw)) {
		t.Error("the same package has another signature")
	}
	keyFile := filepath.Join(t.TempDir(), "lamps.pub")
	text, err := public.MarshalText()
	if err := errors.Join(err, os.WriteFile(keyFile, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	known, must := Keys{Known: []minisign.PublicKey{public}}, Keys{Known: []minisign.PublicKey{stranger, public}, Required: true}
	for name, c := range map[string]struct {
		keys      Keys
		signers   []string
		signature []byte
		says      string
	}{
		"no key, unsigned":            {Keys{}, nil, nil, ""},
		"no key, a wrong one":         {Keys{}, nil, sign(t, other, raw), ""},
		"a key, unsigned":             {known, nil, nil, ""},
		"a key, signed":               {known, nil, good, ""},
		"a key, by another":           {known, nil, sign(t, other, raw), "which is not one of those that you trust"},
		"a key, of another package":   {known, nil, sign(t, signer, raw[1:]), "is not the one that was signed"},
		"a key, text":                 {known, nil, []byte("lamps"), "none of minisign's"},
		"required, signed":            {must, nil, good, ""},
		"required, unsigned":          {must, nil, nil, "it is not signed, and must be"},
		"required without a key":      {Keys{Required: true}, nil, good, "not one of those that you trust"},
		"asked for, signed":           {Keys{}, []string{public.String()}, good, ""},
		"asked for by a file":         {Keys{}, []string{keyFile}, good, ""},
		"asked for, unsigned":         {known, []string{public.String()}, nil, "it is not signed"},
		"asked for, by another":       {known, []string{stranger.String()}, good, "not one of those that you trust"},
		"asked for by what is no key": {known, []string{"lamps"}, good, "neither a public key of minisign nor a file"},
	} {
		file := save(t, raw)
		if c.signature != nil {
			if err := os.WriteFile(file+SignatureEnding, c.signature, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := (&Fetcher{Keys: c.keys}).Fetch(t.Context(), source.Want{Address: file, Signers: c.signers}, t.TempDir(), nil, nil)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A private key may have a password.
func TestPrivateKeys(t *testing.T) {
	t.Parallel()
	_, signer := pair(t)
	// Made once, with the password oil: to try a password takes seconds and a gigabyte.
	locked := []byte(`untrusted comment: minisign encrypted secret key
RWRTY0Iy8+YTeLdxR55RnxV/16yQ9sbLdeBnc+rSTKdUOgnwr/QAAAACAAAAAAAAAEAAAAAAgDVdWfvQIo+Q3DqcYg6vsok0hTjYv2HC4lOnjZNRCCwVYpvwOIqYuISCL/kdvdepz7Cv1WBWZKvLNfqif0KFREKCJUNn84Pl886Uzvi1PrBcdJSwr+L8UTw0HhPqtuSAOsmD0QcyAiM=`)
	if _, err := OpenSigner(locked, func() (string, error) { return "water", nil }); !errors.Is(err, ErrPassword) {
		t.Errorf("a wrong password: %v", err)
	}
	ended := errors.New("ended")
	if _, err := OpenSigner(locked, func() (string, error) { return "", ended }); !errors.Is(err, ended) {
		t.Errorf("no password: %v", err)
	}
	open, err := signer.key.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	never := func() (string, error) { t.Error("a password was asked for"); return "", nil }
	if _, err := OpenSigner(open, never); err != nil {
		t.Error(err)
	}
	if _, err := OpenSigner([]byte("lamps"), never); err == nil {
		t.Error("what is no key was opened")
	}
}

// A package at an address is asked for by its ETag, and its signature lies next to it.
func TestPackagesAtAnAddress(t *testing.T) {
	t.Parallel()
	raw := write(t, lamps())
	public, signer := pair(t)
	asked := map[string]int{}
	signature := sign(t, signer, raw)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path+" "+r.Header.Get("If-None-Match")]++
		switch {
		case r.URL.Path == "/docs/lamps.docent" && r.Header.Get("If-None-Match") == `"1"`:
			w.WriteHeader(http.StatusNotModified)
		case r.URL.Path == "/docs/lamps.docent":
			w.Header().Set("ETag", `"1"`)
			_, _ = w.Write(raw)
		case r.URL.Path == "/docs/lamps.docent.minisig" && signature != nil:
			_, _ = w.Write(signature)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client, err := web.New(web.Options{Agent: "test", Policy: web.Policy{Private: []string{web.HostPort(u)}}})
	if err != nil {
		t.Fatal(err)
	}
	f := &Fetcher{Client: client, Keys: Keys{Known: []minisign.PublicKey{public}, Required: true}}
	want := source.Want{Kind: source.KindPacked, Address: server.URL + "/docs/lamps.docent", Path: "Wick@2"}
	got, err := f.Fetch(t.Context(), want, t.TempDir(), nil, nil)
	if err != nil || got.ETag != `"1"` || got.Name != "Wick" {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := f.Fetch(t.Context(), want, t.TempDir(), &source.Before{Origin: got.Origin}, nil); !errors.Is(err, source.ErrUnchanged) {
		t.Errorf("the same again: %v", err)
	}
	signature = nil
	if _, err := f.Fetch(t.Context(), want, t.TempDir(), nil, nil); err == nil || !strings.Contains(err.Error(), "it is not signed") {
		t.Errorf("without its signature: %v", err)
	}
	if asked["/docs/lamps.docent "] != 2 || asked[`/docs/lamps.docent "1"`] != 1 {
		t.Errorf("it was asked for %v", asked)
	}
}
