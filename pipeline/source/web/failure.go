package web

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Kind is why an address could not be read.
type Kind string

// The kinds of failures.
const (
	KindRefused     Kind = "refused"     // the policy does not allow the host or its address
	KindRedirect    Kind = "redirect"    // a redirect that is not followed
	KindMissing     Kind = "missing"     // 404 and 410
	KindForbidden   Kind = "forbidden"   // 401, 402, 403, 407 and 451
	KindBusy        Kind = "busy"        // 429 and 503, after all tries
	KindStatus      Kind = "status"      // another status
	KindNetwork     Kind = "network"     // no connection, or one that broke
	KindCertificate Kind = "certificate" // the host's certificate is not trusted
	KindSlow        Kind = "slow"        // an answer that takes too long
	KindLarge       Kind = "large"       // an answer that is too large
	KindEncoding    Kind = "encoding"    // a body that cannot be unpacked
)

// Error says why an address could not be read.
type Error struct {
	URL    string
	Kind   Kind
	Status int
	Reason string
	// After is how long a busy host asks to be left alone, 0 where it does not say.
	After time.Duration
	Err   error
}

func (e *Error) Error() string { return e.URL + ": " + e.Reason }

func (e *Error) Unwrap() error { return e.Err }

// Temporary reports whether the same request may be answered later.
func (e *Error) Temporary() bool {
	switch e.Kind {
	case KindBusy, KindNetwork, KindSlow:
		return true
	case KindStatus:
		return e.Status >= 500 || e.Status == http.StatusRequestTimeout
	}
	return false
}

// statusError is the error of a status that is no answer.
func statusError(address string, status int, after time.Duration) *Error {
	e := &Error{URL: address, Kind: KindStatus, Status: status, After: after}
	e.Reason = fmt.Sprintf("the server answers %d %s", status, http.StatusText(status))
	switch status {
	case http.StatusNotFound, http.StatusGone:
		e.Kind = KindMissing
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusProxyAuthRequired,
		http.StatusUnavailableForLegalReasons:
		e.Kind = KindForbidden
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		e.Kind = KindBusy
		if after > 0 {
			e.Reason += fmt.Sprintf(" and asks to be left alone for %s", after.Round(time.Second))
		}
	}
	return e
}

// networkError is the error of a request that got no answer.
func networkError(address string, err error) *Error {
	e := &Error{URL: address, Kind: KindNetwork, Err: err, Reason: "the connection failed: " + plainReason(err)}
	var refused *refusedAddress
	var untrusted *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var resolve *net.DNSError
	var network net.Error
	switch {
	case errors.As(err, &refused):
		e.Kind, e.Reason = KindRefused, refused.Error()
	case errors.As(err, &untrusted):
		e.Kind, e.Reason = KindCertificate, "its certificate is not trusted: "+certificateReason(untrusted.Err)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		e.Kind, e.Reason = KindCertificate, "it does not speak TLS at this port"
	case errors.As(err, &resolve):
		e.Reason = fmt.Sprintf("the host %s was not found", resolve.Name)
		if resolve.IsTimeout || resolve.IsTemporary {
			e.Reason = fmt.Sprintf("the name server does not answer for %s", resolve.Name)
		}
	case errors.As(err, &network) && network.Timeout(), errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Reason = KindSlow, "it does not answer in time"
	}
	return e
}

// plainReason is the innermost error, without the address that stands before it.
func plainReason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

func certificateReason(err error) string {
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var host x509.HostnameError
	switch {
	case errors.As(err, &authority):
		return "it is signed by an unknown authority"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "it has expired or is not valid yet"
	case errors.As(err, &host):
		return "it is for another host"
	}
	return err.Error()
}
