package contract

import (
	"errors"
	"strings"

	"docent/store/doc"
)

// RemedyKind says which fields of a Remedy are set.
type RemedyKind string

// The kinds of remedies.
const (
	RemedyRun       RemedyKind = "run"       // run docent with the arguments Command
	RemedyInstall   RemedyKind = "install"   // install Name: a program or a model
	RemedyStart     RemedyKind = "start"     // start the server Name, which is expected at Value
	RemedyConfigure RemedyKind = "configure" // set the configuration key Key to Value
	RemedyChange    RemedyKind = "change"    // change the request's field Key; Choices are values that it may have
	RemedyWait      RemedyKind = "wait"      // send the request again later
)

// Remedy is what removes the cause of an error. Each door words it in its own
// way: the command line prints a command, the app offers a key, HTTP and MCP
// hand on the fields.
type Remedy struct {
	Kind    RemedyKind
	Command []string // of RemedyRun, without the program's name: "update", "Lantern@1"
	Name    string   // of RemedyInstall and RemedyStart
	Key     string   // of RemedyConfigure and RemedyChange
	Value   string   // of RemedyConfigure and RemedyStart; "" where the person has to choose one
	Choices []string // of RemedyChange; nil where they cannot be listed
	// Effect goes with the command or the field in a sentence: "reads it again" follows a
	// command, "raise" precedes a field.
	Effect string
	Also   *Remedy // another remedy of the same cause, or nil
}

// RunDocent is the remedy "run docent with these arguments".
func RunDocent(args ...string) *Remedy { return &Remedy{Kind: RemedyRun, Command: args} }

// FolderGone is the remedy where the folder of a doc set is not there any more: it was moved,
// or it is not needed.
func FolderGone(set doc.Ref) *Remedy {
	add := RunDocent("add", "NEW_FOLDER", "--name", set.Name)
	if set.Version != doc.DefaultVersion {
		add = RunDocent("add", "NEW_FOLDER", "--name", set.Name, "--version", set.Version)
	}
	return add.To("takes it from another folder").And(RunDocent("rm", set.String()).To("forgets the doc set"))
}

// Configure is the remedy "set this configuration key".
func Configure(key, value string) *Remedy {
	return &Remedy{Kind: RemedyConfigure, Key: key, Value: value}
}

// Change is the remedy "give this field of the request another value".
func Change(field string, choices ...string) *Remedy {
	return &Remedy{Kind: RemedyChange, Key: field, Choices: choices}
}

// To sets what the remedy does, for people, and returns the remedy.
func (r *Remedy) To(effect string) *Remedy {
	r.Effect = effect
	return r
}

// And sets another remedy of the same cause and returns the first.
func (r *Remedy) And(other *Remedy) *Remedy {
	r.Also = other
	return r
}

// String is the remedy where a door has no words for it: in notes, as an argument.
func (r *Remedy) String() string {
	plain := func(key string) string { return key }
	return Wording{Command: func(args []string) string { return strings.Join(args, " ") }, Field: plain}.Words(r)
}

// helped is an error of a type that has a remedy.
type helped interface {
	error
	NextStep() *Remedy
}

// remedied is an error of any type with its remedy.
type remedied struct {
	error
	remedy *Remedy
}

// Unwrap gives the error.
func (e *remedied) Unwrap() error { return e.error }

// NextStep is the error's remedy.
func (e *remedied) NextStep() *Remedy { return e.remedy }

// Remedied is an error with its remedy. Its text is the error's.
func Remedied(err error, r *Remedy) error {
	if err == nil || r == nil {
		return err
	}
	return &remedied{err, r}
}

// RemedyOf finds the remedy of the first error in a chain of errors that has one, or nil.
func RemedyOf(err error) *Remedy {
	for err != nil {
		e, ok := errors.AsType[helped](err)
		if !ok {
			return nil
		}
		if r := e.NextStep(); r != nil {
			return r
		}
		err = errors.Unwrap(e)
	}
	return nil
}

// Wording is how a door words remedies for people.
type Wording struct {
	Command func(args []string) string // a command; "": the door names none
	Field   func(key string) string    // a field of a request; "": as before
	// Key is a key of the configuration, for remedies that say what it does; nil: as before.
	Key func(key string) string
}

// Words is a remedy in a door's words, with those that go with it: "docent update Lantern@1
// reads it again". It is "" where the message of the error says all.
func (w Wording) Words(r *Remedy) string {
	var all []string
	for ; r != nil; r = r.Also {
		words := ""
		switch {
		case r.Kind == RemedyRun:
			if words = w.Command(r.Command); words != "" && r.Effect != "" {
				words += " " + r.Effect
			}
		case r.Kind == RemedyConfigure && r.Effect != "" && w.Key != nil:
			words = w.Key(r.Key) + " " + r.Effect
		case r.Kind == RemedyChange && r.Effect != "":
			if words = w.Field(r.Key); words != "" {
				words = r.Effect + " " + words
				if len(r.Choices) == 1 {
					words += " " + r.Choices[0]
				}
			}
		}
		if words != "" {
			all = append(all, words)
		}
	}
	return strings.Join(all, ", ")
}

// Message is a message with a remedy in a door's words.
func (w Wording) Message(message string, r *Remedy) string {
	if words := w.Words(r); words != "" {
		return message + "; " + words
	}
	return message
}

// Args are the arguments of a note for people, with remedies and errors in a door's words.
func (w Wording) Args(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch v := a.(type) {
		case *Remedy:
			out[i] = w.Words(v)
		case error:
			out[i] = w.Message(v.Error(), RemedyOf(v))
		default:
			out[i] = a
		}
	}
	return out
}
