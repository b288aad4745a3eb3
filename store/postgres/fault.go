package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"docent/store"
	"docent/store/remote"
)

// The codes of errors that have a meaning for callers:
// https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	undefinedTable    = "42P01"
	undefinedSchema   = "3F000"
	undefinedDatabase = "3D000"
	wrongPassword     = "28P01"
	notAuthorized     = "28000"
	tooManyClients    = "53300"
	cannotConnectNow  = "57P03" // it starts or ends
	idleTooLong       = "25P03" // see LimitIdle
)

var meanings = map[string]error{
	"25006": store.ErrReadOnly,  // read_only_sql_transaction
	"42501": fs.ErrPermission,   // insufficient_privilege
	"42703": store.ErrMalformed, // undefined_column
	"53100": store.ErrDiskFull,
	"58030": store.ErrDiskFails, // io_error
	"58P01": store.ErrDiskFails, // undefined_file
	"XX001": store.ErrMalformed, // data_corrupted
	"XX002": store.ErrMalformed, // index_corrupted
}

// unreachable is the error of a server that cannot be used.
func (p place) unreachable(reason string, err error) error {
	return &remote.UnreachableError{Store: "the database " + p.String(), Setting: setting, Reason: reason, Err: err}
}

// IsMissing reports whether an error means that a table or the schema is not there.
func IsMissing(err error) bool {
	code := codeOf(err)
	return code == undefinedTable || code == undefinedSchema
}

func codeOf(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// withMeaning wraps an error whose code has a meaning for callers, and errors of lost
// connections. All others stay as they are: database/sql compares some of them.
func (p place) withMeaning(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if kind := meanings[codeOf(err)]; kind != nil {
		return &store.FaultError{Kind: kind, Err: err}
	}
	if isLost(err) {
		return p.unreachable("the connection was lost: "+reasonOf(err), err)
	}
	return err
}

// isLost reports whether an error means that a connection was lost or not made: by the
// network, or because the server ends.
func isLost(err error) bool {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	code := codeOf(err)
	_, network := errors.AsType[*net.OpError](err)
	return strings.HasPrefix(code, "57P") || strings.HasPrefix(code, "08") || code == idleTooLong ||
		code == "" && (network || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed))
}

func isUnreachable(err error) bool {
	_, ok := errors.AsType[*remote.UnreachableError](err)
	return ok
}

// withReason wraps an error of connecting.
func (p place) withReason(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	reason := reasonOf(err)
	switch codeOf(err) {
	case wrongPassword, notAuthorized:
		reason = fmt.Sprintf("it does not let the user %q in (%s); give the password in PGPASSWORD, in a file that "+
			"PGPASSWORD_FILE names, or in a pgpass file", p.user, reason)
	case undefinedDatabase:
		reason = fmt.Sprintf("there is no database %q; make it, or name another one", p.database)
	case tooManyClients:
		reason = "it has too many connections already; raise max_connections of the server, or end other programs"
	case "":
		reason = "the server cannot be reached: " + reason
	}
	return p.unreachable(reason, err)
}

// reasonOf is the last cause of an error. The driver's own text goes over several lines.
func reasonOf(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Message
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return e.Error()
	}
	text := err.Error()
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return strings.TrimSpace(text)
}
