package web_test

import (
	"io"
	"log"
)

// discard is the log of a server whose errors are meant.
func discard() *log.Logger { return log.New(io.Discard, "", 0) }
