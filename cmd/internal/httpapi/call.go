package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"docent/cmd/internal/httpapi/login"
	"docent/pipeline/contract"
	"docent/pipeline/service"
)

// call is one request of an operation.
type call struct {
	*Server
	op   *endpoint
	w    http.ResponseWriter
	r    *http.Request
	note *note // what the log says of it

	ctx  context.Context   // of the work: ends with the request, and when its time is over
	home *service.Services // of an operation that needs one
	body []byte
	done func() // gives the turn to the next; called before anything slow is written
}

// handleRequest answers a request of an operation.
func (s *Server) handleRequest(op *endpoint, w http.ResponseWriter, r *http.Request) {
	c := &call{Server: s, op: op, w: w, r: r, note: noteOfRequest(r), ctx: r.Context(), done: func() {}}
	c.note.route = op.path
	if err := c.answerRequest(); err != nil {
		c.writeError(err)
	}
}

// answerRequest checks a request, waits for its turn and runs the operation.
func (c *call) answerRequest() error {
	op := c.op
	if !op.open {
		if err := c.checkToken(); err != nil {
			return err
		}
	}
	if op.secret && !c.knowsSecret() {
		return refusalOf(http.StatusUnauthorized, codeUnauthorized,
			"the callback wants the server's callback secret as its token; docent help serving says where it is set")
	}
	if op.refusesUnknownParameters() {
		if err := c.checkParameters(); err != nil {
			return err
		}
	}
	switch {
	case op.in != nil || op.reads:
		release, err := c.readBody(op.bodyLimit(c.opt.Limits))
		if err != nil {
			return err
		}
		defer release()
	case c.r.Body == http.NoBody:
		// The server's time for a body would end the request itself.
		if err := http.NewResponseController(c.w).SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
	}
	if op.heavy {
		leave, err := c.queue.enterQueue(c.ctx)
		if err != nil {
			return err
		}
		left := false
		c.done = func() {
			if !left {
				left = true
				leave()
			}
		}
		defer func() { c.done() }()
		ctx, cancel := context.WithTimeout(c.ctx, c.opt.Limits.Run)
		defer cancel()
		c.ctx = ctx
	}
	if op.homeless {
		return op.serve(c)
	}
	h, release, err := c.opt.Home()
	if err != nil {
		return err
	}
	defer release()
	c.home = h
	err = op.serve(c)
	if err != nil && c.ctx.Err() == nil && h.Home.LacksCatalog(c.ctx) {
		return h.Home.CatalogGone(err)
	}
	return err
}

// checkToken refuses a request that has no token of a session or of a script.
func (c *call) checkToken() error {
	given := login.Bearer(c.r.Header.Get("Authorization"))
	name, err := c.tokenName(c.ctx, given)
	if c.note.token = name; name != "" || err != nil {
		return err
	}
	inside, err := c.door.Inside(c.ctx, given)
	if err == nil && !inside {
		err = refusalOf(http.StatusUnauthorized, codeUnauthorized,
			"a token is needed; POST /api/auth/login gives one for the password, and a session ends after %v", login.Lifetime)
	}
	return err
}

// isStillAuthorized reports whether an open stream goes on: while the place of the logins does not
// answer, it does.
func (c *call) isStillAuthorized(ctx context.Context) bool {
	given := login.Bearer(c.r.Header.Get("Authorization"))
	if name, err := c.tokenName(ctx, given); name != "" || err != nil {
		return true
	}
	inside, err := c.door.Inside(ctx, given)
	return inside || err != nil
}

// tokenWithin bounds the wait for the place where servers share tokens.
const tokenWithin = 10 * time.Second

// tokenName is the name of a script's token, "" for other tokens. The error is a
// *login.UnreachableError or that of ctx.
func (s *Server) tokenName(ctx context.Context, token string) (string, error) {
	if s.opt.Token == nil || token == "" || !s.door.Locked() {
		return "", nil
	}
	within, done := context.WithTimeout(ctx, tokenWithin)
	defer done()
	name, ok, err := s.opt.Token(within, token)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", &login.UnreachableError{Err: err}
	case !ok:
		return "", nil
	}
	return name, nil
}

// knowsSecret reports whether the request has the callback's secret. The time of the check
// reveals nothing about it.
func (c *call) knowsSecret() bool {
	if c.opt.CallbackSecret == "" {
		return false
	}
	own, given := sha256.Sum256([]byte(c.opt.CallbackSecret)), sha256.Sum256([]byte(login.Bearer(c.r.Header.Get("Authorization"))))
	return subtle.ConstantTimeCompare(own[:], given[:]) == 1
}

// readStep is how much of a body is read at a time.
const readStep = 32 << 10

// readBody reads the body. All bodies that are held count together with what they take when
// they are decoded, so that many clients cannot fill the memory. release ends this one's
// share.
func (c *call) readBody(most int64) (release func(), err error) {
	if err := c.checkType(); err != nil {
		return nil, err
	}
	if c.r.ContentLength > most {
		return nil, tooLargeError(most)
	}
	rc := http.NewResponseController(c.w)
	if err := rc.SetReadDeadline(time.Now().Add(c.opt.Limits.Read)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, err
	}
	var took int64
	release = func() { c.held.Add(-took) }
	fail := func(err error) (func(), error) {
		release()
		return nil, err
	}
	var b bytes.Buffer
	for {
		took += readStep
		if c.held.Add(readStep) > c.opt.Limits.Held {
			return fail(tooBusyError(1))
		}
		n, err := io.CopyN(&b, c.r.Body, readStep)
		if int64(b.Len()) > most {
			return fail(tooLargeError(most))
		}
		if errors.Is(err, io.EOF) && n < readStep {
			break
		}
		if err != nil {
			return fail(cutShortError(err))
		}
	}
	// The connection is watched for the client's going while the request runs.
	if err := rc.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fail(err)
	}
	c.body = b.Bytes()
	if c.hasTextBody() {
		return release, nil
	}
	decoded := decodedWeight(c.body)
	if decoded > c.opt.Limits.Held {
		return fail(refusalOf(http.StatusRequestEntityTooLarge, contract.CodeInvalidRequest,
			"the request's body has more values than can be taken at a time; send it in parts"))
	}
	took += decoded
	if c.held.Add(decoded) > c.opt.Limits.Held {
		return fail(tooBusyError(1))
	}
	return release, nil
}

func cutShortError(err error) error {
	var late interface{ Timeout() bool }
	if errors.As(err, &late) && late.Timeout() {
		return refusalOf(http.StatusRequestTimeout, contract.CodeInvalidRequest, "the request's body did not arrive in time")
	}
	return refusalOf(http.StatusBadRequest, contract.CodeInvalidRequest, "the request's body breaks off: %v", err)
}

// checkType refuses a body of another kind than JSON, or text where an operation
// takes that too. A body without a type is taken for JSON.
func (c *call) checkType() error {
	given := c.r.Header.Get("Content-Type")
	if given == "" || c.op.foreign {
		return nil
	}
	kind, _, err := mime.ParseMediaType(given)
	switch {
	case err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json")):
		return nil
	case err == nil && c.op.text && strings.HasPrefix(kind, "text/"):
		return nil
	}
	takes := "application/json"
	if c.op.text {
		takes += " or text/plain"
	}
	return contract.Invalid("Content-Type", "the request's body is %s, it must be %s; set the header Content-Type", quotedInError(given),
		takes)
}

// hasTextBody reports whether the body is text in place of JSON.
func (c *call) hasTextBody() bool {
	return c.op.text && strings.HasPrefix(strings.ToLower(c.r.Header.Get("Content-Type")), "text/")
}

// writeFound writes the answer as JSON, as the command line does: one object, one line.
func (c *call) writeFound(v any) error {
	raw, err := encodeAsJSON(v)
	if err != nil {
		return err
	}
	c.done()
	c.sendResponse(http.StatusOK, "application/json", raw)
	return nil
}

// encodeAsJSON writes JSON as the command line prints it.
func encodeAsJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// writeValue writes a value that can be encoded.
func (c *call) writeValue(status int, v any) {
	raw, err := encodeAsJSON(v)
	if err != nil {
		c.note.err, status, raw = err, http.StatusInternalServerError, []byte("{}\n")
	}
	c.done()
	c.sendResponse(status, "application/json", raw)
}

// sendResponse writes a whole response. A client that does not take it in time is left.
func (c *call) sendResponse(status int, kind string, raw []byte) {
	c.setWriteDeadline()
	h := c.w.Header()
	h.Set("Content-Type", kind)
	c.w.WriteHeader(status)
	if _, err := c.w.Write(raw); err != nil && c.note.err == nil {
		c.note.err = err
	}
}

// setWriteDeadline sets the deadline of the next write.
func (c *call) setWriteDeadline() {
	// A writer that knows no deadlines is a test's.
	_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(c.opt.Limits.Write))
}
