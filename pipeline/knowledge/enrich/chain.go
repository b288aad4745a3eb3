package enrich

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"docent/llm"
	"docent/llm/prompt"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
)

// Prompt is the template that models are asked with.
const Prompt = prompt.Enrich

// Chain are the models that are asked about a section, in their order, until one gives an
// answer that counts.
type Chain []model.Link

// ID names what a chain would do: its models, the prompt, the built-in engine behind it.
func (c Chain) ID() string {
	if len(c) == 0 {
		return contract.EngineBuiltin + "/" + strconv.Itoa(version)
	}
	h := sha256.New()
	for _, l := range c {
		fmt.Fprintf(h, "%s\x00%v\x00", l.Model, l.Temperature)
	}
	return hex.EncodeToString(h.Sum(nil))[:12] + "/" + string(Prompt) + "/" + strconv.Itoa(version)
}

// Current reports whether a record is what the chain would make of the text of this hash.
// Without a model, what a model made stays.
func (c Chain) Current(r Record, hash string) bool {
	return r.Hash == hash && (r.Chain == c.ID() || r.Chain == tooShort() || len(c) == 0 && r.Engine != contract.EngineBuiltin)
}

// tooShort is the chain of records of sections about which no model is asked, whatever the
// chain.
func tooShort() string { return Chain(nil).ID() + "/short" }

// Bounds of what a model is asked about.
const (
	// worthIt is the prose in bytes that a section needs for a model to be asked: of a
	// shorter one the built-in summary is all that there is to say.
	worthIt = 280
	// answerTokens is what an answer may take.
	answerTokens = 1200
	// mostText is how much of a section a model is shown, in bytes.
	mostText = 12 << 10
)

// Counts are the outcomes of the requests.
type Counts struct {
	Asked     int            `json:"asked"`
	Truncated int            `json:"enrichment_truncations_total"`
	Rejected  map[Reason]int `json:"enrichment_rejections_total"`
}

// Add takes in others.
func (c *Counts) Add(o Counts) {
	c.Asked += o.Asked
	c.Truncated += o.Truncated
	for k, n := range o.Rejected {
		c.countRejection(k, n)
	}
}

func (c *Counts) countRejection(r Reason, n int) {
	if c.Rejected == nil {
		c.Rejected = map[Reason]int{}
	}
	c.Rejected[r] += n
}

// ErrStopped means that no model could be reached: asking about the next section would
// end the same way.
var ErrStopped = errors.New("no model of the chain can be reached")

// MakeRecord makes the record of a span: by the first model of the chain whose answer counts,
// else by the built-in engine. The error ends the work: the context's, an error that the
// source calls fatal, or ErrStopped.
func (p *Page) MakeRecord(ctx context.Context, s Span, chain Chain, counts *Counts) (Record, error) {
	r := Record{SpanID: s.ID, FilePath: p.d.Path, SectionPath: s.SectionPath, Hash: s.Hash, Engine: contract.EngineBuiltin,
		Chain: chain.ID()}
	r.Enrichment = p.Builtin(s.Section)
	switch {
	case p.proseLength(s) < worthIt:
		r.Chain = tooShort()
	case len(chain) > 0:
		unreachable := 0
		for _, l := range chain {
			e, engine, err := p.askModel(ctx, l, s)
			if err == nil {
				e.SpanID = s.ID
				r.Enrichment, r.Engine, r.Prompt = e, engine, string(Prompt)
				counts.Asked++
				break
			}
			if ctx.Err() != nil {
				return r, ctx.Err()
			}
			if fatal, ok := errors.AsType[*contract.Error](err); ok {
				return r, fatal
			}
			if errors.Is(err, model.ErrNone) || isServerFault(err) {
				unreachable++
				continue
			}
			counts.Asked++
			refusal := Refusal{Engine: engine, Reason: NoAnswer, Detail: shortText(err.Error())}
			if x, ok := errors.AsType[*Rejected](err); ok {
				refusal.Field, refusal.Reason, refusal.Detail = shortText(x.Field), x.Reason, shortText(x.Detail)
			} else if _, ok := errors.AsType[*model.BadAnswer](err); ok {
				refusal.Reason = NotJSON
			}
			counts.countRejection(refusal.Reason, 1)
			r.Refused = append(r.Refused, refusal)
		}
		if unreachable == len(chain) {
			return r, ErrStopped
		}
	}
	if r.Enrichment.Truncated {
		counts.Truncated++
	}
	return r, nil
}

// isServerFault reports whether an error is of the server or the model, and not of the answer.
func isServerFault(err error) bool {
	switch llm.KindOf(err) {
	case llm.Unreachable, llm.NotFound, llm.Incapable:
		return true
	}
	return false
}

func shortText(s string) string {
	s, _ = limitText(cleanLine(s), maxItem, maxItemWords)
	return s
}

// askModel asks one model.
func (p *Page) askModel(ctx context.Context, l model.Link, s Span) (e Enrichment, engine string, err error) {
	m, err := l.Source(ctx)
	if err != nil {
		return e, l.Name, err
	}
	m.Temperature = l.Temperature
	inner, done, err := model.LimitBudget(ctx, m.Budget)
	if err != nil {
		return e, m.Engine, err
	}
	err = m.FitPrompt(min(mostText, m.PromptRoom(answerTokens)), func(room int) error {
		var a Answer
		err := m.AskJSON(inner, Prompt, map[string]any{"Schema": string(schema(true)), "Title": p.d.Title, "Section": s.SectionPath,
			"Text": p.Text(s, room)}, answerTokens, &a)
		e = a.Enrichment
		return err
	})
	if err != nil && errors.Is(inner.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		err = m.LateError()
	}
	done(err)
	return e, m.Engine, err
}
