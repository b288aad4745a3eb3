package catalog

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docent/store"
	"docent/store/doc"
	"docent/store/generation"
)

// An update compares the states of all pages of a doc set with the disk. The rows of documents are
// wide: to read them took 5 µs of processor time a page. So a catalog that is a file has the states a second
// time, packed: those of the documents whose numbers differ in the lower 9 bits alone are one
// value. A change of one page writes two or three of these.
//
// Triggers mark states as outdated when their rows change, because a program of an earlier
// version may have the catalog open while this one migrates it. Where anything is outdated
// or damaged, the rows are read, and the next publication packs them again.
//
// A table of narrow rows was the other way: the engine's work for each row is most of the time.

// statesMigration adds the packed states, all outdated. The number 9 stands in the statements of
// this file, since a trigger takes no parameters.
const statesMigration = `CREATE TABLE page_states (
		set_id  INTEGER NOT NULL REFERENCES sets (id) ON DELETE CASCADE,
		part    INTEGER NOT NULL,
		content BLOB,
		UNIQUE (set_id, part)
	) STRICT;
	INSERT INTO page_states (set_id, part) SELECT DISTINCT set_id, id >> 9 FROM documents WHERE state = 1;
	CREATE TRIGGER documents_added AFTER INSERT ON documents WHEN new.state = 1 AND NOT EXISTS
			(SELECT 1 FROM page_states WHERE set_id = new.set_id AND part = new.id >> 9 AND content IS NULL)
		BEGIN INSERT OR REPLACE INTO page_states (set_id, part) VALUES (new.set_id, new.id >> 9); END;
	CREATE TRIGGER documents_came AFTER UPDATE ON documents WHEN new.state = 1 AND NOT EXISTS
			(SELECT 1 FROM page_states WHERE set_id = new.set_id AND part = new.id >> 9 AND content IS NULL)
		BEGIN INSERT OR REPLACE INTO page_states (set_id, part) VALUES (new.set_id, new.id >> 9); END;
	CREATE TRIGGER documents_went AFTER UPDATE ON documents WHEN old.state = 1
		BEGIN UPDATE page_states SET content = NULL WHERE set_id = old.set_id AND part = old.id >> 9 AND content IS NOT NULL;
		END;
	CREATE TRIGGER documents_deleted AFTER DELETE ON documents WHEN old.state = 1
		BEGIN UPDATE page_states SET content = NULL WHERE set_id = old.set_id AND part = old.id >> 9 AND content IS NOT NULL;
		END;`

// errStates means that packed states are not as they were written.
var errStates = fmt.Errorf("the packed states of pages: %w", errRow)

// packedStates gives the states of a doc set's pages by path. whole is false where some are
// outdated or missing.
func (f *sqliteFile) packedStates(ctx context.Context, setID int64) (states []store.FileState, whole bool, err error) {
	rows, err := f.QueryContext(ctx, `SELECT content, (SELECT documents FROM sets WHERE id = ?1)
		FROM page_states WHERE set_id = ?1 ORDER BY part`, setID)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	var late []store.FileState // those whose paths come before that of a document of a lower number
	var pages int
	for rows.Next() {
		var content sql.RawBytes
		if err := rows.Scan(&content, &pages); err != nil {
			return nil, false, unscanned(err)
		}
		if len(content) == 0 {
			return nil, false, nil
		}
		if states == nil && pages > 0 && pages < 1<<24 { // its checksum is not compared here
			states = make([]store.FileState, 0, pages)
		}
		if states, late, err = unpackStates(states, late, content); err != nil {
			return nil, false, err
		}
	}
	states = mergeByPath(states, late)
	return states, len(states) == pages, errors.Join(rows.Err(), rows.Close())
}

// checkStates compares the packed states of a doc set with the rows.
func (c *Catalog) checkStates(ctx context.Context, setID int64) error {
	packed, whole, err := c.db.packedStates(ctx, setID)
	if err != nil || !whole {
		return err
	}
	rows, err := c.fileRows(ctx, setID)
	if err == nil && !slices.EqualFunc(packed, rows, sameState) {
		err = errStates
	}
	return err
}

// mergeByPath puts the late states among those that are in the order of their paths.
func mergeByPath(states, late []store.FileState) []store.FileState {
	slices.SortStableFunc(late, comparePaths)
	i := len(states) - 1
	states = append(states, late...)
	for k := len(states) - 1; len(late) > 0; k-- {
		if i >= 0 && states[i].Path > late[len(late)-1].Path {
			states[k] = states[i]
			i--
		} else {
			states[k] = late[len(late)-1]
			late = late[:len(late)-1]
		}
	}
	return states
}

// packStates packs the outdated values of a doc set.
func (c sqliteChange) packStates(ctx context.Context, setID int64) error {
	rows, err := c.QueryContext(ctx, `SELECT part FROM page_states WHERE set_id = ? AND coalesce(length(content), 0) = 0
		ORDER BY part`, setID)
	if err != nil {
		return err
	}
	defer rows.Close()
	var parts []int64
	for rows.Next() {
		var part int64
		if err := rows.Scan(&part); err != nil {
			return unscanned(err)
		}
		parts = append(parts, part)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	for _, part := range parts {
		// Of a row that is damaged the states stay outdated: readers find the damage.
		if err := c.packPart(ctx, setID, part); err != nil && !errors.Is(err, store.ErrCatalogDamaged) {
			return err
		}
	}
	return nil
}

// packAll packs the outdated values of all doc sets.
func (c sqliteChange) packAll(ctx context.Context) error {
	rows, err := c.QueryContext(ctx, `SELECT id FROM sets`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var sets []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		sets = append(sets, id)
	}
	err = errors.Join(rows.Err(), rows.Close())
	for _, id := range sets {
		if err == nil {
			err = c.packStates(ctx, id)
		}
	}
	return err
}

// packPart packs the states of the documents of one part.
func (c sqliteChange) packPart(ctx context.Context, setID, part int64) error {
	// The plus keeps SQLite from reading all documents of the doc set.
	rows, err := c.QueryContext(ctx, `SELECT `+stateColumns+` FROM documents WHERE id >= ?1 << 9 AND id < (?1 + 1) << 9
		AND +set_id = ?2 AND +state = 1 ORDER BY id`, part, setID)
	if err != nil {
		return err
	}
	states, err := scanStates(rows, nil)
	switch {
	case err != nil:
		return err
	case len(states) == 0:
		_, err = c.ExecContext(ctx, `DELETE FROM page_states WHERE set_id = ? AND part = ?`, setID, part)
	default:
		_, err = c.ExecContext(ctx, `UPDATE page_states SET content = ? WHERE set_id = ? AND part = ?`,
			packStates(states), setID, part)
	}
	return err
}

func sameState(a, b store.FileState) bool {
	same := slices.EqualFunc(a.Uses, b.Uses, func(x, y doc.Use) bool {
		return x.Path == y.Path && x.SHA256 == y.SHA256 && x.Bytes == y.Bytes && x.ModTime == y.ModTime &&
			slices.Equal(x.Endings, y.Endings) && x.Contents == y.Contents
	})
	return same && a.ID == b.ID && a.Path == b.Path && a.Bytes == b.Bytes && a.ModTime == b.ModTime && a.SHA256 == b.SHA256 &&
		a.TOCPath == b.TOCPath && a.TOCModTime == b.TOCModTime && a.Format == b.Format && a.Parser == b.Parser &&
		a.Domain == b.Domain && a.Routing == b.Routing
}

// statesVersion is the first byte of packed states.
const statesVersion = 1

// statesPacker packs states. Texts that many pages have are written once, and named by their
// numbers.
type statesPacker struct {
	b       []byte
	texts   []byte
	numbers map[string]uint64
}

func (p *statesPacker) addNumber(n int64) { p.b = binary.AppendVarint(p.b, n) }

func (p *statesPacker) addText(s string) {
	p.b = binary.AppendUvarint(p.b, uint64(len(s)))
	p.b = append(p.b, s...)
}

func (p *statesPacker) addShared(s string) {
	n, ok := p.numbers[s]
	if !ok {
		n = uint64(len(p.numbers))
		p.numbers[s] = n
		p.texts = append(binary.AppendUvarint(p.texts, uint64(len(s))), s...)
	}
	p.b = binary.AppendUvarint(p.b, n)
}

// packStates packs states: a version, how many there are, the shared texts, the states, a checksum.
func packStates(states []store.FileState) []byte {
	p := &statesPacker{numbers: map[string]uint64{}}
	for i := range states {
		s := &states[i]
		p.addNumber(s.ID)
		p.addText(s.Path)
		p.addNumber(s.Bytes)
		p.addNumber(s.ModTime)
		if sum, err := hex.DecodeString(s.SHA256); err == nil && hex.EncodeToString(sum) == s.SHA256 {
			p.addText(string(sum))
			p.addText("")
		} else {
			p.addText("")
			p.addText(s.SHA256)
		}
		p.addText(s.TOCPath)
		p.addNumber(s.TOCModTime)
		p.addShared(string(s.Format))
		p.addNumber(int64(s.Parser))
		p.addText(encodeUses(s.Uses))
		p.addShared(s.Domain)
		of := s.Routing
		of.Tokens = 0 // most pages have another number
		p.addShared(encodeRouting(of))
		p.addNumber(int64(s.Routing.Tokens))
	}
	out := binary.AppendUvarint([]byte{statesVersion}, uint64(len(states)))
	out = binary.AppendUvarint(out, uint64(len(p.numbers)))
	out = append(append(out, p.texts...), p.b...)
	return binary.LittleEndian.AppendUint32(out, generation.Checksum(out))
}

// statesReader reads packed states. The texts that it gives are parts of one, and so are the hashes.
type statesReader struct {
	s      string
	hashes strings.Builder
	bad    bool
}

func (r *statesReader) readUnsigned() uint64 {
	var v uint64
	for i := 0; i < len(r.s) && i < binary.MaxVarintLen64; i++ {
		v |= uint64(r.s[i]&0x7f) << (7 * i)
		if r.s[i] < 0x80 {
			r.s = r.s[i+1:]
			return v
		}
	}
	r.s, r.bad = "", true
	return 0
}

func (r *statesReader) readNumber() int64 {
	v := r.readUnsigned()
	return int64(v>>1) ^ -int64(v&1)
}

func (r *statesReader) readText() string {
	n := r.readUnsigned()
	if n > uint64(len(r.s)) {
		r.s, r.bad = "", true
		return ""
	}
	text := r.s[:n]
	r.s = r.s[n:]
	return text
}

// sharedText is a text that many pages have, and the routing that it may be.
type sharedText struct {
	text    string
	routing store.Routing
}

func (r *statesReader) readShared(texts []sharedText) sharedText {
	n := r.readUnsigned()
	if n >= uint64(len(texts)) {
		r.bad = true
		return sharedText{}
	}
	return texts[n]
}

// unpackStates puts packed states behind others: behind states where their paths come behind, else
// behind late.
func unpackStates(states, late []store.FileState, content []byte) (_, _ []store.FileState, err error) {
	end := len(content) - 4
	if end < 1 || content[0] != statesVersion || generation.Checksum(content[:end]) != binary.LittleEndian.Uint32(content[end:]) {
		return nil, nil, errStates
	}
	r := &statesReader{s: string(content[1:end])}
	n := r.readUnsigned()
	r.hashes.Grow(int(min(n, uint64(end))) * hex.EncodedLen(sha256.Size))
	texts := make([]sharedText, min(r.readUnsigned(), uint64(end)))
	for i := range texts {
		texts[i].text = r.readText()
		// A text that is no routing is a format or a domain.
		texts[i].routing, _ = decodeRouting(texts[i].text)
	}
	for range n {
		s := r.readState(texts)
		if r.bad {
			return nil, nil, errStates
		}
		if len(states) > 0 && states[len(states)-1].Path > s.Path {
			late = append(late, s)
		} else {
			states = append(states, s)
		}
	}
	if len(r.s) > 0 {
		return nil, nil, errStates
	}
	return states, late, nil
}

func (r *statesReader) readState(texts []sharedText) (s store.FileState) {
	s.ID, s.Path, s.Bytes, s.ModTime = r.readNumber(), r.readText(), r.readNumber(), r.readNumber()
	if sum := r.readText(); sum != "" {
		const digits = "0123456789abcdef"
		at := r.hashes.Len()
		for i := range len(sum) {
			r.hashes.WriteByte(digits[sum[i]>>4])
			r.hashes.WriteByte(digits[sum[i]&15])
		}
		s.SHA256 = r.hashes.String()[at:]
	}
	if other := r.readText(); other != "" {
		s.SHA256 = other
	}
	s.TOCPath, s.TOCModTime = r.readText(), r.readNumber()
	s.Format, s.Parser = doc.Format(r.readShared(texts).text), int(r.readNumber())
	var err error
	if s.Uses, err = decodeUses(r.readText()); err != nil {
		r.bad = true
	}
	s.Domain = r.readShared(texts).text
	s.Routing = r.readShared(texts).routing
	s.Routing.Tokens = int(r.readNumber())
	return s
}

func comparePaths(a, b store.FileState) int { return strings.Compare(a.Path, b.Path) }
