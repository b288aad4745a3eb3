package intake

import (
	"slices"
	"testing"
)

// A tag can hold no name: the states in that of a request are those of jobs.
func TestTagsAreTheStatesOfJobs(t *testing.T) {
	t.Parallel()
	if f := Operations()[0].Fields[0]; !slices.Equal(f.Enum, JobStates()) {
		t.Errorf("%s can be %q, a job %q", f.Name, f.Enum, JobStates())
	}
}
