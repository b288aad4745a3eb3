package httpapi

import (
	"cmp"
	"runtime"
	"time"
)

// DefaultWrite is Limits.Write where it is not given.
const DefaultWrite = 30 * time.Second

// withDefaults puts the defaults in place of zero values.
func (l Limits) withDefaults() Limits {
	return Limits{
		// A question without a model is work for one processor. Questions that wait for
		// a model are few, for the model answers one after the other too.
		Running: cmp.Or(l.Running, max(4, 2*runtime.GOMAXPROCS(0))),
		Waiting: cmp.Or(l.Waiting, 256),
		Wait:    cmp.Or(l.Wait, 10*time.Second),
		Run:     cmp.Or(l.Run, 2*time.Minute),
		Body:    cmp.Or(l.Body, 1<<20),
		Phase:   cmp.Or(l.Phase, 16<<20),
		Held:    cmp.Or(l.Held, 64<<20),
		Read:    cmp.Or(l.Read, 30*time.Second),
		Write:   cmp.Or(l.Write, DefaultWrite),
		Stop:    cmp.Or(l.Stop, 30*time.Second),
		Clients: cmp.Or(l.Clients, 1024),
	}
}

// The limits of a request before its body.
const (
	maxHeader    = 16 << 10
	headerWithin = 10 * time.Second
	idleWithin   = 90 * time.Second
)
