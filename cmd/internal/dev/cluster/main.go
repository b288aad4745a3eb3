// Command cluster runs a command while a Weaviate runs, of one node or several, and with -catalog a
// PostgreSQL too, and ends with its exit code. The command finds their addresses in
// DOCENT_TEST_INDEX and DOCENT_TEST_CATALOG.
//
//	cluster -nodes 3 -catalog -- go test ./pipeline/service/...
//
// It refuses to keep what the servers stored.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"docent/store/postgrestest"
	"docent/store/weaviate/weaviatetest"
)

func main() {
	nodes := flag.Int("nodes", 1, "nodes of the cluster")
	catalog := flag.Bool("catalog", false, "with a PostgreSQL")
	flag.Parse()
	code, err := run(*nodes, *catalog, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// run gives the exit code of the command. Where the servers cannot run, it says so and runs nothing.
func run(nodes int, catalog bool, command []string) (code int, err error) {
	if len(command) == 0 {
		return 2, errors.New("it takes a command, behind --")
	}
	dir, err := os.MkdirTemp("", "docent-cluster-")
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := weaviatetest.Run(dir, nodes)
	if errors.Is(err, weaviatetest.ErrNotHere) && os.Getenv("DOCENT_TEST_REQUIRE") == "" {
		fmt.Fprintf(os.Stderr, "cluster: skipped: %v\n", err)
		return 0, nil
	}
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	env := append(os.Environ(), "DOCENT_TEST_INDEX="+c.URL("docent", nodes))
	if catalog {
		s, err := postgrestest.Run()
		if errors.Is(err, exec.ErrNotFound) && os.Getenv("DOCENT_TEST_REQUIRE") == "" {
			fmt.Fprintf(os.Stderr, "cluster: skipped: %v\n", err)
			return 0, nil
		}
		if err != nil {
			return 1, err
		}
		defer func() { _ = s.Stop() }() // its folder goes with it
		address, _, _ := strings.Cut(s.Address(""), "?")
		// Where many packages are compiled at the same time, a server that is there may take more than ten seconds.
		env = append(env, "DOCENT_TEST_CATALOG="+address+"?sslmode=disable&connect_timeout=60")
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = env
	err = cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode(), nil
	}
	return 0, err
}
