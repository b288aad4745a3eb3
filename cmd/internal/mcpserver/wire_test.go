package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"io/fs"
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

// say sends a line.
func (a agent) say(text string) {
	a.t.Helper()
	if _, err := io.WriteString(a.send, text+"\n"); err != nil {
		a.t.Fatal(err)
	}
}

// hear gives the next line of the server, as it is written.
func (a agent) hear() []byte {
	a.t.Helper()
	line, err := a.lines.ReadBytes('\n')
	if err != nil {
		a.t.Fatal(err)
	}
	return line
}

// converse starts a server and greets it.
func converse(t *testing.T) agent {
	t.Helper()
	shared, err := app.OpenShared(t.Context(), app.Options{Home: t.TempDir(), Manual: fs.FS(manual)})
	if err != nil {
		t.Fatal(err)
	}
	s := mcpserver.New(mcpserver.Options{Operations: app.Operations(), Home: func() (*service.Services, func(), error) {
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
	a.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`)
	if first := a.hear(); !json.Valid(first) {
		t.Fatalf("%s", first)
	}
	a.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

// wire sends one message to a server after the greeting and gives the line that answers
// it, as it is written.
func wire(t *testing.T, message string) []byte {
	t.Helper()
	a := converse(t)
	a.say(message)
	return a.hear()
}
