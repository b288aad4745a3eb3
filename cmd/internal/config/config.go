// Package config reads docent.toml and says where each value comes from: the
// default or the file.
//
// Every setting is one row of a table (Settings): its key, its default, the values
// that it may have, what it is about, and how it is read and shown. Keys keep the
// names of the domain specification.
//
// The package refuses to act on what it reads, and knows nothing of the terminal
// app: the names of themes and actions are handed in. Unknown keys and bad values
// are faults that `config lint` lists; every other command refuses to run with a
// bad value.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"

	"docent/pipeline/contract"
	"docent/pipeline/ingest/domain"
	"docent/pipeline/knowledge/references"
	"docent/pipeline/source/site"
	"docent/pipeline/source/web"
	"docent/pipeline/text/spelling"
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

// App is what the terminal app says about its own settings. The zero App takes
// every theme and all keys.
type App struct {
	Themes []string // names of the themes
	// CheckKeys finds faults in keys chosen for actions, by the action's name.
	CheckKeys func(keys map[string][]string) []Fault
}

// Config is the settings.
type Config struct {
	Path string // of the file, also where it is missing
	// [search.tech_docs]
	RerankerEnabled   bool
	RerankerTopK      int
	RerankerThreshold float64
	Hybrid            bool    // vectors by a model are searched in addition to the words
	DenseWeight       float64 // of them, to SparseWeight of the words
	SparseWeight      float64
	SynonymFile       string   // in addition to the lists in their folders
	Hypothetical      bool     // a model writes a passage that the vectors are searched with
	RerankerModel     string   // "": the chat model
	RerankerIntents   []string // of questions that a model reranks
	MaxDocs           int
	// [search]
	FallbackMode string // where reranking fails: one of contract.FallbackModes
	// [answer]
	Extent string // of an answer: one of contract.Extents
	Lines  int    // of a block of sections, at most
	// [repository]; see Domains
	Domain     string
	Repository domain.Repository // its Domain is empty
	// [routing], [embeddings.routes]
	Routing domain.Routing
	Graph   references.Settings // [graph.tech_docs]
	// GraphAssist has a model find relations of the reference graph; GraphModel is its name,
	// "": that for text.
	GraphAssist bool
	GraphModel  string
	// [models], [embeddings]
	Models   Models
	Profiles map[string]Profile
	// [enrichment]
	Chain   []Link
	ChainOf map[string]string // a domain's chain
	// [server]
	Listen           string
	PasswordHash     string   // by package password; "": none
	Traces           string   // address of a collector; "": what the environment says
	SourceHosts      []string // hosts that servers may fetch documentation from
	Mirrors          []string // folders and addresses of packages, which are asked before a source
	SignatureKeys    []string // public keys by which packages are signed
	CheckEvery       string   // how long a source that was asked is not asked again, a duration
	SourcesPerSecond float64  // requests a second to one host; 0: no bound
	SitePages        int      // of a web site, at most, as the two that follow
	SiteMegabytes    int
	SiteDepth        int            // links
	RequireSignature bool           // packages without such a signature are not added
	Packages         string         // folder whose packages docent serve gives to everybody; "": none
	Hosts            []string       // names of the server, in addition to its addresses
	Proxies          []netip.Prefix // proxies whose X-Forwarded-For is believed
	PDF              PDF            // [pdf]
	Index            string         // [store]; see IndexAddress
	Catalog          string         // address of a PostgreSQL schema; "": the home's folder
	// [tui]
	Theme string
	Mouse bool
	Watch bool
	Keys  map[string][]string // by action, as written; [tui.keys]

	settings []Setting
	origins  map[string]Origin
}

// Fault is something wrong with the configuration.
type Fault struct {
	Key     string `json:"key"` // the file's name where it is no TOML
	Message string `json:"message"`
	Line    int    `json:"line,omitempty"` // of the file, from 1; 0: not known

	whole bool // of the file, not of one key
}

func (f Fault) Error() string {
	if f.whole {
		return f.Message
	}
	return f.Key + ": " + f.Message
}

// Load reads the file at path; a missing one is all defaults, unless its name was given.
// Faulty values are replaced by the defaults and returned as faults; err is for a file
// that cannot be read at all.
func Load(path string, named bool, app App) (Config, []Fault, error) {
	c := defaultConfig(path, app)
	raw, err := os.ReadFile(path)
	// A home that cannot be, below a file, is reported when it is opened.
	if (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)) && !named {
		return c, nil, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil, fmt.Errorf("the configuration %s is not there; name a file that is with --config, or leave it out", path)
	}
	if err != nil {
		return c, nil, fmt.Errorf("the configuration cannot be read: %w; give a file that you can read with --config", err)
	}
	if err := domain.CheckBounds(raw); err != nil {
		return c, []Fault{{Key: filepath.Base(path), Message: err.Error(), whole: true}}, nil
	}
	f := file{text: string(raw)}
	md, err := toml.Decode(f.text, &f.tree)
	if err != nil {
		broken := Fault{Key: filepath.Base(path), Message: err.Error(), whole: true}
		if pe, ok := errors.AsType[toml.ParseError](err); ok {
			broken.Line, broken.Message = pe.Position.Line, "toml: "+pe.Message
		}
		return c, []Fault{broken}, nil
	}
	faults := unknownKeyFaults(md.Keys(), c.settings)
	for _, s := range c.settings {
		value, ok := f.findValue(s.Key)
		if !ok {
			continue
		}
		wrong := s.read(&c, f, value)
		if len(wrong) == 0 || s.table && s.show(&c) != "" { // some of a table may be good
			c.origins[s.Key] = File
		}
		faults = append(faults, wrong...)
	}
	for i := range faults {
		faults[i].Line = domain.LineOfKey(raw, faults[i].Key)
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return c, faults, nil
}

// Place is the file, and the line of a fault where it is known, as compilers write it.
func (c Config) Place(f Fault) string { return FileLine(c.Path, f.Line) }

// FileLine is a line of a file as compilers write it; 0 is none.
func FileLine(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// defaultConfig is the configuration without a file.
func defaultConfig(path string, app App) Config {
	policy := contract.DefaultRerankPolicy()
	return Config{Path: path, RerankerEnabled: true, RerankerTopK: policy.CandidateLimit, RerankerThreshold: contract.DefaultThreshold,
		FallbackMode: policy.FallbackMode,
		CheckEvery:   "0s", SourcesPerSecond: web.DefaultPerSecond,
		SitePages: site.DefaultPages, SiteMegabytes: site.DefaultBytes >> 20, SiteDepth: site.DefaultDepth,
		RerankerIntents: contract.RerankIntents(), Hybrid: true, DenseWeight: denseWeight,
		SparseWeight: 1 - denseWeight,
		MaxDocs:      contract.DefaultMaxDocs, Extent: contract.ExtentDocuments, Lines: contract.DefaultLines,
		Domain: contract.DefaultDomain,
		PDF:    defaultPDF(), Models: defaultModels(), Graph: references.Defaults(), Profiles: map[string]Profile{},
		Repository: domain.Repository{Default: contract.DefaultDomain},
		Routing:    domain.Routing{SliceTypes: map[string]string{}, Routes: map[string]domain.Route{}}, Listen: defaultListen,
		ChainOf: map[string]string{}, Theme: defaultTheme, Mouse: true, Watch: true, Keys: map[string][]string{},
		settings: settings(app), origins: map[string]Origin{}}
}

// file is the configuration file: its text, and its values as a tree.
type file struct {
	text string
	tree map[string]any
}

// findValue gives the value of a key such as a.b.c.
func (f file) findValue(key string) (any, bool) {
	var at any = f.tree
	for name := range strings.SplitSeq(key, ".") {
		table, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = table[name]; !ok {
			return nil, false
		}
	}
	return at, true
}

// decodeTable reads the part of the file that into has fields for, and returns the
// keys below a table that into has no field for.
func (f file) decodeTable(table string, into any) ([]Fault, error) {
	md, err := toml.Decode(f.text, into)
	if err != nil {
		return nil, err
	}
	var faults []Fault
	for _, k := range md.Undecoded() {
		if strings.HasPrefix(k.String(), table+".") {
			faults = append(faults, Fault{Key: k.String(), Message: unknownKey})
		}
	}
	return faults, nil
}

const unknownKey = "unknown key; docent config show lists the keys"

// retired are the keys of before, with what became of each.
func retired() map[string]string {
	return map[string]string{
		"search.tech_docs.builtin_synonyms": "docent has no list of synonyms of its own any more; take the line out " +
			"(lists of yours go into synonyms/)",
	}
}

// mostNear is how many unknown keys get the names that are like them.
const mostNear = 10

// unknownKeyFaults finds the keys that no setting has, the first ones with the nearest names.
func unknownKeyFaults(keys []toml.Key, settings []Setting) []Fault {
	var known []string
	for _, s := range settings {
		known = append(known, s.Key)
	}
	var faults []Fault
	for _, k := range keys {
		key := k.String()
		if slices.ContainsFunc(settings, func(s Setting) bool {
			return key == s.Key || strings.HasPrefix(s.Key, key+".") || s.table && strings.HasPrefix(key, s.Key+".")
		}) {
			continue
		}
		message := unknownKey
		if why, ok := retired()[key]; ok {
			faults = append(faults, Fault{Key: key, Message: why})
			continue
		}
		if len(faults) >= mostNear {
			faults = append(faults, Fault{Key: key, Message: message})
			continue
		}
		if near := spelling.Nearest(key, known); len(near) > 0 {
			message += "; did you mean " + strings.Join(near, " or ") + "?"
		}
		faults = append(faults, Fault{Key: key, Message: message})
	}
	return faults
}

// Values lists the settings with their values and origins.
func (c Config) Values() []Value {
	out := make([]Value, len(c.settings))
	for i, s := range c.settings {
		out[i] = Value{Key: s.Key, Value: s.show(&c), Origin: c.origins[s.Key], About: s.About}
		if out[i].Origin == "" {
			out[i].Origin = Default
		}
	}
	return out
}

// denseWeight is the weight of a model's vectors of a doc set on which no weight could be
// measured; the words have 1 - denseWeight. It is small, since the model is unknown. (The
// Universal Sentence Encoder lite, which alone finds a third of what the words find,
// costs .00 to .02 nDCG@10 at 0.1 and up to .03 at 0.3.)
const denseWeight = 0.1

// mostDense bounds the weight of vectors, so that the words always count.
const mostDense = 0.95

// DenseShare is the weight of a model's vectors where both weights add up to 1.
func (c Config) DenseShare() float64 {
	if c.DenseWeight <= 0 {
		return 0
	}
	return min(mostDense, c.DenseWeight/(c.DenseWeight+c.SparseWeight))
}

// DenseGiven reports whether the file gives the weights.
func (c Config) DenseGiven() bool {
	const in = "search.tech_docs."
	return c.origins[in+"dense_weight"] == File || c.origins[in+"sparse_weight"] == File
}

// NamesServer reports whether somebody named the server of [models], by its address, its
// kind or a model of it. Else one is asked that listens where such servers do.
func (c Config) NamesServer() bool {
	m := c.Models
	return m.Required() || m.APIBase != "" || m.ChatModel != "" || m.EmbeddingModel != "" || c.origins["models.provider"] == File
}

// AnswerExtent is the extent of the answers that people and agents get where they ask for
// none: sections, unless the file gives another one. Extent is that of the phases' JSON.
func (c Config) AnswerExtent() string {
	if c.ExtentGiven() {
		return c.Extent
	}
	return contract.ExtentSections
}

// ExtentGiven reports whether the file gives an extent.
func (c Config) ExtentGiven() bool { return c.origins["answer.extent"] == File }

// DocsLimit is the number of documents that the file allows a question, 0 where it
// says nothing: a block of sections is taken from more of them than are given whole.
func (c Config) DocsLimit() int {
	if c.origins["search.tech_docs.max_docs"] == File {
		return c.MaxDocs
	}
	return 0
}

// Policy is the reranking policy that the settings ask for.
func (c Config) Policy() contract.RerankPolicy {
	p := contract.DefaultRerankPolicy()
	p.Enabled, p.CandidateLimit, p.FallbackMode = c.RerankerEnabled, c.RerankerTopK, c.FallbackMode
	return p
}
