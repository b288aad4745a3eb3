package references

// recently keeps values by page, those that were used last: up to twice as many as most weighs.
type recently[V any] struct {
	most          int
	recent, older map[int]V
	weight        int
}

func (c *recently[V]) get(page int) (V, bool) {
	if v, ok := c.recent[page]; ok {
		return v, true
	}
	v, ok := c.older[page]
	return v, ok
}

func (c *recently[V]) put(page int, v V, weight int) {
	if c.recent == nil || c.weight+weight > c.most {
		c.recent, c.older, c.weight = map[int]V{}, c.recent, 0
	}
	c.recent[page] = v
	c.weight += weight
}
