package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"sync"
	"testing"

	"docent/cmd/internal/app"
	"docent/cmd/internal/mcpserver"
	"docent/pipeline/service"
)

// agent is a client at the other end of a server's standard input and output.
type agent struct {
	t     *testing.T
	send  *io.PipeWriter
	lines *bufio.Reader
}

// sendLine sends a line.
func (a agent) sendLine(text string) {
	a.t.Helper()
	if _, err := io.WriteString(a.send, text+"\n"); err != nil {
		a.t.Fatal(err)
	}
}

// readLine gives the next line of the server, as it is written.
func (a agent) readLine() []byte {
	a.t.Helper()
	line, err := a.lines.ReadBytes('\n')
	if err != nil {
		a.t.Fatal(err)
	}
	return line
}

// startAgent starts a server and greets it.
func startAgent(t *testing.T) agent {
	t.Helper()
	return startAgentOf(t, "2025-06-18")
}

// startAgentOf is startAgent with a version of the protocol.
func startAgentOf(t *testing.T, version string) agent {
	t.Helper()
	shared := openHome(t, t.TempDir())
	s := mcpserver.New(mcpserver.Options{Adds: true, Operations: app.Operations(), Home: func() (*service.Services, func(), error) {
		a, release, err := shared.Use()
		if err != nil {
			return nil, nil, err
		}
		return a.Services, release, nil
	}})
	in, send := io.Pipe()
	receive, out := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		_ = s.Run(ctx, mcpserver.Stdio(in, out))
		out.Close()
	})
	t.Cleanup(func() {
		cancel()
		send.Close()
		receive.Close()
		serving.Wait()
		if err := shared.Close(); err != nil {
			t.Error(err)
		}
	})
	a := agent{t: t, send: send, lines: bufio.NewReader(receive)}
	a.sendLine(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`)
	if first := a.readLine(); !json.Valid(first) {
		t.Fatalf("%s", first)
	}
	a.sendLine(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

// answerTo sends one message to a server after the greeting and gives the line that answers
// it, as it is written.
func answerTo(t *testing.T, message string) []byte {
	t.Helper()
	a := startAgent(t)
	a.sendLine(message)
	return a.readLine()
}
