module docent

go 1.26.0

require (
	aead.dev/minisign v0.3.0 // signatures of packages, in minisign's format
	charm.land/bubbletea/v2 v2.0.9 // the terminal app
	charm.land/glamour/v2 v2.0.1 // Markdown in a terminal
	charm.land/lipgloss/v2 v2.0.6 // the themes' styles
	github.com/BurntSushi/toml v1.6.0 // docent.toml; knows unknown keys
	github.com/RoaringBitmap/roaring/v2 v2.14.5 // sets of passages, as zap's merge takes them; bleve links it
	github.com/adrg/xdg v0.5.3 // where data belongs on each system
	github.com/bits-and-blooms/bitset v1.24.6 // the kept units of a page; bleve links it
	github.com/blevesearch/bleve/v2 v2.6.1 // scorch, the segments of the word index
	github.com/blevesearch/bleve_index_api v1.4.1 // scorch's interfaces
	github.com/blevesearch/scorch_segment_api/v2 v2.4.10 // its segments: dictionaries and postings
	github.com/blevesearch/snowballstem v0.9.0 // the Porter2 stemmer
	github.com/blevesearch/vellum v1.2.0 // the dictionaries in these segments; zap links it
	github.com/blevesearch/zapx/v17 v17.2.3 // writes scorch's segments: scorch's own builder puts passages into a random order
	github.com/charmbracelet/colorprofile v0.4.3 // what colours a terminal has
	github.com/charmbracelet/ultraviolet v0.0.0-20260811164956-006e29f97886 // the cells of x/vt, for pictures
	github.com/charmbracelet/x/ansi v0.11.8 // widths of text on a terminal
	github.com/charmbracelet/x/term v0.2.2 // is it a terminal, and how large
	github.com/charmbracelet/x/vt v0.0.0-20260924144451-d676b019604b // a terminal in tests and for pictures
	github.com/creack/pty v1.1.24 // a pseudo terminal in tests and for pictures
	github.com/fsnotify/fsnotify v1.10.1 // tells of changes in folders, on every system
	github.com/gofrs/flock v0.13.1 // file locks on every system
	github.com/google/jsonschema-go v0.4.3 // JSON Schemas of the tools for agents; the MCP SDK links it
	github.com/jackc/pgx/v5 v5.8.0 // the driver of PostgreSQL, for homes that several machines share
	github.com/klauspost/compress v1.20.4 // zstd, for archives, with a bound on the window, and for kept documents; only zstd is linked
	github.com/microcosm-cc/bluemonday v1.0.27 // HTML of pages without what a browser would run or load; glamour links it
	github.com/modelcontextprotocol/go-sdk v1.8.0 // the Model Context Protocol; 0.3 ms at each start
	github.com/ollama/ollama v0.34.3 // the client of Ollama's server; only its api package is linked
	github.com/riverqueue/river v0.31.0 // the durable queue of jobs; the same code on SQLite and on PostgreSQL
	github.com/riverqueue/river/riverdriver v0.31.0 // what its two drivers have in common
	github.com/riverqueue/river/riverdriver/riverdatabasesql v0.31.0 // its driver for PostgreSQL that takes transactions of database/sql
	github.com/riverqueue/river/riverdriver/riversqlite v0.31.0 // its driver for the catalog's file
	github.com/rogpeppe/go-internal v1.16.0 // testscript: whole-program tests
	github.com/sahilm/fuzzy v0.1.3 // lists that are narrowed by typing
	github.com/spf13/cobra v1.10.2 // commands, flags, completions
	github.com/spf13/pflag v1.0.10 // cobra's flags, to tell a flag from a question
	github.com/temoto/robotstxt v1.1.2 // what robots.txt allows: groups, the longest rule, wildcards
	github.com/xi2/xz v0.0.0-20171230120015-48954b6210f8 // xz, with a bound on its dictionary, which ulikunitz/xz lacks
	github.com/yuin/goldmark v1.8.7 // the Markdown parser
	go.opentelemetry.io/otel v1.47.0 // the names of spans' parts, W3C's Trace Context
	go.opentelemetry.io/otel/sdk v1.47.0 // spans of a server's requests, sampled and batched as OpenTelemetry's variables say; 0.2 ms at each start
	go.opentelemetry.io/otel/trace v1.47.0 // spans
	golang.org/x/crypto v0.57.0 // argon2id, for the server's password
	golang.org/x/image v0.47.0 // fonts, for pictures of the app
	golang.org/x/mod v0.41.0 // go.mod files, and the names of Go modules
	golang.org/x/net v0.59.0 // the tokens of HTML and its encodings; glamour links it
	golang.org/x/sys v0.49.0 // files as memory, entries of folders
	golang.org/x/text v0.43.0 // decoders of pages that are not UTF-8; the widths of characters in tables; letters without their accents, for the anchors of reStructuredText
	google.golang.org/protobuf v1.36.12 // protowire: the messages of a search of Weaviate over gRPC, without generated code
	gopkg.in/yaml.v3 v3.0.1 // OpenAPI documents in YAML; the client of Ollama links it
	modernc.org/sqlite v1.60.1 // the catalog, without cgo
	pgregory.net/rapid v1.3.0 // properties in tests
)

require (
	github.com/alecthomas/chroma/v2 v2.14.0 // indirect
	github.com/aymerick/douceur v0.2.0 // indirect
	github.com/bahlo/generic-list-go v0.2.0 // indirect
	github.com/blevesearch/geo v0.2.6 // indirect
	github.com/blevesearch/go-faiss v1.1.5 // indirect
	github.com/blevesearch/mmap-go v1.2.0 // indirect
	github.com/blevesearch/upsidedown_store_api v1.0.2 // indirect
	github.com/blevesearch/zapx/v11 v11.4.3 // indirect
	github.com/blevesearch/zapx/v12 v12.4.3 // indirect
	github.com/blevesearch/zapx/v13 v13.4.3 // indirect
	github.com/blevesearch/zapx/v14 v14.4.3 // indirect
	github.com/blevesearch/zapx/v15 v15.4.3 // indirect
	github.com/blevesearch/zapx/v16 v16.3.4 // indirect
	github.com/buger/jsonparser v1.1.1 // indirect
	github.com/charmbracelet/x/exp/ordered v0.1.0 // indirect
	github.com/charmbracelet/x/exp/slice v0.0.0-20250327172914-2fdc97757edf // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/dlclark/regexp2 v1.11.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/golang/snappy v1.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/gorilla/css v1.0.1 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.2 // indirect
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/lib/pq v1.11.2 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mailru/easyjson v0.7.7 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mattn/go-runewidth v0.0.24 // indirect; not newer: from 0.0.26 on it fills a table of 2 MB at every start (20-40 ms)
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
	github.com/mschoch/smat v0.2.0 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/riverqueue/river/rivershared v0.31.0 // indirect
	github.com/riverqueue/river/rivertype v0.31.0 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/tidwall/gjson v1.18.0 // indirect
	github.com/tidwall/match v1.2.0 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	github.com/wk8/go-ordered-map/v2 v2.1.8 // indirect
	github.com/xo/terminfo v0.0.0-20220910002029-abceb7e1c41e // indirect
	github.com/yuin/goldmark-emoji v1.0.5 // indirect
	go.etcd.io/bbolt v1.4.0 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	modernc.org/libc v1.77.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel/log v1.47.0 // indirect
	go.opentelemetry.io/otel/metric v1.47.0 // indirect
	golang.org/x/oauth2 v0.37.0 // indirect
	golang.org/x/time v0.15.0 // indirect
)
