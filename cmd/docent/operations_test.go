package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/cmd/internal/app"
	"docent/cmd/internal/cli"
	"docent/cmd/internal/cli/console"
	"docent/cmd/internal/httpapi"
	"docent/cmd/internal/mcpserver"
	"docent/pipeline/service"
	"docent/pipeline/service/operation"
)

// The rules of the table of operations: each one has its words, its place in the manual, and
// the doors that it names.

type described = operation.Operation[*service.Services]

// doors are what the doors made of the operations.
type doors struct {
	commands map[string]bool
	routes   map[string]bool // "GET /api/docsets"
	tools    map[string]bool
}

// openDoors makes the doors without a home: what they offer needs none.
func openDoors(t *testing.T, ops []described) doors {
	t.Helper()
	d := doors{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, op := range ops {
		var out bytes.Buffer
		io := console.IO{In: strings.NewReader(""), Out: &out, Err: &out, Env: func(string) string { return "" }}
		if op.Command && cli.Main(io, manual, []string{op.Name, "--help"}) == 0 && strings.Contains(out.String(), "docent "+op.Name) {
			d.commands[op.Name] = true
		}
	}
	api := httpapi.New(httpapi.Options{Loopback: true, Operations: ops})
	answer, req := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/openapi.json", nil)
	req.Host = "127.0.0.1"
	api.Handler().ServeHTTP(answer, req)
	var openapi struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(answer.Body.Bytes(), &openapi); err != nil {
		t.Fatal(err)
	}
	for path, methods := range openapi.Paths {
		for method := range methods {
			d.routes[strings.ToUpper(method)+" "+path] = true
		}
	}
	ours, theirs := mcp.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { _ = mcpserver.New(mcpserver.Options{Operations: ops, Adds: true}).Run(ctx, theirs) }()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, ours, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	tools, err := client.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		d.tools[tool.Name] = true
	}
	return d
}

// shellWords are words of the command line: a library that has them knows one door.
var shellWords = regexp.MustCompile(`\bdocent [a-z]+\b|(^|[\s(])--[a-z]+`)

// operationFaults are what is wrong with operations: with their words, with their doors, and
// with the pages of the manual on each door.
func operationFaults(ops []described, d doors, pages map[string]string) []string {
	var out []string
	seen := map[string]bool{}
	for _, op := range ops {
		fault := func(format string, args ...any) { out = append(out, op.Name+": "+fmt.Sprintf(format, args...)) }
		texts := []string{op.Line}
		if seen[op.Name] {
			fault("two operations have this name")
		}
		seen[op.Name] = true
		if op.Line == "" || strings.HasSuffix(op.Line, ".") {
			fault("the line of help is %q", op.Line)
		}
		if op.Command && (!d.commands[op.Name] || !strings.Contains(pages["commands.md"], "docent "+op.Name)) {
			fault("there is no such command, or commands.md does not have it")
		}
		if r := op.Route; r != nil {
			texts = append(texts, r.About)
			if !d.routes[r.Method+" "+r.Path] || !strings.Contains(pages["serving.md"], r.Path) {
				fault("%s %s is not served, or serving.md does not have it", r.Method, r.Path)
			}
		}
		if tool := op.Tool; tool != nil {
			texts = append(texts, tool.Title, tool.About)
			if !d.tools[tool.Name] || !strings.Contains(pages["mcp.md"], "`"+tool.Name+"`") {
				fault("there is no tool %s, or mcp.md does not have it", tool.Name)
			}
		}
		for _, f := range op.Fields {
			if f.Doc == "" {
				fault("the field %s is not described", f.Name)
			}
			texts = append(texts, f.Doc)
		}
		for _, text := range texts {
			if word := shellWords.FindString(text); word != "" {
				fault("%q has %q, which is of the command line alone", text, word)
			}
		}
	}
	return out
}

// manualPages are the pages of the manual on the doors.
func manualPages(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"commands.md", "serving.md", "mcp.md"} {
		raw, err := os.ReadFile(filepath.Join("manual", name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(raw)
	}
	return out
}

func TestRulesOfOperationsHold(t *testing.T) {
	t.Parallel()
	ops := app.Operations()
	if len(ops) < 10 {
		t.Fatalf("only %d operations", len(ops))
	}
	for _, f := range operationFaults(ops, openDoors(t, ops), manualPages(t)) {
		t.Error(f)
	}
}

func TestRulesOfOperationsCanFail(t *testing.T) {
	t.Parallel()
	type request struct {
		Wick string `json:"wick" flag:"wick"`
	}
	do := func(context.Context, *service.Services, request) (string, error) { return "", nil }
	bad := operation.New("trim", "trims, see docent trim --all.", do).OnCommandLine().
		OverHTTP(operation.Route{Method: http.MethodGet, Path: "/api/trim", About: "as --wick says"}).
		ForAgents(operation.Shortened("trim_wick", "Trim", "Trims.", func(context.Context, *service.Services, request, operation.Room) (string, error) { return "", nil }))
	got := strings.Join(operationFaults([]described{bad, bad}, doors{}, map[string]string{}), "\n")
	for _, want := range []string{"two operations", "the line of help", "no such command", "GET /api/trim is not served", "no tool trim_wick", "the field wick is not described", `has "docent trim"`, `has " --wick"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not found:\n%s", want, got)
		}
	}
	if d := openDoors(t, []described{bad}); !d.routes["GET /api/trim"] || !d.tools["trim_wick"] || d.commands["trim"] {
		t.Errorf("an operation is at the doors that it names, but the command line has a list of its own: %v", d)
	}
}

// operationsPage lists the operations for developers. The test below writes it.
var operationsPage = filepath.Join("developers", "operations.md")

func TestManualListsTheOperations(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("# Operations\n\nWhat the doors are made from: each line is one operation of the table in `cmd/internal/app/operations.go`. " +
		"`DOCENT_UPDATE=1 go test ./cmd/docent -run TestManualListsTheOperations` writes this page.\n\n" +
		"| operation | what it gives | command | route | tool | its request |\n| --- | --- | --- | --- | --- | --- |\n")
	ops := app.Operations()
	slices.SortFunc(ops, func(a, b described) int { return strings.Compare(a.Name, b.Name) })
	code := func(on bool, text string) string {
		if !on {
			return ""
		}
		return "`" + text + "`"
	}
	for _, op := range ops {
		route, tool := "", ""
		if op.Route != nil {
			route = op.Route.Method + " " + op.Route.Path
		}
		if op.Tool != nil {
			tool = op.Tool.Name
		}
		var fields []string
		for _, f := range op.Fields {
			if f.Name != "-" && f.Name != "" {
				fields = append(fields, "`"+f.Name+"`")
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", op.Name, op.Line, code(op.Command, "docent "+op.Name), code(route != "", route), code(tool != "", tool), strings.Join(fields, ", "))
	}
	if os.Getenv("DOCENT_UPDATE") != "" {
		if err := os.WriteFile(operationsPage, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(operationsPage)
	if err != nil || string(raw) != b.String() {
		t.Errorf("%s is not the table of operations (%v); write it with DOCENT_UPDATE=1", operationsPage, err)
	}
}
