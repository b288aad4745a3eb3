package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// leastRate is how many bytes of a body must arrive a second, on average over the time of
// Options.Stall.
const leastRate = 256

var (
	errStalled = errors.New("the answer arrives too slowly")
	errLarge   = errors.New("the answer is too large")
)

// watched counts the bytes of a body, and ends the request where too few arrive or too many.
type watched struct {
	body io.Reader
	most int64
	read atomic.Int64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if w.read.Add(int64(n)) > w.most {
		return 0, errLarge
	}
	return n, err
}

// watch calls stop where fewer bytes arrive than leastRate; end ends it.
func (w *watched) watch(every time.Duration, stop context.CancelCauseFunc) (end func()) {
	least := int64(every.Seconds()*leastRate) + 1
	done, finished := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(finished)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		before := int64(0)
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
			}
			now := w.read.Load()
			if now-before < least {
				stop(errStalled)
				return
			}
			before = now
		}
	}()
	return func() { close(done); <-finished }
}

// readBody reads the body of a response, unpacked and with bounds, into the answer or where
// the request wants it.
func (c *Client) readBody(answer *Answer, r *http.Response, req Request, stop context.CancelCauseFunc,
	ctx context.Context) error {
	address := shown(answer.URL)
	if r.ContentLength > req.Most {
		return tooLarge(address, req.Most)
	}
	packed := &watched{body: r.Body, most: req.Most}
	end := packed.watch(c.opt.Stall, stop)
	defer end()
	plain, err := unpack(packed, r.Header.Get("Content-Encoding"))
	if err != nil {
		return c.bodyError(ctx, address, req.Most, err)
	}
	var into io.Writer
	kept := &bytes.Buffer{}
	into = kept
	if req.Into != nil {
		if into, err = req.Into(); err != nil {
			return err
		}
	} else if r.ContentLength > 0 {
		kept.Grow(int(min(r.ContentLength, 1<<20)) + bytes.MinRead)
	}
	out := &target{into: into}
	answer.Bytes, err = io.Copy(out, io.LimitReader(plain, req.Most+1))
	switch {
	case out.err != nil:
		return out.err
	case err != nil:
		return c.bodyError(ctx, address, req.Most, err)
	case answer.Bytes > req.Most:
		return tooLarge(address, req.Most)
	}
	if req.Into == nil {
		answer.Body = kept.Bytes()
	}
	return nil
}

// target tells the errors of writing from those of reading.
type target struct {
	into io.Writer
	err  error
}

func (t *target) Write(p []byte) (int, error) {
	n, err := t.into.Write(p)
	if err != nil {
		t.err = err
	}
	return n, err
}

func unpack(body io.Reader, encoding string) (io.Reader, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity":
		return body, nil
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(body)
		if errors.Is(err, io.EOF) { // nothing at all: an empty body
			return bytes.NewReader(nil), nil
		}
		return z, err
	}
	return nil, fmt.Errorf("%w, %.20q", errEncoding, encoding)
}

var errEncoding = errors.New("it is packed in a way that was not asked for")

func (c *Client) bodyError(ctx context.Context, address string, most int64, err error) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(err, errLarge):
		return tooLarge(address, most)
	case errors.Is(cause, errStalled):
		return &Error{URL: address, Kind: KindSlow, Err: cause,
			Reason: fmt.Sprintf("its answer arrives too slowly, with fewer than %d bytes a second", leastRate)}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Error{URL: address, Kind: KindSlow, Err: cause,
			Reason: fmt.Sprintf("its answer takes more than %s", c.opt.Whole)}
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.Is(err, errEncoding):
		return &Error{URL: address, Kind: KindEncoding, Err: err,
			Reason: "its answer cannot be unpacked: " + err.Error()}
	}
	e := networkError(address, err)
	if e.Kind == KindNetwork {
		e.Reason = "the connection broke while the answer was read: " + plainReason(err)
	}
	return e
}

func tooLarge(address string, most int64) error {
	size := fmt.Sprintf("%d MB", most>>20)
	if most < 10<<20 {
		size = fmt.Sprintf("%d KB", most>>10)
	}
	return &Error{URL: address, Kind: KindLarge, Err: errLarge, Reason: "its answer is larger than " + size}
}
