package config

import (
	"maps"
	"slices"
	"strings"

	"docent/llm/endpoint"
	"docent/llm/ollama"
	"docent/llm/openai"
	"docent/pipeline/contract"
)

// Engines say the engine that answers: EngineAuto asks a model where one is there,
// EngineBuiltin never, and a provider's name must have one.
const (
	EngineAuto    = "auto"
	EngineBuiltin = "builtin"
)

// Engines lists them.
func Engines() []string { return append([]string{EngineAuto, EngineBuiltin}, providers()...) }

// Models is [models]: the server that is asked, and what of it.
type Models struct {
	Engine         string   // who answers
	Phases         []string // that a model answers, and "vectors"
	Budget         int      // seconds that the models may take for a question
	Provider       string   // ollama or openai
	APIBase        string   // "": the environment's, or the provider's default
	ChatModel      string   // "": the best that is there
	EmbeddingModel string   // the same for vectors
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

// providers are the kinds of model servers.
func providers() []string { return []string{ollama.Engine, openai.Engine} }

func defaultModels() Models {
	return Models{Engine: EngineAuto, Phases: modelPhases(), Budget: 30, Provider: ollama.Engine, NumCtx: 8192, KeepAlive: "10m",
		Timeout: 120}
}

// PhaseVectors stands for the vectors of passages among the phases.
const PhaseVectors = "vectors"

// modelPhases are the phases that a model can answer.
func modelPhases() []string {
	return []string{contract.PhaseOptimize, contract.PhaseRoute, contract.PhaseRerank, contract.PhaseProcess, PhaseVectors}
}

// AsksModel reports whether a model is to answer a phase.
func (m Models) AsksModel(phase string) bool {
	return m.Engine != EngineBuiltin && slices.Contains(m.Phases, phase)
}

// Required reports whether there must be a model.
func (m Models) Required() bool { return m.Engine == m.Provider }

// The bounds.
const (
	maxNumCtx    = 1 << 20
	maxTimeout   = 3600
	maxThreads   = 1024
	maxDimension = 1 << 16
)

// modelSettings are [models], and the tables of profiles and chains.
func modelSettings() []Setting {
	const in = "models."
	phases := modelPhases()
	return []Setting{
		engineSetting(in + "engine"),
		choicesSetting(in+"phases", "what a model answers, of "+strings.Join(phases, " "), phases,
			func(c *Config) *[]string { return &c.Models.Phases }),
		integerSetting(in+"budget", "seconds that the models may take for a question; then the built-in answers count", 1, maxTimeout,
			func(c *Config) *int { return &c.Models.Budget }),
		providerSetting(in + "provider"),
		apiBaseSetting(in + "api_base"),
		textSetting(in+"chat_model", "model for text; else the best that is there", func(c *Config) *string { return &c.Models.ChatModel }),
		textSetting(in+"embedding_model", "model for vectors; else the best that is there",
			func(c *Config) *string { return &c.Models.EmbeddingModel }),
		integerSetting(in+"num_ctx", "tokens of context in every call", 512, maxNumCtx, func(c *Config) *int { return &c.Models.NumCtx }),
		integerSetting(in+"num_thread", "processors that a model takes; 0: the server's choice (Ollama only)", 0, maxThreads,
			func(c *Config) *int { return &c.Models.NumThread }),
		durationSetting(in+"keep_alive", "how long a model stays loaded after a call",
			func(c *Config) *string { return &c.Models.KeepAlive }),
		integerSetting(in+"timeout", "seconds for the first word of an answer, or a batch of vectors", 1, maxTimeout,
			func(c *Config) *int { return &c.Models.Timeout }),
		profilesSetting("embeddings.profiles"),
		chainSetting("enrichment.chain"),
		chainRoutes("enrichment.routes"),
	}
}

func engineSetting(key string) Setting {
	s := choiceSetting(key, "who answers: "+strings.Join(Engines(), ", "), Engines(), func(c *Config) *string { return &c.Models.Engine })
	check := s.read
	s.read = func(c *Config, f file, value any) []Fault {
		faults := check(c, f, value)
		if len(faults) == 0 {
			c.Models.SetEngine(c.Models.Engine)
		}
		return faults
	}
	return s
}

// providerSetting is read after the engine, which it must not contradict.
func providerSetting(key string) Setting {
	s := choiceSetting(key, "kind of model server: "+strings.Join(providers(), ", "), providers(),
		func(c *Config) *string { return &c.Models.Provider })
	check := s.read
	s.read = func(c *Config, f file, value any) []Fault {
		before := c.Models
		faults := check(c, f, value)
		if e := before.Engine; len(faults) == 0 && e != c.Models.Provider && slices.Contains(providers(), e) {
			faults = oneFault(key, "it is %s, and models.engine is %s", c.Models.Provider, e)
			c.Models.Engine, c.Models.Provider = defaultModels().Engine, defaultModels().Provider
			delete(c.origins, "models.engine")
		}
		return faults
	}
	return s
}

// apiBaseSetting is read after the provider, whose address it is. It may hold a password,
// which is not shown.
func apiBaseSetting(key string) Setting {
	s := scalarSetting(key, "where it is; else OLLAMA_HOST or OPENAI_BASE_URL says so", "a text in quotes",
		func(c *Config) *string { return &c.Models.APIBase },
		func(c *Config, v string) string {
			if _, err := addressSetting(c.Models.Provider, v); err != nil {
				return err.Error()
			}
			return ""
		})
	s.show = func(c *Config) any {
		if c.Models.APIBase == "" {
			return ""
		}
		e, err := addressSetting(c.Models.Provider, c.Models.APIBase)
		if err != nil {
			return ""
		}
		return e.Address()
	}
	return s
}

// serverTable is a profile's table for its kind of server.
type serverTable struct {
	APIBase *string `toml:"api_base"`
	Timeout *int    `toml:"timeout"`
}

// profileTable is one of [embeddings.profiles] as it is written.
type profileTable struct {
	Provider     *string      `toml:"provider"`
	Model        string       `toml:"model"`
	Dimension    *int         `toml:"dimension"`
	Capabilities []string     `toml:"capabilities"`
	Ollama       *serverTable `toml:"ollama"`
	OpenAI       *serverTable `toml:"openai"`
}

// faultList collects faults.
type faultList []Fault

func (l *faultList) addFault(key, format string, args ...any) {
	*l = append(*l, oneFault(key, format, args...)...)
}

// checkTimeout checks a number of seconds; nil is none.
func (l *faultList) checkTimeout(key string, v *int, to *int) {
	if v == nil {
		return
	}
	if *to = *v; *v < 1 || *v > maxTimeout {
		l.addFault(key, "%d is not between 1 and %d", *v, maxTimeout)
	}
}

func profilesSetting(key string) Setting {
	return Setting{Key: key, table: true, About: "models for vectors, by name",
		read: func(c *Config, f file, _ any) []Fault {
			var in struct {
				Embeddings struct {
					Profiles map[string]profileTable `toml:"profiles"`
				} `toml:"embeddings"`
			}
			unknown, err := f.decodeTable(key, &in)
			if err != nil {
				return oneFault(key, "%v", err)
			}
			faults := faultList(unknown)
			for _, name := range slices.Sorted(maps.Keys(in.Embeddings.Profiles)) {
				before := len(faults)
				if p := c.readProfile(key+"."+name, in.Embeddings.Profiles[name], &faults); len(faults) == before {
					c.Profiles[name] = p
				}
			}
			return faults
		},
		show: func(c *Config) any {
			var out []string
			for _, name := range slices.Sorted(maps.Keys(c.Profiles)) {
				out = append(out, name+" = "+c.Profiles[name].Model)
			}
			return strings.Join(out, "; ")
		},
	}
}

// readProfile reads one of [embeddings.profiles].
func (c *Config) readProfile(key string, p profileTable, faults *faultList) Profile {
	out := Profile{Provider: c.Models.Provider, Model: p.Model, Capabilities: p.Capabilities}
	if p.Provider != nil {
		out.Provider = *p.Provider
		if !slices.Contains(providers(), out.Provider) {
			faults.addFault(key+".provider", "%q is none of %s", out.Provider, strings.Join(providers(), ", "))
		}
	}
	if p.Model == "" {
		faults.addFault(key+".model", "a profile needs a model")
	}
	if v := p.Dimension; v != nil {
		if out.Dimension = *v; *v < 1 || *v > maxDimension {
			faults.addFault(key+".dimension", "%d is not between 1 and %d", *v, maxDimension)
		}
	}
	for _, t := range []struct {
		engine string
		table  *serverTable
	}{{ollama.Engine, p.Ollama}, {openai.Engine, p.OpenAI}} {
		if t.table == nil {
			continue
		}
		at := key + "." + t.engine
		if t.engine != out.Provider {
			faults.addFault(at, "the profile's provider is %s", out.Provider)
			continue
		}
		if v := t.table.APIBase; v != nil {
			if _, err := addressSetting(out.Provider, *v); err != nil {
				faults.addFault(at+".api_base", "%v", err)
			}
			out.APIBase = *v
		}
		faults.checkTimeout(at+".timeout", t.table.Timeout, &out.Timeout)
	}
	return out
}

// formatPairs is a table of names on one line.
func formatPairs(table map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(table)) {
		out = append(out, name+" = "+table[name])
	}
	return strings.Join(out, "; ")
}

// SetEngine takes one of Engines; a provider's name chooses that provider too.
func (m *Models) SetEngine(engine string) {
	m.Engine = engine
	if slices.Contains(providers(), engine) {
		m.Provider = engine
	}
}

// addressSetting reads where a server of a kind is.
func addressSetting(provider, base string) (*endpoint.Endpoint, error) {
	def := ollama.DefaultAddress
	if provider == openai.Engine {
		def = openai.DefaultAddress
	}
	return endpoint.New(endpoint.Options{Address: base, Default: def})
}
