package llm

import "time"

// Timeouts are the time limits of the kinds of calls.
type Timeouts struct {
	// Probe limits a ping. A server that has been idle is pinged before a long call.
	Probe time.Duration
	// Models limits lists and descriptions of models.
	Models time.Duration
	// First limits the time to the first piece of an answer. It includes loading
	// the model and reading the prompt.
	First time.Duration
	// Idle limits the time between two pieces of an answer, or two messages of a
	// pull.
	Idle time.Duration
	// Chat limits a whole answer.
	Chat time.Duration
	// Embed limits one batch, including loading the model.
	Embed time.Duration
	// Preload limits loading a model into memory.
	Preload time.Duration
}

// Options are a client's settings. Zero values mean the defaults.
type Options struct {
	Timeouts Timeouts
	// MaxTokens limits an answer whose request sets no limit.
	MaxTokens int
	// MaxBytes limits every answer, even if the server ignores MaxTokens.
	MaxBytes int
	// Batch is the number of texts in one embedding request.
	Batch int
	// Failures is the number of consecutive failures that open the circuit.
	Failures int
	// Cooldown is the time that the circuit first stays open.
	Cooldown time.Duration
	Clock    Clock
}

// withDefaults replaces zero values by the defaults.
func (o Options) withDefaults() Options {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
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
