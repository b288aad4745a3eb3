package packed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"aead.dev/minisign"

	"docent/pipeline/source"
	"docent/pipeline/source/web"
)

// A signature is minisign's: a file next to the package, which minisign -V checks too. A key is
// minisign's as well.

// mostSignature bounds a signature in bytes; minisign's have some 300.
const mostSignature = 16 << 10

// Keys are public keys. A package with a signature must have been signed by one of them.
type Keys struct {
	Known []minisign.PublicKey
	// Required refuses packages without a signature.
	Required bool
}

// ParseKeys reads public keys: each the text of a key, or the name of a file with one.
func ParseKeys(texts []string) ([]minisign.PublicKey, error) {
	out := make([]minisign.PublicKey, 0, len(texts))
	for _, text := range texts {
		var k minisign.PublicKey
		if k.UnmarshalText([]byte(text)) == nil {
			out = append(out, k)
			continue
		}
		k, err := minisign.PublicKeyFromFile(text)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%q is neither a public key of minisign nor a file", text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s is no public key of minisign", text)
		}
		out = append(out, k)
	}
	return out, nil
}

// IsKey reports whether a text is a public key of minisign.
func IsKey(text string) bool { return new(minisign.PublicKey).UnmarshalText([]byte(text)) == nil }

// KeyTexts gives the texts of public keys that are texts or files, so that they can be kept.
func KeyTexts(texts []string) ([]string, error) {
	keys, err := ParseKeys(texts)
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = k.String()
	}
	return out, nil
}

// Signer signs packages.
type Signer struct{ key minisign.PrivateKey }

// ErrPassword means that the password of a key is not the right one.
var ErrPassword = errors.New("the password is not that of the key")

// OpenSigner opens a private key of minisign. password is asked for where the key has one.
func OpenSigner(raw []byte, password func() (string, error)) (*Signer, error) {
	if !minisign.IsEncrypted(raw) {
		var k minisign.PrivateKey
		if err := k.UnmarshalText(raw); err != nil {
			return nil, errors.New("it is no private key of minisign")
		}
		return &Signer{k}, nil
	}
	text, err := password()
	if err != nil {
		return nil, err
	}
	k, err := minisign.DecryptKey(text, raw)
	if err != nil {
		return nil, ErrPassword
	}
	return &Signer{k}, nil
}

// Sign signs the bytes of a package; name is the file's. The same package gives the same
// signature: it has no time.
func (s *Signer) Sign(r io.Reader, name string) ([]byte, error) {
	m := minisign.NewReader(r)
	if _, err := io.Copy(io.Discard, m); err != nil {
		return nil, err
	}
	return m.SignWithComments(s.key, "file:"+strings.Map(printable, name)+"\thashed", "signature of a package of docent"), nil
}

// printable keeps a comment on its line.
func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return '_'
	}
	return r
}

// errUnsigned means that a package must be signed and is not.
var errUnsigned = errors.New("it is not signed, and must be")

// errSignature means that a signature is not that of the package by a known key.
var errSignature = errors.New("its signature is wrong")

// verify compares a package with its signature, nil: it has no signature.
func (k Keys) verify(file string, signature []byte) error {
	if signature == nil {
		if k.Required {
			return errUnsigned
		}
		return nil
	}
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return fmt.Errorf("%w: it is none of minisign's", errSignature)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	r := minisign.NewReader(f)
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	known := false
	for _, key := range k.Known {
		if r.Verify(key, signature) {
			return nil
		}
		known = known || key.ID() == s.KeyID
	}
	if known {
		return fmt.Errorf("%w: the package is not the one that was signed", errSignature)
	}
	return fmt.Errorf("%w: it is by the key %016X, which is not one of those that you trust", errSignature, s.KeyID)
}

// keysFor are the keys for a request: its own, or those of the configuration.
func (f *Fetcher) keysFor(want source.Want) (Keys, error) {
	if len(want.Signers) == 0 {
		return f.Keys, nil
	}
	own, err := ParseKeys(want.Signers)
	return Keys{Known: own, Required: true}, err
}

// checkSignature checks the signature of a package, which lies next to it, if any key is known.
func (f *Fetcher) checkSignature(ctx context.Context, want source.Want, file string) error {
	keys, err := f.keysFor(want)
	if err != nil {
		return &source.Error{Source: want.Address, Reason: err.Error(), Do: "give a public key of minisign"}
	}
	if len(keys.Known) == 0 && !keys.Required {
		return nil
	}
	signature, err := f.signature(ctx, want)
	if err == nil {
		err = keys.verify(file, signature)
	}
	if errors.Is(err, errUnsigned) || errors.Is(err, errSignature) {
		return &source.Error{Source: want.Address, Reason: err.Error(), Do: "ask whoever packed it"}
	}
	return err
}

// signature reads the signature of a package; nil: it has none.
func (f *Fetcher) signature(ctx context.Context, want source.Want) ([]byte, error) {
	if !strings.Contains(want.Address, "://") {
		r, err := os.Open(want.Address + SignatureEnding)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(io.LimitReader(r, mostSignature))
	}
	u, err := url.Parse(want.Address)
	if err != nil {
		return nil, err
	}
	u.Path, u.RawPath = u.Path+SignatureEnding, ""
	answer, err := f.Client.Get(ctx, web.Request{URL: u, Most: mostSignature})
	if e, ok := errors.AsType[*web.Error](err); ok && (e.Kind == web.KindMissing || e.Status == http.StatusNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, &source.Error{Source: want.Address, Reason: "its signature cannot be fetched: " + err.Error(),
			Do: "try again", Err: err}
	}
	return answer.Body, nil
}
