package finding

import (
	"context"
	"slices"

	"docent/pipeline/contract"
)

// Repair is what the program itself can do about a fault.
type Repair int

// The repairs. Apply does those of a doc set; the others are of the home as a whole.
const (
	ByPerson          Repair = iota // bring a folder back, correct the configuration, start a server
	RepairOwner                     // give the files of the home to its owner
	RepairCatalog                   // open the home again: its rows are read again, or it is made again
	RepairList                      // open the home again: list and catalog say the same then
	RepairKept                      // put the kept vectors aside
	RepairServer                    // have the server of the indexes take changes again
	RepairUploads                   // write the records of documents again from the catalog
	RepairShared                    // keep the contents of documents again from this machine's files
	RepairVectors                   // learn the vectors of the doc set, from those there are
	RepairVectorsAnew               // the same from nothing
	RepairUpdate                    // update the doc set
	RepairContents                  // update the doc set and compare every file
	RepairIndex                     // build the doc set's index again
)

// Remedy is the command that repairs a doc set, or what doctor says it repairs itself; nil for
// repairs that the next start does too.
func (r Repair) Remedy(set string) *contract.Remedy {
	switch r {
	case RepairUpdate, RepairVectors, RepairVectorsAnew:
		return contract.RunDocent("update", set)
	case RepairContents:
		return contract.RunDocent("update", "--check", set)
	case RepairIndex:
		return contract.RunDocent("update", "--rebuild", set)
	case RepairKept:
		return contract.RunDocent("doctor", "--repair").To("puts it aside; what is needed of it is made again")
	case RepairServer:
		return contract.RunDocent("doctor", "--repair").To("has its shards take changes again")
	case RepairShared:
		return contract.RunDocent("doctor", "--repair").To("keeps it again, where this machine has it")
	case RepairUploads:
		return contract.RunDocent("doctor", "--repair").To("writes it again from the catalog")
	}
	return nil
}

// Reopens reports whether the repair is to open the home again.
func (r Repair) Reopens() bool { return r == RepairCatalog || r == RepairList }

// ofHome are the repairs of the home as a whole, each in words.
var ofHome = map[Repair]string{
	RepairOwner:   "make what lies in the home readable and writable for its owner",
	RepairCatalog: "read the damaged pages again, or make the catalog again from the list of doc sets",
	RepairList:    "make list and catalog say the same",
	RepairKept:    "put vectors.db aside and begin it anew",
	RepairServer:  "have the shards of the Weaviate take changes again",
	RepairShared:  "keep the contents of documents again from the files of this machine",
	RepairUploads: "write the records of documents that were handed in again from the catalog",
}

// Mender repairs one doc set.
type Mender interface {
	// Update brings it up to date. With rebuild its index is built again, with compare
	// every file is compared with the index.
	Update(ctx context.Context, rebuild, compare bool) error
	// Learn learns its vectors; anew: from nothing.
	Learn(ctx context.Context, anew bool) error
}

// Apply has a repair of a doc set done.
func Apply(ctx context.Context, r Repair, m Mender) error {
	switch r {
	case RepairVectors, RepairVectorsAnew:
		return m.Learn(ctx, r == RepairVectorsAnew)
	case RepairUpdate, RepairContents, RepairIndex:
		return m.Update(ctx, r == RepairIndex, r == RepairContents)
	}
	return nil
}

// Step is a repair that was planned, of one or several findings.
type Step struct {
	Check  string // of the findings
	Action string // what it does, in words
	Repair Repair
	Set    string // of a doc set's repair
	// Rebuild and Compare are Mender.Update's.
	Rebuild, Compare bool
}

// Plan lists the repairs of findings in the order in which they are done: a doc set is
// updated once, whatever was found of it. left are the faults that only a person can mend.
func Plan(all []Finding) (steps []Step, left []Finding) {
	updates := map[string]*Step{}
	var order []string
	for _, f := range all {
		if f.OK {
			continue
		}
		action, whole := ofHome[f.Repair]
		switch {
		case f.Repair == ByPerson:
			left = append(left, f)
		case whole:
			steps = append(steps, Step{Check: f.Check, Action: action, Repair: f.Repair})
		default:
			s := updates[f.Subject]
			if s == nil {
				s = &Step{Repair: RepairUpdate, Set: f.Subject}
				updates[f.Subject], order = s, append(order, f.Subject)
			} else {
				s.Check += ", "
			}
			s.Check += f.Check
			s.Rebuild = s.Rebuild || f.Repair == RepairIndex
			s.Compare = s.Compare || f.Repair == RepairContents
		}
	}
	for _, set := range order {
		s := *updates[set]
		switch {
		case s.Rebuild:
			s.Action = "build the index and the vectors of " + set + " again"
		case s.Compare:
			s.Action = "compare every file of " + set + ", and read those again that changed"
		default:
			s.Action = "bring " + set + " up to date"
		}
		steps = append(steps, s)
	}
	return slices.Clip(steps), left
}
