package catalog

import (
	"encoding/json"

	"docent/store/doc"
)

// encodeUses writes the files that a page uses; or "".
func encodeUses(uses []doc.Use) string {
	if len(uses) == 0 {
		return ""
	}
	raw, err := json.Marshal(uses)
	if err != nil {
		panic(err) // it has strings and numbers alone
	}
	return string(raw)
}

func decodeUses(text string) (uses []doc.Use, err error) {
	if text == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(text), &uses)
	return uses, err
}
