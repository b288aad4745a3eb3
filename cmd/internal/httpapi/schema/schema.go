// Package schema makes JSON Schemas of Go types, as OpenAPI has them, and checks values
// against them.
//
// A struct is an object, described once among the components and referred to by its name.
// Its fields are those that encoding/json writes; one without omitempty or omitzero is
// required. The tags doc, enum, default, format, minimum, exclusiveMinimum, maximum,
// minLength, maxLength, minItems and maxItems say more of a field, those of its struct's
// table (package fieldtag) too.
//
// The package refuses to know any operation, to word an error for clients, and to check
// keywords that no type of the program needs.
package schema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"docent/pipeline/text/fieldtag"
)

// The types of values.
const (
	Boolean = "boolean"
	Integer = "integer"
	Number  = "number"
	String  = "string"
	Array   = "array"
	Object  = "object"
	Null    = "null"
)

// prefix stands before the name of a schema in a reference.
const prefix = "#/components/schemas/"

// Schema is a JSON Schema.
type Schema struct {
	Type     string `json:"-"`
	Nullable bool   `json:"-"` // the value may be null too

	Description      string             `json:"description,omitempty"`
	Ref              string             `json:"$ref,omitempty"`
	Format           string             `json:"format,omitempty"`
	ContentMediaType string             `json:"contentMediaType,omitempty"`
	ContentEncoding  string             `json:"contentEncoding,omitempty"`
	Default          any                `json:"default,omitempty"`
	Items            *Schema            `json:"items,omitempty"`
	Additional       any                `json:"additionalProperties,omitempty"` // a schema, or false; nil: anything
	Properties       map[string]*Schema `json:"properties,omitempty"`
	Enum             []string           `json:"enum,omitempty"`
	Minimum          *float64           `json:"minimum,omitempty"`
	ExclusiveMinimum *float64           `json:"exclusiveMinimum,omitempty"`
	Maximum          *float64           `json:"maximum,omitempty"`
	MinLength        *int               `json:"minLength,omitempty"`
	MaxLength        *int               `json:"maxLength,omitempty"`
	MinItems         *int               `json:"minItems,omitempty"`
	MaxItems         *int               `json:"maxItems,omitempty"`
	Required         []string           `json:"required,omitempty"`
	AnyOf            []*Schema          `json:"anyOf,omitempty"`

	order []string // of the properties
}

// MarshalJSON writes the schema with its type, which is two where the value may be null.
func (s *Schema) MarshalJSON() ([]byte, error) {
	type plain Schema
	var kind any
	switch {
	case s.Nullable && s.Type != "":
		kind = []string{s.Type, Null}
	case s.Type != "":
		kind = s.Type
	}
	return json.Marshal(struct {
		Type any `json:"type,omitempty"`
		*plain
	}{kind, (*plain)(s)})
}

// Provider is a type that has a schema of its own.
type Provider interface{ Schema(r *Registry) *Schema }

// Registry has the schemas of structs by their names.
type Registry struct {
	name  func(t reflect.Type) string
	named map[string]*Schema
	types map[string]reflect.Type
}

// NewRegistry makes an empty registry. name gives the name of a struct's schema; "" for one
// without a name of its own, which is named after the field that has it.
func NewRegistry(name func(reflect.Type) string) *Registry {
	return &Registry{name: name, named: map[string]*Schema{}, types: map[string]reflect.Type{}}
}

// All are the schemas of structs by their names.
func (r *Registry) All() map[string]*Schema { return r.named }

// Resolve is the schema that a reference leads to, or the schema itself.
func (r *Registry) Resolve(s *Schema) *Schema {
	for s.Ref != "" {
		s = r.named[strings.TrimPrefix(s.Ref, prefix)]
	}
	return s
}

// Close makes the schema of an object refuse other fields than its own. Objects are open as
// a rule: later versions may add fields.
func (r *Registry) Close(s *Schema) { r.Resolve(s).Additional = false }

// Of is the schema of a type, for a struct a reference to it. It panics where two structs
// would have the same name.
func (r *Registry) Of(t reflect.Type) *Schema { return r.schemaOf(t, "") }

func (r *Registry) schemaOf(t reflect.Type, hint string) *Schema {
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	s := r.plainSchema(t, hint)
	switch s.Type {
	case Boolean, Integer, Number, String:
		s.Nullable = pointer
	}
	return s
}

// plainSchema is the schema of a type that is no pointer.
func (r *Registry) plainSchema(t reflect.Type, hint string) *Schema {
	if p, ok := reflect.New(t).Interface().(Provider); ok {
		return p.Schema(r)
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return &Schema{Type: String, Format: "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return &Schema{}
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return &Schema{Type: String}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: Boolean}
	case reflect.Int, reflect.Int64:
		return &Schema{Type: Integer, Format: "int64"}
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return &Schema{Type: Integer, Format: "int32"}
	case reflect.Float64:
		return &Schema{Type: Number, Format: "double"}
	case reflect.String:
		return &Schema{Type: String}
	case reflect.Slice, reflect.Array:
		return r.listSchema(t)
	case reflect.Map:
		return &Schema{Type: Object, Additional: r.schemaOf(t.Elem(), "Value")}
	case reflect.Struct:
		return r.component(t, hint)
	case reflect.Interface:
		return &Schema{}
	}
	panic(fmt.Sprintf("a %v has no schema", t))
}

func (r *Registry) listSchema(t reflect.Type) *Schema {
	if t.Elem().Kind() == reflect.Uint8 {
		return &Schema{Type: String, ContentEncoding: "base64"}
	}
	s := &Schema{Type: Array, Nullable: true, Items: r.schemaOf(t.Elem(), t.Name()+"Item")}
	if t.Kind() == reflect.Array {
		n := t.Len()
		s.MinItems, s.MaxItems = &n, &n
	}
	return s
}

// component makes the schema of a struct once, and gives a reference to it.
func (r *Registry) component(t reflect.Type, hint string) *Schema {
	name := r.name(t)
	if name == "" {
		name = strings.ToUpper(hint[:1]) + hint[1:]
	}
	if known, ok := r.types[name]; ok && known != t {
		panic(fmt.Sprintf("the schemas of %v and %v have one name, %s", known, t, name))
	} else if !ok {
		s := &Schema{Type: Object, Properties: map[string]*Schema{}}
		r.types[name], r.named[name] = t, s // first, for types that contain themselves
		for _, f := range jsonFields(t) {
			r.addField(s, t, f)
		}
	}
	return &Schema{Ref: prefix + name}
}

// jsonFields are the fields of a struct, then those of the structs that it embeds, as far as
// no field above has their name.
func jsonFields(t reflect.Type) []reflect.StructField {
	var own, embedded []reflect.StructField
	seen := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		f.Tag = fieldtag.TagOfField(t, f)
		switch {
		case f.Anonymous && f.Tag.Get("json") == "" && f.IsExported():
			of := f.Type
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if of.Kind() == reflect.Struct {
				embedded = append(embedded, jsonFields(of)...)
			}
		case f.IsExported():
			own = append(own, f)
			seen[f.Name] = true
		}
	}
	for _, f := range embedded {
		if !seen[f.Name] {
			own = append(own, f)
			seen[f.Name] = true
		}
	}
	return own
}

// addField adds the property of a field to an object.
func (r *Registry) addField(s *Schema, t reflect.Type, f reflect.StructField) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" {
		return
	}
	if name == "" {
		name = f.Name
	}
	optional := strings.Contains(options, "omit")
	p := r.schemaOf(f.Type, t.Name()+f.Name+"Struct")
	r.describeField(p, f)
	switch pointer := f.Type.Kind() == reflect.Pointer; {
	case pointer && strings.Contains(options, "omitempty"):
		p.Nullable = false
	case pointer && !optional && p.Ref != "": // what points to nothing is written as null
		p = &Schema{AnyOf: []*Schema{p, {Type: Null}}}
	}
	s.Properties[name] = p
	s.order = append(s.order, name)
	if !optional {
		s.Required = append(s.Required, name)
	}
}

// describeField reads the tags of a field. Bounds of single values are those of a list's items.
func (r *Registry) describeField(s *Schema, f reflect.StructField) {
	s.Description = f.Tag.Get("doc")
	each := s
	if s.Type == Array {
		each = s.Items
	}
	if v := f.Tag.Get("format"); v != "" {
		each.Format = v
		if v == "binary" {
			each.ContentMediaType = "application/octet-stream"
		}
	}
	if v := f.Tag.Get("enum"); v != "" {
		each.Enum = strings.Split(v, ",")
	}
	if v := f.Tag.Get("default"); v != "" {
		s.Default = v
		if s.Type != String {
			mustParse(f, "default", json.Unmarshal([]byte(v), &s.Default))
		}
	}
	each.Minimum, each.Maximum, each.ExclusiveMinimum = numberTag(f, "minimum"), numberTag(f, "maximum"), numberTag(f, "exclusiveMinimum")
	each.MinLength, each.MaxLength = readCountTag(f, "minLength"), readCountTag(f, "maxLength")
	if n := readCountTag(f, "minItems"); n != nil {
		s.MinItems = n
	}
	if n := readCountTag(f, "maxItems"); n != nil {
		s.MaxItems = n
	}
}

func numberTag(f reflect.StructField, key string) *float64 {
	v, ok := f.Tag.Lookup(key)
	if !ok {
		return nil
	}
	n, err := strconv.ParseFloat(v, 64)
	mustParse(f, key, err)
	return &n
}

func readCountTag(f reflect.StructField, key string) *int {
	v, ok := f.Tag.Lookup(key)
	if !ok {
		return nil
	}
	n, err := strconv.Atoi(v)
	mustParse(f, key, err)
	return &n
}

// mustParse panics where a tag is no good: a fault of the program that every start shows.
func mustParse(f reflect.StructField, key string, err error) {
	if err != nil {
		panic(fmt.Sprintf("the field %s: the tag %s: %v", f.Name, key, err))
	}
}
