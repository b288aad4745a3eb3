package postgres

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"docent/store/address"
)

// setting is where a person writes the address.
const setting = "[store] catalog"

// defaultSchema is the schema of an address that names none.
const defaultSchema = "docent"

// connectTimeout is for an address without connect_timeout.
const connectTimeout = 10 * time.Second

// AddressError means that an address cannot be used. It has nothing of the address, in which
// a password may stand.
type AddressError struct{ Reason string }

func (e *AddressError) Error() string {
	return fmt.Sprintf("the address of the PostgreSQL database (%s) cannot be used: %s; "+
		"write postgres://user@host:5432/database?schema=name", setting, e.Reason)
}

func quoteName(name string) string { return pgx.Identifier{name}.Sanitize() }

// parseAddress takes the schema out of an address and gives the rest to the driver.
func parseAddress(text string) (config *pgx.ConnConfig, schema string, err error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, "", &AddressError{"it is no URL"}
	}
	if u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return nil, "", &AddressError{"it does not begin with postgres://"}
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, "", &AddressError{"its parameters cannot be read"}
	}
	if query.Has("password") {
		return nil, "", &AddressError{
			"a password does not belong in its parameters: give it in PGPASSWORD, PGPASSWORD_FILE or a pgpass file"}
	}
	schema = defaultSchema
	if query.Has("schema") {
		schema = query.Get("schema")
	}
	if !address.IsSchemaName(schema) {
		return nil, "", &AddressError{fmt.Sprintf("%q is no name for a schema, which has lower-case letters, digits and _", schema)}
	}
	query.Del("schema")
	u.RawQuery = query.Encode()
	config, err = pgx.ParseConfig(u.String())
	if err != nil {
		return nil, "", &AddressError{parseReason(err, u)}
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "docent"
	}
	config.RuntimeParams["search_path"] = quoteName(schema)
	config.Tracer = tracer{}
	return config, schema, nil
}

// parseReason is the driver's reason, without the address.
func parseReason(err error, u *url.URL) string {
	cause := errors.Unwrap(err)
	if cause == nil {
		return "the driver does not accept it"
	}
	reason := cause.Error()
	if password, given := u.User.Password(); given && password != "" && strings.Contains(reason, password) {
		return "the driver does not accept it"
	}
	return reason
}

// place is where a schema is.
type place struct{ host, database, user, schema string }

func placeOf(config *pgx.ConnConfig, schema string) place {
	host := net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port)))
	if strings.HasPrefix(config.Host, "/") {
		host = config.Host // the folder of a socket
	}
	return place{host: host, database: config.Database, user: config.User, schema: schema}
}

// String is the address of the place, without user and password.
func (p place) String() string {
	return fmt.Sprintf("postgres://%s/%s?schema=%s", p.host, p.database, p.schema)
}
