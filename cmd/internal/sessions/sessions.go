// Package sessions keeps what outlives a session of the terminal app: saved
// sessions, the questions that were asked, the pages that were read, marks, and files
// that a person exports.
//
// Sessions lie in the home's folder sessions, a JSON file each (see
// pipeline.Saved), whose name begins with the time; questions in questions.txt, one
// a line, the newest last; pages read and marks in places.json; what the app keeps of
// itself in app.json. It refuses to write over a file that a person named.
package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docent/pipeline"
	"docent/store/durable"
)

const (
	folder        = "sessions"
	questionsName = "questions.txt"
	keptQuestions = 1000 // after a sweep, which comes when there are twice as many
	mostSessions  = 500  // that are listed
	maxSession    = 64 << 20
)

// Keeper is a place in a home. It is not safe for concurrent use by several
// goroutines that write; several processes may use one home.
type Keeper struct {
	Home string
	Dir  string // where files with a relative name are written
	Now  func() time.Time
}

// SaveSession writes a session and gives its path.
func (k Keeper) SaveSession(_ context.Context, s pipeline.Saved) (string, error) {
	b, err := s.Encode()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(k.Home, folder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the session was not saved: %w", err)
	}
	if _, err := durable.SweepTemporary(dir, abandoned); err != nil {
		return "", fmt.Errorf("the session was not saved: %w", err)
	}
	stem := k.Now().UTC().Format("20060102-150405") + "-" + pipeline.FileSlug(s.Request.Question)
	for i := 1; ; i++ {
		name := stem
		if i > 1 {
			name = fmt.Sprintf("%s-%d", stem, i)
		}
		path := filepath.Join(dir, name+".json")
		err := durable.WriteNew(path, b)
		if errors.Is(err, fs.ErrExist) && i < 100 {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("the session was not saved: %w", err)
		}
		return path, nil
	}
}

// abandoned is the age from which a temporary file belongs to no writer any more.
const abandoned = time.Hour

// Replace writes a file that a person named, over an earlier one too. A link stays a
// link, and a file that is not regular, such as a pipe, is written to directly.
func Replace(path string, b []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		return os.WriteFile(path, b, 0o600)
	}
	if werr := durable.WriteFile(path, b); werr != nil || err != nil {
		return werr
	}
	return os.Chmod(path, st.Mode().Perm()) // as its owner had it
}

// Sessions are those that were saved, the newest first. Those that cannot be read are
// among them, marked as broken: somebody misses them.
func (k Keeper) Sessions(ctx context.Context) ([]pipeline.SavedInfo, error) {
	entries, err := os.ReadDir(filepath.Join(k.Home, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.Reverse(entries) // names begin with the time
	var out []pipeline.SavedInfo
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(out) == mostSessions {
			break
		}
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		info := pipeline.SavedInfo{ID: e.Name()}
		info.Question, info.Broken = glanceAtSession(filepath.Join(k.Home, folder, e.Name()))
		if i, err := e.Info(); err == nil {
			info.When = i.ModTime().Format("2006-01-02 15:04")
		}
		out = append(out, info)
	}
	return out, nil
}

// glanceAtSession reads a session's question, or says why the session is broken.
func glanceAtSession(path string) (question, broken string) {
	b, err := readSmallFile(path)
	if err != nil {
		return "", "it cannot be read"
	}
	var head struct {
		Format  int `json:"docent_session"`
		Request struct {
			Question string `json:"question"`
		} `json:"request"`
	}
	switch err := json.Unmarshal(b, &head); {
	case err != nil && len(b) == 0:
		return "", "it is empty"
	case err != nil:
		return "", "it is damaged"
	case head.Format == 0:
		return "", "it is no saved session"
	case pipeline.CheckSaved(b) != nil:
		return head.Request.Question, "it is damaged"
	}
	return head.Request.Question, ""
}

// Damaged names the saved sessions that are not as they were saved, and says how many there
// are in all.
func (k Keeper) Damaged(ctx context.Context) (damaged []string, all int, err error) {
	entries, err := os.ReadDir(filepath.Join(k.Home, folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".json") {
			continue
		}
		all++
		if _, lerr := LoadSession(filepath.Join(k.Home, folder, e.Name())); lerr != nil {
			damaged = append(damaged, e.Name())
		}
	}
	return damaged, all, err
}

// LoadSession opens one by its name in the list.
func (k Keeper) LoadSession(_ context.Context, id string) (pipeline.Saved, error) {
	path, err := k.sessionPath(id)
	if err != nil {
		return pipeline.Saved{}, err
	}
	return LoadSession(path)
}

// LoadSession opens the session in a file.
func LoadSession(path string) (pipeline.Saved, error) {
	b, err := readSmallFile(path)
	if err != nil {
		return pipeline.Saved{}, err
	}
	s, err := pipeline.DecodeSaved(b)
	if err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// readSmallFile refuses files that are too large for a session: a device, or a disk image.
func readSmallFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSession {
		return nil, fmt.Errorf("%s is no saved session", path)
	}
	return os.ReadFile(path)
}

// RemoveSession deletes one.
func (k Keeper) RemoveSession(_ context.Context, id string) error {
	path, err := k.sessionPath(id)
	if err != nil {
		return err
	}
	return os.Remove(path)
}

// sessionPath is a session's, whose name must lead nowhere else.
func (k Keeper) sessionPath(id string) (string, error) {
	if id != filepath.Base(id) || !filepath.IsLocal(id) || !strings.HasSuffix(id, ".json") {
		return "", fmt.Errorf("%q is no session's name", id)
	}
	return filepath.Join(k.Home, folder, id), nil
}

// Questions are those that were asked, each once, the newest last.
func (k Keeper) Questions(context.Context) ([]string, error) {
	b, err := os.ReadFile(filepath.Join(k.Home, questionsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(b), "\n")
	var out []string
	seen := map[string]bool{}
	for _, l := range slices.Backward(lines) {
		if l = strings.TrimSpace(strings.ToValidUTF8(l, "\uFFFD")); l != "" && !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	out = out[:min(len(out), keptQuestions)]
	slices.Reverse(out)
	return out, nil
}

// Remember adds a question. Lines are appended, so that several processes lose
// none; now and then the file is swept.
func (k Keeper) Remember(ctx context.Context, question string) error {
	line := strings.Join(strings.Fields(question), " ")
	if line == "" {
		return nil
	}
	if err := os.MkdirAll(k.Home, 0o700); err != nil {
		return err
	}
	path := filepath.Join(k.Home, questionsName)
	if err := durable.Append(path, []byte(line+"\n")); err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil || strings.Count(string(b), "\n") <= 2*keptQuestions {
		return err
	}
	list, err := k.Questions(ctx)
	if err != nil {
		return err
	}
	return k.writeQuestions(list)
}

// Forget takes a question out.
func (k Keeper) Forget(ctx context.Context, question string) error {
	list, err := k.Questions(ctx)
	if err != nil {
		return err
	}
	line := strings.Join(strings.Fields(question), " ")
	return k.writeQuestions(slices.DeleteFunc(list, func(q string) bool { return q == line }))
}

func (k Keeper) writeQuestions(list []string) error {
	text := strings.Join(list, "\n")
	if text != "" {
		text += "\n"
	}
	return durable.WriteFile(filepath.Join(k.Home, questionsName), []byte(text))
}

// WriteFile writes a new file and gives its path.
func (k Keeper) WriteFile(_ context.Context, name, text string) (string, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(k.Dir, name)
	}
	err := durable.WriteNew(path, []byte(text))
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s is there already, and nothing was written; give another name", path)
	}
	return path, err
}
