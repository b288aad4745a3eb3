package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/contract"
	"docent/pipeline/service"
	"docent/pipeline/service/operation"
)

// budgetArgument is the argument of every tool that bounds its answer.
const budgetArgument = "max_tokens"

// addTool makes a tool of an operation.
func (s *Server) addTool(op operation.Operation[*service.Services]) error {
	t := op.Tool
	tool := &mcp.Tool{Name: t.Name, Description: t.About, Annotations: hintsOf(t.Title, t.Changes)}
	asText := t.Answer.Kind() == reflect.String
	var err error
	if tool.InputSchema, err = argumentsOf(op); err == nil && !asText {
		tool.OutputSchema, err = jsonschema.ForType(t.Answer, &jsonschema.ForOptions{})
	}
	if err != nil {
		return fmt.Errorf("the tool %s: %w", t.Name, err)
	}
	mcp.AddTool(s.mcp, tool, func(ctx context.Context, call *mcp.CallToolRequest, args map[string]json.RawMessage) (*mcp.CallToolResult,
		any, error) {
		var answer any
		err := s.withServices(ctx, func(ctx context.Context, h *service.Services) (err error) {
			answer, err = s.answerToolCall(ctx, h, op, args, call)
			return err
		})
		if told, ok := answer.(operation.Told); ok && err == nil {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: told.ToolText()}}}, answer, nil
		}
		if text, ok := answer.(string); ok && err == nil && asText {
			// A text alone: structured content too would fill half of the budget with the
			// same again.
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		}
		return nil, answer, err
	})
	return nil
}

// answerToolCall reads the arguments of a tool and gives its answer within the budget.
func (s *Server) answerToolCall(ctx context.Context, h *service.Services, op operation.Operation[*service.Services],
	args map[string]json.RawMessage, call *mcp.CallToolRequest) (any, error) {
	req := reflect.New(op.Request)
	args = withPlaceOfAddress(op, args)
	for _, f := range op.FieldsAt(operation.InTool) {
		raw, ok := args[f.Name]
		if !ok {
			if f.Name == docSetsArgument && s.opt.Project != nil {
				f.Set(req, s.opt.Project(ctx, h))
			}
			continue
		}
		value := reflect.New(f.Type)
		if err := json.Unmarshal(raw, value.Interface()); err != nil {
			return nil, contract.Invalid(f.Name, "%s is no good: it must be %s", f.Name, f.MustBe())
		}
		if names, ok := value.Interface().(*[]string); ok && f.Name == docSetsArgument && slices.Contains(*names, allDocSets) {
			continue // none are named
		}
		f.Set(req, value.Elem().Interface())
	}
	tokens := 0
	if raw, ok := args[budgetArgument]; ok {
		if err := json.Unmarshal(raw, &tokens); err != nil {
			return nil, contract.Invalid(budgetArgument, "%s is no good: it must be a whole number", budgetArgument)
		}
	}
	most, err := answerBudget(tokens)
	if err == nil {
		err = op.Check(operation.InTool, req.Elem().Interface())
	}
	if err != nil {
		return nil, err
	}
	return op.DoAsTool(ctx, h, req.Elem().Interface(), s.callRoom(ctx, most, call))
}

// The argument that narrows a call to doc sets, and the name in it that stands for all of
// them, which no doc set can have.
const (
	docSetsArgument = "doc_sets"
	allDocSets      = "*"
)

// callRoom is the budget of a call, with what it tells of its progress. Without a call it tells
// nothing.
func (s *Server) callRoom(ctx context.Context, most int, call *mcp.CallToolRequest) operation.Room {
	return operation.Room{Most: most, Fits: func(v any) bool { return fitsBudget(v, most) }, Sink: s.progressSender(ctx, call)}
}

// argumentsOf is the schema of a tool's arguments. Bounds stand in the descriptions, and are
// checked by the operation, so that its error says what to give.
func argumentsOf[S any](op operation.Operation[S]) (*jsonschema.Schema, error) {
	out := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	add := func(name, about string, t reflect.Type, optional bool, enum []string) error {
		p, err := jsonschema.ForType(t, &jsonschema.ForOptions{})
		if err != nil {
			return err
		}
		p.Description = about
		for _, value := range enum {
			p.Enum = append(p.Enum, value)
		}
		out.Properties[name] = p
		out.PropertyOrder = append(out.PropertyOrder, name)
		if !optional {
			out.Required = append(out.Required, name)
		}
		return nil
	}
	for _, f := range op.FieldsAt(operation.InTool) {
		if err := add(f.Name, f.Doc, f.Type, f.Optional, f.Enum); err != nil {
			return nil, err
		}
	}
	return out, add(budgetArgument, fmt.Sprintf("the most tokens of the answer, %d to %d; without it %d", leastTokens, mostTokens,
		defaultTokens), reflect.TypeFor[int](), true, nil)
}
