package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// endGrace bounds how long the end of the input waits for the answers to requests that
// came before it.
const endGrace = 10 * time.Second

// Stdio is the protocol's transport over standard input and output, one message a line. A
// line that is not a message is answered with an error of JSON-RPC 2.0 and changes nothing
// else. Requests that came before the end of the input are answered after it too. The
// transport closes neither in nor out.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	s := &stdio{
		in: bufio.NewReader(in), out: out, maxLine: mcp.DefaultMaxLineLength,
		waiting: map[jsonrpc.ID]bool{}, idle: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	// Lines are bounded here.
	return &mcp.IOTransport{Reader: s, Writer: s, MaxLineLength: -1}
}

// stdio hands on the lines that are messages, and keeps the requests without an answer.
type stdio struct {
	in      *bufio.Reader
	maxLine int
	rest    []byte // of what the protocol's server is reading
	end     error  // of the input

	writeMu sync.Mutex // held while a message is written
	out     io.Writer

	// mu is not held while a message is written: a client may send several requests before
	// it reads an answer.
	mu      sync.Mutex
	version string // of the protocol, "" before it is agreed on
	waiting map[jsonrpc.ID]bool
	writing int           // answers that are being written
	idle    chan struct{} // has a value after the last answer that was waited for

	once   sync.Once
	closed chan struct{}
}

// Read gives the lines that are messages. It is called by one goroutine.
func (s *stdio) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.end != nil {
			s.waitForAnswers()
			return 0, s.end
		}
		var line []byte
		var fits bool
		line, fits, s.end = s.readLine()
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		handed, refused := s.accept(line, fits)
		if refused != nil {
			if err := s.refuse(refused); err != nil {
				return 0, err
			}
		}
		s.rest = handed
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// readLine reads a line without its end. Of a line that is longer than maxLine it gives a
// part, and reports that it does not fit.
func (s *stdio) readLine() (line []byte, fits bool, err error) {
	fits = true
	for {
		part, err := s.in.ReadSlice('\n')
		if len(line)+len(part) > s.maxLine {
			fits = false
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), fits, err
		}
	}
}

// accept notes the requests of a line and gives what the protocol's server reads of it, or the
// error that answers the line.
func (s *stdio) accept(line []byte, fits bool) ([]byte, *jsonrpc.Error) {
	switch {
	case !fits:
		return nil, invalidRequest("the message is longer than 16 MB; send a shorter one")
	case !json.Valid(line):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not JSON; send one message a line"}
	case bytes.TrimSpace(line)[0] == '[':
		return s.acceptBatch(line)
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, invalidRequest("the line is not a message of JSON-RPC 2.0: " + err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := callOf(message); ok {
		s.waiting[id] = true
	}
	return append(line, '\n'), nil
}

// lastBatches is the last version of the protocol with batches of messages.
const lastBatches = "2025-03-26"

// acceptBatch is accept for several messages in a list. The protocol's server ends where it does
// not like a batch, and counts notifications in it as requests. So it gets a batch of the
// requests alone, after the other messages.
func (s *stdio) acceptBatch(line []byte) ([]byte, *jsonrpc.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.version == "":
		return nil, invalidRequest("a batch came before the answer to initialize; wait for that")
	case s.version > lastBatches:
		return nil, invalidRequest("the protocol " + s.version + " has no batches; send one message a line")
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(line, &parts); err != nil || len(parts) == 0 {
		return nil, invalidRequest("the batch is empty")
	}
	var others []byte
	var calls [][]byte
	ids := map[jsonrpc.ID]bool{}
	for _, part := range parts {
		message, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			return nil, invalidRequest("the batch has a part that is not a message of JSON-RPC 2.0: " + err.Error())
		}
		id, ok := callOf(message)
		if !ok {
			others = append(append(others, part...), '\n')
			continue
		}
		if ids[id] || s.waiting[id] {
			return nil, invalidRequest("the batch has a request whose id another request has")
		}
		ids[id] = true
		calls = append(calls, part)
	}
	maps.Copy(s.waiting, ids)
	if len(calls) == 0 {
		return others, nil
	}
	return fmt.Appendf(others, "[%s]\n", bytes.Join(calls, []byte(","))), nil
}

// callOf gives the id of a message that wants an answer.
func callOf(message jsonrpc.Message) (id jsonrpc.ID, ok bool) {
	if request, isRequest := message.(*jsonrpc.Request); isRequest && request.IsCall() {
		return request.ID, true
	}
	return id, false
}

func invalidRequest(text string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: text}
}

// refuse answers a line that is not a message. Its id is null, as JSON-RPC 2.0 asks where a
// request has none that can be read.
func (s *stdio) refuse(e *jsonrpc.Error) error {
	answer, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      *int           `json:"id"`
		Error   *jsonrpc.Error `json:"error"`
	}{Version: "2.0", Error: e})
	if err != nil {
		return err
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	_, err = s.out.Write(append(answer, '\n'))
	return err
}

// Write writes one message or the answers to a batch, and notes which requests it answers.
func (s *stdio) Write(message []byte) (int, error) {
	s.startWriting(message)
	defer s.endWriting()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	return s.out.Write(message)
}

// startWriting notes what a message answers. It comes before the write, as what the client
// sends next may depend on it.
func (s *stdio) startWriting(message []byte) {
	var parts []json.RawMessage
	if json.Unmarshal(message, &parts) != nil { // it is not a batch
		parts = []json.RawMessage{message}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing++
	for _, part := range parts {
		s.noteAnswer(part)
	}
}

func (s *stdio) endWriting() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writing--
	if !s.busy() {
		select {
		case s.idle <- struct{}{}:
		default:
		}
	}
}

// busy reports whether a request has no answer yet. s.mu is held.
func (s *stdio) busy() bool { return s.writing > 0 || len(s.waiting) > 0 }

// noteAnswer takes the request that a message answers off those that wait.
func (s *stdio) noteAnswer(message []byte) {
	if len(s.waiting) == 0 {
		return
	}
	decoded, err := jsonrpc.DecodeMessage(message)
	if err != nil {
		return
	}
	response, ok := decoded.(*jsonrpc.Response)
	if !ok {
		return
	}
	delete(s.waiting, response.ID)
	if s.version == "" {
		var agreed struct{ ProtocolVersion string }
		if json.Unmarshal(response.Result, &agreed) == nil {
			s.version = agreed.ProtocolVersion
		}
	}
}

// waitForAnswers waits until each request has its answer, the connection is closed, or
// endGrace is over.
func (s *stdio) waitForAnswers() {
	timer := time.NewTimer(endGrace)
	defer timer.Stop()
	for {
		s.mu.Lock()
		busy := s.busy()
		s.mu.Unlock()
		if !busy {
			return
		}
		select {
		case <-s.idle:
		case <-s.closed:
			return
		case <-timer.C:
			return
		}
	}
}

// Close ends the wait for answers.
func (s *stdio) Close() error {
	s.once.Do(func() { close(s.closed) })
	return nil
}
