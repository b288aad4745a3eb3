package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/pipeline/service"
	"docent/pipeline/service/operation"
)

// namedArguments refuses a call whose arguments have names that the tool does not have, lack one that
// it needs, or are of another type, and says what the tool takes. The SDK says that in the words of JSON Schema,
// "validating root: unexpected additional properties", from which an agent does not learn the right name.
func (s *Server) namedArguments(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, ok := req.(*mcp.CallToolRequest)
		if !ok {
			return next(ctx, method, req)
		}
		i := slices.IndexFunc(s.opt.Operations, func(op operation.Operation[*service.Services]) bool {
			return op.Tool != nil && op.Tool.Name == call.Params.Name
		})
		if i >= 0 {
			if fault := argumentFault(s.opt.Operations[i], call.Params.Arguments); fault != "" {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: fault}}}, nil
			}
		}
		return next(ctx, method, req)
	}
}

// argumentFault is a fault in the names and types of a tool's arguments, in words; "" if they fit.
func argumentFault(op operation.Operation[*service.Services], raw json.RawMessage) string {
	args := map[string]json.RawMessage{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &args); err != nil {
			return fmt.Sprintf("the arguments of %s must be a JSON object; %s", op.Tool.Name, takes(op))
		}
	}
	fields := op.FieldsAt(operation.InTool)
	for _, name := range slices.Sorted(maps.Keys(args)) {
		known := func(f operation.Field) bool { return f.Name == name }
		if name != budgetArgument && !slices.ContainsFunc(fields, known) {
			return fmt.Sprintf("%s has no argument %q; %s", op.Tool.Name, name, takes(op))
		}
	}
	for _, f := range fields {
		given, ok := args[f.Name]
		switch {
		case !ok && !f.Optional:
			return fmt.Sprintf("%s needs the argument %q; %s", op.Tool.Name, f.Name, takes(op))
		case ok && f.Type.Kind() != reflect.Slice && bytes.Equal(given, []byte("null")),
			ok && json.Unmarshal(given, reflect.New(f.Type).Interface()) != nil:
			return fmt.Sprintf("%s is no good: it must be %s; %s", f.Name, f.MustBe(), takes(op))
		case ok && len(f.Enum) > 0 && !isOneOf(given, f.Enum):
			return fmt.Sprintf("%s is %s, it must be %s; %s", f.Name, given, f.MustBe(), takes(op))
		}
	}
	if given, ok := args[budgetArgument]; ok && json.Unmarshal(given, new(int)) != nil {
		return fmt.Sprintf("%s is no good: it must be a whole number from %d to %d; %s", budgetArgument, leastTokens, mostTokens, takes(op))
	}
	return ""
}

// isOneOf reports whether JSON is one of some texts.
func isOneOf(given json.RawMessage, texts []string) bool {
	var text string
	return json.Unmarshal(given, &text) == nil && slices.Contains(texts, text)
}

// takes lists the arguments of a tool.
func takes(op operation.Operation[*service.Services]) string {
	var names []string
	for _, f := range op.FieldsAt(operation.InTool) {
		name := f.Name
		if !f.Optional {
			name += " (needed)"
		}
		names = append(names, name)
	}
	return fmt.Sprintf("%s takes %s", op.Tool.Name, strings.Join(append(names, budgetArgument), ", "))
}

// withPlaceOfAddress gives the arguments doc_set, page and section in place of a resource's address:
// agents name a page by what the list of resources calls it, as page or as handle.
func withPlaceOfAddress(op operation.Operation[*service.Services], args map[string]json.RawMessage) map[string]json.RawMessage {
	has := func(name string) bool {
		return slices.ContainsFunc(op.FieldsAt(operation.InTool), func(f operation.Field) bool { return f.Name == name })
	}
	if !has("doc_set") || !has("page") || !has("section") {
		return args
	}
	for _, name := range []string{"page", "handle"} {
		var address string
		if json.Unmarshal(args[name], &address) != nil {
			continue
		}
		docSet, page, section, err := parseURI(address)
		if err != nil {
			continue
		}
		out := maps.Clone(args)
		delete(out, name)
		for key, value := range map[string]string{"doc_set": docSet, "page": page, "section": section} {
			if value != "" {
				out[key], _ = json.Marshal(value)
			}
		}
		return out
	}
	return args
}
