// Package password hashes passwords with argon2id and compares them with their
// hashes.
//
// A hash is a line in the usual form, $argon2id$v=19$m=19456,t=2,p=1$SALT$KEY, so that
// other programs can make it too. The package refuses to read or keep a password
// anywhere, and to accept a hash with unreasonable costs: a hash must not be a way to
// fill the memory.
package password

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The costs of a new hash are those that OWASP recommends: 19 MB, two passes.
const (
	memory  = 19456 // KB
	passes  = 2
	threads = 1
	saltLen = 16
	keyLen  = 32
)

// The costs and lengths that a hash may have.
const (
	maxMemory  = 1 << 20 // KB
	maxPasses  = 64
	maxThreads = 64
	minKey     = 16
	maxKey     = 64
	minSalt    = 8
	maxSalt    = 64
)

// MinLength is the least number of bytes of a new password.
const MinLength = 8

// HashPassword makes the hash of a password. It differs each time.
func HashPassword(password string) (string, error) {
	if len(password) < MinLength {
		return "", fmt.Errorf("the password has %d bytes, it must have at least %d", len(password), MinLength)
	}
	salt := make([]byte, saltLen)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	h := parsed{memory: memory, passes: passes, threads: threads, salt: salt}
	h.key = h.deriveKey(password, keyLen)
	return h.String(), nil
}

// CheckHash reports whether a text is a hash that Matches can compare with.
func CheckHash(hash string) error {
	_, err := parseHash(hash)
	return err
}

// Matches reports whether a hash is the password's. The time that it takes tells nothing
// of the two. A text that is no hash matches nothing.
func Matches(hash, password string) bool {
	h, err := parseHash(hash)
	if err != nil {
		return false
	}
	return subtle.ConstantTimeCompare(h.deriveKey(password, uint32(len(h.key))), h.key) == 1
}

// parsed is a hash in its parts.
type parsed struct {
	memory, passes uint32
	threads        uint8
	salt, key      []byte
}

func (h parsed) deriveKey(password string, length uint32) []byte {
	return argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.threads, length)
}

func (h parsed) String() string {
	enc := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.passes, h.threads, enc.EncodeToString(h.salt),
		enc.EncodeToString(h.key))
}

var errForm = errors.New("it is no argon2id hash; docent serve --set-password makes one")

func parseHash(hash string) (parsed, error) {
	var h parsed
	parts := strings.Split(strings.TrimSpace(hash), "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return h, errForm
	}
	if parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return h, fmt.Errorf("the hash is of argon2's version %q, it must be v=%d", parts[2], argon2.Version)
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.threads); err != nil || n != 3 {
		return h, errForm
	}
	if h.memory < 8*uint32(h.threads) || h.memory > maxMemory || h.passes < 1 || h.passes > maxPasses || h.threads < 1 ||
		h.threads > maxThreads {
		return h, fmt.Errorf("the hash has the costs %s, which are out of bounds", parts[3])
	}
	var serr, kerr error
	h.salt, serr = base64.RawStdEncoding.DecodeString(parts[4])
	h.key, kerr = base64.RawStdEncoding.DecodeString(parts[5])
	if serr != nil || kerr != nil || len(h.salt) < minSalt || len(h.salt) > maxSalt || len(h.key) < minKey || len(h.key) > maxKey {
		return h, errForm
	}
	return h, nil
}
