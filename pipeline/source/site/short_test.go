package site_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"testing"
)

type (
	http200 = http.ResponseWriter
	request = http.Request
)

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
