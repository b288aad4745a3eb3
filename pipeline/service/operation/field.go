package operation

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"docent/pipeline/text/fieldtag"
)

// Door is a way by which a field of a request is given: the key of the tag that offers it
// there.
type Door string

// The doors of fields.
const (
	Argument Door = "arg"
	Flag     Door = "flag"
	InPath   Door = "path"
	InQuery  Door = "query"
	InBody   Door = "json"
	InTool   Door = "tool"
)

// PageArgument is the name of an argument that takes a page, by its doc set and its path. The
// app offers an operation that takes nothing else for the page on its screen.
const PageArgument = "SET/PAGE"

// Field is a field of a request.
type Field struct {
	Name     string // at its door
	Short    string // of a flag, one letter
	Doc      string
	Type     reflect.Type // of its value, without a pointer
	Optional bool
	Default  string
	Bounds

	tag     reflect.StructTag
	index   []int
	pointer bool
}

// Bounds are what a value must keep within. Those of a list's length are MaxItems, all
// others count for each of its items.
type Bounds struct {
	Minimum, Maximum    *float64
	Enum                []string
	MaxLength, MaxItems *int
}

// FieldsOf reads the fields of a request's type, embedded structs among them. Fields without
// a tag of any door are the caller's own.
func FieldsOf(t reflect.Type) ([]Field, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the request %v is no struct", t)
	}
	var out []Field
	if err := fieldtag.Check(t); err != nil {
		return nil, err
	}
	for _, sf := range reflect.VisibleFields(t) {
		sf.Tag = fieldtag.TagOfField(t, sf)
		if sf.Anonymous || !sf.IsExported() || !offered(sf.Tag) {
			continue
		}
		f := Field{Doc: sf.Tag.Get("doc"), Type: sf.Type, Default: sf.Tag.Get("default"), tag: sf.Tag, index: sf.Index}
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		f.Name, f.Optional = name, strings.Contains(options, "omit")
		if f.pointer = sf.Type.Kind() == reflect.Pointer; f.pointer {
			f.Type, f.Optional = sf.Type.Elem(), true
		}
		if err := f.readBounds(""); err != nil {
			return nil, fmt.Errorf("the field %s: %w", sf.Name, err)
		}
		out = append(out, f)
	}
	return out, nil
}

func offered(tag reflect.StructTag) bool {
	return slices.ContainsFunc([]Door{Argument, Flag, InPath, InQuery, InBody, InTool}, func(d Door) bool {
		v, ok := tag.Lookup(string(d))
		return ok && v != "-"
	})
}

// At is the field as a door has it; ok is false where it is not offered there.
func (f Field) At(d Door) (at Field, ok bool) {
	v, ok := f.tag.Lookup(string(d))
	name, rest, worded := strings.Cut(v, ",")
	if !ok || name == "-" {
		return Field{}, false
	}
	f.Name = name
	switch {
	case d == Flag:
		f.Short = rest
	case d != InBody && worded:
		f.Doc = rest
	}
	if err := f.readBounds(string(d) + "."); err != nil {
		return Field{}, false // FieldsOf has refused it
	}
	return f, true
}

// readBounds reads the tags of bounds with a door's prefix over those that are there.
func (f *Field) readBounds(prefix string) error {
	number := func(key string, into **float64) error {
		v, ok := f.tag.Lookup(prefix + key)
		if !ok {
			return nil
		}
		if *into = nil; v == "" {
			return nil
		}
		n, err := strconv.ParseFloat(v, 64)
		*into = &n
		return err
	}
	count := func(key string, into **int) error {
		v, ok := f.tag.Lookup(prefix + key)
		if !ok {
			return nil
		}
		if *into = nil; v == "" {
			return nil
		}
		n, err := strconv.Atoi(v)
		*into = &n
		return err
	}
	if v, ok := f.tag.Lookup(prefix + "enum"); ok {
		f.Enum = strings.Split(v, ",")
	}
	if v, ok := f.tag.Lookup(prefix + "default"); ok {
		f.Default = v
	}
	for _, err := range []error{number("minimum", &f.Minimum), number("maximum", &f.Maximum), count("maxLength", &f.MaxLength),
		count("maxItems", &f.MaxItems)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// FieldsAt are the fields of the request that a door offers.
func (op Operation[S]) FieldsAt(d Door) []Field { return FieldsAt(op.Fields, d) }

// FieldsAt are those of some fields that a door offers.
func FieldsAt(fields []Field, d Door) []Field {
	var out []Field
	for _, f := range fields {
		if at, ok := f.At(d); ok {
			out = append(out, at)
		}
	}
	return out
}

// IsWhole reports whether the field's values, or a list's items, are whole numbers.
func (f Field) IsWhole() bool {
	switch f.itemType().Kind() {
	case reflect.Int, reflect.Int64:
		return f.itemType() != reflect.TypeFor[time.Duration]()
	}
	return false
}

// List reports whether the field takes several values.
func (f Field) List() bool { return f.Type.Kind() == reflect.Slice }

// Pointer reports whether a request tells a zero value of the field from none.
func (f Field) Pointer() bool { return f.pointer }

func (f Field) itemType() reflect.Type {
	if f.List() {
		return f.Type.Elem()
	}
	return f.Type
}

// Set puts a value of the field's type into a request, which is a pointer to the struct.
func (f Field) Set(request reflect.Value, value any) {
	v := reflect.ValueOf(value)
	if f.pointer {
		p := reflect.New(f.Type)
		p.Elem().Set(v)
		v = p
	}
	request.Elem().FieldByIndex(f.index).Set(v)
}

// Read checks texts that were given for the field, and puts them into a request. A field
// that is no list takes the first one.
func (f Field) Read(request reflect.Value, texts []string) error {
	if f.List() {
		if f.itemType().Kind() != reflect.String {
			return fmt.Errorf("the field %s is a list of %v, which has no form as text", f.Name, f.itemType())
		}
		if err := f.Check(texts); err != nil {
			return err
		}
		f.Set(request, texts)
		return nil
	}
	value, err := f.parseValue(texts[0])
	if err == nil {
		err = f.Check(value)
	}
	if err != nil {
		return err
	}
	f.Set(request, value)
	return nil
}

// parseValue reads a value of the field's type.
func (f Field) parseValue(text string) (any, error) {
	var value any = text
	var err error
	switch {
	case f.Type == reflect.TypeFor[time.Duration]():
		value, err = time.ParseDuration(text)
	case f.Type.Kind() == reflect.Int:
		value, err = strconv.Atoi(text)
	case f.Type.Kind() == reflect.Float64:
		value, err = strconv.ParseFloat(text, 64)
	case f.Type.Kind() == reflect.Bool && text == "":
		value = true // ?explain
	case f.Type.Kind() == reflect.Bool:
		value, err = strconv.ParseBool(text)
	}
	if err != nil {
		return nil, &BoundError{Field: f, Value: text, Shape: true}
	}
	return value, nil
}
