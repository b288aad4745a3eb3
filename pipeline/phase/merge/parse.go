package merge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"docent/pipeline/contract"
)

// ParseInput reads the merge's input: an array of {"phase": "0a", "output": …} and
// {"phase": "0b", "output": …} in any order. Unknown fields are ignored. The
// defaults of missing fields are contract.DefaultThreshold for reranker_threshold
// and true for reranker_enabled. Errors are INVALID_REQUEST with the field's path.
// Only the shape is checked here; Merge checks the values.
func ParseInput(raw []byte) (contract.Optimized, contract.Routed, error) {
	var o contract.Optimized
	var r contract.Routed
	fail := func(err error) (contract.Optimized, contract.Routed, error) {
		return contract.Optimized{}, contract.Routed{}, err
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return fail(contract.Invalid("", "the merge got no input; it reads an array of the outputs of phases 0a and 0b"))
	}
	var entries []struct {
		Phase  *string         `json:"phase"`
		Output json.RawMessage `json:"output"`
	}
	if err := json.Unmarshal(raw, &entries); err != nil {
		return fail(wrongType("", err, `an array [{"phase":"0a","output":…},{"phase":"0b","output":…}]`))
	}
	seen := map[string]bool{}
	for i, e := range entries {
		at := fmt.Sprintf("[%d]", i)
		if e.Phase == nil {
			return fail(contract.Invalid(at+".phase", "%s has no phase; it is 0a or 0b", at))
		}
		if seen[*e.Phase] {
			return fail(contract.Invalid(at+".phase", "%s is a second output of phase %s; give one of each", at, *e.Phase))
		}
		seen[*e.Phase] = true
		switch *e.Phase {
		case contract.PhaseOptimize, contract.PhaseRoute:
			if !isObject(e.Output) {
				return fail(contract.Invalid(at+".output", "%s.output is not an object; put the output of phase %s there", at, *e.Phase))
			}
		default:
			return fail(contract.Invalid(at+".phase", "%s.phase is %q; it is 0a or 0b", at, *e.Phase))
		}
		if *e.Phase == contract.PhaseOptimize {
			if err := optimized(e.Output, &o); err != nil {
				return fail(err)
			}
			continue
		}
		// A missing threshold is the default; a threshold of 0 keeps everything.
		r = contract.Routed{RerankerThreshold: contract.DefaultThreshold, RerankerEnabled: true}
		if err := json.Unmarshal(e.Output, &r); err != nil {
			return fail(wrongType(contract.PhaseRoute, err, "the output of phase 0b"))
		}
	}
	for _, p := range []string{contract.PhaseOptimize, contract.PhaseRoute} {
		if !seen[p] {
			return fail(contract.Invalid("phase", "the output of phase %s is missing; the merge needs those of 0a and 0b", p))
		}
	}
	return o, r, nil
}

func optimized(raw json.RawMessage, o *contract.Optimized) error {
	if err := json.Unmarshal(raw, o); err != nil {
		return wrongType(contract.PhaseOptimize, err, "the output of phase 0a")
	}
	// A missing rank is the place in the list: people who write by hand omit it.
	var ranks struct {
		OptimizedQueries []struct {
			Rank *int `json:"rank"`
		} `json:"optimized_queries"`
	}
	if err := json.Unmarshal(raw, &ranks); err != nil {
		return wrongType(contract.PhaseOptimize, err, "the output of phase 0a")
	}
	none := true
	for _, q := range ranks.OptimizedQueries {
		none = none && q.Rank == nil
	}
	for i := range o.OptimizedQueries {
		if none {
			o.OptimizedQueries[i].Rank = i + 1
		}
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}

// wrongType names the field that has the wrong type.
func wrongType(phase string, err error, expected string) error {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		field := t.Field
		if phase != "" && field != "" {
			field = phase + "." + field
		}
		if field == "" {
			field = phase
		}
		where := field
		if where == "" {
			where = "the input"
		}
		e := contract.Invalid(field, "%s is a JSON %s, which does not fit; the merge reads %s", where, t.Value, expected)
		e.Err = err
		return e
	}
	e := contract.Invalid(phase, "the merge's input is not JSON (%v); it reads %s", err, expected)
	e.Err = err
	return e
}
