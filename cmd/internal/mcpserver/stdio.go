package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// endGrace bounds how long the end of the input waits for the answers to requests that
// came before it.
const endGrace = 10 * time.Second

// Stdio is the protocol's transport over standard input and output, one message a line. A
// line that is no message is answered with an error of JSON-RPC 2.0 and changes nothing
// else. The client is told the answers to all requests that came before the end of the
// input. The transport closes neither in nor out.
func Stdio(in io.Reader, out io.Writer) mcp.Transport {
	s := &stdio{
		in: bufio.NewReader(in), out: out, maxLine: mcp.DefaultMaxLineLength,
		waiting: map[jsonrpc.ID]bool{}, idle: make(chan struct{}, 1), closed: make(chan struct{}),
	}
	return &mcp.IOTransport{Reader: s, Writer: s}
}

// stdio hands on the lines that are messages, and keeps the requests without an answer.
type stdio struct {
	in      *bufio.Reader
	maxLine int
	rest    []byte // of the line that is being read
	end     error  // of the input

	mu      sync.Mutex // held while a message is written
	out     io.Writer
	waiting map[jsonrpc.ID]bool
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
		if refused := s.accept(line, fits); refused != nil {
			if err := s.refuse(refused); err != nil {
				return 0, err
			}
			continue
		}
		s.rest = append(line, '\n')
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

// accept notes the request of a line, or gives the error that answers the line.
func (s *stdio) accept(line []byte, fits bool) *jsonrpc.Error {
	switch {
	case !fits:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the message is longer than 16 MB; send a shorter one"}
	case !json.Valid(line):
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not JSON; send one message a line"}
	case bytes.TrimSpace(line)[0] == '[': // a batch of an older protocol
		return nil
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the line is not a message of JSON-RPC 2.0: " + err.Error()}
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		s.mu.Lock()
		s.waiting[request.ID] = true
		s.mu.Unlock()
	}
	return nil
}

// refuse answers a line that is no message. Its id is null, as JSON-RPC 2.0 asks where a
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
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.out.Write(append(answer, '\n'))
	return err
}

// Write writes one message, and notes which request it answers.
func (s *stdio) Write(message []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.out.Write(message)
	if len(s.waiting) == 0 {
		return n, err
	}
	if decoded, wrong := jsonrpc.DecodeMessage(message); wrong == nil {
		if response, ok := decoded.(*jsonrpc.Response); ok {
			delete(s.waiting, response.ID)
		}
	}
	if len(s.waiting) == 0 {
		select {
		case s.idle <- struct{}{}:
		default:
		}
	}
	return n, err
}

// waitForAnswers waits until each request has its answer, the connection is closed, or
// endGrace is over.
func (s *stdio) waitForAnswers() {
	timer := time.NewTimer(endGrace)
	defer timer.Stop()
	for {
		s.mu.Lock()
		left := len(s.waiting)
		s.mu.Unlock()
		if left == 0 {
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
