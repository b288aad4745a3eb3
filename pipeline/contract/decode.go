package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Input is the field name in errors that concern the whole input.
const Input = "$"

// Decode reads one JSON object into v, a pointer to a struct. Unknown fields are
// ignored: later versions may add fields. The error is INVALID_REQUEST; its details
// name the field, for example results[0].doc_set, or Input.
func Decode(raw []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	var first json.RawMessage
	switch err := dec.Decode(&first); {
	case errors.Is(err, io.EOF):
		return Invalid(Input, "the input is empty; it must be a JSON object")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Invalid(Input, "the input is JSON that breaks off")
	case err != nil:
		return Invalid(Input, "the input is no JSON: %v", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Invalid(Input, "there is more than one JSON value in the input")
	}
	if kind := jsonKind(first); kind != "object" {
		return Invalid(Input, "the input is a JSON %s, it must be an object", kind)
	}
	err := json.Unmarshal(first, v)
	if err == nil {
		return nil
	}
	// encoding/json names a field without array indexes and map keys, and a person
	// needs to know which element is wrong.
	w := walker{json.NewDecoder(bytes.NewReader(first))}
	w.dec.UseNumber()
	if found := w.value("", reflect.TypeOf(v)); found != nil {
		return found
	}
	return Invalid(Input, "the input does not fit: %v", err)
}

func jsonKind(raw []byte) string {
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// walker finds the first value of the input that does not fit its Go type.
type walker struct{ dec *json.Decoder }

// value reads one value; t is nil if any value is allowed.
func (w walker) value(path string, t reflect.Type) *Error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	token, err := w.dec.Token()
	if err != nil {
		return nil // it was read before: it is JSON
	}
	switch x := token.(type) {
	case json.Delim:
		if x == '{' {
			return w.checkObject(path, t)
		}
		return w.walkArray(path, t)
	case string:
		return fitsType(path, "string", t, isOneOfKinds(t, reflect.String))
	case bool:
		return fitsType(path, "bool", t, isOneOfKinds(t, reflect.Bool))
	case json.Number:
		ok := t != nil && json.Unmarshal([]byte(x), reflect.New(t).Interface()) == nil
		return fitsType(path, "number ("+x.String()+")", t, ok)
	}
	return nil // null leaves a field as it is
}

func (w walker) checkObject(path string, t reflect.Type) *Error {
	if e := fitsType(path, "object", t, isOneOfKinds(t, reflect.Struct, reflect.Map)); e != nil {
		return e
	}
	for w.dec.More() {
		key, err := w.dec.Token()
		if err != nil {
			return nil
		}
		name := fmt.Sprint(key)
		if e := w.value(strings.TrimPrefix(path+"."+name, "."), fieldTypeOf(t, name)); e != nil {
			return e
		}
	}
	_, _ = w.dec.Token()
	return nil
}

func (w walker) walkArray(path string, t reflect.Type) *Error {
	if e := fitsType(path, "array", t, isOneOfKinds(t, reflect.Slice, reflect.Array)); e != nil {
		return e
	}
	var elem reflect.Type
	if t != nil {
		elem = t.Elem()
	}
	for i := 0; w.dec.More(); i++ {
		if e := w.value(fmt.Sprintf("%s[%d]", path, i), elem); e != nil {
			return e
		}
	}
	_, _ = w.dec.Token()
	return nil
}

// fieldTypeOf is the type of an object's field; nil for an unknown one.
func fieldTypeOf(t reflect.Type, name string) reflect.Type {
	if t == nil {
		return nil
	}
	if t.Kind() == reflect.Map {
		return t.Elem()
	}
	for i := range t.NumField() {
		tag, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if strings.EqualFold(tag, name) {
			return t.Field(i).Type
		}
	}
	return nil
}

func isOneOfKinds(t reflect.Type, kinds ...reflect.Kind) bool {
	for _, k := range kinds {
		if t != nil && t.Kind() == k {
			return true
		}
	}
	return false
}

func fitsType(path, have string, t reflect.Type, ok bool) *Error {
	if ok || t == nil {
		return nil
	}
	return Invalid(path, "the field %s is a JSON %s, it must be %s", path, have, wantedTypeName(t))
}

func wantedTypeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	}
	return "a number"
}
