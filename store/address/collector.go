package address

import (
	"errors"
	"net/url"
	"strings"
)

// off is the address of a collector that takes nothing.
const off = "off"

// tracesPath is where a collector takes traces, below the address of all that it takes.
const tracesPath = "/v1/traces"

// ParseCollector reads http://HOST:PORT of a collector of OpenTelemetry that takes OTLP over HTTP,
// and gives the address for traces; "" where the text is empty or off.
func ParseCollector(text string) (string, error) {
	if text == "" || text == off {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", errors.New("it must be the address of a collector that takes OTLP over HTTP, such as http://localhost:4318")
	}
	if u.Port() == "4317" {
		return "", errors.New("4317 is a collector's port for gRPC; give the one for HTTP, such as http://localhost:4318")
	}
	if !strings.HasSuffix(u.Path, tracesPath) {
		u.Path = strings.TrimSuffix(u.Path, "/") + tracesPath
	}
	return u.String(), nil
}
