// Package mcpserver is the door for agents: the Model Context Protocol with tools that
// ask, search, read and verify documentation, and with its sections as resources.
//
// Every answer of a tool has a budget of tokens, estimated as docent ask --max-tokens
// does, and never exceeds it. The package refuses to do what the service in
// docent/pipeline/service/home does, and to reach files by the paths of a request: pages and
// sections are looked up in the catalog.
package mcpserver

import (
	"context"
	_ "embed" // the instructions
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/home"
	"docent/pipeline/service/operation"
	"docent/pipeline/text/tokens"
	"docent/store/tracing"
)

// Options selects the tools and resources of the server.
type Options struct {
	// Adds offers the tools that change what there is.
	Adds bool
	// Home gives the home for a call, which calls release when done with it.
	Home func() (h *service.Services, release func(), err error)
	// Operations are those of which the tools are made.
	Operations []operation.Operation[*service.Services]
	// Enter waits for a turn to work, which leave ends; nil: no waiting.
	Enter func(ctx context.Context) (leave func(), err error)
	// Project gives the doc sets of the project that the server was started in: calls that name
	// none concern these. nil: no project.
	Project func(ctx context.Context, h *service.Services) (docSets []string)
	// About is a paragraph that the instructions end with, or "".
	About string
	// Run bounds the time of a call; 0: two minutes.
	Run time.Duration
	Log *slog.Logger // nil: nothing is logged
}

// Server serves a home over MCP. It is safe for concurrent use.
type Server struct {
	opt     Options
	mcp     *mcp.Server
	watched watched
}

// instructions tell an agent when to use what.
//
//go:embed instructions.md
var instructions string

// defaultRun is how long a call may take.
const defaultRun = 2 * time.Minute

// New makes a server.
func New(opt Options) *Server {
	if opt.Run == 0 {
		opt.Run = defaultRun
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	s := &Server{opt: opt}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "docent", Title: "docent: answers from documentation", Version: home.Version},
		&mcp.ServerOptions{
			Instructions:     strings.TrimSpace(instructions + "\n" + opt.About),
			SubscribeHandler: s.subscribe, UnsubscribeHandler: s.unsubscribe, CompletionHandler: s.completeArgument,
			SetCacheable: markUncacheable,
			Capabilities: &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{Subscribe: true}, Tools: &mcp.ToolCapabilities{},
				Prompts: &mcp.PromptCapabilities{}, Completions: &mcp.CompletionCapabilities{}},
		})
	for _, op := range opt.Operations {
		if op.Tool == nil || op.Tool.Changes && !opt.Adds {
			continue
		}
		if err := s.addTool(op); err != nil {
			panic(err) // a type that no schema can be made of is a fault of the program
		}
	}
	s.addPrompts()
	s.addResources()
	s.mcp.AddReceivingMiddleware(s.namedArguments)
	s.mcp.AddReceivingMiddleware(s.recovered) // the last that is added comes first
	return s
}

// markUncacheable says of each result that it is the client's own, and may be another one at the
// next look: pages change, and may be confidential.
func markUncacheable(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { *c = privateToClient() }

func privateToClient() mcp.Cacheable { return mcp.Cacheable{CacheScope: "private"} }

// recovered makes an error of a panic in a call. The SDK runs calls on goroutines of its
// own, so that it would end the process, and with it the calls of all others.
func (s *Server) recovered(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		ctx, span := tracing.Begin(ctx, "mcp "+method, tracing.Server)
		defer func() { tracing.End(span, err) }()
		defer func() {
			if v := recover(); v != nil {
				s.opt.Log.Error("crash", "method", method, "error", fmt.Sprint(v), "stack", string(debug.Stack()))
				res, err = nil, errInternal()
			}
		}()
		res, err = next(ctx, method, req)
		if refused, ok := errors.AsType[refusal](err); ok {
			err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: refused.text}
		}
		return res, err
	}
}

// refusal is the error of a call that asks for what cannot be. As the error of a request of the
// protocol it has the code for parameters: without a type of its own the SDK sends the code 0,
// which is none. As that of a tool it is a text.
type refusal struct{ text string }

func (r refusal) Error() string { return r.text }

// Run serves one client over a transport until it leaves or ctx ends.
func (s *Server) Run(ctx context.Context, t mcp.Transport) error {
	watching, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Watch(watching)
	}()
	err := s.mcp.Run(ctx, t)
	stop()
	<-done
	return err
}

// withServices does the work of a call: it waits for its turn, opens the home, and bounds the
// time.
func (s *Server) withServices(ctx context.Context, do func(context.Context, *service.Services) error) error {
	if s.opt.Enter != nil {
		leave, err := s.opt.Enter(ctx)
		if err != nil {
			return err
		}
		defer leave()
	}
	ctx, cancel := context.WithTimeout(ctx, s.opt.Run)
	defer cancel()
	h, release, err := s.opt.Home()
	if err != nil {
		return err
	}
	defer release()
	return s.agentError(do(ctx, h))
}

// agentError is the message of an error for an agent. Internal errors are for the log only,
// because they may name files of this machine.
func (s *Server) agentError(err error) error {
	if err == nil {
		return nil
	}
	switch class, e := home.Classify(err); {
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("the answer took longer than a call may take; ask for less")
	case errors.Is(err, context.Canceled):
		return cancelled{} // err names the step that was ended, with files of this machine
	case class == home.Internal:
		s.opt.Log.Error("call", "error", err.Error())
		return errInternal()
	case class == home.Usage:
		return refusal{tokens.ShortenTo(agentWords(e.Message, e.Remedy), leastTokens)}
	default:
		return errors.New(tokens.ShortenTo(agentWords(e.Message, e.Remedy), leastTokens))
	}
}

// cancelled is the error of a call that was cancelled.
type cancelled struct{}

func (cancelled) Error() string { return "the call was cancelled" }

func (cancelled) Unwrap() error { return context.Canceled }

// errInternal is what an agent gets for an error that is for the log.
func errInternal() error {
	return errors.New(agentWords("an internal error", contract.RunDocent("doctor").To("looks for its cause")))
}

// hintsOf are the hints of a tool: all but those that add documentation change nothing, and the
// same call gives the same answer.
func hintsOf(title string, changes bool) *mcp.ToolAnnotations {
	closed, open := false, true
	if changes {
		return &mcp.ToolAnnotations{Title: title, IdempotentHint: true, DestructiveHint: &closed, OpenWorldHint: &open}
	}
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}
}

// Budgets of answers, in estimated tokens.
const (
	defaultTokens = 2000
	leastTokens   = 100
	mostTokens    = 100_000
)

// answerBudget is what an answer may have.
func answerBudget(given int) (int, error) {
	switch {
	case given == 0:
		return defaultTokens, nil
	case given < leastTokens || given > mostTokens:
		return 0, contract.Invalid("max_tokens", "max_tokens is %d, it must lie between %d and %d", given, leastTokens, mostTokens)
	}
	return given, nil
}
