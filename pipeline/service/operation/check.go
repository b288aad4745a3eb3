package operation

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"docent/pipeline/contract"
)

// BoundError is a value of a field that is not within its bounds.
type BoundError struct {
	Field Field
	Value any
	// Shape says that the value is not of the field's kind, such as a word for a number.
	Shape bool
}

// Error says it in the words of the door that the field was taken from.
func (e *BoundError) Error() string {
	f := e.Field
	n, isNumber := number(e.Value)
	switch {
	case len(f.Enum) > 0 && !e.Shape:
		return fmt.Sprintf("the %s %s is none of %s", strings.ReplaceAll(f.plainName(), "_", " "), quoted(e.Value),
			strings.Join(f.Enum, ", "))
	case e.Shape || !isNumber:
		return fmt.Sprintf("%s is %s, it must be %s", f.Name, quoted(e.Value), f.MustBe())
	case f.Minimum != nil && *f.Minimum == 0 && f.Maximum == nil && n < 0:
		return fmt.Sprintf("%s is %v; give a number from 0 on", f.Name, e.Value)
	case f.Maximum != nil && f.Minimum != nil && !f.IsWhole():
		return fmt.Sprintf("%s is %v, it must lie between %v and %v", f.Name, e.Value, *f.Minimum, *f.Maximum)
	case f.Minimum != nil && n < *f.Minimum:
		return fmt.Sprintf("%s is %v, it must be at least %v", f.Name, e.Value, figure(*f.Minimum))
	case f.Maximum != nil:
		return fmt.Sprintf("%s is %v, it can be at most %v", f.Name, e.Value, figure(*f.Maximum))
	}
	return fmt.Sprintf("%s is %v, which it cannot be", f.Name, e.Value)
}

// Unwrap gives the error as clients have it.
func (e *BoundError) Unwrap() error {
	name := e.Field.plainName()
	err := contract.Invalid(name, "%s", e.Error())
	if len(e.Field.Enum) > 0 {
		return err.WithRemedy(contract.Change(name, e.Field.Enum...))
	}
	return err
}

// plainName is the field's name without a flag's dashes.
func (f Field) plainName() string {
	return strings.ReplaceAll(strings.TrimLeft(f.Name, "-"), "-", "_")
}

// MustBe says what a field's values may be: "a whole number from 1 to 100".
func (f Field) MustBe() string {
	what := "a text"
	switch {
	case len(f.Enum) > 0:
		return "one of " + strings.Join(f.Enum, ", ")
	case f.Type.Kind() == reflect.Bool:
		return "true or false"
	case f.IsWhole():
		what = "a whole number"
	case f.Type.Kind() == reflect.Float64:
		what = "a number"
	case f.MaxLength != nil:
		return fmt.Sprintf("a text of at most %d signs", *f.MaxLength)
	case f.MaxItems != nil:
		return fmt.Sprintf("a list of at most %d", *f.MaxItems)
	}
	switch {
	case f.Minimum != nil && f.Maximum != nil:
		return fmt.Sprintf("%s from %s to %s", what, figure(*f.Minimum), figure(*f.Maximum))
	case f.Minimum != nil:
		return fmt.Sprintf("%s of at least %s", what, figure(*f.Minimum))
	case f.Maximum != nil:
		return fmt.Sprintf("%s of at most %s", what, figure(*f.Maximum))
	}
	return what
}

func figure(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// Check checks a value of the field's type against its bounds.
func (f Field) Check(value any) error {
	v := reflect.ValueOf(value)
	if f.List() {
		if f.MaxItems != nil && v.Len() > *f.MaxItems {
			return &BoundError{Field: f, Value: fmt.Sprintf("%d values", v.Len())}
		}
		for i := range v.Len() {
			if err := f.checkOne(v.Index(i).Interface()); err != nil {
				return err
			}
		}
		return nil
	}
	return f.checkOne(value)
}

func (f Field) checkOne(value any) error {
	n, isNumber := number(value)
	text := reflect.ValueOf(value)
	switch {
	case isNumber && (math.IsNaN(n) || f.Minimum != nil && n < *f.Minimum || f.Maximum != nil && n > *f.Maximum):
	case text.Kind() == reflect.String && (f.MaxLength != nil && utf8.RuneCountInString(text.String()) > *f.MaxLength || len(f.Enum) > 0 &&
		!slices.Contains(f.Enum, text.String())):
	default:
		return nil
	}
	return &BoundError{Field: f, Value: value}
}

// Check checks the bounds of a whole request as a door has them. An optional field with
// its zero value counts as missing. A field that the door does not offer has the bounds
// of all doors.
func (op Operation[S]) Check(d Door, req any) error { return checkFields(op.Fields, d, req) }

// Check is Operation.Check of a request alone.
func Check(d Door, req any) error {
	fields, err := FieldsOf(reflect.TypeOf(req))
	if err != nil {
		return err
	}
	return checkFields(fields, d, req)
}

func checkFields(fields []Field, d Door, req any) error {
	v := reflect.ValueOf(req)
	for _, f := range fields {
		at, ok := f.At(d)
		if !ok {
			at = f
		}
		value := v.FieldByIndex(f.index)
		if value.IsZero() {
			continue
		}
		if f.pointer {
			value = value.Elem()
		}
		if err := at.Check(value.Interface()); err != nil {
			return err
		}
	}
	return nil
}

func number(value any) (float64, bool) {
	switch n := value.(type) {
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// quoted is a value of a request as an error quotes it.
func quoted(value any) string {
	s, ok := value.(string)
	if !ok {
		return fmt.Sprint(value)
	}
	const most = 80
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return `"?"`
	}
	return string(raw)
}
