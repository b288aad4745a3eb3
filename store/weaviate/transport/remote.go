package transport

import (
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
)

// A call of gRPC is a request over HTTP/2 with a message in its body, behind five bytes: whether it is compressed, and
// its length. The answer has the same form, and the status in a trailer
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). Calls of one message need no more of it.
const framePrefix = 5

// newRemote gives a client of the gRPC interface, without a connection. All calls of a client to a host share one: where
// that is dead and no one said so, as behind a network that was cut, a call that is repeated needs another client.
func (t *Transport) newRemote() *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP2(t.At.TLS)
	protocols.SetUnencryptedHTTP2(!t.At.TLS)
	return &http.Client{Timeout: RequestTimeout, Transport: &http.Transport{DialContext: t.dial, Protocols: protocols,
		IdleConnTimeout: idleTimeout, DisableCompression: true}}
}

// useRemote has later calls go by another client. Those that are under way end with theirs.
func (t *Transport) useRemote(by *http.Client) { t.grpc.Swap(by).CloseIdleConnections() }

// keepRemote has later calls go by the client of a repeated one that was answered.
func (t *Transport) keepRemote(by *http.Client, answered bool) {
	if answered {
		t.useRemote(by)
	} else {
		by.CloseIdleConnections()
	}
}

// HasRemote reports whether the address has the hosts' gRPC interface.
func (t *Transport) HasRemote() bool { return t.grpc.Load() != nil }

// Call calls a procedure with a message, and gives the message that it answers.
func (t *Transport) Call(ctx context.Context, procedure string, message []byte) ([]byte, error) {
	return t.askPatiently(ctx, remoteCall(procedure, message))
}

func remoteCall(procedure string, message []byte) call {
	frame := binary.BigEndian.AppendUint32(make([]byte, 1, framePrefix+len(message)), uint32(len(message)))
	return call{method: http.MethodPost, path: procedure, body: append(frame, message...), remote: true}
}

// The codes of gRPC that a search may meet, and what HTTP calls the same. The engine gives most errors the code 2.
var statuses = [...]int{
	1: http.StatusServiceUnavailable, 2: http.StatusUnprocessableEntity, 3: http.StatusUnprocessableEntity,
	4: http.StatusGatewayTimeout, 5: http.StatusNotFound, 7: http.StatusForbidden, 8: http.StatusServiceUnavailable,
	12: http.StatusNotImplemented, 13: http.StatusInternalServerError, 14: http.StatusServiceUnavailable,
	16: http.StatusUnauthorized,
}

// reply is the message of an answer, or its error.
func reply(r call, resp *http.Response, body []byte) ([]byte, error) {
	trailer := resp.Trailer
	if trailer.Get("Grpc-Status") == "" {
		trailer = resp.Header // an answer without a message has the status there
	}
	code, err := strconv.Atoi(trailer.Get("Grpc-Status"))
	if err != nil {
		return nil, &StatusError{What: r.description(), Status: http.StatusBadGateway,
			Message: "the answer has no status of gRPC: is the port that of the gRPC interface?"}
	}
	if code != 0 {
		message, err := url.PathUnescape(trailer.Get("Grpc-Message"))
		if err != nil {
			message = trailer.Get("Grpc-Message")
		}
		status := http.StatusInternalServerError
		if code > 0 && code < len(statuses) && statuses[code] > 0 {
			status = statuses[code]
		}
		return nil, &StatusError{What: r.description(), Status: status, Message: messageOf([]byte(message))}
	}
	if len(body) < framePrefix || body[0] != 0 || int(binary.BigEndian.Uint32(body[1:])) != len(body)-framePrefix {
		return nil, fmt.Errorf("the answer of the Weaviate to %s is not as expected: %d bytes are not one message",
			r.description(), len(body))
	}
	return body[framePrefix:], nil
}

// healthCheck is a procedure that each gRPC server has.
const healthCheck = "/grpc.health.v1.Health/Check"
