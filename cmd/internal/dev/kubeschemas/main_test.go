package main

import (
	"slices"
	"strings"
	"testing"
)

// description has one kind, whose spec refers to itself, and a definition without a kind.
const description = `{"definitions": {
	"Lamp": {"type": "object", "description": "a lamp", "x-kubernetes-group-version-kind": [{"group": "light.k8s.io", "kind": "Lamp", "version": "v1"}],
		"properties": {"kind": {"type": "string"}, "spec": {"$ref": "#/definitions/Spec"}}},
	"Spec": {"type": "object", "required": ["wick"], "properties": {"wick": {"type": "integer", "format": "int32"},
		"port": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString"}, "next": {"$ref": "#/definitions/Spec"}}},
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString": {"type": "string", "format": "int-or-string"},
	"Unused": {"type": "object"}}}`

func TestSchemas(t *testing.T) {
	t.Parallel()
	files, err := schemas([]byte(description))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	text := string(files["lamp-light-v1.json"])
	for _, want := range []string{`"additionalProperties":false`, `"required":["wick"]`, `{"type":["string","integer"]}`, `"$ref":"#/definitions/Spec"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	for _, unwanted := range []string{"a lamp", "int32", "x-kubernetes", "Unused"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%s in %s", unwanted, text)
		}
	}
	if _, err := schemas([]byte(`{}`)); err == nil {
		t.Error("a description without kinds is no error")
	}
}

func TestFileNames(t *testing.T) {
	t.Parallel()
	var got []string
	for _, group := range []string{"", "apps", "networking.k8s.io"} {
		got = append(got, fileName(object{"group": group, "kind": "Thing", "version": "v1"}))
	}
	if want := []string{"thing-v1.json", "thing-apps-v1.json", "thing-networking-v1.json"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
