package dita

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// The bounds of the maps of a doc set.
const (
	maxMaps      = 2000
	maxKeys      = 100_000 // of one map
	maxKeptMaps  = 2000    // see mapCache
	maxKeyChain  = 8
	maxKeyLength = 500 // bytes of its text
)

// key is what a map says that a name stands for.
type key struct {
	href   string
	scope  string
	format string
	text   string // of its keywords, linktext or navtitle
	alias  string // another key
	file   *file  // the map, which href is relative to
}

// keys finds the keys of a doc set for one page. A page does not say which map it is
// read by. So its keys are looked for in the maps of the folders around it, those of
// the outermost folder first, then in all other maps; each map goes before the maps that
// it refers to, and the first definition counts.
type keys struct {
	library *library
	index   func() *keyIndex // of the doc set's maps, which the page depends on then; nil: there are none
	page    string

	begun bool
	known *keyIndex
	noted map[string]bool // maps that the index does not list, and that are noted as used
}

var errNoKey = errors.New("no map of the doc set defines the key")

// findKey finds a key.
func (k *keys) findKey(name string) (key, error) {
	return k.followChain(name, maxKeyChain)
}

func (k *keys) followChain(name string, left int) (key, error) {
	found, err := k.findOwnKey(name)
	if err != nil || found.alias == "" || found.href != "" || found.alias == name {
		return found, err
	}
	if left == 0 {
		return found, fmt.Errorf("the key %s refers to itself", name)
	}
	other, err := k.followChain(found.alias, left-1)
	if err == nil && found.text != "" {
		other.text = found.text
	}
	return other, err
}

func (k *keys) findOwnKey(name string) (key, error) {
	if k.library.open == nil {
		return key{}, errNoFiles
	}
	if !k.begun {
		k.begun, k.known, k.noted = true, k.index(), map[string]bool{}
	}
	if k.known == nil {
		return key{}, fmt.Errorf("%w %s", errNoKey, name)
	}
	for i, r := range k.page { // the folders around the page
		if i == 0 || r == '/' {
			if found, ok := k.lookUp(k.known.around(cmp.Or(k.page[:i], ".")), name); ok {
				return found, nil
			}
		}
	}
	if found, ok := k.lookUp(k.known.everywhere(), name); ok {
		return found, nil
	}
	return key{}, fmt.Errorf("%w %s", errNoKey, name)
}

// lookUp looks for a key in some maps.
func (k *keys) lookUp(in *keysOfMaps, name string) (key, bool) {
	for _, p := range in.unlisted {
		if !k.noted[p] {
			k.noted[p] = true
			_, _ = k.library.readRaw(p) // the page depends on it, also where it is missing
		}
	}
	found, ok := in.first[name]
	return found, ok
}

// keyMap is the index of a map: its keys, and the maps that it refers to.
type keyMap struct {
	keys []definition
	maps []string
}

type definition struct {
	name string
	key  key
}

// mapCache keeps the keys of maps by the hash of their content: each page of a doc set
// reads the same ones. It is safe for concurrent use.
type mapCache struct {
	mu   sync.Mutex
	maps map[[sha256.Size]byte]*keyMap
}

func (c *mapCache) getKeyMap(p string, src []byte) *keyMap {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00", p)
	h.Write(src)
	sum := [sha256.Size]byte(h.Sum(nil))
	c.mu.Lock()
	m, ok := c.maps[sum]
	c.mu.Unlock()
	if ok {
		return m
	}
	m = readKeys(p, src)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.maps) >= maxKeptMaps || c.maps == nil {
		c.maps = map[[sha256.Size]byte]*keyMap{}
	}
	c.maps[sum] = m
	return m
}

// readKeys reads the keys of a map.
func readKeys(p string, src []byte) *keyMap {
	f, _ := newFile(p, src)
	r := f.newReaderAtStart()
	m := &keyMap{}
	in := &file{path: p}
	type frame struct {
		names []string // of the keys that the element defines
		from  int      // the first of them in m.keys
		scope string
	}
	open := []frame{{}}
	for {
		e, _ := r.next()
		switch e.kind {
		case atEnd:
			return m
		case closes:
			if len(open) > 1 {
				open = open[:len(open)-1]
			}
		case opens:
			outer := open[len(open)-1]
			if e.name == "topicmeta" {
				text := keyText(gatherElement(plainEvents{r}, e))
				for i := range outer.names {
					m.keys[outer.from+i].key.text = text
				}
				continue
			}
			here := frame{from: len(m.keys), scope: outer.scope}
			k := key{href: attrOf(e.attrs, "href"), scope: attrOf(e.attrs, "scope"), format: attrOf(e.attrs, "format"),
				alias: attrOf(e.attrs, "keyref"), text: attrOf(e.attrs, "navtitle"), file: in}
			for _, name := range strings.Fields(attrOf(e.attrs, "keys")) {
				if len(m.keys) >= maxKeys {
					break
				}
				here.names = append(here.names, name)
				m.keys = append(m.keys, definition{name, k})
			}
			for i := range here.names {
				if here.scope != "" {
					m.keys = append(m.keys, definition{here.scope + here.names[i], k})
					here.names = append(here.names, here.scope+here.names[i])
				}
			}
			if scopes := strings.Fields(attrOf(e.attrs, "keyscope")); len(scopes) > 0 && len(here.scope) < maxKeyLength {
				here.scope += scopes[0] + "."
			}
			if k.href != "" && k.scope != "external" && k.scope != "peer" &&
				(k.format == "ditamap" || e.name == "mapref" || isMapFile(k.href)) && len(m.maps) < maxMaps {
				sub, _ := resolveReference(in, k.href)
				m.maps = append(m.maps, sub)
			}
			open = append(open, here)
		}
	}
}

func isMapFile(p string) bool {
	p, _, _ = strings.Cut(p, "#")
	return strings.HasSuffix(p, ".ditamap") || strings.HasSuffix(p, ".bookmap")
}

// keyText is the text that a key stands for.
func keyText(meta *node) string {
	for _, words := range meta.childrenNamed("keywords") {
		if k := words.firstChild("keyword", "term"); k != nil {
			return cutText(k.plainText())
		}
	}
	if k := meta.firstChild("linktext", "navtitle", "keyword", "searchtitle"); k != nil {
		return cutText(k.plainText())
	}
	return ""
}

func cutText(s string) string {
	if len(s) > maxKeyLength {
		return strings.ToValidUTF8(s[:maxKeyLength], "")
	}
	return s
}

// plainEvents gives the events of a file without what it takes from elsewhere.
type plainEvents struct{ r *reader }

func (p plainEvents) next() event {
	e, _ := p.r.next()
	e.from = p.r.file
	return e
}

func (p plainEvents) note(int, string) {}
