package app

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"docent/cmd/internal/config"
	"docent/llm"
	"docent/llm/endpoint"
	"docent/llm/ollama"
	"docent/llm/openai"
	"docent/pipeline/contract"
	"docent/pipeline/service/vectors"
	"docent/store/tracing"
)

// ModelServers are the servers of [models] first, and then those of embedding
// profiles that are elsewhere. Nothing is sent yet. The environment says where
// the configuration does not (OLLAMA_HOST, OPENAI_BASE_URL), and alone holds the
// key (OPENAI_API_KEY). Profiles that fail to name a server are
// INVALID_REQUEST.
func ModelServers(cfg config.Config, env func(string) string) ([]*vectors.ModelServer, error) {
	var out []*vectors.ModelServer
	byPlace := map[[2]string]*vectors.ModelServer{}
	at := func(provider, base string, timeout int) (*vectors.ModelServer, error) {
		s, err := openServer(cfg.Models, provider, base, env)
		if err != nil {
			return nil, err
		}
		place := [2]string{provider, s.Address()}
		if known := byPlace[place]; known != nil {
			return known, nil
		}
		t := time.Duration(timeout) * time.Second
		m := &vectors.ModelServer{Client: llm.New(s, llm.Options{Timeouts: llm.Timeouts{First: t, Embed: t, Preload: t}})}
		byPlace[place] = m
		out = append(out, m)
		return m, nil
	}
	origin := func(model string) string {
		if model == "" {
			return vectors.OriginDefault
		}
		return vectors.OriginFile
	}
	main, err := at(cfg.Models.Provider, cfg.Models.APIBase, cfg.Models.Timeout)
	if err != nil {
		return nil, err
	}
	main.Named = cfg.NamesServer() || env(addressVariable(cfg.Models.Provider)) != ""
	main.Needs = append(main.Needs, vectors.Need{For: "chat", What: llm.CanChat, Model: cfg.Models.ChatModel,
		Origin: origin(cfg.Models.ChatModel)},
		vectors.Need{For: "embedding", What: llm.CanEmbed, Model: cfg.Models.EmbeddingModel, Origin: origin(cfg.Models.EmbeddingModel)})
	if cfg.GraphAssist && cfg.GraphModel != "" {
		main.Needs = append(main.Needs, vectors.Need{For: "graph.tech_docs", What: llm.CanChat, Model: cfg.GraphModel,
			Origin: vectors.OriginFile})
	}
	for _, l := range cfg.Chain {
		if !l.Enabled {
			continue
		}
		base, timeout := l.URL, cmp.Or(l.Timeout, cfg.Models.Timeout)
		if base == "" && l.Provider == cfg.Models.Provider {
			base = cfg.Models.APIBase
		}
		m, err := at(l.Provider, base, timeout)
		if err != nil {
			return nil, err
		}
		m.Named = true
		m.Needs = append(m.Needs, vectors.Need{For: l.Name, What: llm.CanChat, Model: l.Model, Origin: vectors.OriginFile})
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Profiles)) {
		p := cfg.Profiles[name]
		base, timeout := p.APIBase, p.Timeout
		if base == "" && p.Provider == cfg.Models.Provider {
			base = cfg.Models.APIBase
		}
		if timeout == 0 {
			timeout = cfg.Models.Timeout
		}
		m, err := at(p.Provider, base, timeout)
		if err != nil {
			return nil, err
		}
		m.Named = true
		m.Needs = append(m.Needs, vectors.Need{For: name, What: llm.CanEmbed, Model: p.Model, Origin: vectors.OriginFile,
			Dimension: p.Dimension})
	}
	return out, nil
}

// addressVariable is the variable of the environment that names a server of a kind.
func addressVariable(provider string) string {
	if provider == openai.Engine {
		return "OPENAI_BASE_URL"
	}
	return "OLLAMA_HOST"
}

// watchServer records the requests to a server.
func watchServer(engine string) endpoint.Watch {
	return func(ctx context.Context, name string) func(error) {
		_, done := tracing.Ask(ctx, name, engine)
		return done
	}
}

// openServer makes a server of a kind.
func openServer(m config.Models, provider, base string, env func(string) string) (llm.Server, error) {
	name, from := "models.api_base", base
	keep, err := time.ParseDuration(m.KeepAlive)
	if err != nil {
		return nil, contract.Invalid("models.keep_alive", "%v", err)
	}
	var s llm.Server
	if provider == openai.Engine {
		if from == "" {
			name, from = "OPENAI_BASE_URL", env("OPENAI_BASE_URL")
		}
		key, kerr := Secret(env, "OPENAI_API_KEY")
		if kerr != nil {
			return nil, kerr
		}
		s, err = openai.New(openai.Options{Address: from, Key: key, Proxy: http.ProxyFromEnvironment,
			Watch: watchServer(openai.Engine)})
	} else {
		if from == "" {
			name, from = "OLLAMA_HOST", env("OLLAMA_HOST")
		}
		s, err = ollama.New(ollama.Options{Address: from, NumCtx: m.NumCtx, NumThread: m.NumThread, KeepAlive: keep,
			Proxy: http.ProxyFromEnvironment, Watch: watchServer(ollama.Engine)})
	}
	if err != nil {
		return nil, contract.Invalid(name, "%s: %v", name, err)
	}
	return s, nil
}
