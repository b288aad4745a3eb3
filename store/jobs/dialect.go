package jobs

import "strings"

// dialect has the terms in which the statements of the engines differ: River keeps JSON as
// text in SQLite, where a damaged column is not JSON any more, and as JSON in PostgreSQL.
type dialect struct {
	uploadOf     string // the upload of a job
	lastWorker   string // the worker that has a job, or had it last
	now          string
	later        string                     // now and so many seconds
	crashes      string                     // workers that died at it
	risk         string                     // 1 where a file that may kill its worker is being read
	isCancelled  string                     // whether any process cancelled it
	lastError    string                     // the text of its last failure, or ''
	unread       string                     // whether its columns are damaged
	noteCrash    string                     // with the number of crashes and the reason
	putUpload    string                     // adds an upload or replaces that of its id
	milliseconds func(column string) string // of a time, since 1970
	// markRisk notes in a running job that a file which may kill its worker is being read, or
	// was: River changes the metadata of a job when it ends, which is too late.
	markRisk string
}

func sqliteDialect() *dialect {
	return &dialect{
		uploadOf:    `iif(json_valid(CAST(args AS TEXT)), json_extract(CAST(args AS TEXT), '$.documentId'), '')`,
		lastWorker:  `coalesce(json_extract(CAST(attempted_by AS TEXT), '$[#-1]'), '')`,
		now:         `datetime('now', 'subsec')`,
		later:       `datetime('now', 'subsec', '+' || ? || ' seconds')`,
		crashes:     `coalesce(json_extract(CAST(metadata AS TEXT), '$.crashes'), 0)`,
		risk:        `coalesce(json_extract(CAST(metadata AS TEXT), '$.risk'), 0)`,
		isCancelled: `json_extract(CAST(metadata AS TEXT), '$.cancel_attempted_at') IS NOT NULL`,
		lastError:   `coalesce(json_extract(CAST(errors AS TEXT), '$[#-1].error'), '')`,
		unread: `NOT json_valid(CAST(args AS TEXT)) OR NOT json_valid(CAST(metadata AS TEXT))
			OR errors IS NOT NULL AND NOT json_valid(CAST(errors AS TEXT))
			OR attempted_by IS NOT NULL AND NOT json_valid(CAST(attempted_by AS TEXT))`,
		noteCrash: `metadata = json_set(CAST(metadata AS TEXT), '$.crashes', ?, '$.risk', json('false')),
			errors = json_insert(coalesce(CAST(errors AS TEXT), '[]'), '$[#]',
				json_object('at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'attempt', attempt, 'error', ?, 'trace', ''))`,
		putUpload: `INSERT OR REPLACE INTO uploads (` + uploadColumns + `) VALUES (?` + strings.Repeat(", ?", 18) + `)`,
		milliseconds: func(column string) string {
			return `CAST(unixepoch(CAST(` + column + ` AS TEXT), 'subsec') * 1000 AS INTEGER)`
		},
		markRisk: `UPDATE river_job SET metadata = json_set(CAST(metadata AS TEXT), '$.risk', json(?)) WHERE id = ? AND state = 'running'`,
	}
}

func postgresDialect() *dialect {
	return &dialect{
		uploadOf:    `(args ->> 'documentId')`,
		lastWorker:  `coalesce(attempted_by[array_upper(attempted_by, 1)], '')`,
		now:         `now()`,
		later:       `now() + ? * interval '1 second'`,
		crashes:     `coalesce((metadata ->> 'crashes')::bigint, 0)`,
		risk:        `coalesce((metadata ->> 'risk')::boolean, false)::integer`,
		isCancelled: `metadata ->> 'cancel_attempted_at' IS NOT NULL`,
		lastError:   `coalesce(errors[array_upper(errors, 1)] ->> 'error', '')`,
		unread:      `jsonb_typeof(args) <> 'object' OR jsonb_typeof(metadata) <> 'object'`,
		noteCrash: `metadata = metadata || jsonb_build_object('crashes', ?::bigint, 'risk', false),
			errors = array_append(errors, jsonb_build_object('at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
				'attempt', attempt, 'error', ?::text, 'trace', ''))`,
		putUpload: `INSERT INTO uploads (` + uploadColumns + `) VALUES (?` + strings.Repeat(", ?", 18) + `)
			ON CONFLICT (id) DO UPDATE SET ` + replaceAll(uploadColumns),
		milliseconds: func(column string) string { return `(extract(epoch FROM ` + column + `) * 1000)::bigint` },
		markRisk: `UPDATE river_job SET metadata = metadata || jsonb_build_object('risk', ?::boolean)
			WHERE id = ? AND state = 'running'`,
	}
}

// replaceAll is the part of a statement that replaces all columns of a row but for the first,
// its key.
func replaceAll(columns string) string {
	var b strings.Builder
	for i, column := range strings.Split(columns, ",") {
		column = strings.TrimSpace(column)
		if i > 1 {
			b.WriteString(", ")
		}
		if i > 0 {
			b.WriteString(column + " = excluded." + column)
		}
	}
	return b.String()
}
