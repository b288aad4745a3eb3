// Package postgrestest gives tests a PostgreSQL server of their own: one for each test
// binary, on a port of this machine, with its data in a temporary folder.
//
// It refuses to install PostgreSQL, and to touch a server that it did not start.
package postgrestest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// required is the word in the environment variable DOCENT_TEST_REQUIRE that makes tests
// fail where PostgreSQL is missing.
const required = "postgres"

// The roles of a server. Guarded needs a password and may make schemas; the superuser needs no
// password.
const (
	Superuser       = "postgres"
	Guarded         = "guarded"
	GuardedPassword = "correct horse"
)

// Server is a server for one test, which can end it and start it again.
type Server struct {
	port int
	life io.WriteCloser // the server ends when this is closed, also by the garbage collector
	said *bufio.Reader  // a line for each stop
}

// running is the server of this test binary. It ends with the binary, see script.
var running = sync.OnceValues(startServer)

var schemas atomic.Int64

// Start gives the address of a PostgreSQL schema that does not exist yet, on a server of
// this test binary. The first call starts the server, which takes about two seconds. It ends
// with the test binary. The test is skipped without PostgreSQL, or fails if
// DOCENT_TEST_REQUIRE has the word Required.
func Start(tb testing.TB) string {
	tb.Helper()
	return Address(tb, Superuser, "", fmt.Sprintf("docent_%d", schemas.Add(1)))
}

// Address gives the address of a schema for a role, with or without a password.
func Address(tb testing.TB, role, password, schema string) string {
	tb.Helper()
	s, err := running()
	skipMissing(tb, err)
	if password != "" {
		role += ":" + strings.ReplaceAll(password, " ", "%20")
	}
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?schema=%s", role, s.port, schema)
}

// skipMissing ends a test where the server could not be started.
func skipMissing(tb testing.TB, err error) {
	tb.Helper()
	if errors.Is(err, exec.ErrNotFound) && !slices.Contains(strings.Split(os.Getenv("DOCENT_TEST_REQUIRE"), ","), required) {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// StartOwn starts a server for one test. It ends with the test.
func StartOwn(tb testing.TB) *Server {
	tb.Helper()
	s, err := startServer()
	skipMissing(tb, err)
	tb.Cleanup(func() { _ = s.life.Close() })
	return s
}

// Run starts a server that lives until Stop, for a program that is no test. The error wraps
// exec.ErrNotFound where PostgreSQL is not installed.
func Run() (*Server, error) { return startServer() }

// Stop ends a server that Run started.
func (s *Server) Stop() error { return s.life.Close() }

// Address gives the address of a schema on the server.
func (s *Server) Address(schema string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?schema=%s", Superuser, s.port, schema)
}

// Direct gives the address of the server's database for a client of PostgreSQL, which knows no schema of
// a home.
func (s *Server) Direct() string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?sslmode=disable", Superuser, s.port)
}

// StopServer ends the server: connections are ended, and committed changes are kept. It returns
// when the server has ended.
func (s *Server) StopServer(tb testing.TB) {
	tb.Helper()
	s.order(tb, "stop")
	if _, err := s.said.ReadString('\n'); err != nil {
		tb.Fatalf("the server does not stop: %v", err)
	}
}

// StartAgain starts the server that was stopped, on the same port. It does not wait for it.
func (s *Server) StartAgain(tb testing.TB) {
	tb.Helper()
	s.order(tb, "start")
}

func (s *Server) order(tb testing.TB, word string) {
	tb.Helper()
	if _, err := io.WriteString(s.life, word+"\n"); err != nil {
		tb.Fatal(err)
	}
}

// Connect opens a connection of the superuser to the server, for a test that changes
// rows behind a store's back.
func Connect(tb testing.TB) *pgx.Conn {
	tb.Helper()
	address, _, _ := strings.Cut(Address(tb, Superuser, "", ""), "?")
	conn, err := pgx.Connect(tb.Context(), address)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = conn.Close(context.WithoutCancel(tb.Context())) })
	return conn
}

// programs finds the folder of the server's programs: in $PATH, or where Debian puts them.
func programs() (string, error) {
	var folders []string
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			folders = append(folders, filepath.Dir(path))
		}
	}
	debian, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.Reverse(debian)
	for _, folder := range append(folders, debian...) {
		if _, err := os.Stat(filepath.Join(folder, "postgres")); err == nil {
			return folder, nil
		}
	}
	return "", fmt.Errorf("PostgreSQL is not installed (Debian: apt-get install postgresql): initdb: %w", exec.ErrNotFound)
}

// startServer makes a server's data and starts it. Another program may take its port first:
// then it is tried again.
func startServer() (s *Server, err error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	for range 3 {
		dir, derr := temporaryFolder()
		if derr != nil {
			return nil, derr
		}
		if s, err = startIn(bin, dir); err == nil {
			return s, nil
		}
		log, _ := os.ReadFile(filepath.Join(dir, "log")) // nil if it was never written
		err = errors.Join(fmt.Errorf("start PostgreSQL in %s: %w\n%s", dir, err, log[max(0, len(log)-4000):]), os.RemoveAll(dir))
	}
	return nil, err
}

// hba lets every role in from this machine, Guarded with its password alone.
const hba = "host all " + Guarded + " 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n"

// makeData makes the data of a server in a folder, as initdb does. initdb takes a second of a
// processor, and a dozen test binaries need a server: what it made is kept among the temporary files, for
// each installation of PostgreSQL, and copied.
func makeData(bin, dir string) error {
	info, err := os.Stat(filepath.Join(bin, "postgres"))
	if err != nil {
		return err
	}
	kept := filepath.Join(os.TempDir(), fmt.Sprintf("docent-test-postgres-%d-%x-%x", os.Getuid(), info.Size(), info.ModTime().Unix()))
	data := filepath.Join(dir, "data")
	if copyData(filepath.Join(kept, "data"), data) == nil {
		return nil
	}
	if err := errors.Join(os.RemoveAll(data), runAsServer(dir, filepath.Join(bin, "initdb"), "--no-sync", "--username="+Superuser,
		"--auth=trust", "--encoding=UTF8", "--locale=C", "--pgdata="+data)); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(hba), 0o600); err != nil {
		return err
	}
	return keepData(data, kept)
}

// keepData keeps data for later servers. It is renamed into place, so that several processes may do this
// at the same time: the first one's stays.
func keepData(data, kept string) error {
	made, err := temporaryFolder()
	if err != nil {
		return err
	}
	if err := copyData(data, filepath.Join(made, "data")); err != nil {
		return errors.Join(err, os.RemoveAll(made))
	}
	if err := os.Rename(made, kept); err != nil {
		return os.RemoveAll(made)
	}
	return nil
}

// copyData copies data, with the owner that a server needs.
func copyData(from, to string) error {
	return runAsServer(filepath.Dir(to), "cp", "-R", from, to)
}

func runAsServer(dir, program string, args ...string) error {
	cmd := exec.Command(program, args...)
	if err := asServer(cmd); err != nil {
		return err
	}
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, out)
	}
	return nil
}

func startIn(bin, dir string) (*Server, error) {
	if err := makeData(bin, dir); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s, err := launch(bin, dir, port)
	if err != nil {
		return nil, err
	}
	if err := awaitServer(port); err != nil {
		return nil, errors.Join(fmt.Errorf("it does not answer: %w", err), s.life.Close())
	}
	return s, nil
}

// script runs the server as long as its standard input is open, which is as long as the
// test binary lives, however that ends. Then it removes the server's folder. On the words
// stop and start in its input it ends the server and starts it again.
//
// PostgreSQL 15 takes connections until it ends, and waits for the processes that refuse them. Where many
// clients come back again and again, it never ends on a busy machine. What is committed is on the disk long
// before the signal QUIT.
const script = `dir=$1 bin=$2 port=$3
start() {
	"$bin/postgres" -D "$dir/data" -h 127.0.0.1 -p "$port" -k '' -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
		-c max_connections=200 -c shared_buffers=64MB -c log_min_messages=fatal >>"$dir/log" 2>&1 </dev/null &
	server=$!
}
end() {
	kill -"$1" "$server" 2>/dev/null
	wait "$server"
}
stop() {
	(sleep 10 && kill -QUIT "$server") >/dev/null 2>&1 &
	late=$!
	end INT
	kill "$late" 2>/dev/null
	echo stopped
}
start
while read -r word; do
	case $word in
	stop) stop ;;
	start) start ;;
	esac
done
end QUIT
rm -rf "$dir"`

func launch(bin, dir string, port int) (*Server, error) {
	cmd := exec.Command("/bin/sh", "-c", script, "sh", dir, bin, fmt.Sprint(port))
	if err := asServer(cmd); err != nil {
		return nil, err
	}
	cmd.Dir = dir
	// This process closes the pipe to the script by its end alone.
	life, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &Server{port, life, bufio.NewReader(said)}, cmd.Start()
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// startTimeout is how long a server may take to answer. On an idle machine it takes 0.2 s, and 20 s and more while
// packages are compiled.
const startTimeout = 2 * time.Minute

// awaitServer waits until the server answers, and makes its roles.
func awaitServer(port int) (err error) {
	ctx, done := context.WithTimeout(context.Background(), startTimeout)
	defer done()
	address := fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres", Superuser, port)
	for {
		conn, cerr := pgx.Connect(ctx, address)
		if cerr == nil {
			_, err = conn.Exec(ctx, `CREATE ROLE `+Guarded+` LOGIN PASSWORD '`+GuardedPassword+`';
				GRANT CREATE ON DATABASE postgres TO `+Guarded)
			return errors.Join(err, conn.Close(ctx))
		}
		select {
		case <-ctx.Done():
			return cerr
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Dump gives a backup of a schema, as pg_dump makes it.
func (s *Server) Dump(tb testing.TB, schema string) []byte {
	tb.Helper()
	return s.client(tb, nil, "pg_dump", "--schema="+schema)
}

// Restore puts a schema in the place of the one that is there, from a backup.
func (s *Server) Restore(tb testing.TB, schema string, dump []byte) {
	tb.Helper()
	s.client(tb, append([]byte("DROP SCHEMA "+schema+" CASCADE;\n"), dump...), "psql", "--quiet", "--set=ON_ERROR_STOP=1")
}

// client runs a program that speaks to the server.
func (s *Server) client(tb testing.TB, in []byte, program string, args ...string) []byte {
	tb.Helper()
	bin, err := programs()
	if err != nil {
		tb.Fatal(err)
	}
	address, _, _ := strings.Cut(s.Address(""), "?")
	cmd := exec.CommandContext(tb.Context(), filepath.Join(bin, program), append(args, address)...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), &errs
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("%s: %v: %s", program, err, errs.Bytes())
	}
	return out
}
