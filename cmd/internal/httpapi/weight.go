package httpapi

// The memory that a value of JSON takes when it is decoded without a type, in addition to
// its text: an interface and a number for every value, a table for every object that has
// fields. A text of 16 MB may have five million empty objects.
const (
	valueWeight  = 64
	objectWeight = 320
)

// decodedWeight estimates what a text takes when it is decoded, in bytes. It counts the signs
// of JSON outside of strings, without decoding anything.
func decodedWeight(text []byte) int64 {
	var sum int64
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == ',' || c == '[':
			sum += valueWeight
		case c == '{':
			sum += objectWeight
		}
	}
	return sum
}
