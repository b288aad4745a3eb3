// Command mcpcheck tries docent's MCP server with the protocol's own tools, from npm: the
// conformance suite against /mcp of docent serve, and the inspector in its command-line
// mode against docent mcp and against /mcp.
//
// The suite was written for a server that has its test tools; what it cannot try for want
// of them is counted apart. It refuses to install anything outside of its own folder, and
// needs npm and the network.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"docent/cmd/internal/dev/served"
)

// The versions that are tried. The suite needs a newer node than many systems have.
const (
	suite     = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
	inspector = "@modelcontextprotocol/inspector@2.12.0"
	node      = "node@22"
)

func main() {
	var c check
	flag.StringVar(&c.bin, "bin", "bin/docent", "docent")
	flag.StringVar(&c.dir, "dir", "", "the folder for the tools, which is used again; none: a temporary one")
	flag.Parse()
	if err := c.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "mcpcheck:", err)
		os.Exit(1)
	}
}

type check struct {
	bin, dir string
	faults   int
}

func (c *check) run(ctx context.Context) (err error) {
	tmp, err := os.MkdirTemp("", "mcpcheck")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if c.dir == "" {
		c.dir = tmp
	}
	if c.bin, err = filepath.Abs(c.bin); err != nil {
		return err
	}
	if _, err := os.Stat(c.module("conformance")); err != nil {
		fmt.Println("npm installs", suite, inspector, node)
		if out, err := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--prefix", c.dir, suite, inspector,
			node).CombinedOutput(); err != nil {
			return fmt.Errorf("npm: %w: %s", err, out)
		}
	}
	home := filepath.Join(tmp, "home")
	s, err := served.Start(ctx, c.bin, home, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Stop()) }()
	for _, args := range [][]string{{"--suite", "active"}, {"--requirements", "2026-07-28"}} {
		if err := c.conform(ctx, tmp, s.URL, args); err != nil {
			return err
		}
	}
	c.inspect(ctx, "stdio", c.bin, "--home", home, "mcp")
	c.inspect(ctx, "http", s.URL+"/mcp", "--transport", "http")
	if c.faults > 0 {
		return fmt.Errorf("%d faults", c.faults)
	}
	return nil
}

func (c *check) module(name string) string {
	return filepath.Join(c.dir, "node_modules", "@modelcontextprotocol", name)
}

func (c *check) node() string { return filepath.Join(c.dir, "node_modules", "node", "bin", "node") }

// excuses are failures that docent is not responsible for, by the suite's message.
func excuses() map[string]string {
	return map[string]string{
		`nknown tool \"test_`:                   "it has none of the suite's test tools",
		`nknown prompt \"test_`:                 "it has none of the suite's test prompts",
		"Not testable":                          "it has none of the suite's test tools",
		"json_schema_2020_12_tool":              "it has none of the suite's test tools",
		"could not get initial":                 "it has none of the suite's test tools",
		"Expected InputRequiredResult":          "it has none of the suite's test tools",
		"setup failed before this case ran":     "it has none of the suite's test tools",
		"Resource not found":                    "it has none of the suite's test resources",
		`params/uri: must match format \"uri\"`: "the address of a resource is specification 5's",
		`/uri: must match format \"uri\"`:       "the address of a resource is specification 5's: tech_doc is no scheme of RFC 3986",
		`could not reach the test resource uri`: "it has none of the suite's test resources",
		`tool 'test_`:                           "it has none of the suite's test tools",
		`unknown tool \"failing_job`:            "it has none of the suite's test tools",
		`capabilities.extensions MUST be`:       "it has no tasks, an extension",
		`MUST return -32021; got -32601`:        "it has no tasks, an extension",
		`expected -32602; got -32601`:           "it has no tasks, an extension",
		`routing-task fixture`:                  "it has no tasks, an extension",
		`HeaderMismatch`:                        "it has no tasks, an extension",
		`requires -32021`:                       "it has no tasks, an extension",
	}
}

// finding is one check of the suite.
type finding struct {
	Name, Status, ErrorMessage string
	Details                    json.RawMessage
}

// conform runs the suite and says what failed.
func (c *check) conform(ctx context.Context, tmp, url string, args []string) error {
	out := filepath.Join(tmp, "results"+strings.Join(args, ""))
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.node(), append(
		[]string{filepath.Join(c.module("conformance"), "dist", "index.js"), "server", "--url", url + "/mcp", "-o", out}, args...)...)
	said, _ := cmd.CombinedOutput() // it ends with 1 where something failed
	files, err := filepath.Glob(filepath.Join(out, "*", "checks.json"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("the suite wrote no results: %.2000s", said)
	}
	passed, excused := 0, map[string]int{}
	for _, file := range files {
		scenario, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "server-"), "-20")
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var all []finding
		if err := json.Unmarshal(raw, &all); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, f := range all {
			if f.Status == "SUCCESS" {
				passed++
			}
			if f.Status != "FAILURE" {
				continue
			}
			if why := f.excuse(scenario); why != "" {
				excused[why]++
				continue
			}
			c.faults++
			fmt.Printf("  %s, %s: %s %.400s\n", scenario, f.Name, f.ErrorMessage, f.Details)
		}
	}
	fmt.Printf("%s %s: %d scenarios, %d checks passed\n", suite, strings.Join(args, " "), len(files), passed)
	for why, n := range excused {
		fmt.Printf("  %d not tried: %s\n", n, why)
	}
	return nil
}

// excuse is why a failure is none, "" where it is one.
func (f finding) excuse(scenario string) string {
	text := strings.ReplaceAll(f.ErrorMessage, `"`, `\"`) + string(f.Details)
	if strings.HasPrefix(scenario, "tasks-") {
		return "it has no tasks, an extension"
	}
	for words, why := range excuses() {
		if strings.Contains(text, words) {
			return why
		}
	}
	return ""
}

// inspect uses the server as a person with the inspector does. target is a command, or
// an address with flags.
func (c *check) inspect(ctx context.Context, by string, target ...string) {
	done := 0
	for _, use := range []struct {
		args []string
		want string
	}{
		{[]string{"--method", "tools/list"}, "verify_citation"},
		{[]string{"--method", "tools/call", "--tool-name", "ask_docs", "--tool-arg", "question=what is the threshold", "max_tokens=500"},
			"AOP-FINAL"},
		{[]string{"--method", "tools/call", "--tool-name", "search_docs", "--tool-arg", "query=threshold"}, "file_path"},
		{[]string{"--method", "tools/call", "--tool-name", "list_doc_sets"}, "Docent_Manual"},
		{[]string{"--method", "tools/call", "--tool-name", "read_doc", "--tool-arg", "page=verify.md"}, "AOP-FINAL"},
		{[]string{"--method", "resources/list"}, "tech_doc://"},
		{[]string{"--method", "resources/templates/list"}, "section_path"},
		{[]string{"--method", "resources/read", "--uri", "tech_doc://Docent_Manual/verify.md"}, "AOP-FINAL"},
		{[]string{"--method", "prompts/list"}, "answer_from_docs"},
		{[]string{"--method", "prompts/get", "--prompt-name", "answer_from_docs", "--prompt-args", "question=what is the threshold"},
			"AOP-FINAL"},
	} {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		args := append([]string{filepath.Join(c.dir, "node_modules", ".bin", "mcp-inspector"), "--cli"}, target...)
		cmd := exec.CommandContext(ctx, c.node(), append(args, use.args...)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		cancel()
		if err != nil || !json.Valid(out) || !strings.Contains(string(out), use.want) {
			c.faults++
			fmt.Printf("  %s, %s: %v\n%.600s\n%.600s\n", by, strings.Join(use.args, " "), err, out, errs.String())
			continue
		}
		done++
	}
	fmt.Printf("%s over %s: %d uses passed\n", inspector, by, done)
}
