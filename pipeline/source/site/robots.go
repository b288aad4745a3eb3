package site

import (
	"bytes"
	"net/url"
	"strings"
	"time"

	"github.com/temoto/robotstxt"
)

// Bounds of robots.txt.
const (
	mostRobots   = 512 << 10      // bytes
	longestDelay = time.Minute    // between two requests
	robotsHold   = 24 * time.Hour // how long it need not be read again (RFC 9309, 2.4)
	robotsAgent  = "docent"       // the name by which it addresses this program
	leftByRobots = "pages that robots.txt does not allow programs to read"
)

// rules are what robots.txt says.
type rules struct {
	group    *robotstxt.Group
	sitemaps []string
	delay    time.Duration
}

// readRobots reads a robots.txt. Lines that it cannot read are left out, as the others hold
// all the same.
func readRobots(text []byte) rules {
	data, err := robotstxt.FromBytes(text)
	if err != nil {
		data, err = robotstxt.FromBytes(readableLines(text))
	}
	if err != nil {
		return rules{group: &robotstxt.Group{}}
	}
	group := data.FindGroup(robotsAgent)
	return rules{group: group, sitemaps: data.Sitemaps, delay: min(group.CrawlDelay, longestDelay)}
}

// readableLines are the lines of a robots.txt that can be read after those before them.
func readableLines(text []byte) []byte {
	var agent, out []byte
	for line := range bytes.Lines(text) {
		name, _, _ := strings.Cut(strings.ToLower(string(line)), ":")
		isAgent := strings.Contains(name, "user") && strings.Contains(name, "agent")
		before := agent
		if isAgent {
			before = nil
		}
		if _, err := robotstxt.FromBytes(bytes.Join([][]byte{before, line}, nil)); err != nil {
			continue
		}
		if isAgent {
			agent = append(bytes.TrimRight(bytes.Clone(line), "\n"), '\n')
		}
		out = append(out, line...)
	}
	return out
}

// allows reports whether a page may be read.
func (r rules) allows(u *url.URL) bool {
	p := u.EscapedPath()
	if u.RawQuery != "" {
		p += "?" + u.RawQuery
	}
	return r.group.Test(p)
}
