package httpapi

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"docent/pipeline/contract"
)

// The changes of documents as server-sent events: one named "ready", after which every
// change is sent, and one named "document" for each change. A stream ends after a while,
// with its session and with the server; clients open another.
const (
	eventReady    = "ready"
	eventDocument = "document"

	maxFollowers = 32 // streams at a time; each looks into the catalog three times a second
	followFor    = 10 * time.Minute
)

func followEndpoint() endpoint {
	return endpoint{method: http.MethodGet, path: "/api/documents/events", id: "documentEvents",
		about:  "the documents that are new, changed or deleted, as server-sent events from now on",
		stream: contract.DocumentChange{}, plainErrors: true, serve: serveDocumentEvents}
}

// changed holds the changes that are not written yet: of each document the newest, so
// that a slow client costs no more than there are documents.
type changed struct {
	mu    sync.Mutex
	begun bool
	list  []contract.DocumentChange
	ready chan struct{} // has room for one: something came
}

func (c *changed) addChanges(list []contract.DocumentChange) error {
	c.mu.Lock()
	c.begun = true
	for _, d := range list {
		c.list = slices.DeleteFunc(c.list, func(old contract.DocumentChange) bool { return old.Document.ID == d.Document.ID })
		c.list = append(c.list, d)
	}
	c.mu.Unlock()
	select {
	case c.ready <- struct{}{}:
	default:
	}
	return nil
}

func (c *changed) takeChanges() (list []contract.DocumentChange, begun bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, c.list = c.list, nil
	return list, c.begun
}

func serveDocumentEvents(c *call) error {
	if c.followers.Add(1) > maxFollowers {
		c.followers.Add(-1)
		return tooBusyError(5)
	}
	defer c.followers.Add(-1)
	var authorized sync.WaitGroup
	defer authorized.Wait()
	ctx, cancel := context.WithTimeout(c.ctx, followFor)
	defer cancel()
	defer context.AfterFunc(c.ending, cancel)()
	authorized.Go(func() { c.endWithToken(ctx, cancel) })
	came := &changed{ready: make(chan struct{}, 1)}
	ended := make(chan error, 1)
	go func() { ended <- c.home.Intake.FollowDocuments(ctx, came.addChanges) }()
	over := false
	defer func() {
		if cancel(); !over {
			<-ended
		}
	}()
	// The connection is watched for the client's going while the stream is open.
	_ = http.NewResponseController(c.w).SetReadDeadline(time.Time{}) // a writer without deadlines is a test's
	c.startEvents()
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	told := false
	for {
		select {
		case <-came.ready:
			if !c.isStillAuthorized(ctx) {
				return nil
			}
			list, begun := came.takeChanges()
			if begun && !told {
				told = true
				c.sendEvent(eventReady, 0, struct{}{})
			}
			for _, d := range list {
				c.sendEvent(eventDocument, 0, d)
			}
		case <-beat.C:
			c.sendRaw([]byte(": still here\n\n"))
		case err := <-ended:
			over = true
			if err != nil {
				e := answerToError(err)
				c.note.err, c.note.code = err, e.err.Code
				c.sendEvent(eventError, 0, e.err)
			}
			return nil
		}
	}
}
