package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"docent/pipeline/source"
	"docent/pipeline/source/mirror"
)

// mostCheckEvery bounds how long a source is not asked again: a year.
const mostCheckEvery = 365 * 24 * time.Hour

// The bounds of the settings about web sites.
const (
	mostPerSecond     = 1000
	mostSitePages     = 1_000_000
	mostSiteMegabytes = 100_000
	mostSiteDepth     = 1000
)

// SiteLimits are the limits of a web site.
func (c *Config) SiteLimits() source.Limits {
	return source.Limits{Pages: c.SitePages, Bytes: int64(c.SiteMegabytes) << 20, Depth: c.SiteDepth}
}

// SourcesCheckEvery is how long a source that was asked is not asked again by an update of all
// doc sets; 0: each update asks.
func (c *Config) SourcesCheckEvery() time.Duration {
	d, err := time.ParseDuration(c.CheckEvery)
	if err != nil { // only where it was not loaded
		return 0
	}
	return d
}

func checkEvery(key, about string, field func(*Config) *string) Setting {
	return scalarSetting(key, about, "a text in quotes", field, func(_ *Config, v string) string {
		if d, err := time.ParseDuration(v); err != nil || d < 0 || d > mostCheckEvery {
			return fmt.Sprintf("%q is no duration between 0s and 8760h, such as 24h", v)
		}
		return ""
	})
}

// MirrorPlaces are the mirrors; folders are absolute, or below the folder of docent.toml.
func (c *Config) MirrorPlaces() []string {
	out := make([]string, len(c.Mirrors))
	for i, place := range c.Mirrors {
		if out[i] = place; !mirror.IsAddress(place) {
			out[i] = c.fileNamed(place)
		}
	}
	return out
}

// PackagesFolder is the folder whose packages docent serve gives to everybody; "": none.
func (c *Config) PackagesFolder() string {
	if c.Packages == "" {
		return ""
	}
	return c.fileNamed(c.Packages)
}

// fileNamed is the place of a file or folder that docent.toml names: one that is not absolute lies next to it.
func (c *Config) fileNamed(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(c.Path), filepath.FromSlash(name))
}

// mirrors are places with packages of doc sets.
func mirrors() Setting {
	const key = "sources.mirrors"
	return Setting{Key: key, About: "folders and addresses with packages of doc sets, which are asked before a source",
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := readTexts(value)
			if !ok {
				return oneFault(key, "it must be a list of folders and addresses, such as [\"/srv/docs\"]")
			}
			for _, place := range v {
				if place == "" || strings.Contains(place, "://") && !mirror.IsAddress(place) {
					return oneFault(key, "%q is neither a folder nor an address of http or https", place)
				}
			}
			c.Mirrors = v
			return nil
		},
		show: func(c *Config) any { return strings.Join(c.Mirrors, " ") },
	}
}
