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

// Timeouts are the times that the kinds of calls have.
type Timeouts struct {
	// Probe is for being there at all: before a long call, a server that was not
	// heard of for a while is asked for a sign of life.
	Probe time.Duration
	// Models is for lists and descriptions.
	Models time.Duration
	// First is until the first piece of an answer: it includes loading the model
	// and reading the prompt.
	First time.Duration
	// Idle is between two pieces of an answer, and two messages of a pull.
	Idle time.Duration
	// Chat is for a whole answer.
	Chat time.Duration
	// Embed is for one batch, loading included.
	Embed time.Duration
	// Preload is for making a model warm.
	Preload time.Duration
}

// Options are a client's settings. Zero values are the defaults.
type Options struct {
	Timeouts Timeouts
	// MaxTokens ends an answer that has no limit of its own.
	MaxTokens int
	// MaxBytes ends an answer whatever the server thinks of its tokens.
	MaxBytes int
	// Batch is how many texts one request embeds.
	Batch int
	// Failures in a row open the circuit, for Cooldown at first.
	Failures int
	Cooldown time.Duration
	Clock    Clock
}

// defaults fills in what is zero.
func (o Options) defaults() Options {
	set := func(d *time.Duration, to time.Duration) {
		if *d == 0 {
			*d = to
		}
	}
	t := &o.Timeouts
	set(&t.Probe, 2*time.Second)
	set(&t.Models, 10*time.Second)
	set(&t.First, 2*time.Minute) // a 4B model from a slow disk, on a CPU
	set(&t.Idle, 30*time.Second)
	set(&t.Chat, 5*time.Minute)
	set(&t.Embed, 2*time.Minute) // specification 5's timeout
	set(&t.Preload, 2*time.Minute)
	set(&o.Cooldown, 10*time.Second)
	if o.MaxTokens == 0 {
		o.MaxTokens = 1024
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 20
	}
	if o.Batch == 0 {
		o.Batch = 50 // specification 4's batchSize
	}
	if o.Failures == 0 {
		o.Failures = 3
	}
	if o.Clock == nil {
		o.Clock = SystemClock{}
	}
	return o
}

// silence is after how long without a word from it a server is asked for a sign
// of life before a long call.
const silence = 15 * time.Second

// maxCooldown is how long the circuit stays open at most.
const maxCooldown = 2 * time.Minute

// Client is a server with time limits, retries and a circuit breaker. It is safe
// for concurrent use; all who use one server should share one client, so that
// they learn together that it is down.
type Client struct {
	server  Server
	opt     Options
	circuit circuit
}

// New makes a client.
func New(s Server, opt Options) *Client {
	opt = opt.defaults()
	return &Client{server: s, opt: opt, circuit: circuit{after: opt.Failures, first: opt.Cooldown, most: max(maxCooldown, opt.Cooldown)}}
}

// Engine is the kind of server.
func (c *Client) Engine() string { return c.server.Engine() }

// Address is where the server is, without credentials.
func (c *Client) Address() string { return c.server.Address() }

// errAnswerTooLong ends an answer that is longer than MaxBytes.
var errAnswerTooLong = errors.New("longer than it may be")

// Chat asks for an answer. With CutOff and Broken what there is of it stands
// beside the error.
func (c *Client) Chat(ctx context.Context, r ChatRequest) (Answer, error) {
	if r.MaxTokens <= 0 {
		r.MaxTokens = c.opt.MaxTokens
	}
	r.Messages = slices.Clone(r.Messages)
	for i, m := range r.Messages {
		r.Messages[i].Text = strings.ToValidUTF8(m.Text, "\uFFFD")
	}
	watch := r.Piece
	var out Answer
	err := c.call(ctx, OpChat, r.Model, limits{first: c.opt.Timeouts.First, idle: c.opt.Timeouts.Idle, whole: c.opt.Timeouts.Chat}, func(ctx context.Context, alive func()) (again bool, err error) {
		got, handed := 0, false
		r.Piece = func(text string) error {
			alive()
			if got += len(text); got > c.opt.MaxBytes {
				return errAnswerTooLong
			}
			if watch == nil || text == "" {
				return nil
			}
			handed = true
			return watch(strings.ToValidUTF8(text, "\uFFFD"))
		}
		out, err = c.server.Chat(ctx, r)
		// A server that does not stream never called Piece.
		if err == nil && len(out.Text) > c.opt.MaxBytes {
			err = errAnswerTooLong
		}
		if errors.Is(err, errAnswerTooLong) {
			out.Text = out.Text[:min(len(out.Text), c.opt.MaxBytes)]
			err = c.fault(CutOff, OpChat, r.Model, fmt.Sprintf("it is longer than %d bytes", c.opt.MaxBytes), errAnswerTooLong)
		}
		out.Text = strings.ToValidUTF8(out.Text, "\uFFFD")
		if err == nil && r.Schema != nil {
			if why := oneValue(out.Text); why != nil {
				err = c.fault(BadAnswer, OpChat, r.Model, "it is no JSON: "+why.Error(), why)
			}
		}
		return !handed, err
	})
	return out, err
}

// oneValue says why a text is not one JSON value.
func oneValue(text string) error {
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

// Embed gives a vector for each text, nil for a blank one. Batches that were
// done before an error are in what is returned beside it.
func (c *Client) Embed(ctx context.Context, r EmbedRequest) ([][]float32, error) {
	out := make([][]float32, len(r.Texts))
	var at []int // the texts that are not blank
	for i, t := range r.Texts {
		if strings.TrimSpace(t) != "" {
			at = append(at, i)
		}
	}
	dimension, done := r.Dimension, len(r.Texts)-len(at)
	for part := range slices.Chunk(at, c.opt.Batch) {
		texts := make([]string, len(part))
		for i, n := range part {
			texts[i] = strings.ToValidUTF8(r.Texts[n], "\uFFFD")
		}
		var vectors [][]float32
		err := c.call(ctx, OpEmbed, r.Model, limits{whole: c.opt.Timeouts.Embed}, func(ctx context.Context, _ func()) (bool, error) {
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
		for i, n := range part {
			out[n] = vectors[i]
		}
		if done += len(part); r.Done != nil {
			r.Done(done)
		}
	}
	return out, nil
}

// checkVectors makes the vectors of length 1 and says what is wrong with them.
func (c *Client) checkVectors(model string, vectors [][]float32, want, dimension int) (int, error) {
	bad := func(format string, args ...any) (int, error) {
		return dimension, c.fault(BadAnswer, OpEmbed, model, fmt.Sprintf(format, args...), nil)
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
		// What is of length 1 but for rounding stays as it is, bit for bit.
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
	err := c.call(ctx, OpModels, "", limits{whole: c.opt.Timeouts.Models}, func(ctx context.Context, _ func()) (bool, error) {
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

// Model says all about a model.
func (c *Client) Model(ctx context.Context, name string) (Model, error) {
	var out Model
	err := c.call(ctx, OpModels, name, limits{whole: c.opt.Timeouts.Models}, func(ctx context.Context, _ func()) (bool, error) {
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

// Preload makes a model warm, so that the first call that needs it does not wait.
func (c *Client) Preload(ctx context.Context, model string, what Capability) error {
	return c.call(ctx, OpPreload, model, limits{whole: c.opt.Timeouts.Preload}, func(ctx context.Context, _ func()) (bool, error) {
		return true, c.server.Preload(ctx, model, what)
	})
}

// Pull fetches a model to the server. It has no time limit but Idle.
func (c *Client) Pull(ctx context.Context, name string, watch func(Progress)) error {
	p, ok := c.server.(Puller)
	if !ok {
		return c.fault(Incapable, OpPull, name, "", nil)
	}
	return c.call(ctx, OpPull, name, limits{first: c.opt.Timeouts.First, idle: c.opt.Timeouts.First}, func(ctx context.Context, alive func()) (bool, error) {
		err := p.Pull(ctx, name, func(n Progress) {
			alive()
			if watch != nil {
				watch(n)
			}
		})
		return true, err // it goes on where it was
	})
}

// Version is the server's, "" where it does not say.
func (c *Client) Version(ctx context.Context) (string, error) {
	v, ok := c.server.(Versioner)
	if !ok {
		return "", c.Ping(ctx)
	}
	var out string
	err := c.call(ctx, OpPing, "", limits{whole: c.opt.Timeouts.Probe}, func(ctx context.Context, _ func()) (bool, error) {
		var err error
		out, err = v.Version(ctx)
		return true, err
	})
	return strings.ToValidUTF8(out, "\uFFFD"), err
}

// Ping says whether the server is there.
func (c *Client) Ping(ctx context.Context) error {
	return c.call(ctx, OpPing, "", limits{whole: c.opt.Timeouts.Probe}, func(ctx context.Context, _ func()) (bool, error) {
		return true, c.server.Ping(ctx)
	})
}

// limits are the times of one call; 0: none.
type limits struct{ first, idle, whole time.Duration }

// fault makes an error of this client.
func (c *Client) fault(kind Kind, op Op, model, reason string, cause error) *Error {
	return &Error{Kind: kind, Op: op, Engine: c.server.Engine(), Server: c.server.Address(), Model: model, Reason: reason, Err: cause}
}

// The retries. There is no jitter: one person's program does not synchronise
// with others, and the same run shall be the same.
const (
	refusedPause   = 200 * time.Millisecond // a server that is being restarted
	overloadPause  = 250 * time.Millisecond // then twice that, and so on
	overloadRetry  = 3
	restartedRetry = 1
)

// call makes one call with everything around it. again says whether it may be
// repeated at all.
func (c *Client) call(ctx context.Context, op Op, model string, l limits, do func(ctx context.Context, alive func()) (again bool, err error)) error {
	if err := ctx.Err(); err != nil {
		return c.cancelled(op, model, err)
	}
	last, wait, trial := c.circuit.enter(c.opt.Clock.Now())
	if last != nil {
		e := *last
		e.Kind, e.Op, e.Model, e.Wait, e.Err = Unreachable, op, model, wait, last
		return &e
	}
	if c.opt.Timeouts.Probe > 0 && op != OpPing && c.circuit.silent(c.opt.Clock.Now(), silence) {
		err := c.attempts(ctx, OpPing, "", limits{whole: c.opt.Timeouts.Probe}, func(ctx context.Context, _ func()) (bool, error) {
			return true, c.server.Ping(ctx)
		})
		if err != nil {
			c.learn(err, true, trial)
			err.Op = op
			return err
		}
	}
	err := c.attempts(ctx, op, model, l, do)
	c.learn(err, op == OpPing, trial)
	if err == nil {
		return nil // a nil *Error is no nil error
	}
	return err
}

// learn tells the circuit how a call ended.
func (c *Client) learn(err *Error, atOnce, trial bool) {
	now := c.opt.Clock.Now()
	switch {
	case err == nil:
		c.circuit.good(now)
	case err.Kind == Cancelled:
		c.circuit.leave(trial)
	case err.Kind == Unreachable, err.Kind == TimedOut, err.Kind == Broken, err.Kind == Overloaded:
		c.circuit.bad(now, err, atOnce && err.Kind != Overloaded)
	default:
		c.circuit.good(now) // it answered, if not as one would like
	}
}

// attempts repeats a call where that helps.
func (c *Client) attempts(ctx context.Context, op Op, model string, l limits, do func(context.Context, func()) (bool, error)) *Error {
	overloads, restarts := 0, 0
	for {
		again, err := c.attempt(ctx, op, model, l, do)
		if err == nil {
			return nil
		}
		var pause time.Duration
		switch {
		case !again:
			return err
		case err.Kind == Overloaded && overloads < overloadRetry:
			pause = overloadPause << overloads
			overloads++
		case err.Kind == Unreachable && op == OpPing && !c.circuit.known():
			return err // nobody has heard of it: it is not there, and not being restarted
		case (err.Kind == Unreachable || err.Kind == Broken) && restarts < restartedRetry:
			// Refused once: it is being restarted. Broken once: the runner of the
			// model was killed, and the next call loads it again.
			pause = refusedPause
			restarts++
		default:
			return err
		}
		if serr := c.opt.Clock.Sleep(ctx, pause); serr != nil {
			return c.cancelled(op, model, serr)
		}
	}
}

// attempt makes a call once, within its limits.
func (c *Client) attempt(parent context.Context, op Op, model string, l limits, do func(context.Context, func()) (bool, error)) (bool, *Error) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	late := func(d time.Duration, what string) func() {
		return func() {
			cancel(c.fault(TimedOut, op, model, fmt.Sprintf("%s within %v", what, d), context.DeadlineExceeded))
		}
	}
	stop := func() bool { return true }
	if l.first > 0 {
		stop = c.opt.Clock.AfterFunc(l.first, late(l.first, "nothing came"))
	}
	defer func() { stop() }()
	alive := func() {
		if l.idle > 0 {
			stop()
			stop = c.opt.Clock.AfterFunc(l.idle, late(l.idle, "nothing more came"))
		}
	}
	if l.whole > 0 {
		defer c.opt.Clock.AfterFunc(l.whole, late(l.whole, "it was not done"))()
	}
	again, err := do(ctx, alive)
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
	if !ok { // whoever watched did not want more
		e = c.fault(Cancelled, op, model, "", err)
	}
	return again, c.complete(e, op, model)
}

// complete fills in what a server left out.
func (c *Client) complete(e *Error, op Op, model string) *Error {
	out := *e
	out.Op, out.Engine, out.Server = op, c.server.Engine(), c.server.Address()
	if out.Model == "" {
		out.Model = model
	}
	out.Reason = oneLine(out.Reason)
	return &out
}

// maxReason is how much of a server's words an error keeps.
const maxReason = 300

// oneLine makes a reason short and of one line.
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

// cancelled is the error of a context that ended. A deadline of the caller's is
// a time-out.
func (c *Client) cancelled(op Op, model string, err error) *Error {
	if errors.Is(err, context.DeadlineExceeded) {
		return c.fault(TimedOut, op, model, "the time that the caller had is over", err)
	}
	return c.fault(Cancelled, op, model, "", err)
}
