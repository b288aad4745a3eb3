package weaviate

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"docent/store/weaviate/transport"
)

// kind is what a doc set has a tenant for.
type kind string

const (
	words   kind = "words"
	learned kind = "learned"
	model   kind = "model"
)

// The collections of a home.
func (c *client) wordsName() string   { return c.collection("Words") }
func (c *client) vectorsName() string { return c.collection("Vectors") }
func (c *client) recordsName() string { return c.collection("Records") }

func (c *client) collection(of string) string {
	return strings.ToUpper(c.At.Name[:1]) + c.At.Name[1:] + of
}

// collectionOf is the collection with the tenants of a kind.
func (c *client) collectionOf(k kind) string {
	if k == words {
		return c.wordsName()
	}
	return c.vectorsName()
}

type property map[string]any

func intProperty(name string, filter bool) property {
	return property{"name": name, "dataType": []string{"int"}, "indexFilterable": filter, "indexRangeFilters": false}
}

// keptProperty is a text that the engine only keeps.
func keptProperty(name string) property {
	return property{"name": name, "dataType": []string{"text"}, "tokenization": "field", "indexFilterable": false, "indexSearchable": false}
}

// tokensProperty is a text of tokens that the engine ranks by.
func tokensProperty(name string) property {
	return property{"name": name, "dataType": []string{"text"}, "tokenization": "whitespace", "indexFilterable": false,
		"indexSearchable": true}
}

// The properties of the objects.
const (
	termsProperty  = "terms"  // the tokens of a passage
	detailProperty = "detail" // a passage's fields exactly; a vector's code; a record's content
	docProperty    = "doc"
	chunkProperty  = "chunk"
	partProperty   = "part"
	bornProperty   = "born" // the number of the change that brought the object
	sortProperty   = "sort" // of a record
	setProperty    = "set"
)

// ensure makes the collections that are missing.
func (c *client) ensure(ctx context.Context) error {
	passage := []property{intProperty(docProperty, true), intProperty(chunkProperty, false), intProperty(partProperty, false),
		intProperty(bornProperty, true), keptProperty(detailProperty)}
	searched := []property{tokensProperty(termsProperty)}
	for _, f := range apart {
		searched = append(searched, tokensProperty(f.String()))
	}
	tenants := map[string]any{"enabled": true, "autoTenantCreation": false}
	for _, class := range []map[string]any{
		{"class": c.wordsName(), "properties": append(searched, passage...), "multiTenancyConfig": tenants,
			"vectorIndexType": "flat", "vectorIndexConfig": map[string]any{"skip": true}},
		{"class": c.vectorsName(), "properties": passage, "multiTenancyConfig": tenants,
			"vectorIndexType": "hnsw", "vectorIndexConfig": map[string]any{"distance": "cosine", "ef": searchWidth, "efConstruction": 128}},
		{"class": c.recordsName(), "properties": []property{intProperty(setProperty, true),
			keptProperty(sortProperty),
			keptProperty(detailProperty)}, "vectorIndexType": "flat", "vectorIndexConfig": map[string]any{"skip": true}},
	} {
		class["vectorizer"] = "none"
		class["invertedIndexConfig"] = map[string]any{"stopwords": map[string]any{"preset": "none"},
			"bm25": map[string]any{"k1": 1.2, "b": .5}}
		class["replicationConfig"] = map[string]any{"factor": c.At.Replicas, "asyncEnabled": c.At.Replicas > 1}
		err := c.Do(ctx, http.MethodGet, "/v1/schema/"+class["class"].(string), nil, nil, nil)
		if transport.IsStatus(err, http.StatusNotFound) {
			err = c.Do(ctx, http.MethodPost, "/v1/schema", nil, class, nil)
			if transport.IsStatus(err, http.StatusUnprocessableEntity) && strings.Contains(err.Error(), "already exists") {
				err = nil // another process was quicker
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// searchWidth is how many neighbours HNSW keeps in view: more find more surely.
const searchWidth = 160

// addTenant makes a tenant. One that is there is no error.
func (c *client) addTenant(ctx context.Context, k kind, tenant string) error {
	err := c.Do(ctx, http.MethodPost, "/v1/schema/"+c.collectionOf(k)+"/tenants", nil, []map[string]string{{"name": tenant}}, nil)
	if transport.IsStatus(err, http.StatusUnprocessableEntity) && strings.Contains(err.Error(), "already exists") {
		return nil
	}
	return err
}

// removeTenant deletes a tenant with all of its objects. One that is missing is no error, nor is a
// collection that is missing.
func (c *client) removeTenant(ctx context.Context, k kind, tenant string) error {
	err := c.Do(ctx, http.MethodDelete, "/v1/schema/"+c.collectionOf(k)+"/tenants", nil, []string{tenant}, nil)
	if isMissing(err) {
		return nil
	}
	return err
}

// tenants lists the tenants of a kind's collection.
func (c *client) tenants(ctx context.Context, k kind) (names []string, err error) {
	var list []struct{ Name string }
	err = c.Do(ctx, http.MethodGet, "/v1/schema/"+c.collectionOf(k)+"/tenants", url.Values{}, nil, &list)
	for _, t := range list {
		names = append(names, t.Name)
	}
	return names, err
}
