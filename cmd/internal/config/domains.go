package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/text/spelling"
)

// Domains is the configuration of domains.
func (c Config) Domains() domain.Settings {
	s := domain.Settings{Repository: c.Repository, Routing: c.Routing}
	if c.origins["repository.domain"] == File {
		s.Repository.Domain = c.Domain
	}
	return s
}

// domainSettings are the keys of [repository] except its domain, and the routes.
func domainSettings() []Setting {
	return []Setting{
		choiceSetting("repository.default_domain", "domain of the files of mixed doc sets that no other rule decides",
			contract.FileDomains(),
			func(c *Config) *string { return &c.Repository.Default }),
		pathOverrides("repository.path_overrides"),
		sliceTypes("routing.slice_type_to_route"),
		routesSetting("embeddings.routes"),
	}
}

func pathOverrides(key string) Setting {
	return Setting{Key: key, table: true, About: "domains by path, of doc sets whose own docent.toml has none",
		read: func(c *Config, _ file, value any) []Fault {
			r, wrong := domain.ReadRepository(map[string]any{"path_overrides": value})
			c.Repository.Overrides = r.Overrides
			var faults []Fault
			for _, f := range wrong {
				faults = append(faults, Fault{Key: f.Key, Message: f.Message})
			}
			return faults
		},
		show: func(c *Config) any { return formatPairs(c.Repository.Overrides) },
	}
}

// isRouteName reports whether a route or an index may be called so.
func isRouteName(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	return s != "" && len(s) <= 100 && strings.Contains(letters, s[:1]) && strings.Trim(s, letters+"_.-") == ""
}

func sliceTypes(key string) Setting {
	return Setting{Key: key, table: true, About: "routes of the kinds of documents",
		read: func(c *Config, f file, value any) []Fault {
			table, ok := value.(map[string]any)
			if !ok {
				return oneFault(key, "it must be a table of routes by slice type, such as tech_manual = \"tech_docs\"")
			}
			var faults faultList
			for _, name := range slices.Sorted(maps.Keys(table)) {
				at := key + "." + name
				route, ok := table[name].(string)
				known := slices.Contains(domain.SliceTypes(), name)
				near := spelling.Nearest(name, domain.SliceTypes())
				_, there := f.findValue("embeddings.routes." + route)
				switch {
				case !ok:
					faults.addFault(at, "it must be a text in quotes")
				case !known && len(near) > 0:
					faults.addFault(at, "no document is a %s; did you mean %s?", name, strings.Join(near, " or "))
				case !isRouteName(route):
					faults.addFault(at, "%q is no name of a route", route)
				case known && !there && !contract.IsFileDomain(route):
					faults.addFault(at, "there is no [embeddings.routes.%s]", route)
				default:
					c.Routing.SliceTypes[name] = route
				}
			}
			return faults
		},
		show: func(c *Config) any { return formatPairs(c.Routing.SliceTypes) },
	}
}

// routeTable is one of [embeddings.routes] as it is written.
type routeTable struct {
	Profile *string `toml:"profile"`
	Index   *string `toml:"index"`
	Sharing *string `toml:"sharing"`
	Suffix  string  `toml:"index_name_suffix"`
}

func routesSetting(key string) Setting {
	return Setting{Key: key, table: true, About: "a domain's embedding profile and index",
		read: func(c *Config, f file, _ any) []Fault {
			var in struct {
				Embeddings struct {
					Profiles map[string]any        `toml:"profiles"`
					Routes   map[string]routeTable `toml:"routes"`
				} `toml:"embeddings"`
			}
			unknown, err := f.decodeTable(key, &in)
			if err != nil {
				return oneFault(key, "%v", err)
			}
			faults := faultList(unknown)
			for _, name := range slices.Sorted(maps.Keys(in.Embeddings.Routes)) {
				at, before := key+"."+name, len(faults)
				if !contract.IsFileDomain(name) && !slices.Contains(slices.Collect(maps.Values(c.Routing.SliceTypes)), name) {
					faults.addFault(at, "%q is no domain of a file, and no slice type of [routing.slice_type_to_route] leads to it", name)
					continue
				}
				r := readRoute(at, in.Embeddings.Routes[name], in.Embeddings.Profiles, &faults)
				if len(faults) == before {
					c.Routing.Routes[name] = r
				}
			}
			c.checkIndexes(key, &faults)
			return faults
		},
		show: func(c *Config) any {
			out := map[string]string{}
			for name, r := range c.Routing.Routes {
				out[name] = strings.TrimSpace(r.Profile + " " + domain.IndexName(r.Index, "NAME@VERSION", r.Sharing, r.Suffix))
			}
			return formatPairs(out)
		},
	}
}

// readRoute reads one of [embeddings.routes].
func readRoute(key string, t routeTable, profiles map[string]any, faults *faultList) domain.Route {
	out := domain.Route{Index: "emb_" + key[strings.LastIndexByte(key, '.')+1:], Sharing: domain.SharingPerRepo, Suffix: t.Suffix}
	if t.Profile != nil {
		out.Profile = *t.Profile
		// The name of a domain stands for the home's model where it has no profile yet, as in the
		// specification's own routes.
		if _, known := profiles[out.Profile]; !known && !contract.IsFileDomain(out.Profile) {
			faults.addFault(key+".profile", "there is no [embeddings.profiles.%s]", out.Profile)
		}
	}
	if t.Index != nil {
		if out.Index = *t.Index; !isRouteName(out.Index) {
			faults.addFault(key+".index", "%q is no name of an index: letters, digits, _ - and .", out.Index)
		}
	}
	if t.Sharing != nil {
		if out.Sharing = *t.Sharing; !slices.Contains(domain.Sharings(), out.Sharing) {
			faults.addFault(key+".sharing", "%q is none of %s", out.Sharing, strings.Join(domain.Sharings(), ", "))
		}
	}
	if t.Suffix != "" && !isRouteName("a"+t.Suffix) { // the name of a shared index is without it
		faults.addFault(key+".index_name_suffix", "%q is no end of an index's name: letters, digits, _ - and .", t.Suffix)
	}
	return out
}

// checkIndexes finds routes whose indexes have one name and whose vectors are by
// different models.
func (c *Config) checkIndexes(key string, faults *faultList) {
	by := map[string]string{} // index name → route
	for _, name := range slices.Sorted(maps.Keys(c.Routing.Routes)) {
		r := c.Routing.Routes[name]
		index := domain.IndexName(r.Index, "NAME@VERSION", r.Sharing, r.Suffix)
		other, taken := by[index]
		if taken && c.Routing.Routes[other].Profile != r.Profile {
			faults.addFault(fmt.Sprintf("%s.%s.index", key, name),
				"the index %s is that of the route %s, whose profile is another one; an index has the vectors of one model", index, other)
			delete(c.Routing.Routes, name)
			continue
		}
		by[index] = name
	}
}
