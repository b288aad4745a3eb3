package lexical

import (
	"errors"
	"strings"
	"syscall"

	"docent/store"
)

// scorch and bolt give what the system says as text: their errors do not wrap it.
var systemWords = []struct{ word, meaning error }{
	{syscall.ENOSPC, store.ErrDiskFull},
	{syscall.EMFILE, store.ErrTooManyFiles},
	{syscall.EIO, store.ErrDiskFails},
}

// withMeaning gives an error of scorch or bolt the meaning of the system's words in it.
func withMeaning(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, w := range systemWords {
		if !errors.Is(err, w.word) && strings.Contains(text, w.word.Error()) {
			return &store.FaultError{Kind: w.meaning, Err: err}
		}
	}
	return err
}
