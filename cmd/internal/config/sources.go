package config

import (
	"fmt"
	"time"

	"docent/pipeline/source"
)

// mostCheckEvery bounds how long a source is not asked again: a year.
const mostCheckEvery = 365 * 24 * time.Hour

// The bounds of what may be configured about fetching web sites.
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
