// Package operation describes the methods of services as data, so that every door of the
// program is a driver over one table: the command line makes flags of it, HTTP a route with
// its schema, the Model Context Protocol a tool.
//
// A request is a struct whose tags say what it takes:
//
//	json:"limit,omitempty"      its name in JSON; omitempty: it may be left out
//	doc:"places at most"        what it is, in one line
//	minimum, maximum, enum, maxLength, maxItems, default    its bounds, as in JSON Schema
//	arg:"NAME" flag:"limit,l"   an argument or a flag of the command line
//	path:"name" query:"limit"   a parameter of the route
//	tool:"limit"                an argument of the tool
//
// Texts that are too long for the line of a field are in the table of its struct, see package
// fieldtag.
//
// A field is offered at the doors whose tags it has. Behind a comma a path, query or tool
// tag may word the field for its door, and a tag such as tool.maximum replaces a bound there;
// an empty one removes it. A zero value of a field that may be left out is not given.
//
// The package refuses to know any operation, to do the work of one, to write for people, and
// to know a door's libraries. It has no list of operations: the program that is wired has it.
package operation

import (
	"context"
	"fmt"
	"reflect"

	"docent/pipeline"
)

// Operation is a method of a service as data. S is what a door opens for a call: the home,
// or the services.
type Operation[S any] struct {
	// Name is that of its command, and Line its one line of help.
	Name, Line string
	// Request and Answer are the types of what it takes and gives.
	Request, Answer reflect.Type
	// Fields are those of the request, in their order.
	Fields []Field
	// Route is its place in the HTTP interface; nil: it has none.
	Route *Route
	// Tool is its tool for agents; nil: it has none.
	Tool *Tool[S]
	// Command says that the command line offers it.
	Command bool
	// Words are what it says to people.
	Words Words

	do func(context.Context, S, any, pipeline.Sink) (any, error)
}

// Route is an operation's place in the HTTP interface.
type Route struct {
	Method, Path string
	ID           string // its name in the description
	About        string // one line
	Prints       string // the command whose JSON is the same, without the program's name
	Body         *View  // the part of the answer that is sent; nil: all of it
	// Text is the text of an answer, for clients that do not ask for JSON; nil: no text.
	Text   func(answer any) string
	Events bool // the events of the work are sent too, to clients that ask for them
}

// View is a form of an answer.
type View struct {
	Type reflect.Type
	Of   func(answer any) any
}

// ViewOf makes a view of an answer.
func ViewOf[Ans, V any](of func(Ans) V) *View {
	return &View{Type: reflect.TypeFor[V](), Of: func(answer any) any { return of(answer.(Ans)) }}
}

// Tool is an operation as a tool for agents.
type Tool[S any] struct {
	Name, Title, About string
	// Changes says that it changes what there is, so that it is offered only where the
	// configuration allows it.
	Changes bool
	// Answer is the type of what it answers with. A string is sent as text alone, anything
	// else as structured content.
	Answer reflect.Type

	fit func(context.Context, S, any, Room) (any, error)
}

// Room is the budget of an answer for an agent.
type Room struct {
	Most int                  // tokens, by the estimate
	Fits func(value any) bool // reports whether a structured answer keeps within them
	Sink pipeline.Sink        // of the work; nil: nothing watches
}

// Longest is the largest number up to n for which an answer fits, by halving: fits is true
// up to some number and false beyond.
func Longest(n int, fits func(int) bool) int {
	low, high := 0, n
	for low < high {
		middle := (low + high + 1) / 2
		if fits(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// Told is the answer of a tool with a text of its own for clients that read only text, so that
// its JSON is not sent twice.
type Told interface{ ToolText() string }

// Shortened is a tool whose answers are made to fit their budget.
func Shortened[S, Req, T any](name, title, about string, fit func(context.Context, S, Req, Room) (T, error)) *Tool[S] {
	return &Tool[S]{Name: name, Title: title, About: about, Answer: reflect.TypeFor[T](),
		fit: func(ctx context.Context, s S, req any, room Room) (any, error) {
			return fit(ctx, s, req.(Req), room)
		}}
}

// Changing says that the tool changes what there is.
func (t *Tool[S]) Changing() *Tool[S] {
	t.Changes = true
	return t
}

// New describes a method. It panics where a tag of the request is no good: that is a fault of
// the program which every start of it shows.
func New[S, Req, Ans any](name, line string, do func(context.Context, S, Req) (Ans, error)) Operation[S] {
	return Watched(name, line, func(ctx context.Context, s S, req Req, _ pipeline.Sink) (Ans, error) { return do(ctx, s, req) })
}

// Watched is New for a method that tells how far it is.
func Watched[S, Req, Ans any](name, line string, do func(context.Context, S, Req, pipeline.Sink) (Ans, error)) Operation[S] {
	t := reflect.TypeFor[Req]()
	fields, err := FieldsOf(t)
	if err != nil {
		panic(fmt.Sprintf("operation %s: %v", name, err))
	}
	return Operation[S]{Name: name, Line: line, Request: t, Answer: reflect.TypeFor[Ans](), Fields: fields,
		do: func(ctx context.Context, s S, req any, sink pipeline.Sink) (any, error) {
			return do(ctx, s, req.(Req), sink)
		}}
}

// Through returns the operations of a service as operations of a type that has the
// service.
func Through[S, T any](service func(S) T, ops []Operation[T]) []Operation[S] {
	out := make([]Operation[S], len(ops))
	for i, op := range ops {
		lifted := Operation[S]{Name: op.Name, Line: op.Line, Request: op.Request, Answer: op.Answer, Fields: op.Fields, Route: op.Route,
			Command: op.Command, Words: op.Words,
			do: func(ctx context.Context, s S, req any, sink pipeline.Sink) (any, error) {
				return op.do(ctx, service(s), req, sink)
			}}
		if t := op.Tool; t != nil {
			lifted.Tool = &Tool[S]{Name: t.Name, Title: t.Title, About: t.About, Answer: t.Answer, Changes: t.Changes,
				fit: func(ctx context.Context, s S, req any, room Room) (any, error) {
					return t.fit(ctx, service(s), req, room)
				}}
		}
		out[i] = lifted
	}
	return out
}

// OnCommandLine offers the operation as a command of its name.
func (op Operation[S]) OnCommandLine() Operation[S] {
	op.Command = true
	return op
}

// OverHTTP offers the operation over HTTP.
func (op Operation[S]) OverHTTP(r Route) Operation[S] {
	op.Route = &r
	return op
}

// ForAgents offers the operation to agents.
func (op Operation[S]) ForAgents(t *Tool[S]) Operation[S] {
	op.Tool = t
	return op
}

// Do runs the operation with a request, a value of the type Request. The door that read
// the request has checked its bounds; callers that make one in code call Check first.
func (op Operation[S]) Do(ctx context.Context, s S, req any, sink pipeline.Sink) (any, error) {
	return op.do(ctx, s, req, sink)
}

// DoAsTool runs the operation as a tool.
func (op Operation[S]) DoAsTool(ctx context.Context, s S, req any, room Room) (any, error) {
	return op.Tool.fit(ctx, s, req, room)
}

// FindNamed finds an operation by its name.
func FindNamed[S any](all []Operation[S], name string) (op Operation[S], ok bool) {
	for _, op := range all {
		if op.Name == name {
			return op, true
		}
	}
	return Operation[S]{}, false
}
