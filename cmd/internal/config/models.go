package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"docent/llm/endpoint"
	"docent/llm/ollama"
	"docent/llm/openai"
	"docent/pipeline/contract"
)

// Engines say who answers: EngineAuto asks a model where one is there, EngineBuiltin
// never, and a provider's name must have one.
const (
	EngineAuto    = "auto"
	EngineBuiltin = "builtin"
)

// Engines lists them.
func Engines() []string { return append([]string{EngineAuto, EngineBuiltin}, Providers()...) }

// Models is [models]: the server that is asked, and what of it.
type Models struct {
	Engine         string   // who answers
	Phases         []string // that a model answers, and "vectors"
	Budget         int      // seconds that a phase may take
	Provider       string   // ollama or openai
	APIBase        string   // "": the environment's, or the provider's default
	ChatModel      string   // "": the best that is there
	EmbeddingModel string   // likewise
	NumCtx         int      // tokens of context, in every call
	NumThread      int      // processors that a model takes; 0: the server's choice
	KeepAlive      string   // how long a model stays warm: a duration
	Timeout        int      // seconds for the first word, and for a batch of vectors
}

// Profile is one of [embeddings.profiles]: a model that makes vectors.
type Profile struct {
	Provider     string
	Model        string
	Dimension    int // 0: whatever it gives
	Capabilities []string
	APIBase      string // "": that of [models], if it has the same provider
	Timeout      int    // seconds; 0: that of [models]
}

// Providers are the kinds of model servers.
func Providers() []string { return []string{ollama.Engine, openai.Engine} }

func defaultModels() Models {
	return Models{Engine: EngineAuto, Phases: ModelPhases(), Budget: 30, Provider: ollama.Engine, NumCtx: 8192, KeepAlive: "10m", Timeout: 120}
}

// PhaseVectors stands for the vectors of passages among the phases.
const PhaseVectors = "vectors"

// ModelPhases are the phases that a model can answer.
func ModelPhases() []string {
	return []string{contract.PhaseOptimize, contract.PhaseRoute, contract.PhaseRerank, contract.PhaseProcess, PhaseVectors}
}

// Asks says whether a model is to answer a phase.
func (m Models) Asks(phase string) bool {
	return m.Engine != EngineBuiltin && slices.Contains(m.Phases, phase)
}

// Required says whether there must be a model.
func (m Models) Required() bool { return m.Engine == m.Provider }

// serverTable is a profile's table for its kind of server.
type serverTable struct {
	APIBase *string `toml:"api_base"`
	Timeout *int    `toml:"timeout"`
}

// modelsFile is the part of the file that is read here.
type modelsFile struct {
	Models struct {
		Engine         *string   `toml:"engine"`
		Phases         *[]string `toml:"phases"`
		Budget         *int      `toml:"budget"`
		Provider       *string   `toml:"provider"`
		APIBase        *string   `toml:"api_base"`
		ChatModel      *string   `toml:"chat_model"`
		EmbeddingModel *string   `toml:"embedding_model"`
		NumCtx         *int      `toml:"num_ctx"`
		NumThread      *int      `toml:"num_thread"`
		KeepAlive      *string   `toml:"keep_alive"`
		Timeout        *int      `toml:"timeout"`
	} `toml:"models"`
	Embeddings struct {
		Profiles map[string]struct {
			Provider     *string      `toml:"provider"`
			Model        string       `toml:"model"`
			Dimension    *int         `toml:"dimension"`
			Capabilities []string     `toml:"capabilities"`
			Ollama       *serverTable `toml:"ollama"`
			OpenAI       *serverTable `toml:"openai"`
		} `toml:"profiles"`
		Routes map[string]struct {
			Profile string `toml:"profile"`
		} `toml:"routes"`
	} `toml:"embeddings"`
}

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

// enrichmentFile is [enrichment] as it is written.
type enrichmentFile struct {
	Enrichment struct {
		Chain []struct {
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
		} `toml:"chain"`
		Routes map[string]string `toml:"routes"`
	} `toml:"enrichment"`
}

// readEnrichment takes what the file says of enrichment, and returns what is wrong.
func (c *Config) readEnrichment(f enrichmentFile) (faults []Fault) {
	fault := func(key, format string, args ...any) {
		faults = append(faults, Fault{Key: key, Message: fmt.Sprintf(format, args...)})
	}
	names, chains := map[string]bool{}, map[string]bool{}
	for i, l := range f.Enrichment.Chain {
		key := fmt.Sprintf("enrichment.chain[%d]", i)
		before := len(faults)
		out := Link{Name: l.Name, Chain: l.Chain, Provider: c.Models.Provider, Model: l.Model, URL: l.URL, Tier: l.Tier, Enabled: true}
		chains[l.Chain] = true
		switch {
		case l.Name == "":
			fault(key+".name", "a link needs a name")
		case names[l.Name]:
			fault(key+".name", "two links have the name %q", l.Name)
		}
		names[l.Name] = true
		if l.Chain == "" {
			fault(key+".chain", "a link needs the name of its chain")
		}
		if l.Model == "" {
			fault(key+".model", "a link needs a model")
		}
		if l.Provider != nil {
			if out.Provider = *l.Provider; !slices.Contains(Providers(), out.Provider) {
				fault(key+".provider", "%q is none of %s", out.Provider, strings.Join(Providers(), ", "))
			}
		}
		if l.URL != "" {
			if _, err := address(out.Provider, l.URL); err != nil {
				fault(key+".url", "%v", err)
			}
		}
		if v := l.Timeout; v != nil {
			if out.Timeout = *v; *v < 1 || *v > maxTimeout {
				fault(key+".timeout_seconds", "%d is not between 1 and %d", *v, maxTimeout)
			}
		}
		if l.Enabled != nil {
			out.Enabled = *l.Enabled
		}
		if v := l.Options.NumCtx; v != nil && *v != c.Models.NumCtx {
			fault(key+".options.num_ctx", "it is %d, and models.num_ctx is %d: with another context the server would load the model twice", *v, c.Models.NumCtx)
		}
		if v := l.Options.Temperature; v != nil {
			if out.Temperature = *v; !(*v >= 0 && *v <= maxTemperature) {
				fault(key+".options.temperature", "%v is not between 0 and %d", *v, maxTemperature)
			}
		}
		if len(faults) == before {
			c.Chain = append(c.Chain, out)
		}
	}
	for _, domain := range slices.Sorted(maps.Keys(f.Enrichment.Routes)) {
		key, chain := "enrichment.routes."+domain, f.Enrichment.Routes[domain]
		switch {
		case domain == "mixed" || !slices.Contains(Domains(), domain):
			fault(key, "%q is no domain of a file", domain)
		case !chains[chain]:
			fault(key, "there is no [[enrichment.chain]] of the chain %q", chain)
		default:
			c.ChainOf[domain] = chain
		}
	}
	if len(c.Chain) > 0 || f.Enrichment.Chain != nil && len(faults) == 0 {
		c.origins["enrichment.chain"] = File
	}
	if len(c.ChainOf) > 0 || f.Enrichment.Routes != nil && len(faults) == 0 {
		c.origins["enrichment.routes"] = File
	}
	return faults
}

// maxTemperature is the highest that servers take.
const maxTemperature = 2

// The bounds.
const (
	maxNumCtx    = 1 << 20
	maxTimeout   = 3600
	maxThreads   = 1024
	maxDimension = 1 << 16
)

// readModels takes what the file says of models, and returns what is wrong.
func (c *Config) readModels(f modelsFile) (faults []Fault) {
	fault := func(key, format string, args ...any) {
		faults = append(faults, Fault{Key: key, Message: fmt.Sprintf(format, args...)})
	}
	const in = "models."
	set := func(key string) { c.origins[in+key] = File }
	m := f.Models
	if v := m.Engine; v != nil {
		if !slices.Contains(Engines(), *v) {
			fault(in+"engine", "%q is none of %s", *v, strings.Join(Engines(), ", "))
		} else {
			c.Models.SetEngine(*v)
			set("engine")
		}
	}
	if v := m.Phases; v != nil {
		wrong := slices.DeleteFunc(slices.Clone(*v), func(p string) bool { return slices.Contains(ModelPhases(), p) })
		if len(wrong) > 0 {
			fault(in+"phases", "%q is none of %s", wrong[0], strings.Join(ModelPhases(), ", "))
		} else {
			c.Models.Phases = *v
			set("phases")
		}
	}
	if v := m.Budget; v != nil {
		if *v < 1 || *v > maxTimeout {
			fault(in+"budget", "%d is not between 1 and %d", *v, maxTimeout)
		} else {
			c.Models.Budget = *v
			set("budget")
		}
	}
	if v := m.Provider; v != nil {
		if !slices.Contains(Providers(), *v) {
			fault(in+"provider", "%q is none of %s", *v, strings.Join(Providers(), ", "))
		} else if e := c.Models.Engine; e != *v && slices.Contains(Providers(), e) {
			fault(in+"provider", "it is %s, and models.engine is %s", *v, e)
			c.Models.Engine, c.Models.Provider = defaultModels().Engine, defaultModels().Provider
			delete(c.origins, in+"engine")
		} else {
			c.Models.Provider = *v
			set("provider")
		}
	}
	if v := m.APIBase; v != nil {
		// The error does not show what may be a password.
		if _, err := address(c.Models.Provider, *v); err != nil {
			fault(in+"api_base", "%v", err)
		} else {
			c.Models.APIBase = *v
			set("api_base")
		}
	}
	if v := m.ChatModel; v != nil {
		c.Models.ChatModel = *v
		set("chat_model")
	}
	if v := m.EmbeddingModel; v != nil {
		c.Models.EmbeddingModel = *v
		set("embedding_model")
	}
	if v := m.NumCtx; v != nil {
		if *v < 512 || *v > maxNumCtx {
			fault(in+"num_ctx", "%d is not between 512 and %d", *v, maxNumCtx)
		} else {
			c.Models.NumCtx = *v
			set("num_ctx")
		}
	}
	if v := m.NumThread; v != nil {
		if *v < 0 || *v > maxThreads {
			fault(in+"num_thread", "%d is not between 0 and %d", *v, maxThreads)
		} else {
			c.Models.NumThread = *v
			set("num_thread")
		}
	}
	if v := m.KeepAlive; v != nil {
		if _, err := time.ParseDuration(*v); err != nil {
			fault(in+"keep_alive", "%q is no duration such as 10m or 1h; -1s is for ever", *v)
		} else {
			c.Models.KeepAlive = *v
			set("keep_alive")
		}
	}
	timeout := func(key string, v *int, to *int) bool {
		if v == nil {
			return false
		}
		if *v < 1 || *v > maxTimeout {
			fault(key, "%d is not between 1 and %d", *v, maxTimeout)
			return false
		}
		*to = *v
		return true
	}
	if timeout(in+"timeout", m.Timeout, &c.Models.Timeout) {
		set("timeout")
	}
	for _, name := range slices.Sorted(maps.Keys(f.Embeddings.Profiles)) {
		p, key := f.Embeddings.Profiles[name], "embeddings.profiles."+name
		before := len(faults)
		out := Profile{Provider: c.Models.Provider, Model: p.Model, Capabilities: p.Capabilities}
		if p.Provider != nil {
			out.Provider = *p.Provider
			if !slices.Contains(Providers(), out.Provider) {
				fault(key+".provider", "%q is none of %s", out.Provider, strings.Join(Providers(), ", "))
			}
		}
		if p.Model == "" {
			fault(key+".model", "a profile needs a model")
		}
		if v := p.Dimension; v != nil {
			if out.Dimension = *v; *v < 1 || *v > maxDimension {
				fault(key+".dimension", "%d is not between 1 and %d", *v, maxDimension)
			}
		}
		for _, t := range []struct {
			engine string
			table  *serverTable
		}{{ollama.Engine, p.Ollama}, {openai.Engine, p.OpenAI}} {
			if t.table == nil {
				continue
			}
			if t.engine != out.Provider {
				fault(key+"."+t.engine, "the profile's provider is %s", out.Provider)
				continue
			}
			if v := t.table.APIBase; v != nil {
				if _, err := address(out.Provider, *v); err != nil {
					fault(key+"."+t.engine+".api_base", "%v", err)
				}
				out.APIBase = *v
			}
			timeout(key+"."+t.engine+".timeout", t.table.Timeout, &out.Timeout)
		}
		if len(faults) == before {
			c.Profiles[name] = out
		}
	}
	for _, domain := range slices.Sorted(maps.Keys(f.Embeddings.Routes)) {
		key, profile := "embeddings.routes."+domain, f.Embeddings.Routes[domain].Profile
		_, known := f.Embeddings.Profiles[profile]
		switch {
		case domain == "mixed" || !slices.Contains(Domains(), domain):
			fault(key, "%q is no domain of a file", domain)
		case !known:
			fault(key+".profile", "there is no [embeddings.profiles.%s]", profile)
		default:
			c.Routes[domain] = profile
		}
	}
	if len(c.Profiles) > 0 || f.Embeddings.Profiles != nil && len(faults) == 0 {
		c.origins["embeddings.profiles"] = File
	}
	if len(c.Routes) > 0 || f.Embeddings.Routes != nil && len(faults) == 0 {
		c.origins["embeddings.routes"] = File
	}
	return faults
}

// SetEngine takes one of Engines; a provider's name chooses that provider too.
func (m *Models) SetEngine(engine string) {
	m.Engine = engine
	if slices.Contains(Providers(), engine) {
		m.Provider = engine
	}
}

// address reads where a server of a kind is.
func address(provider, base string) (*endpoint.Endpoint, error) {
	def := ollama.DefaultAddress
	if provider == openai.Engine {
		def = openai.DefaultAddress
	}
	return endpoint.New(endpoint.Options{Address: base, Default: def})
}

// modelValues lists the settings of models.
func (c Config) modelValues(v func(key string, value any, about string) Value) []Value {
	m, base := c.Models, ""
	if m.APIBase != "" {
		// Without the user and password that it may hold.
		if e, err := address(m.Provider, m.APIBase); err == nil {
			base = e.Address()
		}
	}
	var profiles, routes []string
	for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
		profiles = append(profiles, name+" = "+c.Profiles[name].Model)
	}
	var links, chains []string
	for _, l := range c.Chain {
		links = append(links, l.Name+" = "+l.Model)
	}
	for _, domain := range slices.Sorted(maps.Keys(c.ChainOf)) {
		chains = append(chains, domain+" = "+c.ChainOf[domain])
	}
	for _, domain := range slices.Sorted(maps.Keys(c.Routes)) {
		routes = append(routes, domain+" = "+c.Routes[domain])
	}
	return []Value{
		v("models.engine", m.Engine, "who answers: "+strings.Join(Engines(), ", ")),
		v("models.phases", strings.Join(m.Phases, " "), "what a model answers, of "+strings.Join(ModelPhases(), " ")),
		v("models.budget", m.Budget, "seconds that a phase may take; then the built-in answer counts"),
		v("models.provider", m.Provider, "kind of model server: "+strings.Join(Providers(), ", ")),
		v("models.api_base", base, "where it is; else OLLAMA_HOST or OPENAI_BASE_URL says so"),
		v("models.chat_model", m.ChatModel, "model for text; else the best that is there"),
		v("models.embedding_model", m.EmbeddingModel, "model for vectors; else the best that is there"),
		v("models.num_ctx", m.NumCtx, "tokens of context in every call"),
		v("models.num_thread", m.NumThread, "processors that a model takes; 0: the server's choice (Ollama only)"),
		v("models.keep_alive", m.KeepAlive, "how long a model stays loaded after a call"),
		v("models.timeout", m.Timeout, "seconds for the first word of an answer, or a batch of vectors"),
		v("embeddings.profiles", strings.Join(profiles, "; "), "models for vectors, by name"),
		v("embeddings.routes", strings.Join(routes, "; "), "a domain's embedding profile"),
		v("enrichment.chain", strings.Join(links, "; "), "models that enrich sections, by name"),
		v("enrichment.routes", strings.Join(chains, "; "), "a domain's chain"),
	}
}
