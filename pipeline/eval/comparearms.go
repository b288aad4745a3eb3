package eval

import "slices"

// AnswerComparison compares an arm with the same arm of an earlier run.
type AnswerComparison struct {
	Arm    Arm           `json:"arm"`
	Before AnswerMetrics `json:"before"`
	After  AnswerMetrics `json:"after"`
	Common int           `json:"common"` // answerable questions in both runs
	Gained []string      `json:"gained"` // questions answered now that were not before
	Lost   []string      `json:"lost"`   // the other way round
	// P is the p-value of a paired t-test, as in Comparison, of the answered
	// questions.
	P float64 `json:"p"`
}

// CompareArms compares the arms that both runs have, by the questions that both
// contain.
func CompareArms(before, after AnswerReport) []AnswerComparison {
	var out []AnswerComparison
	for _, now := range after.Arms {
		i := slices.IndexFunc(before.Arms, func(r ArmReport) bool { return r.Arm == now.Arm })
		if i < 0 {
			continue
		}
		was := before.Arms[i]
		c := AnswerComparison{Arm: now.Arm, Before: was.AnswerMetrics, After: now.AnswerMetrics, Gained: []string{}, Lost: []string{}, P: 1}
		var diffs []float64
		for k, b := range matchOutcomes(was.Outcomes, now.Outcomes, func(o AnswerOutcome) (string, string) { return o.ID, o.Text }) {
			o := now.Outcomes[k]
			if b == nil || !o.question.Answerable() {
				continue
			}
			c.Common++
			switch {
			case o.Answered && !b.Answered:
				c.Gained = append(c.Gained, o.Text)
				diffs = append(diffs, 1)
			case b.Answered && !o.Answered:
				c.Lost = append(c.Lost, o.Text)
				diffs = append(diffs, -1)
			default:
				diffs = append(diffs, 0)
			}
		}
		c.P = pairedT(diffs)
		out = append(out, c)
	}
	return out
}
