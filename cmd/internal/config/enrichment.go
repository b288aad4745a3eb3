package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/contract"
)

// Link is one of [[enrichment.chain]]: a model that may enrich the sections of a
// domain. Those of one chain are tried in their order.
type Link struct {
	Name        string // of the link
	Chain       string
	Provider    string
	Model       string
	URL         string // "": that of [models], if it has the same provider
	Tier        string // such as 4b; for people
	Timeout     int    // seconds; 0: that of [models]
	Enabled     bool
	Temperature float64
}

// linkTable is one of [[enrichment.chain]] as it is written.
type linkTable struct {
	Name     string  `toml:"name"`
	Chain    string  `toml:"chain"`
	Provider *string `toml:"provider"`
	Model    string  `toml:"model"`
	URL      string  `toml:"url"`
	Tier     string  `toml:"routing_tier"`
	Timeout  *int    `toml:"timeout_seconds"`
	Enabled  *bool   `toml:"enabled"`
	Options  struct {
		NumCtx      *int     `toml:"num_ctx"`
		Temperature *float64 `toml:"temperature"`
	} `toml:"options"`
}

// maxTemperature is the highest that servers take.
const maxTemperature = 2

func chainSetting(key string) Setting {
	return Setting{Key: key, table: true, About: "models that enrich sections, by name",
		read: func(c *Config, f file, _ any) []Fault {
			var in struct {
				Enrichment struct {
					Chain []linkTable `toml:"chain"`
				} `toml:"enrichment"`
			}
			unknown, err := f.decodeTable(key, &in)
			if err != nil {
				return oneFault(key, "%v", err)
			}
			faults := faultList(unknown)
			names := map[string]bool{}
			for i, l := range in.Enrichment.Chain {
				at, before := fmt.Sprintf("%s[%d]", key, i), len(faults)
				switch {
				case l.Name == "":
					faults.addFault(at+".name", "a link needs a name")
				case names[l.Name]:
					faults.addFault(at+".name", "two links have the name %q", l.Name)
				}
				names[l.Name] = true
				if out := c.readChainLink(at, l, &faults); len(faults) == before {
					c.Chain = append(c.Chain, out)
				}
			}
			return faults
		},
		show: func(c *Config) any {
			var out []string
			for _, l := range c.Chain {
				out = append(out, l.Name+" = "+l.Model)
			}
			return strings.Join(out, "; ")
		},
	}
}

// readChainLink reads one of [[enrichment.chain]].
func (c *Config) readChainLink(key string, l linkTable, faults *faultList) Link {
	out := Link{Name: l.Name, Chain: l.Chain, Provider: c.Models.Provider, Model: l.Model, URL: l.URL, Tier: l.Tier, Enabled: true}
	if l.Chain == "" {
		faults.addFault(key+".chain", "a link needs the name of its chain")
	}
	if l.Model == "" {
		faults.addFault(key+".model", "a link needs a model")
	}
	if l.Provider != nil {
		if out.Provider = *l.Provider; !slices.Contains(providers(), out.Provider) {
			faults.addFault(key+".provider", "%q is none of %s", out.Provider, strings.Join(providers(), ", "))
		}
	}
	if l.URL != "" {
		if _, err := addressSetting(out.Provider, l.URL); err != nil {
			faults.addFault(key+".url", "%v", err)
		}
	}
	faults.checkTimeout(key+".timeout_seconds", l.Timeout, &out.Timeout)
	if l.Enabled != nil {
		out.Enabled = *l.Enabled
	}
	if v := l.Options.NumCtx; v != nil && *v != c.Models.NumCtx {
		faults.addFault(key+".options.num_ctx", "it is %d, and models.num_ctx is %d: with another context the server would load the "+
			"model twice", *v, c.Models.NumCtx)
	}
	if v := l.Options.Temperature; v != nil {
		if out.Temperature = *v; !(*v >= 0 && *v <= maxTemperature) {
			faults.addFault(key+".options.temperature", "%v is not between 0 and %d", *v, maxTemperature)
		}
	}
	return out
}

func chainRoutes(key string) Setting {
	return Setting{Key: key, table: true, About: "a domain's chain",
		read: func(c *Config, f file, _ any) []Fault {
			var in struct {
				Enrichment struct {
					Chain []struct {
						Chain string `toml:"chain"`
					} `toml:"chain"`
					Routes map[string]string `toml:"routes"`
				} `toml:"enrichment"`
			}
			if _, err := f.decodeTable(key, &in); err != nil {
				return oneFault(key, "%v", err)
			}
			chains := map[string]bool{}
			for _, l := range in.Enrichment.Chain {
				chains[l.Chain] = true
			}
			var faults faultList
			for _, domain := range slices.Sorted(maps.Keys(in.Enrichment.Routes)) {
				switch chain := in.Enrichment.Routes[domain]; {
				case !contract.IsFileDomain(domain):
					faults.addFault(key+"."+domain, "%q is no domain of a file", domain)
				case !chains[chain]:
					faults.addFault(key+"."+domain, "there is no [[enrichment.chain]] of the chain %q", chain)
				default:
					c.ChainOf[domain] = chain
				}
			}
			return faults
		},
		show: func(c *Config) any { return formatPairs(c.ChainOf) },
	}
}
