// Package apitoken keeps the tokens with which scripts use the server: random, named,
// revocable, with an end if they are given one.
//
// A token is shown once, when it is made, and is stored nowhere. Only its SHA-256 is
// stored, in a file of its own, so that tokens are made and removed without a lock. The
// servers of a home whose catalog lies in a database keep them there, in the same form. A
// token has 256 random bits, so a slow hash would not be safer. The package refuses to
// know HTTP and the rights of a token.
package apitoken

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/store/durable"
	"docent/store/logins"
)

// Token describes a token.
type Token struct {
	Name    string     `json:"name"`
	Created time.Time  `json:"created,omitzero"`  // zero: its file is damaged
	Expires *time.Time `json:"expires,omitempty"` // nil: never
	Damaged bool       `json:"damaged,omitempty"` // its file cannot be read: it grants no access
}

// Expired reports whether its time is over.
func (t Token) Expired(now time.Time) bool { return t.Expires != nil && !now.Before(*t.Expires) }

// kept is a token's file.
type kept struct {
	Token
	SHA256 string `json:"sha256"`
	// Sum is the checksum of the file's JSON without it: a flipped bit once made a token
	// that ends one that does not. Files of before have none.
	Sum string `json:"crc32c,omitempty"`
}

// encodeToken is a token's file, with its checksum.
func (k kept) encodeToken() ([]byte, error) {
	k.Sum = ""
	raw, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	k.Sum = fmt.Sprintf("%08x", crc32.Checksum(raw, crc32.MakeTable(crc32.Castagnoli)))
	raw, err = json.Marshal(k)
	return append(raw, '\n'), err
}

// decodeToken reads a token's file; false: it is damaged. A field that is not known makes it
// damaged too, since it may have been the end of the token.
func decodeToken(raw []byte, name string) (k kept, whole bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&k); err != nil || k.Name != name || k.Damaged {
		return k, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return k, false
	}
	if sum, err := hex.DecodeString(k.SHA256); err != nil || len(sum) != sha256.Size {
		return k, false
	}
	if k.Sum == "" {
		return k, true
	}
	again, err := k.encodeToken()
	return k, err == nil && bytes.Equal(bytes.TrimSpace(again), bytes.TrimSpace(raw))
}

// begins is the beginning of each token, by which programs that look for secrets in
// files know it.
const begins = "docent_"

const (
	randomLen = 32
	maxName   = 64
	ending    = ".json"
	folder    = "tokens"
)

// Errors in the name of a token.
var (
	ErrThere    = errors.New("there is a token of this name already")
	ErrNotThere = errors.New("there is no token of this name")
	ErrName     = fmt.Errorf("the name of a token has 1 to %d lower-case letters, digits, dashes and underscores", maxName)
)

// Store keeps the tokens of a home: in files of its folder, or where its servers share them.
type Store struct {
	dir    string
	shared logins.Secrets // nil: in the folder
}

// InHome is the store of a home: in its folder, or in shared where that is not nil.
func InHome(home string, shared logins.Secrets) Store {
	return Store{dir: filepath.Join(home, folder), shared: shared}
}

func (s Store) tokenFilePath(name string) (string, error) {
	if name == "" || len(name) > maxName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return "", ErrName
	}
	return filepath.Join(s.dir, name+ending), nil
}

// Add makes a token and returns it: it cannot be shown again. expires is its end; with
// the zero time it does not expire. The errors are ErrName, ErrThere, and those of the
// disk or the database.
func (s Store) Add(ctx context.Context, name string, now, expires time.Time) (secret string, t Token, err error) {
	file, err := s.tokenFilePath(name)
	if err != nil {
		return "", t, err
	}
	raw := make([]byte, randomLen)
	if _, err := rand.Read(raw); err != nil {
		return "", t, err
	}
	secret = begins + base64.RawURLEncoding.EncodeToString(raw)
	t = Token{Name: name, Created: now.UTC().Truncate(time.Second)}
	if !expires.IsZero() {
		end := expires.UTC().Truncate(time.Second)
		t.Expires = &end
	}
	key := logins.KeyOf(secret)
	content, err := kept{Token: t, SHA256: hex.EncodeToString(key[:])}.encodeToken()
	switch {
	case err != nil:
		return "", t, err
	case s.shared == nil:
		err = os.MkdirAll(s.dir, 0o700)
		if err == nil {
			err = durable.WriteNew(file, content)
		}
	default:
		if err = s.Adopt(ctx); err == nil { // the folder may have a token of the name
			err = s.shared.AddToken(ctx, logins.Token{Key: key, Name: name, Content: content})
		}
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrThere
	}
	return secret, t, err
}

// Remove ends a token; ErrNotThere for an unknown name.
func (s Store) Remove(ctx context.Context, name string) error {
	file, err := s.tokenFilePath(name)
	if err != nil {
		return err
	}
	if s.shared == nil {
		return s.removeFile(file)
	}
	if err = s.Adopt(ctx); err == nil {
		err = s.shared.EndToken(ctx, name)
	}
	// Its file goes too: one that is damaged is there alone, and a home that is moved back into the
	// folder must not have it again.
	switch ferr := s.removeFile(file); {
	case errors.Is(err, fs.ErrNotExist):
		return ferr
	case errors.Is(ferr, ErrNotThere):
		return err
	default:
		return errors.Join(err, ferr)
	}
}

func (s Store) removeFile(file string) error {
	err := os.Remove(file)
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotThere
	}
	return errors.Join(err, durable.SyncDir(s.dir))
}

// List gives the tokens by name.
func (s Store) List(ctx context.Context) ([]Token, error) {
	all, err := s.readTokens()
	if err == nil && s.shared != nil {
		all, err = s.readShared(ctx, all)
	}
	out := make([]Token, len(all))
	for i, k := range all {
		out[i] = k.Token
	}
	return out, err
}

// readShared gives the tokens that servers share, and the damaged ones of the folder, which are
// nowhere else.
func (s Store) readShared(ctx context.Context, inFolder []kept) ([]kept, error) {
	if err := s.Adopt(ctx); err != nil {
		return nil, err
	}
	rows, err := s.shared.Tokens(ctx)
	if err != nil {
		return nil, err
	}
	var out []kept
	for _, row := range rows {
		out = append(out, decodeShared(row))
	}
	for _, k := range inFolder {
		taken := slices.ContainsFunc(out, func(o kept) bool { return o.Name == k.Name })
		if k.Damaged && !taken {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, byName)
	return out, nil
}

func byName(a, b kept) int { return strings.Compare(a.Name, b.Name) }

// decodeShared reads a token that servers share. Its key must be that of its content.
func decodeShared(row logins.Token) kept {
	k, whole := decodeToken(row.Content, row.Name)
	if !whole || k.SHA256 != hex.EncodeToString(row.Key[:]) {
		return kept{Token: Token{Name: row.Name, Damaged: true}}
	}
	return k
}

// mostTaken is how many tokens of one name, each in a folder of another machine, get names of their own.
const mostTaken = 100

// Adopt has the servers share the tokens of the folder, of a time when they lay there. The files stay
// for servers of that version. A token whose name another machine's has gets a number behind its name.
func (s Store) Adopt(ctx context.Context) error {
	if s.shared == nil {
		return nil
	}
	all, err := s.readTokens()
	if err != nil {
		return err
	}
	for _, k := range all {
		if k.Damaged {
			continue
		}
		if err := s.adoptToken(ctx, k); err != nil {
			return err
		}
	}
	return nil
}

func (s Store) adoptToken(ctx context.Context, k kept) error {
	t := logins.Token{}
	if _, err := hex.Decode(t.Key[:], []byte(k.SHA256)); err != nil {
		return err
	}
	name := k.Name
	for n := 2; ; n++ {
		content, err := k.encodeToken()
		if err != nil {
			return err
		}
		t.Name, t.Content = k.Name, content
		err = s.shared.AddToken(ctx, t)
		if !errors.Is(err, fs.ErrExist) || n > mostTaken {
			return err
		}
		end := fmt.Sprintf("-%d", n)
		k.Name = name[:min(len(name), maxName-len(end))] + end
	}
}

// BringBack writes the tokens that servers share into the folder, in the place of those that are there:
// a home that leaves its database takes them along.
func (s Store) BringBack(ctx context.Context) error {
	if s.shared == nil {
		return nil
	}
	if err := s.Adopt(ctx); err != nil {
		return err
	}
	rows, err := s.shared.Tokens(ctx)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(s.dir); err != nil || len(rows) == 0 {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	for _, row := range rows {
		file, err := s.tokenFilePath(row.Name)
		if err == nil {
			err = durable.WriteNew(file, row.Content)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s Store) readTokens() ([]kept, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []kept
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ending)
		if _, bad := s.tokenFilePath(name); !ok || bad != nil || !e.Type().IsRegular() {
			continue
		}
		raw, rerr := os.ReadFile(filepath.Join(s.dir, e.Name()))
		if errors.Is(rerr, fs.ErrNotExist) {
			continue // it was removed by another process
		}
		k, whole := decodeToken(raw, name)
		if rerr != nil || !whole {
			k = kept{Token: Token{Name: name, Damaged: true}}
		}
		out = append(out, k)
	}
	slices.SortFunc(out, byName)
	return out, err
}
