package config

import (
	"docent/store/address"
)

// storeIndex is where the indexes lie.
func storeIndex() Setting {
	return scalarSetting("store.index", "address of the Weaviate that keeps the indexes; empty: the home's folder keeps them",
		"a text in quotes", func(c *Config) *string { return &c.Index }, func(_ *Config, v string) string {
			if v == "" {
				return ""
			}
			return problemOf(address.ParseWeaviate(v))
		})
}

// storeCatalog is where the catalog lies. A password in it is not shown.
func storeCatalog() Setting {
	s := scalarSetting("store.catalog", "address of the PostgreSQL schema that keeps the catalog; empty: the home's folder keeps it",
		"a text in quotes", func(c *Config) *string { return &c.Catalog }, func(_ *Config, v string) string {
			if v == "" {
				return ""
			}
			return problemOf(address.ParsePostgres(v))
		})
	s.show = func(c *Config) any {
		if c.Catalog == "" {
			return ""
		}
		p, err := address.ParsePostgres(c.Catalog)
		if err != nil { // only where it was not loaded
			return hidden
		}
		return p.String()
	}
	return s
}

func problemOf[T any](_ T, err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// IndexAddress is where the indexes lie; false: in the home's folder.
func (c *Config) IndexAddress() (address.Weaviate, bool) {
	a, err := address.ParseWeaviate(c.Index)
	return a, c.Index != "" && err == nil
}
