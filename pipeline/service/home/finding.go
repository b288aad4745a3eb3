package home

import (
	"fmt"

	"docent/pipeline/contract"
)

// FindingKind is what a finding is about. Its text begins the finding's name for people.
type FindingKind string

// The kinds of findings.
const (
	FindConfiguration FindingKind = "configuration"
	FindFolder        FindingKind = "home"
	FindCatalog       FindingKind = "catalog"
	FindList          FindingKind = "list of doc sets"
	FindIndex         FindingKind = "index"
	FindVectors       FindingKind = "vectors"
	FindModelVectors  FindingKind = "model vectors"
	FindKeptVectors   FindingKind = "vectors by models"
	FindReferences    FindingKind = "references"
	FindEnrichment    FindingKind = "enrichment"
	FindDomains       FindingKind = "domains"
	FindFiles         FindingKind = "files"
	FindContents      FindingKind = "contents"
	FindProgram       FindingKind = "program"
	FindProgramMemory FindingKind = "memory of programs"
	FindModelServer   FindingKind = "model server"
	FindModel         FindingKind = "model for"
)

// RepairKind is what the program itself can do about a fault.
type RepairKind int

// The repairs.
const (
	RepairByPerson    RepairKind = iota // bring a folder back, correct the configuration, start a server
	RepairOwner                         // give what lies in the home to its owner
	RepairCatalog                       // open the home again: its rows are read again, or it is made again
	RepairList                          // open the home again: list and catalog say the same then
	RepairKept                          // put the kept vectors aside
	RepairVectors                       // learn the vectors of the doc set, from those there are
	RepairVectorsAnew                   // the same from nothing
	RepairUpdate                        // update the doc set
	RepairContents                      // update the doc set and compare every file
	RepairIndex                         // build the doc set's index again
)

// Finding is one thing that was looked at, by Doctor, at the start or while the home was
// used. What is done about a fault follows from Kind, Subject and Repair; the texts are for
// people.
type Finding struct {
	Kind    FindingKind `json:"-"`
	Subject string      `json:"-"` // the doc set, the program …; "": there is one of the kind
	Repair  RepairKind  `json:"-"`

	Check string `json:"check"` // kind and subject, for people
	OK    bool   `json:"ok"`
	Text  string `json:"text"`
	// Mend is the remedy in words. Doctor writes the part that every door says
	// alike; a door adds its words for Remedy.
	Mend   string           `json:"mend,omitempty"`
	Remedy *contract.Remedy `json:"-"`
}

// FoundWell is a finding that is no fault; text says what was seen.
func FoundWell(kind FindingKind, subject, text string) Finding {
	check := string(kind)
	if subject != "" {
		check += " " + subject
	}
	return Finding{Kind: kind, Subject: subject, Check: check, OK: true, Text: text}
}

// Failed makes a finding a fault that only a person can mend.
func (f Finding) Failed(err error, mend string, r *contract.Remedy) Finding {
	f.OK, f.Text, f.Mend, f.Remedy = false, err.Error(), mend, r
	return f
}

// Repairable makes a finding a fault that the program can repair.
func (f Finding) Repairable(repair RepairKind, err error, mend string) Finding {
	f = f.Failed(err, mend, repair.Remedy(f.Subject))
	f.Repair = repair
	return f
}

// Remedy is the command that repairs a doc set; nil for repairs that no command of its own
// does.
func (k RepairKind) Remedy(set string) *contract.Remedy {
	switch k {
	case RepairUpdate, RepairVectors, RepairVectorsAnew:
		return contract.RunDocent("update", set)
	case RepairContents:
		return contract.RunDocent("update", "--check", set)
	case RepairIndex:
		return contract.RunDocent("update", "--rebuild", set)
	}
	return nil
}

// Reopens reports whether the repair is to open the home again.
func (k RepairKind) Reopens() bool { return k == RepairCatalog || k == RepairList }

// mendsItself is what is said of damage that the next start repairs.
const mendsItself = "the next start mends it: it reads the damaged pages again, or makes the catalog again from the list of doc sets"

// DamagedCatalog is the finding of a catalog that is damaged.
func DamagedCatalog(err error) Finding {
	return FoundWell(FindCatalog, "", "").Repairable(RepairCatalog, err, mendsItself)
}

func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
