// Package finding says what a fault of a home means and what repairs it: of faults that a
// start finds, that are met while the home is used, and that doctor looks for.
//
// It refuses to look for faults and to repair them: the finder of a fault names its kind, and
// a Mender does the steps that Apply asks for.
package finding

import (
	"docent/pipeline/contract"
)

// Kind is what a finding is about. Its text begins the finding's name for people.
type Kind string

// The kinds of findings that the core of a home has. Features have their own.
const (
	Configuration Kind = "configuration"
	Folder        Kind = "home"
	Catalog       Kind = "catalog"
	List          Kind = "list of doc sets"
	Index         Kind = "index"
	Vectors       Kind = "vectors"
	ModelVectors  Kind = "model vectors"
	KeptVectors   Kind = "vectors by models"
	References    Kind = "references"
	Domains       Kind = "domains"
	Files         Kind = "files"
	Size          Kind = "size"
	Contents      Kind = "contents"
	Uploads       Kind = "documents handed in"
	Copies        Kind = "copies of documents"
	Shared        Kind = "documents of all machines"
	Tokens        Kind = "tokens"
	Sessions      Kind = "saved sessions"
	Program       Kind = "program"
	ProgramMemory Kind = "memory of programs"
	ProgramFiles  Kind = "files of programs"
	ModelServer   Kind = "model server"
	Model         Kind = "model for"
)

// Finding is one thing that was looked at, by Doctor, at the start or while the home was
// used. The repair of a fault follows from Kind, Subject and Repair; the texts are for
// people.
type Finding struct {
	Kind    Kind   `json:"-"`
	Subject string `json:"-"` // the doc set, the program …; "": there is one of the kind
	Repair  Repair `json:"-"`

	Check string `json:"check"` // kind and subject, for people
	OK    bool   `json:"ok"`
	Text  string `json:"text"`
	// Mend is the remedy in words. Doctor writes the part that every door says
	// alike; a door adds its words for Remedy.
	Mend   string           `json:"mend,omitempty"`
	Remedy *contract.Remedy `json:"-"`
}

// NoFault is a finding that is no fault; text says what the check saw.
func NoFault(kind Kind, subject, text string) Finding {
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
func (f Finding) Repairable(repair Repair, err error, mend string) Finding {
	f = f.Failed(err, mend, repair.Remedy(f.Subject))
	f.Repair = repair
	return f
}
