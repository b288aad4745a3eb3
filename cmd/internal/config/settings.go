package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"docent/pipeline/contract"
	"docent/pipeline/source/packed"
)

// Setting is one key of docent.toml.
type Setting struct {
	Key   string
	About string // for a person, one line

	// table says that the key is a table whose keys a person names.
	table bool
	// read checks a value and puts it into the configuration; where it finds
	// faults, it changes nothing.
	read func(c *Config, f file, value any) []Fault
	// show gives the value in the form of `config show`.
	show func(c *Config) any
}

// settings are all settings, in the order in which they are shown and read.
func settings(app App) []Setting {
	const tech = "search.tech_docs."
	return append([]Setting{
		booleanSetting(tech+"reranker_enabled", "order the hits by the reranker", func(c *Config) *bool { return &c.RerankerEnabled }),
		integerSetting(tech+"reranker_top_k", "headings that are reranked", 1, 1000, func(c *Config) *int { return &c.RerankerTopK }),
		numberSetting(tech+"reranker_threshold", "rerank_sim at which a heading is kept", 0, 1,
			func(c *Config) *float64 { return &c.RerankerThreshold }),
		integerSetting(tech+"max_docs", "documents that a question extracts; not set: more for an answer of sections", 1, 100,
			func(c *Config) *int { return &c.MaxDocs }),
		choiceSetting("search.fallback_mode", "where reranking fails: the hits as the search found them, or an error",
			contract.FallbackModes(),
			func(c *Config) *string { return &c.FallbackMode }),
		booleanSetting(tech+"hybrid_enabled", "search the vectors of a model beside the words", func(c *Config) *bool { return &c.Hybrid }),
		numberSetting(tech+"dense_weight", "weight of a model's vectors", 0, 1, func(c *Config) *float64 { return &c.DenseWeight }),
		numberSetting(tech+"sparse_weight", "weight of the words beside them", 0, 1, func(c *Config) *float64 { return &c.SparseWeight }),
		textSetting(tech+"reranker_model", "model that reranks; else the one for text",
			func(c *Config) *string { return &c.RerankerModel }),
		choicesSetting(tech+"reranker_intents", "intents of the questions that a model reranks", contract.Intents(),
			func(c *Config) *[]string { return &c.RerankerIntents }),
		booleanSetting(tech+"hypothetical_document", "a model writes a passage that the vectors are searched with",
			func(c *Config) *bool { return &c.Hypothetical }),
		textSetting(tech+"synonym_file", "list of words that mean the same, beside those in the folders for them",
			func(c *Config) *string { return &c.SynonymFile }),
		choiceSetting("answer.extent",
			"whole documents, or the sections that answer; not set: sections, and documents in the JSON of the phases",
			contract.Extents(), func(c *Config) *string { return &c.Extent }),
		integerSetting("answer.lines", "lines of an answer of sections at most", 1, contract.MaxLines,
			func(c *Config) *int { return &c.Lines }),
		choiceSetting("repository.domain", "domain of the doc sets that are added", contract.Domains(),
			func(c *Config) *string { return &c.Domain }),
		textSetting("server.listen", "address on which docent serve listens; port 0 takes any that is free",
			func(c *Config) *string { return &c.Listen }),
		passwordHash(),
		storeIndex(),
		storeCatalog(),
		namesSetting("sources.hosts", "hosts that docent serve and docent mcp may fetch documentation from for those who ask",
			func(c *Config) *[]string { return &c.SourceHosts }),
		checkEvery("sources.check_every", "how long docent update does not ask a source again; 0s: each update asks",
			func(c *Config) *string { return &c.CheckEvery }),
		numberSetting("sources.requests_per_second", "requests a second to one host, at most; 0: as fast as it answers",
			0, mostPerSecond, func(c *Config) *float64 { return &c.SourcesPerSecond }),
		integerSetting("sources.site_pages", "pages of a web site, at most", 1, mostSitePages,
			func(c *Config) *int { return &c.SitePages }),
		integerSetting("sources.site_megabytes", "megabytes of a web site, at most", 1, mostSiteMegabytes,
			func(c *Config) *int { return &c.SiteMegabytes }),
		integerSetting("sources.site_depth", "links from the first page of a web site to its last, at most", 1, mostSiteDepth,
			func(c *Config) *int { return &c.SiteDepth }),
		mirrors(),
		signatureKeys(),
		booleanSetting("sources.require_signature", "packages without a signature by one of sources.signature_keys are not added",
			func(c *Config) *bool { return &c.RequireSignature }),
		textSetting("server.packages", "folder with packages of docent pack that docent serve gives to everybody who asks; empty: none",
			func(c *Config) *string { return &c.Packages }),
		namesSetting("server.hosts", "names by which docent serve is called, beside addresses",
			func(c *Config) *[]string { return &c.Hosts }),
		proxies(),
		serverTraces(),
		choiceSetting("tui.theme", "the app's colours: "+strings.Join(app.Themes, ", "), app.Themes,
			func(c *Config) *string { return &c.Theme }),
		booleanSetting("tui.mouse", "the app takes the mouse (M gives it back)", func(c *Config) *bool { return &c.Mouse }),
		booleanSetting("tui.watch", "doc sets are updated as their files change while the app is open",
			func(c *Config) *bool { return &c.Watch }),
		keysSetting(app),
	}, slices.Concat(domainSettings(), graphSettings(), pdfSettings(), modelSettings())...)
}

// defaultTheme is the theme that follows the terminal.
const defaultTheme = "auto"

// oneFault is one fault of a key.
func oneFault(key, format string, args ...any) []Fault {
	return []Fault{{Key: key, Message: fmt.Sprintf(format, args...)}}
}

// scalarSetting makes a setting of one type: field points to its value, problem returns the
// fault of a value, or "".
func scalarSetting[T any](key, about, kind string, field func(*Config) *T, problem func(*Config, T) string) Setting {
	return Setting{Key: key, About: about,
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := value.(T)
			if !ok {
				return oneFault(key, "it must be %s", kind)
			}
			if problem != nil {
				if why := problem(c, v); why != "" {
					return oneFault(key, "%s", why)
				}
			}
			*field(c) = v
			return nil
		},
		show: func(c *Config) any { return *field(c) },
	}
}

func booleanSetting(key, about string, field func(*Config) *bool) Setting {
	return scalarSetting(key, about, "true or false", field, nil)
}

func textSetting(key, about string, field func(*Config) *string) Setting {
	return scalarSetting(key, about, "a text in quotes", field, nil)
}

// choiceSetting is one of several names; none: any name.
func choiceSetting(key, about string, names []string, field func(*Config) *string) Setting {
	return scalarSetting(key, about, "a text in quotes", field, func(_ *Config, v string) string {
		if len(names) == 0 || slices.Contains(names, v) {
			return ""
		}
		return fmt.Sprintf("%q is none of %s", v, strings.Join(names, ", "))
	})
}

func durationSetting(key, about string, field func(*Config) *string) Setting {
	return scalarSetting(key, about, "a text in quotes", field, func(_ *Config, v string) string {
		if _, err := time.ParseDuration(v); err != nil {
			return fmt.Sprintf("%q is no duration such as 10m or 1h; -1s is for ever", v)
		}
		return ""
	})
}

func integerSetting(key, about string, low, high int, field func(*Config) *int) Setting {
	return Setting{Key: key, About: about,
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := value.(int64)
			switch {
			case !ok:
				return oneFault(key, "it must be a whole number")
			case v < int64(low) || v > int64(high):
				return oneFault(key, "%d is not between %d and %d", v, low, high)
			}
			*field(c) = int(v)
			return nil
		},
		show: func(c *Config) any { return *field(c) },
	}
}

func numberSetting(key, about string, low, high float64, field func(*Config) *float64) Setting {
	return Setting{Key: key, About: about,
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := value.(float64)
			if whole, is := value.(int64); is {
				v, ok = float64(whole), true
			}
			switch {
			case !ok:
				return oneFault(key, "it must be a number")
			case math.IsNaN(v) || v < low || v > high:
				return oneFault(key, "%v is not between %v and %v", v, low, high)
			}
			*field(c) = v
			return nil
		},
		show: func(c *Config) any { return *field(c) },
	}
}

// choicesSetting is a list of some of several names.
func choicesSetting(key, about string, names []string, field func(*Config) *[]string) Setting {
	return Setting{Key: key, About: about,
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := readTexts(value)
			if !ok {
				return oneFault(key, "it must be a list of texts, such as [%q]", names[0])
			}
			for _, name := range v {
				if !slices.Contains(names, name) {
					return oneFault(key, "%q is none of %s", name, strings.Join(names, ", "))
				}
			}
			*field(c) = v
			return nil
		},
		show: func(c *Config) any { return strings.Join(*field(c), " ") },
	}
}

// signatureKeys are the public keys of those who pack doc sets.
func signatureKeys() Setting {
	const key = "sources.signature_keys"
	return Setting{Key: key, About: "public keys of minisign; a package that is signed must be so by one of them",
		read: func(c *Config, _ file, value any) []Fault {
			v, ok := readTexts(value)
			if !ok {
				return oneFault(key, "it must be a list of public keys, such as [\"RWQ…\"]")
			}
			for _, text := range v {
				if !packed.IsKey(text) {
					return oneFault(key, "%q is no public key of minisign, which is the second line of its file", text)
				}
			}
			c.SignatureKeys = v
			return nil
		},
		show: func(c *Config) any { return strings.Join(c.SignatureKeys, " ") },
	}
}

// readTexts reads a list of texts.
func readTexts(value any) ([]string, bool) {
	values, ok := value.([]any)
	out := make([]string, 0, len(values))
	for _, v := range values {
		s, is := v.(string)
		ok = ok && is
		out = append(out, s)
	}
	return out, ok
}

// keysSetting is [tui.keys]: for each action a list of keys, or one key.
func keysSetting(app App) Setting {
	const key = "tui.keys"
	return Setting{Key: key, table: true, About: "the app's keys, by action; the manual's page on keys names them",
		read: func(c *Config, _ file, value any) []Fault {
			table, ok := value.(map[string]any)
			if !ok {
				return oneFault(key, "it must be a table of keys by action")
			}
			chosen := map[string][]string{}
			var faults []Fault
			for _, action := range slices.Sorted(maps.Keys(table)) {
				if one, is := table[action].(string); is {
					chosen[action] = []string{one}
				} else if several, is := readTexts(table[action]); is {
					chosen[action] = several
				} else {
					faults = append(faults, oneFault(key+"."+action, "it must be a list of keys, such as [\"ctrl+y\", \"z\"]")...)
				}
			}
			if app.CheckKeys != nil {
				for _, f := range app.CheckKeys(chosen) {
					faults = append(faults, Fault{Key: key + "." + f.Key, Message: f.Message})
				}
			}
			if len(faults) == 0 {
				c.Keys = chosen
			}
			return faults
		},
		show: func(c *Config) any {
			var out []string
			for _, a := range slices.Sorted(maps.Keys(c.Keys)) {
				out = append(out, a+" = "+strings.Join(c.Keys[a], " "))
			}
			return strings.Join(out, "; ")
		},
	}
}
