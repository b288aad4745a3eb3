package parse

// Code says why a page could not be read, in the words of specification 4.
type Code string

// The codes of specification 4.
const (
	PasswordProtected Code = "PASSWORD_PROTECTED"
	CorruptFile       Code = "CORRUPT_FILE"
	UnsupportedFormat Code = "UNSUPPORTED_FORMAT"
	OCRFailed         Code = "OCR_FAILED"
	Timeout           Code = "TIMEOUT"
	InternalError     Code = "INTERNAL_ERROR"
)

// Failed is the error of a parser that knows why it could not read a page.
type Failed struct {
	Code   Code
	Reason string // for a person, with what to do; without the page's name
	// Missing says that a program is not installed: neither the page nor its parser has
	// to change before another try may succeed.
	Missing bool
}

func (f *Failed) Error() string { return f.Reason }
