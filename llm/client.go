package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// probeAfter is the idle time after which a server is pinged before a long call.
const probeAfter = 15 * time.Second

// maxCooldown is the longest time that the circuit stays open.
const maxCooldown = 2 * time.Minute

// Client calls a server with timeouts, retries and a circuit breaker. It is safe
// for concurrent use. All users of a server should share one client: then they
// share the circuit breaker too.
type Client struct {
	server  Server
	opt     Options
	circuit circuit
}

// New makes a client.
func New(s Server, opt Options) *Client {
	opt = opt.withDefaults()
	return &Client{server: s, opt: opt, circuit: circuit{threshold: opt.Failures, cooldown: opt.Cooldown,
		maxCooldown: max(maxCooldown, opt.Cooldown)}}
}

// Engine is the name of the kind of server.
func (c *Client) Engine() string { return c.server.Engine() }

// Address is the server's address, without credentials.
func (c *Client) Address() string { return c.server.Address() }

// errAnswerTooLong ends an answer that is longer than MaxBytes.
var errAnswerTooLong = errors.New("longer than it may be")

// Chat asks for an answer. Along with the errors CutOff and Broken it returns the
// text received so far.
func (c *Client) Chat(ctx context.Context, r ChatRequest) (Answer, error) {
	if r.MaxTokens <= 0 {
		r.MaxTokens = c.opt.MaxTokens
	}
	r.Messages = slices.Clone(r.Messages)
	for i, m := range r.Messages {
		r.Messages[i].Text = strings.ToValidUTF8(m.Text, "\uFFFD")
	}
	onPiece := r.OnPiece
	var out Answer
	err := c.callServer(ctx, OpChat, r.Model, limits{first: c.opt.Timeouts.First, idle: c.opt.Timeouts.Idle, whole: c.opt.Timeouts.Chat},
		func(ctx context.Context, active func()) (retry bool, err error) {
			received, delivered := 0, false
			r.OnPiece = func(text string) error {
				active()
				if received += len(text); received > c.opt.MaxBytes {
					return errAnswerTooLong
				}
				if onPiece == nil || text == "" {
					return nil
				}
				delivered = true
				return onPiece(strings.ToValidUTF8(text, "\uFFFD"))
			}
			out, err = c.server.Chat(ctx, r)
			// A server that does not stream has not called OnPiece.
			if err == nil && len(out.Text) > c.opt.MaxBytes {
				err = errAnswerTooLong
			}
			if errors.Is(err, errAnswerTooLong) {
				out.Text = out.Text[:min(len(out.Text), c.opt.MaxBytes)]
				err = c.newError(CutOff, OpChat, r.Model, fmt.Sprintf("it is longer than %d bytes", c.opt.MaxBytes), errAnswerTooLong)
			}
			out.Text = strings.ToValidUTF8(out.Text, "\uFFFD")
			if err == nil && r.Schema != nil {
				if why := checkOneValue(out.Text); why != nil {
					err = c.newError(BadAnswer, OpChat, r.Model, "it is no JSON: "+why.Error(), why)
				}
			}
			return !delivered, err
		})
	return out, err
}

// checkOneValue returns an error if a text is not exactly one JSON value.
func checkOneValue(text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	var v json.RawMessage
	if err := d.Decode(&v); err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("it is empty")
		}
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more follows its value")
	}
	return nil
}

// Embed returns an embedding for each text, nil for a blank one. Along with an
// error it returns the batches that were finished before.
func (c *Client) Embed(ctx context.Context, r EmbedRequest) ([][]float32, error) {
	out := make([][]float32, len(r.Texts))
	var nonBlank []int // indexes into r.Texts
	for i, t := range r.Texts {
		if strings.TrimSpace(t) != "" {
			nonBlank = append(nonBlank, i)
		}
	}
	dimension, done := r.Dimension, len(r.Texts)-len(nonBlank)
	for batch := range slices.Chunk(nonBlank, c.opt.Batch) {
		texts := make([]string, len(batch))
		for i, n := range batch {
			texts[i] = strings.ToValidUTF8(r.Texts[n], "\uFFFD")
		}
		var vectors [][]float32
		err := c.callServer(ctx, OpEmbed, r.Model, limits{whole: c.opt.Timeouts.Embed}, func(ctx context.Context, _ func()) (bool, error) {
			var err error
			vectors, err = c.server.Embed(ctx, EmbedRequest{Model: r.Model, Texts: texts, Dimension: r.Dimension, Truncate: r.Truncate})
			if err == nil {
				dimension, err = c.checkVectors(r.Model, vectors, len(texts), dimension)
			}
			return true, err
		})
		if err != nil {
			return out, err
		}
		for i, n := range batch {
			out[n] = vectors[i]
		}
		if done += len(batch); r.OnBatch != nil {
			r.OnBatch(done)
		}
	}
	return out, nil
}

// checkVectors checks the number, dimension and length of vectors and normalizes
// them to length 1. dimension 0 accepts that of the first vector. It returns the
// dimension.
func (c *Client) checkVectors(model string, vectors [][]float32, want, dimension int) (int, error) {
	bad := func(format string, args ...any) (int, error) {
		return dimension, c.newError(BadAnswer, OpEmbed, model, fmt.Sprintf(format, args...), nil)
	}
	if len(vectors) != want {
		return bad("%d vectors for %d texts", len(vectors), want)
	}
	for _, v := range vectors {
		if dimension == 0 {
			dimension = len(v)
		}
		if len(v) != dimension || len(v) == 0 {
			return bad("a vector of %d dimensions where there should be %d", len(v), dimension)
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
			return bad("a vector of length %v", math.Sqrt(sum))
		}
		// A vector that has length 1 up to rounding errors is not changed.
		if math.Abs(sum-1) > 1e-4 {
			norm := 1 / math.Sqrt(sum)
			for i, x := range v {
				v[i] = float32(float64(x) * norm)
			}
		}
	}
	return dimension, nil
}

// Models lists the models by name.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	var out []Model
	err := c.callServer(ctx, OpModels, "", limits{whole: c.opt.Timeouts.Models}, func(ctx context.Context, _ func()) (bool, error) {
		var err error
		out, err = c.server.Models(ctx)
		return true, err
	})
	for i := range out {
		out[i] = validModel(out[i])
	}
	slices.SortFunc(out, func(a, b Model) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

// Model returns all details of one model.
func (c *Client) Model(ctx context.Context, name string) (Model, error) {
	var out Model
	err := c.callServer(ctx, OpModels, name, limits{whole: c.opt.Timeouts.Models}, func(ctx context.Context, _ func()) (bool, error) {
		var err error
		out, err = c.server.Model(ctx, name)
		return true, err
	})
	return validModel(out), err
}

func validModel(m Model) Model {
	for _, s := range []*string{&m.Name, &m.Digest, &m.Family, &m.Parameters, &m.Quantization} {
		*s = strings.ToValidUTF8(*s, "\uFFFD")
	}
	return m
}

// Preload loads a model into memory, so that the next call does not wait for it.
func (c *Client) Preload(ctx context.Context, model string, what Capability) error {
	return c.callServer(ctx, OpPreload, model, limits{whole: c.opt.Timeouts.Preload}, func(ctx context.Context, _ func()) (bool, error) {
		return true, c.server.Preload(ctx, model, what)
	})
}

// Pull lets the server download a model. Only the time between two messages is
// limited, not the whole download.
func (c *Client) Pull(ctx context.Context, name string, watch func(Progress)) error {
	p, ok := c.server.(Puller)
	if !ok {
		return c.newError(Incapable, OpPull, name, "", nil)
	}
	return c.callServer(ctx, OpPull, name, limits{first: c.opt.Timeouts.First, idle: c.opt.Timeouts.First},
		func(ctx context.Context, active func()) (bool, error) {
			err := p.Pull(ctx, name, func(n Progress) {
				active()
				if watch != nil {
					watch(n)
				}
			})
			return true, err // a repeated pull resumes the download
		})
}

// Version is the server's version, "" if the server does not report it.
func (c *Client) Version(ctx context.Context) (string, error) {
	v, ok := c.server.(Versioner)
	if !ok {
		return "", c.Ping(ctx)
	}
	var out string
	err := c.callServer(ctx, OpPing, "", limits{whole: c.opt.Timeouts.Probe}, func(ctx context.Context, _ func()) (bool, error) {
		var err error
		out, err = v.Version(ctx)
		return true, err
	})
	return strings.ToValidUTF8(out, "\uFFFD"), err
}

// Ping checks that the server answers.
func (c *Client) Ping(ctx context.Context) error {
	return c.callServer(ctx, OpPing, "", limits{whole: c.opt.Timeouts.Probe}, func(ctx context.Context, _ func()) (bool, error) {
		return true, c.server.Ping(ctx)
	})
}

// limits are the timeouts of one call, as in Timeouts; 0: no limit.
type limits struct{ first, idle, whole time.Duration }

// attemptFunc sends a request once. It calls active whenever the server sends
// something, which restarts the idle timeout. retry reports whether a failed
// request may be sent again.
type attemptFunc func(ctx context.Context, active func()) (retry bool, err error)

// newError makes an *Error with this client's engine and address.
func (c *Client) newError(kind Kind, op Op, model, reason string, cause error) *Error {
	return &Error{Kind: kind, Op: op, Engine: c.server.Engine(), Server: c.server.Address(), Model: model, Reason: reason, Err: cause}
}

// The retries. The pauses have no jitter: a program with one user does not
// collide with others, and repeated runs must behave alike.
const (
	restartPause    = 200 * time.Millisecond // for a server that is being restarted
	overloadPause   = 250 * time.Millisecond // doubled with every retry
	overloadRetries = 3
	restartRetries  = 1
)

// callServer makes one call: circuit breaker, ping, retries and timeouts.
func (c *Client) callServer(ctx context.Context, op Op, model string, l limits, do attemptFunc) error {
	if err := ctx.Err(); err != nil {
		return c.cancelled(op, model, err)
	}
	last, wait, trial := c.circuit.allowCall(c.opt.Clock.Now())
	if last != nil {
		e := *last
		e.Kind, e.Op, e.Model, e.Wait, e.Err = Unreachable, op, model, wait, last
		return &e
	}
	if c.opt.Timeouts.Probe > 0 && op != OpPing && c.circuit.idleSince(c.opt.Clock.Now(), probeAfter) {
		err := c.attemptWithRetries(ctx, OpPing, "", limits{whole: c.opt.Timeouts.Probe},
			func(ctx context.Context, _ func()) (bool, error) {
				return true, c.server.Ping(ctx)
			})
		if err != nil {
			c.reportResult(err, true, trial)
			err.Op = op
			return err
		}
	}
	err := c.attemptWithRetries(ctx, op, model, l, do)
	c.reportResult(err, op == OpPing, trial)
	if err == nil {
		return nil // a nil *Error in an error interface would not be nil
	}
	return err
}

// reportResult tells the circuit the result of a call. atOnce opens the circuit at the
// first failure.
func (c *Client) reportResult(err *Error, atOnce, trial bool) {
	now := c.opt.Clock.Now()
	switch {
	case err == nil:
		c.circuit.recordSuccess(now)
	case err.Kind == Cancelled:
		c.circuit.abandonTrial(trial)
	case err.Kind == Unreachable, err.Kind == TimedOut, err.Kind == Broken, err.Kind == Overloaded:
		c.circuit.recordFailure(now, err, atOnce && err.Kind != Overloaded)
	default:
		c.circuit.recordSuccess(now) // an error status is an answer too
	}
}

// attemptWithRetries sends a request and retries it where a retry can help.
func (c *Client) attemptWithRetries(ctx context.Context, op Op, model string, l limits, do attemptFunc) *Error {
	overloads, restarts := 0, 0
	for {
		retry, err := c.attemptOnce(ctx, op, model, l, do)
		if err == nil {
			return nil
		}
		var pause time.Duration
		switch {
		case !retry:
			return err
		case err.Kind == Overloaded && overloads < overloadRetries:
			pause = overloadPause << overloads
			overloads++
		case err.Kind == Unreachable && op == OpPing && !c.circuit.hasAnswered():
			return err // the server never answered: it is not just being restarted
		case (err.Kind == Unreachable || err.Kind == Broken) && restarts < restartRetries:
			// A refused connection: the server may be restarting. A broken one: the
			// model's process was killed, and the next call loads the model again.
			pause = restartPause
			restarts++
		default:
			return err
		}
		if serr := c.opt.Clock.Sleep(ctx, pause); serr != nil {
			return c.cancelled(op, model, serr)
		}
	}
}

// attemptOnce sends a request once, with its timeouts. It reports whether the request
// may be sent again.
func (c *Client) attemptOnce(parent context.Context, op Op, model string, l limits, do attemptFunc) (bool, *Error) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	expire := func(d time.Duration, what string) func() {
		return func() {
			cancel(c.newError(TimedOut, op, model, fmt.Sprintf("%s within %v", what, d), context.DeadlineExceeded))
		}
	}
	stop := func() bool { return true }
	if l.first > 0 {
		stop = c.opt.Clock.AfterFunc(l.first, expire(l.first, "nothing came"))
	}
	defer func() { stop() }()
	active := func() {
		if l.idle > 0 {
			stop()
			stop = c.opt.Clock.AfterFunc(l.idle, expire(l.idle, "nothing more came"))
		}
	}
	if l.whole > 0 {
		defer c.opt.Clock.AfterFunc(l.whole, expire(l.whole, "it was not done"))()
	}
	retry, err := do(ctx, active)
	if err == nil {
		return false, nil
	}
	if parent.Err() != nil {
		return false, c.cancelled(op, model, parent.Err())
	}
	if cause, ok := errors.AsType[*Error](context.Cause(ctx)); ok && cause.Kind == TimedOut {
		return false, cause
	}
	e, ok := errors.AsType[*Error](err)
	if !ok { // OnPiece returned an error
		e = c.newError(Cancelled, op, model, "", err)
	}
	return retry, c.completeFields(e, op, model)
}

// completeFields fills in the fields that a Server leaves empty.
func (c *Client) completeFields(e *Error, op Op, model string) *Error {
	out := *e
	out.Op, out.Engine, out.Server = op, c.server.Engine(), c.server.Address()
	if out.Model == "" {
		out.Model = model
	}
	out.Reason = oneLine(out.Reason)
	return &out
}

// maxReason limits a server's message in an error, in bytes.
const maxReason = 300

// oneLine puts a message on one line and cuts it to maxReason.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) > maxReason {
		cut := maxReason
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return s
}

// cancelled makes the error of a context that ended: TimedOut after a deadline of
// the caller, else Cancelled.
func (c *Client) cancelled(op Op, model string, err error) *Error {
	if errors.Is(err, context.DeadlineExceeded) {
		return c.newError(TimedOut, op, model, "the time that the caller had is over", err)
	}
	return c.newError(Cancelled, op, model, "", err)
}
