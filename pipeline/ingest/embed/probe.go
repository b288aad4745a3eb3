package embed

import (
	"context"
	"errors"
	"fmt"

	"docent/llm"
	"docent/pipeline/contract"
	"docent/pipeline/contract/model"
	"docent/store"
	"docent/store/floats"
)

// dimension is the error of vectors that are not as they were.
func (w *work) dimension(now, before int) error {
	return contract.Remedied(fmt.Errorf("%s has vectors of %d dimensions now, and had %d: %w; set the profile's dimension to %d, or "+
		"make all vectors anew", w.m.Engine, now, before, model.ErrDimension, before), w.makeAnew())
}

// makeAnew is the remedy of vectors that do not fit those that are stored.
func (w *work) makeAnew() *contract.Remedy {
	return contract.RunDocent("update", "--rebuild", w.set.Ref.String()).To("makes all anew")
}

// probeText is the text whose vector is the probe. It is never changed: caches and stores
// have its vectors.
const probeText = "A liveness probe restarts a container that does not answer any more."

// leastAlike is the cosine from which on two vectors of one text are of the same
// model: the same weights on other processors differ by less than a thousandth,
// other quantizations by a few hundredths.
const leastAlike = 0.95

// probeModel asks the model for the vector of a text that it may have seen before.
func (w *work) probeModel(ctx context.Context, p *plan) error {
	w.emit(contract.PhaseStarted, 0, 0, w.set.Ref.String())
	vs, err := w.askModel(ctx, []string{probeText})
	if err != nil {
		return err
	}
	now := store.CachedModel{ID: w.m.ID, Dimension: len(vs[0]), Probe: vs[0]}
	check := func(dimension int, probe []float32) error {
		switch {
		case dimension != now.Dimension:
			return w.dimension(now.Dimension, dimension)
		case cosineOfUnitVectors(probe, now.Probe) < leastAlike:
			return contract.Remedied(fmt.Errorf("%s gives other vectors than before: %w", w.m.Engine, ErrChanged), w.makeAnew())
		}
		return nil
	}
	was, err := w.e.Cache.Model(ctx, w.m.ID)
	switch {
	case errors.Is(err, store.ErrUnknownModel):
	case err != nil:
		return err
	default:
		if err := check(was.Dimension, was.Probe); err != nil {
			if !w.again {
				return err
			}
			if err := w.e.Cache.Forget(ctx, w.m.ID); err != nil {
				return err
			}
		} else {
			now.Probe = was.Probe // so that it does not drift
		}
	}
	if p.keep {
		probe, err := floats.Decode(p.old.by.Probe)
		if err != nil {
			return fmt.Errorf("the stored probe: %w: %w", err, store.ErrVectorsDamaged)
		}
		if err := check(p.old.by.Dimension, probe); err != nil {
			return err
		}
	}
	w.model = now
	return nil
}

// askModel sends texts to the model.
func (w *work) askModel(ctx context.Context, texts []string) ([][]float32, error) {
	with := make([]string, len(texts))
	for i, t := range texts {
		with[i] = w.m.ForPassage + t
	}
	vs, err := w.m.Embed.Embed(ctx, llm.EmbedRequest{Model: w.m.Name, Texts: with, Dimension: w.m.Dimension})
	if llm.KindOf(err) == llm.BadAnswer && w.m.Dimension > 0 {
		// Is it the dimension that is wrong?
		one, oerr := w.m.Embed.Embed(ctx, llm.EmbedRequest{Model: w.m.Name, Texts: with[:1]})
		if oerr == nil && len(one) == 1 && len(one[0]) != w.m.Dimension {
			return nil, fmt.Errorf("%s: %w; set the profile's dimension to %d", err, model.ErrDimension, len(one[0]))
		}
	}
	if err != nil {
		return nil, err
	}
	for _, v := range vs {
		if len(v) == 0 {
			return nil, fmt.Errorf("%s gave no vector for a text", w.m.Engine)
		}
		if w.model.Dimension > 0 && len(v) != w.model.Dimension {
			return nil, w.dimension(len(v), w.model.Dimension)
		}
	}
	return vs, nil
}
