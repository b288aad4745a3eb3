package answers

import (
	"slices"
	"strconv"
	"testing"

	"docent/pipeline/contract"
	"docent/pipeline/service/operation"
)

// The bounds in the tags of requests are those of the contract: a tag can hold no name.
func TestTagsAreTheBoundsOfTheContract(t *testing.T) {
	t.Parallel()
	enums := map[string][]string{"scene": contract.Scenes(), "fallback_mode": contract.FallbackModes(), "fallbackMode": contract.FallbackModes(), "extent": contract.Extents()}
	seen := 0
	for _, op := range Operations() {
		for _, f := range op.Fields {
			if want, ok := enums[f.Name]; ok {
				seen++
				got, all := slices.Clone(f.Enum), slices.Clone(want)
				slices.Sort(got)
				slices.Sort(all)
				if !slices.Equal(got, all) {
					t.Errorf("%s: %s can be %q, the contract has %q", op.Name, f.Name, f.Enum, want)
				}
			}
			if f.Name == "lines" && int(*f.Maximum) != contract.MaxLines {
				t.Errorf("%s: %v lines at most, the contract has %d", op.Name, *f.Maximum, contract.MaxLines)
			}
			if flag, ok := f.At(operation.Flag); ok && f.Name == "threshold" && flag.Default != strconv.FormatFloat(contract.DefaultThreshold, 'g', -1, 64) {
				t.Errorf("%s: the threshold is %s without a flag, the contract has %v", op.Name, flag.Default, contract.DefaultThreshold)
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d fields with names of the contract", seen)
	}
}
