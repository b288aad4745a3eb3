package rerank

import (
	"testing"

	"docent/pipeline/contract"
)

// A doc set of a few passages has no vectors. That its passages have no cosine is no evidence against an
// answer; that one of several has none is.
func TestDocSetsWithoutVectorsAreNoWorse(t *testing.T) {
	t.Parallel()
	m, err := shippedModel()
	if err != nil {
		t.Fatal(err)
	}
	good := vector{headingCover: .8, textCover: .9, anyCover: .9, titleCover: .5, pageCover: .9, rarest: 1, near: .6, window: .7, absolute: .5}
	for k := range numBase {
		good[numBase+k], good[2*numBase+k] = good[k]*.5, good[k]
	}
	judge := func(cosines ...float64) float64 {
		vectors := make([]vector, len(cosines))
		for i, c := range cosines {
			vectors[i] = good
			vectors[i][semantic], vectors[i][numBase+semantic], vectors[i][2*numBase+semantic] = c, c*.5, c
		}
		var out contract.RerankOutput
		m.judgeAnswer(&out, "how do I trim the wick", vectors)
		return *out.RerankStats.Answerable
	}
	none, low, one := judge(0, 0), judge(.01, .01), judge(0, .01)
	if none <= low+.05 || one > low+.001 {
		t.Errorf("without vectors %.4f, with cosines near 0 %.4f and %.4f", none, low, one)
	}
}
