package app

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"docent/pipeline/contract"
)

// The secrets of the stores' servers, as variables of the environment.
const (
	indexKeyVariable        = "WEAVIATE_API_KEY"
	catalogPasswordVariable = "PGPASSWORD"
)

// inFile is the end of the name of a variable that names a file with the secret, as Docker and
// Kubernetes mount them.
const inFile = "_FILE"

// mostSecret is the most bytes of a secret.
const mostSecret = 64 << 10

// Secret gives a secret from the environment: the value of a variable, or the content of the file that
// the variable NAME_FILE names, without the line feed at its end. It is "" where neither is set. The
// errors have nothing of the secret.
func Secret(env func(string) string, name string) (string, error) {
	if env == nil {
		return "", nil
	}
	value, path := env(name), env(name+inFile)
	switch {
	case path == "":
		return value, nil
	case value != "":
		return "", contract.Invalid(name+inFile, "%s and %s are both set; unset one of them", name, name+inFile)
	}
	raw, err := readSecret(path)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err // the message names the file
		}
		return "", contract.Invalid(name+inFile, "%s names the file %s, which cannot be read: %v", name+inFile, path, err)
	}
	text := strings.TrimRight(string(raw), "\r\n")
	switch {
	case text == "":
		return "", contract.Invalid(name+inFile, "%s names the file %s, which is empty; write the secret into it", name+inFile, path)
	case len(raw) > mostSecret || strings.ContainsAny(text, "\x00\r\n"):
		return "", contract.Invalid(name+inFile, "%s names the file %s, which has more than one line of text; it may have the secret alone",
			name+inFile, path)
	}
	return text, nil
}

func readSecret(path string) (raw []byte, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, mostSecret+1))
}
