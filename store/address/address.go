// Package address reads the addresses of stores on servers, as a person writes them.
//
// It refuses to connect to them: that is the stores' own.
package address

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Weaviate says where a Weaviate is and what the home's collections are called.
type Weaviate struct {
	Hosts []string // with ports; requests go to the first that answers
	TLS   bool
	Name  string // letters and digits; the collections' names begin with it
	Key   string // of the API; empty where the server wants no key
	// Replicas is how many nodes keep each doc set.
	Replicas int
	// GRPC are the addresses of the hosts' gRPC interface, in the order of Hosts. Without them searches go over GraphQL.
	GRPC []string
}

const (
	weaviateScheme  = "weaviate"
	weaviateTLS     = "weaviate+https"
	weaviatePort    = "8080"
	defaultName     = "docent"
	mostReplicas    = 9
	replicasSetting = "replicas"
	grpcSetting     = "grpc"
)

// A bound in the pattern would be written out, which costs .1 ms at each start.
var isName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)

const (
	mostName   = 41 // bytes
	mostSchema = 63 // what PostgreSQL takes
)

// ParseWeaviate reads weaviate://HOST:PORT[,HOST:PORT…]/NAME[?replicas=N&grpc=PORT], or weaviate+https://
// for TLS. NAME is docent unless it is given, the port 8080. grpc is the port that all hosts have for gRPC, or
// one HOST:PORT for each host.
func ParseWeaviate(text string) (Weaviate, error) {
	a, fault := parseWeaviate(text)
	if fault != "" {
		return a, fmt.Errorf("%q is no address of a Weaviate, such as weaviate://HOST:8080/NAME or weaviate+https://HOST/NAME: %s",
			text, fault)
	}
	return a, nil
}

func parseWeaviate(text string) (a Weaviate, fault string) {
	scheme, rest, _ := strings.Cut(text, "://")
	if scheme != weaviateScheme && scheme != weaviateTLS {
		return a, "it begins otherwise"
	}
	rest, query, _ := strings.Cut(rest, "?")
	hosts, name, _ := strings.Cut(rest, "/")
	a = Weaviate{TLS: scheme == weaviateTLS, Name: defaultName, Replicas: 1}
	for h := range strings.SplitSeq(hosts, ",") {
		u, err := url.Parse("http://" + h)
		if err != nil || u.Hostname() == "" || u.User != nil || u.Path != "" || u.Fragment != "" {
			return a, fmt.Sprintf("%q is no host with a port; a key comes from the environment", h)
		}
		if u.Port() == "" {
			h += ":" + weaviatePort
		}
		a.Hosts = append(a.Hosts, h)
	}
	if name != "" {
		if a.Name = name; len(name) > mostName || !isName.MatchString(name) {
			return a, "the name has up to 41 letters and digits, a letter first"
		}
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return a, err.Error()
	}
	for _, k := range slices.Sorted(maps.Keys(values)) {
		switch k {
		case replicasSetting:
			if a.Replicas, err = strconv.Atoi(values.Get(k)); err != nil || a.Replicas < 1 || a.Replicas > mostReplicas {
				return a, "replicas are 1 to " + strconv.Itoa(mostReplicas)
			}
		case grpcSetting:
			if a.GRPC, fault = parseGRPC(values.Get(k), a.Hosts); fault != "" {
				return a, fault
			}
		default:
			return a, fmt.Sprintf("there is no setting %q", k)
		}
	}
	return a, ""
}

// parseGRPC reads the port that all hosts have for gRPC, or an address for each of them.
func parseGRPC(text string, hosts []string) (addresses []string, fault string) {
	if isPort(text) {
		for _, h := range hosts {
			name, _, _ := net.SplitHostPort(h) // each has a port here
			addresses = append(addresses, net.JoinHostPort(name, text))
		}
		return addresses, ""
	}
	addresses = strings.Split(text, ",")
	if len(addresses) != len(hosts) {
		return nil, fmt.Sprintf("grpc is a port such as 50051, or one HOST:PORT for each of the %d hosts", len(hosts))
	}
	for _, a := range addresses {
		if host, port, err := net.SplitHostPort(a); err != nil || host == "" || !isPort(port) {
			return nil, fmt.Sprintf("%q is no host with a port for gRPC", a)
		}
	}
	return addresses, ""
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// String is the address without the key.
func (a Weaviate) String() string {
	scheme := weaviateScheme
	if a.TLS {
		scheme = weaviateTLS
	}
	return scheme + "://" + strings.Join(a.Hosts, ",") + "/" + a.Name
}

// Postgres says which schema of a PostgreSQL database a catalog lies in. Its text is the address
// without user and password.
type Postgres struct {
	Host, Database, Schema string
}

const defaultSchema = "docent"

var isSchema = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// IsSchemaName reports whether a name can be a schema's without quotes.
func IsSchemaName(name string) bool {
	return len(name) <= mostSchema && isSchema.MatchString(name) && !strings.HasPrefix(name, "pg_")
}

// ParsePostgres reads postgres://USER@HOST:PORT/DATABASE?schema=NAME. The errors say nothing of
// the address, in which a password may stand.
func ParsePostgres(text string) (Postgres, error) {
	wrong := func(why string) (Postgres, error) {
		return Postgres{}, errors.New("this is no address of a PostgreSQL schema, such as " +
			"postgres://USER@HOST:5432/DATABASE?schema=NAME: " + why)
	}
	u, err := url.Parse(text)
	if err != nil {
		return wrong("it is no URL")
	}
	if u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return wrong("it begins otherwise")
	}
	p := Postgres{Host: u.Host, Database: strings.TrimPrefix(u.Path, "/"), Schema: defaultSchema}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return wrong("its parameters cannot be read")
	}
	if values.Has("password") {
		return wrong("a password belongs into PGPASSWORD, PGPASSWORD_FILE or a pgpass file")
	}
	if p.Host == "" && values.Get("host") == "" {
		return wrong("it names no host")
	}
	if values.Has("schema") {
		p.Schema = values.Get("schema")
	}
	if !IsSchemaName(p.Schema) {
		return wrong("a schema's name has lower-case letters, digits and _")
	}
	return p, nil
}

// String is the address without user and password.
func (p Postgres) String() string {
	return "postgres://" + p.Host + "/" + p.Database + "?schema=" + p.Schema
}
