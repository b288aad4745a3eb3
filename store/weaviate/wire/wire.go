// Package wire writes and reads the messages of Weaviate's gRPC interface that a search takes, as its file
// grpc/proto/v1/search_get.proto defines them.
//
// It refuses to send them.
package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// SearchMethod is the path of the call that takes a Search and gives results.
const SearchMethod = "/weaviate.v1.Weaviate/Search"

// Search asks for objects of a tenant.
type Search struct {
	Collection, Tenant string
	Properties         []string // that come with an object; without any, the engine reads none
	Limit              int
	Ranking            *Ranking
	Vector             []float32 // the objects near to it; of any length
	Filter             *Filter
}

// Ranking is by the BM25 of one property.
type Ranking struct{ Query, Property string }

// Operator is how a filter compares.
type Operator int

// The operators, by their numbers in the protocol.
const (
	NotEqual      Operator = 2
	LessThanEqual Operator = 6
	And           Operator = 7
	ContainsAny   Operator = 12
)

// Filter is a condition for objects: ContainsAny compares with Texts, NotEqual and LessThanEqual with Number, And has
// Operands.
type Filter struct {
	Operator Operator
	Property string
	Texts    []string
	Number   int64
	Operands []Filter
}

// IDProperty is the name by which a filter means an object's UUID.
const IDProperty = "_id"

// The numbers of the fields that are used, by message.
const (
	searchCollection, searchTenant, searchProperties, searchMetadata, searchLimit = 1, 10, 20, 21, 30
	searchFilters, searchBM25, searchNearVector, searchUses127                    = 40, 42, 43, 102

	propertiesNames, metadataUUID = 1, 1
	bm25Query, bm25Properties     = 1, 2

	nearVectors, vectorsBytes, vectorsType, vectorsSingle = 9, 3, 4, 1

	filterOperator, filterFilters, filterNumber, filterTexts, filterTarget = 1, 3, 5, 9, 20
	textArrayValues, targetProperty                                        = 1, 1

	replyResults, resultProperties, resultMetadata, metadataID = 2, 1, 2, 20

	propertiesPlain, plainFields, entryKey, entryValue = 11, 1, 1, 2
	valueInt, valueText                                = 8, 13
)

func appendBytes(b []byte, field protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), value)
}

func appendText(b []byte, field protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), value)
}

func appendNumber(b []byte, field protowire.Number, value uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), value)
}

// Encode gives the message.
func (s Search) Encode() []byte {
	b := appendText(nil, searchCollection, s.Collection)
	b = appendText(b, searchTenant, s.Tenant)
	var names []byte
	for _, p := range s.Properties {
		names = appendText(names, propertiesNames, p)
	}
	b = appendBytes(b, searchProperties, names)
	b = appendBytes(b, searchMetadata, appendNumber(nil, metadataUUID, 1))
	b = appendNumber(b, searchLimit, uint64(max(s.Limit, 0)))
	if s.Filter != nil {
		b = appendBytes(b, searchFilters, s.Filter.encode())
	}
	if r := s.Ranking; r != nil {
		b = appendBytes(b, searchBM25, appendText(appendText(nil, bm25Query, r.Query), bm25Properties, r.Property))
	}
	if len(s.Vector) > 0 {
		var raw []byte
		for _, x := range s.Vector {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
		vector := appendNumber(appendBytes(nil, vectorsBytes, raw), vectorsType, vectorsSingle)
		b = appendBytes(b, searchNearVector, appendBytes(nil, nearVectors, vector))
	}
	return appendNumber(b, searchUses127, 1) // else the engine answers in the form of its earlier versions
}

func (f *Filter) encode() []byte {
	b := appendNumber(nil, filterOperator, uint64(f.Operator))
	for _, o := range f.Operands {
		b = appendBytes(b, filterFilters, o.encode())
	}
	switch f.Operator {
	case NotEqual, LessThanEqual:
		b = appendNumber(b, filterNumber, uint64(f.Number))
	case ContainsAny:
		var list []byte
		for _, t := range f.Texts {
			list = appendText(list, textArrayValues, t)
		}
		b = appendBytes(b, filterTexts, list)
	}
	if f.Property != "" {
		b = appendBytes(b, filterTarget, appendText(nil, targetProperty, f.Property))
	}
	return b
}

// UUID is an object's id.
type UUID [16]byte

// String is the UUID as RFC 9562 writes it.
func (u UUID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// Result is an object that was found. Its properties are read when they are asked for.
type Result struct {
	ID         UUID
	properties []byte
}

// errShort is the error of a message that ends within a field, or has one of another type.
var errShort = errors.New("a message is not as the protocol defines it")

// eachField calls f with the fields of a message. For a field that is no text or message, value is nil, for one
// that is no varint, number is 0.
func eachField(message []byte, f func(field protowire.Number, value []byte, number uint64) error) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return errShort
		}
		message = message[n:]
		var value []byte
		var number uint64
		switch kind {
		case protowire.BytesType:
			value, n = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(message)
		default:
			n = protowire.ConsumeFieldValue(field, kind, message)
		}
		if n < 0 {
			return errShort
		}
		message = message[n:]
		if err := f(field, value, number); err != nil {
			return err
		}
	}
	return nil
}

// Results reads the answer to a search.
func Results(reply []byte) (out []Result, err error) {
	err = eachField(reply, func(field protowire.Number, value []byte, _ uint64) error {
		if field != replyResults {
			return nil
		}
		var r Result
		err := eachField(value, func(field protowire.Number, value []byte, _ uint64) error {
			switch field {
			case resultProperties:
				r.properties = value
			case resultMetadata:
				return eachField(value, func(field protowire.Number, value []byte, _ uint64) error {
					if field != metadataID {
						return nil
					}
					if len(value) > len(r.ID) {
						return fmt.Errorf("an id has %d bytes", len(value))
					}
					copy(r.ID[len(r.ID)-len(value):], value) // the engine writes a number, without zeros in front
					return nil
				})
			}
			return nil
		})
		out = append(out, r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the answer to a search: %w", err)
	}
	return out, nil
}

// Each calls f with each property that came: a text or a number.
func (r Result) Each(f func(name string, text string, number int64)) error {
	return eachField(r.properties, func(field protowire.Number, plain []byte, _ uint64) error {
		if field != propertiesPlain {
			return nil
		}
		return eachField(plain, func(field protowire.Number, entry []byte, _ uint64) error {
			if field != plainFields {
				return nil
			}
			return eachEntry(entry, f)
		})
	})
}

// eachEntry reads an entry of the properties.
func eachEntry(entry []byte, f func(name string, text string, number int64)) error {
	var name, text string
	var number int64
	err := eachField(entry, func(field protowire.Number, value []byte, _ uint64) error {
		switch field {
		case entryKey:
			name = string(value)
		case entryValue:
			return eachField(value, func(field protowire.Number, value []byte, n uint64) error {
				switch field {
				case valueInt:
					number = int64(n)
				case valueText:
					text = string(value)
				}
				return nil
			})
		}
		return nil
	})
	if err == nil {
		f(name, text, number)
	}
	return err
}
