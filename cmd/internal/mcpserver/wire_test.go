package mcpserver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docent/cmd/internal/app"
	"docent/cmd/internal/mcpserver"
	"docent/pipeline/service"
)

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// wire sends one message to a server after the greeting and gives the line that answers
// it, as it is written.
func wire(t *testing.T, message string) []byte {
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
		_ = s.Run(ctx, &mcp.IOTransport{Reader: in, Writer: unclosed{out}})
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
	lines := bufio.NewReader(receive)
	say := func(text string) {
		t.Helper()
		if _, err := io.WriteString(send, text+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	hear := func() []byte {
		t.Helper()
		line, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`)
	if first := hear(); !json.Valid(first) {
		t.Fatalf("%s", first)
	}
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(message)
	return hear()
}
