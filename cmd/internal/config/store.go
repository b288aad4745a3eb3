package config

import "docent/store/address"

// storeIndex is where the indexes lie.
func storeIndex() Setting {
	const key = "store.index"
	return scalarSetting(key, "address of the Weaviate that keeps the indexes; empty: the home's folder keeps them", "a text in quotes",
		func(c *Config) *string { return &c.Index }, func(_ *Config, v string) string {
			if v == "" {
				return ""
			}
			if _, err := address.ParseWeaviate(v); err != nil {
				return err.Error()
			}
			return ""
		})
}

// IndexAddress is where the indexes lie; false: in the home's folder.
func (c *Config) IndexAddress() (address.Weaviate, bool) {
	a, err := address.ParseWeaviate(c.Index)
	return a, c.Index != "" && err == nil
}
