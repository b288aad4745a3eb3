// Package config reads docent.toml and says where each value comes from: the
// default or the file.
//
// Keys keep the names of the domain specification. It refuses to act on what it
// reads; unknown keys and bad values are faults that `config lint` lists, and
// every other command refuses to run with a bad value.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"

	"docent/pipeline/contract"
	"docent/tui/keymap"
	"docent/tui/style"
)

// Name is the configuration file's name in the home.
const Name = "docent.toml"

// Origin says where a value comes from.
type Origin string

// The origins, weakest first.
const (
	Default Origin = "default"
	File    Origin = "file"
)

// Value is one setting.
type Value struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin Origin `json:"origin"`
	About  string `json:"about"`
}

// Config is the settings.
type Config struct {
	Path string // of the file, also where it is missing
	// [search.tech_docs]
	RerankerEnabled   bool
	RerankerTopK      int
	RerankerThreshold float64
	Hybrid            bool    // vectors by a model are searched beside the words
	DenseWeight       float64 // of them, to SparseWeight of the words
	SparseWeight      float64
	Hypothetical      bool     // a model writes a passage that the vectors are searched with
	RerankerModel     string   // "": the chat model
	RerankerIntents   []string // of questions that a model reranks
	MaxDocs           int
	// [repository]
	Domain string
	// [models], [embeddings]
	Models   Models
	Profiles map[string]Profile
	Routes   map[string]string // a domain's embedding profile
	// [enrichment]
	Chain   []Link
	ChainOf map[string]string // a domain's chain
	// [tui]
	Theme style.Theme
	Mouse bool
	Keys  map[string][]string // by action, as written; [tui.keys]

	keys    *keymap.Map
	origins map[string]Origin
}

type file struct {
	Search struct {
		TechDocs struct {
			RerankerEnabled   *bool     `toml:"reranker_enabled"`
			RerankerTopK      *int      `toml:"reranker_top_k"`
			RerankerThreshold *float64  `toml:"reranker_threshold"`
			HybridEnabled     *bool     `toml:"hybrid_enabled"`
			DenseWeight       *float64  `toml:"dense_weight"`
			SparseWeight      *float64  `toml:"sparse_weight"`
			Hypothetical      *bool     `toml:"hypothetical_document"`
			RerankerModel     *string   `toml:"reranker_model"`
			RerankerIntents   *[]string `toml:"reranker_intents"`
			MaxDocs           *int      `toml:"max_docs"`
		} `toml:"tech_docs"`
	} `toml:"search"`
	Repository struct {
		Domain *string `toml:"domain"`
	} `toml:"repository"`
	modelsFile
	enrichmentFile
	TUI struct {
		Theme *string        `toml:"theme"`
		Mouse *bool          `toml:"mouse"`
		Keys  map[string]any `toml:"keys"`
	} `toml:"tui"`
}

// Domains are the domains of a doc set.
func Domains() []string { return contract.Domains() }

// Fault is something wrong with the configuration.
type Fault struct {
	Key     string `json:"key"` // the file's name where it is no TOML
	Message string `json:"message"`

	whole bool // of the file, not of one key
}

func (f Fault) Error() string {
	if f.whole {
		return f.Message
	}
	return f.Key + ": " + f.Message
}

// Load reads the file at path; a missing one is all defaults, unless it was
// asked for by name. Faults are returned beside the configuration, which then
// has the defaults in their place; err is for what cannot be read at all.
func Load(path string, named bool) (Config, []Fault, error) {
	policy := contract.DefaultRerankPolicy()
	c := Config{Path: path, RerankerEnabled: true, RerankerTopK: policy.CandidateLimit,
		RerankerThreshold: contract.DefaultThreshold, RerankerIntents: contract.RerankIntents(), Hybrid: true, DenseWeight: denseWeight, SparseWeight: 1 - denseWeight, MaxDocs: contract.DefaultMaxDocs, Domain: "tech_docs",
		Models: defaultModels(), Profiles: map[string]Profile{}, Routes: map[string]string{}, ChainOf: map[string]string{}, Theme: style.Auto, Mouse: true, Keys: map[string][]string{}, keys: keymap.Default(), origins: map[string]Origin{}}
	raw, err := os.ReadFile(path)
	// A home that cannot be, below a file, is told of when it is opened.
	if (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && !named {
		return c, nil, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil, fmt.Errorf("the configuration %s is not there; name a file that is with --config, or leave it out", path)
	}
	if err != nil {
		return c, nil, fmt.Errorf("the configuration cannot be read: %w; give a file that you can read with --config", err)
	}
	var f file
	md, err := toml.Decode(string(raw), &f)
	if err != nil {
		return c, []Fault{{Key: filepath.Base(path), Message: err.Error(), whole: true}}, nil
	}
	var faults []Fault
	for _, k := range md.Undecoded() {
		faults = append(faults, Fault{Key: k.String(), Message: "unknown key; docent config show lists the keys"})
	}
	t := f.Search.TechDocs
	const in = "search.tech_docs."
	if t.RerankerEnabled != nil {
		c.RerankerEnabled = *t.RerankerEnabled
		c.origins[in+"reranker_enabled"] = File
	}
	if v := t.RerankerTopK; v != nil {
		if *v < 1 || *v > 1000 {
			faults = append(faults, Fault{Key: in + "reranker_top_k", Message: fmt.Sprintf("%d is not between 1 and 1000", *v)})
		} else {
			c.RerankerTopK = *v
			c.origins[in+"reranker_top_k"] = File
		}
	}
	if v := t.RerankerThreshold; v != nil {
		if !(*v >= 0 && *v <= 1) {
			faults = append(faults, Fault{Key: in + "reranker_threshold", Message: fmt.Sprintf("%v is not between 0 and 1", *v)})
		} else {
			c.RerankerThreshold = *v
			c.origins[in+"reranker_threshold"] = File
		}
	}
	if v := t.HybridEnabled; v != nil {
		c.Hybrid = *v
		c.origins[in+"hybrid_enabled"] = File
	}
	for _, w := range []struct {
		key string
		v   *float64
		to  *float64
	}{{"dense_weight", t.DenseWeight, &c.DenseWeight}, {"sparse_weight", t.SparseWeight, &c.SparseWeight}} {
		switch {
		case w.v == nil:
		case !(*w.v >= 0 && *w.v <= 1):
			faults = append(faults, Fault{Key: in + w.key, Message: fmt.Sprintf("%v is not between 0 and 1", *w.v)})
		default:
			*w.to = *w.v
			c.origins[in+w.key] = File
		}
	}
	if v := t.Hypothetical; v != nil {
		c.Hypothetical = *v
		c.origins[in+"hypothetical_document"] = File
	}
	if v := t.RerankerModel; v != nil {
		c.RerankerModel = *v
		c.origins[in+"reranker_model"] = File
	}
	if v := t.RerankerIntents; v != nil {
		wrong := slices.DeleteFunc(slices.Clone(*v), func(i string) bool { return slices.Contains(contract.Intents(), i) })
		if len(wrong) > 0 {
			faults = append(faults, Fault{Key: in + "reranker_intents", Message: fmt.Sprintf("%q is none of %s", wrong[0], strings.Join(contract.Intents(), ", "))})
		} else {
			c.RerankerIntents = *v
			c.origins[in+"reranker_intents"] = File
		}
	}
	if v := t.MaxDocs; v != nil {
		if *v < 1 || *v > 100 {
			faults = append(faults, Fault{Key: in + "max_docs", Message: fmt.Sprintf("%d is not between 1 and 100", *v)})
		} else {
			c.MaxDocs = *v
			c.origins[in+"max_docs"] = File
		}
	}
	if v := f.Repository.Domain; v != nil {
		if !slices.Contains(Domains(), *v) {
			faults = append(faults, Fault{Key: "repository.domain", Message: fmt.Sprintf("%q is none of %s", *v, strings.Join(Domains(), ", "))})
		} else {
			c.Domain = *v
			c.origins["repository.domain"] = File
		}
	}
	faults = append(faults, c.readModels(f.modelsFile)...)
	faults = append(faults, c.readEnrichment(f.enrichmentFile)...)
	if v := f.TUI.Theme; v != nil {
		if !slices.Contains(style.Themes(), style.Theme(*v)) {
			faults = append(faults, Fault{Key: "tui.theme", Message: fmt.Sprintf("%q is none of %s", *v, themes())})
		} else {
			c.Theme = style.Theme(*v)
			c.origins["tui.theme"] = File
		}
	}
	if f.TUI.Mouse != nil {
		c.Mouse = *f.TUI.Mouse
		c.origins["tui.mouse"] = File
	}
	if f.TUI.Keys != nil {
		chosen, wrong := keyLists(f.TUI.Keys)
		keys, problems := keymap.Rebind(chosen)
		problems = append(wrong, problems...)
		for _, p := range problems {
			faults = append(faults, Fault{Key: "tui.keys." + p.Action, Message: p.Message})
		}
		if len(problems) == 0 {
			c.Keys, c.keys = chosen, keys
			c.origins["tui.keys"] = File
		}
	}
	return c, faults, nil
}

// keyLists reads [tui.keys]: a list of keys for an action, or one.
func keyLists(raw map[string]any) (map[string][]string, []keymap.Problem) {
	out := map[string][]string{}
	var problems []keymap.Problem
	for _, action := range slices.Sorted(maps.Keys(raw)) {
		list, ok := raw[action].([]any)
		if one, is := raw[action].(string); is {
			list, ok = []any{one}, true
		}
		keys := make([]string, 0, len(list))
		for _, k := range list {
			s, is := k.(string)
			ok = ok && is
			keys = append(keys, s)
		}
		if !ok {
			problems = append(problems, keymap.Problem{Action: action, Message: "it must be a list of keys, such as [\"ctrl+y\", \"z\"]"})
			continue
		}
		out[action] = keys
	}
	return out, problems
}

// Keymap is the app's table of keys.
func (c Config) Keymap() *keymap.Map { return c.keys }

// chosen is [tui.keys] on one line.
func (c Config) chosen() string {
	var out []string
	for _, a := range slices.Sorted(maps.Keys(c.Keys)) {
		out = append(out, a+" = "+strings.Join(c.Keys[a], " "))
	}
	return strings.Join(out, "; ")
}

func themes() string {
	var names []string
	for _, t := range style.Themes() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}

// Values lists the settings with their origins.
func (c Config) Values() []Value {
	v := func(key string, value any, about string) Value {
		o := c.origins[key]
		if o == "" {
			o = Default
		}
		return Value{key, value, o, about}
	}
	return append([]Value{
		v("search.tech_docs.reranker_enabled", c.RerankerEnabled, "order the hits by the reranker"),
		v("search.tech_docs.reranker_top_k", c.RerankerTopK, "headings that are reranked"),
		v("search.tech_docs.reranker_threshold", c.RerankerThreshold, "rerank_sim at which a heading is kept"),
		v("search.tech_docs.max_docs", c.MaxDocs, "documents that a question extracts"),
		v("search.tech_docs.hybrid_enabled", c.Hybrid, "search the vectors of a model beside the words"),
		v("search.tech_docs.dense_weight", c.DenseWeight, "weight of a model's vectors"),
		v("search.tech_docs.sparse_weight", c.SparseWeight, "weight of the words beside them"),
		v("search.tech_docs.reranker_model", c.RerankerModel, "model that reranks; else the one for text"),
		v("search.tech_docs.reranker_intents", strings.Join(c.RerankerIntents, " "), "intents of the questions that a model reranks"),
		v("search.tech_docs.hypothetical_document", c.Hypothetical, "a model writes a passage that the vectors are searched with"),
		v("repository.domain", c.Domain, "domain of the doc sets that are added"),
		v("tui.theme", string(c.Theme), "the app's colours: "+themes()),
		v("tui.mouse", c.Mouse, "the app takes the mouse (M gives it back)"),
		v("tui.keys", c.chosen(), "the app's keys, by action; the manual's page on keys names them"),
	}, c.modelValues(v)...)
}

// denseWeight is the weight of a model's vectors, beside 1 - denseWeight of the
// words, of a doc set on which none could be measured: little, for nobody knows the
// model. (The Universal Sentence Encoder lite, which alone finds a third of what
// the words find, costs .00 to .02 nDCG@10 at 0.1 and up to .03 at 0.3.)
const denseWeight = 0.1

// mostDense keeps the words from vanishing from a sum that is to be divided.
const mostDense = 0.95

// DenseShare is the weight of a model's vectors where both weights add up to 1.
func (c Config) DenseShare() float64 {
	if c.DenseWeight <= 0 {
		return 0
	}
	return min(mostDense, c.DenseWeight/(c.DenseWeight+c.SparseWeight))
}

// DenseGiven says whether the file gives the weights.
func (c Config) DenseGiven() bool {
	const in = "search.tech_docs."
	return c.origins[in+"dense_weight"] == File || c.origins[in+"sparse_weight"] == File
}

// Policy is the reranking policy that the settings ask for.
func (c Config) Policy() contract.RerankPolicy {
	p := contract.DefaultRerankPolicy()
	p.Enabled, p.CandidateLimit = c.RerankerEnabled, c.RerankerTopK
	return p
}
