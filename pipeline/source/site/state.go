package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"docent/pipeline/source"
)

// stateFormat is the version of the form of state.
const stateFormat = 1

// The ways in which the pages of a site are found.
const (
	byList  = "list"  // of llms.txt and sitemaps
	byLinks = "links" // of pages
)

// state is kept of a fetch for the next one.
type state struct {
	Format   int    `json:"format"`
	Start    string `json:"start"` // the address that was asked for
	Wanted   string `json:"wanted,omitempty"`
	Base     string `json:"base"` // of the folder that is read
	Mode     string `json:"mode"`
	Twins    string `json:"twins,omitempty"`
	Name     string `json:"name"`
	Release  string `json:"release"`
	Licence  string `json:"licence,omitempty"`
	Better   string `json:"better,omitempty"`
	Language string `json:"language,omitempty"`
	Version  string `json:"version,omitempty"`
	Filter   bool   `json:"filter,omitempty"`
	// Robots is robots.txt, read at RobotsAt.
	Robots   string          `json:"robots,omitempty"`
	RobotsAt time.Time       `json:"robots_at"`
	Sitemaps []sitemapRecord `json:"sitemaps,omitempty"`
	LLMs     []sitemapRecord `json:"llms,omitempty"`
	// NoPage is the answer for an address that does not exist, where that is a page.
	NoPage *sketch      `json:"no_page,omitempty"`
	Pages  []record     `json:"pages"`
	Left   []leftRecord `json:"left,omitempty"`
	Again  []string     `json:"again,omitempty"` // addresses that failed and may be read later
}

// record describes a page that was fetched.
type record struct {
	Address      string `json:"address"`         // where people read it
	From         string `json:"from,omitempty"`  // where it was read, if that is another address
	Asked        string `json:"asked,omitempty"` // the address that led there by a redirect
	File         string `json:"file"`
	Kind         kind   `json:"kind"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Modified     string `json:"modified,omitempty"` // in the sitemap
	Digest       string `json:"digest"`             // of the file
	Bytes        int64  `json:"bytes"`
	Depth        int    `json:"depth,omitempty"`
	Words        uint64 `json:"words,omitempty"` // sketch.Exact
	Canonical    string `json:"canonical,omitempty"`
	Title        string `json:"title,omitempty"`
}

// leftRecord is an address that was read and is no page of its own.
type leftRecord struct {
	Address  string `json:"address"`
	Reason   string `json:"reason"`
	Modified string `json:"modified,omitempty"`
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// readState reads the state of the last fetch, nil without one that serves this fetch.
func readState(before *source.Before, want source.Want) *state {
	if before == nil || len(before.State) == 0 || before.Folder == "" {
		return nil
	}
	var s state
	if json.Unmarshal(before.State, &s) != nil || s.Format != stateFormat {
		return nil
	}
	if s.Start != want.Address || s.Wanted != want.Version {
		return nil
	}
	if u, err := url.Parse(s.Base); err != nil || u.Host == "" || len(s.Pages) == 0 {
		return nil
	}
	return &s
}

func (s *state) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return nil, fmt.Errorf("the state of the site's pages: %w", err)
	}
	return b.Bytes(), nil
}

func (s *state) scope() scope {
	u, err := url.Parse(s.Base)
	if err != nil {
		return scope{}
	}
	return scope{scheme: u.Scheme, host: u.Host, folder: u.Path}
}
