package app

import (
	"context"
	"time"

	"docent/cmd/internal/config"
	"docent/llm"
	"docent/pipeline/contract/model"
	"docent/pipeline/service/vectors"
)

// phaseEnrich stands for enriching among the phases. It is not one of [models] phases: a
// configured chain means that models are to be asked.
const phaseEnrich = "enrich"

// Enrichers is the chain of a domain, in the order of the configuration; empty where none
// is wanted.
func (m *Models) Enrichers(domain string) []model.Link {
	if m.cfg.Models.Engine == config.EngineBuiltin {
		return nil
	}
	chain := m.cfg.ChainOf[domain]
	if chain == "" {
		return nil
	}
	var out []model.Link
	for _, l := range m.cfg.Chain {
		if l.Chain != chain || !l.Enabled {
			continue
		}
		need := vectors.Need{For: l.Name, What: llm.CanChat, Model: l.Model, Origin: vectors.OriginFile}
		out = append(out, model.Link{Name: l.Name, Model: l.Provider + ":" + l.Model, Temperature: l.Temperature,
			Source: func(ctx context.Context) (model.Model, error) {
				s, found, err := m.findModel(ctx, phaseEnrich, need)
				if err != nil {
					return model.Model{}, err
				}
				window, budget := m.cfg.Models.NumCtx, l.Timeout
				if found.Context > 0 {
					window = min(window, found.Context)
				}
				if budget == 0 {
					budget = m.cfg.Models.Timeout
				}
				return model.Model{Chat: s.Client, Name: found.Name, Engine: engineOfModel(s, found.Name), Window: window,
					Budget: time.Duration(budget) * time.Second}, nil
			}})
	}
	return out
}

// Assist is the model that finds relations of the reference graph, and its name; nil where
// none is wanted.
func (m *Models) Assist() (model.Source, string) {
	if !m.cfg.GraphAssist || m.cfg.Models.Engine == config.EngineBuiltin {
		return nil, ""
	}
	need := vectors.Need{For: "chat", What: llm.CanChat}
	if m.cfg.GraphModel != "" {
		need.Model, need.Origin = m.cfg.GraphModel, vectors.OriginFile
	}
	return func(ctx context.Context) (model.Model, error) {
		s, found, err := m.findModel(ctx, phaseEnrich, need)
		if err != nil {
			return model.Model{}, err
		}
		return model.Model{Chat: s.Client, Name: found.Name, Engine: engineOfModel(s, found.Name), Window: m.cfg.Models.NumCtx,
			Budget: time.Duration(m.cfg.Models.Timeout) * time.Second}, nil
	}, m.cfg.GraphModel
}
