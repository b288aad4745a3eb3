package endpoint_test

import (
	"net/url"
	"strings"
	"testing"

	"docent/llm/endpoint"
)

// Every address is either rejected or becomes a URL that can be parsed again.
// Neither the error nor the URL shows the credentials.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"", "localhost", ":1", "http://a", "https://[::1]:5/x", "a:b:c", "http://u:p@h/x@y", "//", "ht tp://x", "h/%zz", "[", "u@"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, host string) {
		const secret = "s3cretPassw0rd"
		if strings.Contains(host, secret) {
			t.Skip()
		}
		for _, address := range []string{host, "http://me:" + secret + "@" + host, "me:" + secret + "@" + host} {
			e, err := endpoint.New(endpoint.Options{Address: address, Default: ollama})
			if err != nil {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("%q is refused with %v", address, err)
				}
				continue
			}
			u, err := url.Parse(e.Address())
			if err != nil || u.Host == "" || u.User != nil || strings.Contains(e.Address(), secret) {
				t.Errorf("%q is read as %q: %v", address, e.Address(), err)
			}
		}
	})
}
