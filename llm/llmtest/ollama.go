package llmtest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Names of the models on a Server.
const (
	ChatModel  = "tiny-chat:latest"
	EmbedModel = "tiny-embed:latest"
)

// Server is a real Ollama server on the loopback address, with the two tiny
// models and a temporary home folder.
type Server struct {
	URL string

	t    testing.TB
	path string
	home string
	port string
	mu   sync.Mutex
	cmd  *exec.Cmd
	log  *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Ollama starts a server and stops it when the test ends. A failed test logs the
// end of the server's log. Without an ollama program the test is skipped, or fails
// if the list in the environment variable DOCENT_TEST_REQUIRE has "ollama": .ci/run sets it
// where the program is installed. Options are environment variables of the server,
// such as OLLAMA_MAX_QUEUE=1.
func Ollama(t testing.TB, options ...string) *Server {
	t.Helper()
	path, err := program()
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("DOCENT_TEST_REQUIRE"), ","), "ollama") {
			t.Fatalf("DOCENT_TEST_REQUIRE asks for tests with a real server: %v", err)
		}
		t.Skip(err)
	}
	s := &Server{t: t, path: path, home: t.TempDir(), port: "0"}
	t.Cleanup(func() {
		s.KillServer()
		if t.Failed() {
			log := s.log.String()
			t.Logf("the server's log:\n%s", log[max(0, len(log)-8000):])
		}
	})
	s.start(options)
	s.Create(ChatModel, TinyChat(1))
	s.Create(EmbedModel, TinyEmbed(1))
	return s
}

// startTimeout is the time limit for starting a server and for creating a model.
// On an idle machine a start takes 0.1 s.
const startTimeout = 30 * time.Second

// start starts the server and waits until it listens.
func (s *Server) start(options []string) {
	s.t.Helper()
	cmd := exec.Command(s.path, "serve")
	cmd.Dir = s.home
	cmd.Env = append([]string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + s.home, "OLLAMA_HOST=127.0.0.1:" + s.port,
		"OLLAMA_MODELS=" + filepath.Join(s.home, "models"), "OLLAMA_NOPRUNE=1", "OLLAMA_NO_CLOUD=1",
		// Test machines have few CPUs and no GPU.
		"OLLAMA_NUM_PARALLEL=1", "CUDA_VISIBLE_DEVICES=-1", "GGML_VK_VISIBLE_DEVICES=-1"}, options...)
	setProcessGroup(cmd)
	errs, err := cmd.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	log := &lockedBuffer{}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	s.cmd, s.log = cmd, log
	s.mu.Unlock()
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(errs)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			line := lines.Text()
			fmt.Fprintln(log, line)
			if _, rest, ok := strings.Cut(line, "Listening on "); ok {
				rest, _, _ = strings.Cut(strings.TrimRight(rest, `"`), " ")
				select {
				case address <- rest:
				default:
				}
			}
		}
		_, _ = io.Copy(log, errs)
	}()
	select {
	case a := <-address:
		s.URL = "http://" + a
		s.port = a[strings.LastIndexByte(a, ':')+1:]
	case <-time.After(startTimeout):
		s.t.Fatalf("%s does not listen after %v:\n%s", s.path, startTimeout, log)
	}
}

// KillServer kills the server and its model processes at once, like a crash.
func (s *Server) KillServer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return
	}
	killGroup(s.cmd)
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Restart kills the server and starts it again at the same address.
func (s *Server) Restart(options ...string) {
	s.t.Helper()
	s.KillServer()
	s.start(options)
}

// KillRunners kills the model processes and returns their number. The server keeps
// running.
func (s *Server) KillRunners() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return 0
	}
	killed := 0
	for _, pid := range children(s.cmd.Process.Pid) {
		if killProcess(pid) {
			killed++
		}
	}
	return killed
}

// Runners returns the ids of the model processes; none on systems without /proc.
func (s *Server) Runners() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return nil
	}
	return children(s.cmd.Process.Pid)
}

// Create adds a model from the bytes of a GGUF file.
func (s *Server) Create(name string, gguf []byte) {
	s.t.Helper()
	sum := sha256.Sum256(gguf)
	digest := "sha256:" + hex.EncodeToString(sum[:])
	s.postRequired("/api/blobs/"+digest, gguf)
	request, err := json.Marshal(map[string]any{"model": name, "files": map[string]string{"model.gguf": digest}, "stream": false})
	if err != nil {
		s.t.Fatal(err)
	}
	s.postRequired("/api/create", request)
}

// postRequired sends a request and requires success.
func (s *Server) postRequired(path string, body []byte) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), startTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+path, bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode >= 300 {
		s.t.Fatalf("%s: %s %s %v", path, resp.Status, text, err)
	}
}

// program is the path of the ollama program. It is looked up once per process.
var program = sync.OnceValues(findProgram)

// findProgram looks for the ollama program in DOCENT_TEST_OLLAMA, on PATH, and,
// compressed, in ../shared/tools next to the checkout.
func findProgram() (string, error) {
	if path := os.Getenv("DOCENT_TEST_OLLAMA"); path != "" {
		if strings.HasSuffix(path, ".xz") {
			return unpack(path)
		}
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("DOCENT_TEST_OLLAMA: %w", err)
		}
		return path, nil
	}
	if path, err := exec.LookPath("ollama"); err == nil {
		return path, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	packed, err := filepath.Glob(filepath.Join(dir, "..", "shared", "tools", "ollama-*-"+platform+".xz"))
	if err != nil || len(packed) == 0 {
		return "", errors.New("there is no ollama: put one on PATH, or name it in DOCENT_TEST_OLLAMA")
	}
	return unpack(packed[len(packed)-1])
}

// unpack decompresses a program into a folder that later runs reuse. The folder's
// name contains the file's size and time. The program is renamed into place, so
// several test processes may do this at the same time.
func unpack(packed string) (string, error) {
	info, err := os.Stat(packed)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("docent-test-ollama-%d-%x-%x", os.Getuid(), info.Size(), info.ModTime().Unix()))
	path := filepath.Join(dir, "ollama")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "unpacking")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	cmd := exec.Command("xz", "-dc", packed)
	cmd.Stdout = f
	err = errors.Join(cmd.Run(), f.Chmod(0o700), f.Close())
	if err != nil {
		return "", fmt.Errorf("%s cannot be unpacked with xz: %w", packed, err)
	}
	return path, os.Rename(f.Name(), path)
}
