package app

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strings"
	"sync"
	"time"

	"docent/cmd/internal/config"
	"docent/cmd/internal/shellwords"
	"docent/llm"
	"docent/llm/ollama"
	"docent/llm/openai"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/pipeline/ingest/embed"
	"docent/pipeline/phase/search"
	"docent/pipeline/question"
	"docent/pipeline/service/home"
	"docent/pipeline/service/vectors"
)

// relist is how long a server's list of models is kept.
const relist = time.Minute

// Models are the model servers as phases use them. Nothing is sent before the
// first phase that wants a model asks for it. It is safe for concurrent use.
type Models struct {
	cfg     config.Config
	env     func(string) string
	servers []*vectors.ModelServer
	wrong   error // with the servers' addresses
	now     func() time.Time
	dir     string // of the home
	door    string // see Options.Door

	memory    model.Memory
	mu        sync.Mutex
	told      map[string]bool      // servers that were found and offered, by their addresses
	questions map[string][]float32 // vectors, by model and text
	lists     map[*vectors.ModelServer]list

	preload sync.WaitGroup
	stop    context.CancelFunc
	ctx     context.Context
	warmed  map[string]time.Time
}

// list is a server's list of models.
type list struct {
	models []llm.Model
	err    error
	at     time.Time
}

// newModels opens the model servers of the configuration; see ModelServers for env.
// A malformed address is reported to the phases that ask for a model, since reading
// a page needs none. The caller calls Close.
func newModels(cfg config.Config, env func(string) string) *Models {
	if env == nil {
		env = func(string) string { return "" }
	}
	m := &Models{cfg: cfg, env: env, now: time.Now, lists: map[*vectors.ModelServer]list{}, questions: map[string][]float32{},
		warmed: map[string]time.Time{}, told: map[string]bool{}}
	m.ctx, m.stop = context.WithCancel(context.Background())
	if cfg.Models.Engine == config.EngineBuiltin {
		return m
	}
	m.servers, m.wrong = ModelServers(cfg, env)
	return m
}

// Close ends the loading of models in the background and waits for it.
func (m *Models) Close() {
	m.stop()
	m.preload.Wait()
}

// listServerModels lists a server's models, asking it at most once a minute.
func (m *Models) listServerModels(ctx context.Context, s *vectors.ModelServer) ([]llm.Model, error) {
	m.mu.Lock()
	l, ok := m.lists[s]
	m.mu.Unlock()
	if ok && l.err == nil && m.now().Sub(l.at) < relist {
		return l.models, nil
	}
	// One that is down is asked again: its circuit makes that cheap.
	l.models, l.err = s.Client.Models(ctx)
	l.at = m.now()
	if ctx.Err() == nil {
		m.mu.Lock()
		m.lists[s] = l
		m.mu.Unlock()
	}
	return l.models, l.err
}

// findModel gives the model that answers a need. A server that nobody named or allowed is
// a home.UnnamedError, after a look at its list of models, which says nothing of pages and
// questions; one that was offered before for a phase, or is refused, is not asked at all.
func (m *Models) findModel(ctx context.Context, phase string, need vectors.Need) (*vectors.ModelServer, llm.Model, error) {
	if phase != phaseEnrich && !m.cfg.Models.AsksModel(phase) {
		return nil, llm.Model{}, model.ErrNone
	}
	if m.wrong != nil && m.cfg.Models.Required() {
		return nil, llm.Model{}, m.wrong
	} else if m.wrong != nil {
		return nil, llm.Model{}, errors.New(m.wrong.Error()) // it ends no run
	}
	for _, s := range m.servers {
		for _, n := range s.Needs {
			if n.For != need.For {
				continue
			}
			if need.Model != "" {
				n.Model, n.Origin = need.Model, need.Origin
			}
			if s.IsRefused(m.dir) || phase != config.PhaseVectors && m.wasOffered(s) {
				return nil, llm.Model{}, model.ErrNone
			}
			models, err := m.listServerModels(ctx, s)
			if err != nil {
				return nil, llm.Model{}, m.missingModelError(n, err)
			}
			found, ok := n.FindModel(models)
			if can, known := found.HasCapability(n.What); ok && known && !can {
				return nil, llm.Model{}, m.missingModelError(n,
					&llm.Error{Kind: llm.Incapable, Op: operationOf(n.What), Engine: s.Client.Engine(), Server: s.Client.Address(),
						Model: found.Name})
			}
			if !ok {
				return nil, llm.Model{}, m.missingModelError(n, fmt.Errorf("%w; to get it: docent models pull %s",
					&llm.Error{Kind: llm.NotFound, Op: operationOf(n.What), Engine: s.Client.Engine(), Server: s.Client.Address(),
						Model: n.Preferred()[0]}, n.Preferred()[0]))
			}
			if !s.MayAsk(m.dir) {
				return nil, llm.Model{}, unnamedModelError(s)
			}
			return s, found, nil
		}
	}
	return nil, llm.Model{}, model.ErrNone
}

func operationOf(what llm.Capability) llm.Op {
	if what == llm.CanEmbed {
		return llm.OpEmbed
	}
	return llm.OpChat
}

// missingModelError is the error of a model that is not available: one that ends the run where
// a model is required, one that degrades it where a model was named, and ErrNone
// where none was asked for.
func (m *Models) missingModelError(n vectors.Need, err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case m.cfg.Models.Required():
		return &contract.Error{Code: home.CodeModelsUnavailable,
			Message: fmt.Sprintf("%v (--engine %s needs a model for %s; without one: --engine builtin)", err, m.cfg.Models.Engine, n.For),
			Err:     err}
	case n.Origin == vectors.OriginDefault:
		return model.ErrNone
	}
	return err
}

// engineOfModel is a model's name in traces.
func engineOfModel(s *vectors.ModelServer, model string) string {
	return s.Client.Engine() + ":" + strings.TrimSuffix(model, ":latest")
}

// Required reports whether there must be a model.
func (m *Models) Required() bool { return m.cfg.Models.Required() }

// Ready reports whether the server of a required model answers, and has the model for
// text if one is named. A search that happens to ask no model would hide that it
// does not.
func (m *Models) Ready(ctx context.Context) error {
	switch {
	case !m.Required() || len(m.cfg.Models.Phases) == 0:
		return nil
	case m.wrong != nil:
		return m.wrong
	}
	for _, phase := range []string{contract.PhaseOptimize, contract.PhaseRoute, contract.PhaseRerank, contract.PhaseProcess} {
		if m.cfg.Models.ChatModel != "" && m.cfg.Models.AsksModel(phase) {
			_, _, err := m.findModel(ctx, phase, vectors.Need{For: "chat"})
			return err
		}
	}
	if _, err := m.listServerModels(ctx, m.servers[0]); err != nil {
		return m.missingModelError(vectors.Need{For: "chat"}, err)
	}
	return nil
}

// Servers are the model servers of the configuration, also where no phase asks
// them. They are opened anew: an earlier failure does not keep them from being
// asked.
func (m *Models) Servers() ([]*vectors.ModelServer, error) { return ModelServers(m.cfg, m.env) }

// Phase finds the model that answers a phase; nil: none ever does.
func (m *Models) Phase(phase string) model.Source {
	source := m.phaseSource(phase, func(s *vectors.ModelServer) model.Chatter { return m.memory.Remember(s.Client, s.Client.Address()) })
	if source == nil {
		return nil
	}
	return func(ctx context.Context) (model.Model, error) {
		out, err := source(ctx)
		if server, ok := errors.AsType[*home.UnnamedError](err); ok {
			err = m.offerOnce(server)
		}
		return out, err
	}
}

// Recalled is as Phase with models that answer only what they were asked before.
func (m *Models) Recalled(phase string) model.Source {
	return m.phaseSource(phase, func(s *vectors.ModelServer) model.Chatter { return m.memory.Recalled(s.Client.Address()) })
}

func (m *Models) phaseSource(phase string, chat func(*vectors.ModelServer) model.Chatter) model.Source {
	if !m.cfg.Models.AsksModel(phase) {
		return nil
	}
	return func(ctx context.Context) (model.Model, error) {
		need := vectors.Need{For: "chat"}
		if phase == contract.PhaseRerank && m.cfg.RerankerModel != "" {
			need = vectors.Need{For: "chat", Model: m.cfg.RerankerModel, Origin: vectors.OriginFile}
		}
		s, found, err := m.findModel(ctx, phase, need)
		if err != nil {
			return model.Model{}, err
		}
		window := m.cfg.Models.NumCtx
		if found.Context > 0 {
			window = min(window, found.Context)
		}
		return model.Model{Chat: chat(s), Name: found.Name, Engine: engineOfModel(s, found.Name),
			Judges: strings.Contains(strings.ToLower(found.Name), "rerank"),
			Window: window, Budget: time.Duration(m.cfg.Models.Budget) * time.Second}, nil
	}
}

// unnamedModelError is the error of a server that was found.
func unnamedModelError(s *vectors.ModelServer) *home.UnnamedError {
	return &home.UnnamedError{Server: serverName(s), Address: s.Client.Address()}
}

// wasOffered reports whether a server that was found needs no offer any more at this door.
func (m *Models) wasOffered(s *vectors.ModelServer) bool {
	if s.MayAsk(m.dir) {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.told[s.Client.Address()] || m.door != "" && vectors.ToldAt(m.dir, s.Client.Address(), m.door)
}

// offerOnce is the error with which a phase that a server could answer tells of it: in words
// the first time, then model.ErrNone.
func (m *Models) offerOnce(server *home.UnnamedError) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.told[server.Address] {
		return model.ErrNone
	}
	m.told[server.Address] = true
	if m.door != "" {
		_ = vectors.SetTold(m.dir, server.Address, m.door) // in a home that cannot be written it is said again
	}
	if m.door == DoorApp {
		return errors.New(server.Brief("A"))
	}
	// Not the ErrNone within: the phase is answered by less than it could be.
	return errors.New(shellwords.CommandLine().Message(server.Error(), server.NextStep()))
}

// serverName is a server for a person: "Ollama at http://127.0.0.1:11434".
func serverName(s *vectors.ModelServer) string {
	name := "the server"
	switch s.Client.Engine() {
	case ollama.Engine:
		name = "Ollama"
	case openai.Engine:
		name = "the OpenAI-compatible server"
	}
	return name + " at " + s.Client.Address()
}

// mostQuestions bounds the remembered vectors of questions.
const mostQuestions = 256

// Question makes the vector of a question by the model that made stored vectors:
// search.QuestionEmbedder's. A model of that name that is another one by now has
// other vectors, and is not asked.
func (m *Models) Question(ctx context.Context, by embed.By, text string) ([]float32, error) {
	if !m.cfg.Models.AsksModel(config.PhaseVectors) {
		return nil, model.ErrNone
	}
	key := by.Model + "\x00" + text
	if known := m.rememberedVector(key); known != nil {
		return known, nil
	}
	ctx, done, err := model.LimitBudget(ctx, time.Duration(m.cfg.Models.Budget)*time.Second)
	if err != nil {
		return nil, err
	}
	defer func() { done(err) }()
	s, v, err := m.modelThatMade(ctx, by)
	if err != nil {
		return nil, err
	}
	out, err := v.Embed.Embed(ctx, llm.EmbedRequest{Model: v.Name, Texts: []string{v.ForQuestion + question.Shorten(text, mostEmbedded)},
		Dimension: v.Dimension, Truncate: true})
	if err == nil && len(out) == 1 && out[0] != nil && len(out[0]) != by.Dimension {
		err = fmt.Errorf("%s has vectors of %d dimensions, the stored ones have %d: %w; docent update makes new ones", by.Name,
			len(out[0]), by.Dimension, model.ErrDimension)
	}
	if err != nil {
		return nil, m.missingModelError(vectors.Need{For: "embedding", Model: by.Name, Origin: vectors.OriginFile}, err)
	}
	if len(out) != 1 || out[0] == nil {
		return nil, fmt.Errorf("%s gave no vector of the question", engineOfModel(s, by.Name))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.questions) >= mostQuestions {
		clear(m.questions)
	}
	m.questions[key] = out[0]
	return out[0], nil
}

// rememberedVector is the remembered vector of a question; nil where there is none.
func (m *Models) rememberedVector(key string) []float32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.questions[key]
}

// RecalledQuestions gives the vectors of questions that were asked before.
func (m *Models) RecalledQuestions() search.QuestionEmbedder { return recalledQuestions{m} }

// recalledQuestions gives only the vectors of questions that were asked before.
type recalledQuestions struct{ models *Models }

// Question is search.QuestionEmbedder's.
func (r recalledQuestions) Question(_ context.Context, by embed.By, text string) ([]float32, error) {
	if known := r.models.rememberedVector(by.Model + "\x00" + text); known != nil && r.models.cfg.Models.AsksModel(config.PhaseVectors) {
		return known, nil
	}
	return nil, model.ErrNone
}

// mostEmbedded bounds the text of a question that is embedded, in bytes. The subject
// of a long question stands at its beginning, and the server cuts the rest anyway.
const mostEmbedded = 4000

// modelThatMade finds the model that made stored vectors.
func (m *Models) modelThatMade(ctx context.Context, by embed.By) (*vectors.ModelServer, model.Vectors, error) {
	need := vectors.Need{For: "embedding", What: llm.CanEmbed, Model: by.Name, Origin: vectors.OriginFile}
	if m.wrong != nil {
		return nil, model.Vectors{}, m.wrong
	}
	var failed error
	for _, s := range m.servers {
		if !strings.HasPrefix(by.Engine, s.Client.Engine()+":") {
			continue
		}
		if !s.MayAsk(m.dir) {
			if failed = model.ErrNone; !s.IsRefused(m.dir) {
				failed = errors.New(unnamedModelError(s).Error()) // these vectors help the doc set: their loss is told
			}
			continue
		}
		models, err := m.listServerModels(ctx, s)
		if err != nil {
			failed = err
			continue
		}
		found, ok := llm.FindModel(models, by.Name)
		if !ok {
			continue
		}
		if v := m.vectorsBy(s, found); v.ID == by.Model {
			return s, v, nil
		}
		failed = fmt.Errorf("%s is not the model any more that made the stored vectors; docent update makes new ones", by.Name)
	}
	if failed == nil {
		failed = fmt.Errorf("no server has the model %s that made the stored vectors; docent models pull %s, or docent update makes "+
			"new ones", by.Name, by.Name)
	}
	if need.Model != "" && m.cfg.Models.Required() {
		return nil, model.Vectors{}, m.missingModelError(need, failed)
	}
	return nil, model.Vectors{}, failed
}

// Vectors finds the model for the vectors of doc sets whose pages take a route: that of
// the route's profile, or the one for all.
func (m *Models) Vectors(ctx context.Context, route string) (model.Vectors, error) {
	need := vectors.Need{For: "embedding"}
	profile := m.cfg.Routing.Routes[route].Profile
	routed := profile != ""
	if routed {
		need.For = profile
	}
	s, found, err := m.findModel(ctx, config.PhaseVectors, need)
	if err != nil {
		return model.Vectors{}, err
	}
	v := m.vectorsBy(s, found)
	if d := m.cfg.Profiles[profile].Dimension; routed && d > 0 {
		if found.Dimension > 0 && d != found.Dimension {
			return model.Vectors{}, fmt.Errorf("%s has vectors of %d dimensions, embeddings.profiles.%s.dimension is %d: %w", found.Name,
				found.Dimension, profile, d, model.ErrDimension)
		}
		v.Dimension = d
	}
	return v, nil
}

// vectorsBy is a model as it makes vectors.
func (m *Models) vectorsBy(s *vectors.ModelServer, found llm.Model) model.Vectors {
	v := model.Vectors{Embed: s.Client, Name: found.Name, Engine: engineOfModel(s, found.Name), Dimension: found.Dimension,
		Tokens: found.Context,
		Cuts:   s.Client.Engine() != ollama.Engine}
	if s.Client.Engine() == ollama.Engine && found.Context > 0 {
		v.Tokens = min(found.Context, m.cfg.Models.NumCtx)
	}
	v.ForQuestion, v.ForPassage = model.Prefixes(found.Name)
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s\x00%s", found.Digest, v.ForQuestion, v.ForPassage)
	v.ID = fmt.Sprintf("%s/%016x", v.Engine, h.Sum64())
	return v
}

// Preload loads the models that the phases will ask, in the background, so that no
// phase waits for a model to be loaded. A model that was loaded lately is not loaded
// again.
func (m *Models) Preload() {
	if len(m.servers) == 0 {
		return
	}
	m.preload.Go(func() {
		load := func(s *vectors.ModelServer, model llm.Model, what llm.Capability) {
			key := s.Client.Address() + " " + model.Name
			m.mu.Lock()
			fresh := m.now().Sub(m.warmed[key]) < warmFor
			m.warmed[key] = m.now()
			m.mu.Unlock()
			if !fresh {
				_ = s.Client.Preload(m.ctx, model.Name, what) // the call that needs it will tell
			}
		}
		if s, found, err := m.findModel(m.ctx, contract.PhaseOptimize, vectors.Need{For: "chat"}); err == nil {
			load(s, found, llm.CanChat)
		}
		if s, found, err := m.findModel(m.ctx, config.PhaseVectors, vectors.Need{For: "embedding"}); err == nil {
			load(s, found, llm.CanEmbed)
		}
	})
}

// warmFor is how long a model is taken to stay loaded.
const warmFor = 5 * time.Minute
