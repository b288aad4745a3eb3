package jobs

import "docent/store/queue"

// The statements on River's table. River's API covers adding, cancelling and retrying a
// job; what it lacks stands here, each with its reason, in SQLite's dialect: the columns
// that River keeps as JSON are blobs there. No other file names the table or its columns,
// and no other package: a store on another database has its own list.

// uploadOf is the upload of a job; it stands a payload that is damaged.
const uploadOf = `iif(json_valid(CAST(args AS TEXT)), json_extract(CAST(args AS TEXT), '$.documentId'), '')`

// ofUpload chooses the jobs of an upload.
const ofUpload = uploadOf + ` = ?`

// lastWorker is the worker that has a job, or had it last.
const lastWorker = `coalesce(json_extract(CAST(attempted_by AS TEXT), '$[#-1]'), '')`

// jobState is a job's state in our words: River's states do not tell a first attempt from
// a repeated one. What waits for less than River's scheduler looks again is available to
// it, with a time to come.
const jobState = `CASE
	WHEN j.state = 'running' THEN '` + queue.Running + `'
	WHEN j.state = 'completed' THEN '` + queue.Done + `'
	WHEN j.state = 'discarded' THEN '` + queue.Failed + `'
	WHEN j.state = 'cancelled' THEN '` + queue.Cancelled + `'
	WHEN j.state = 'retryable' OR j.attempt > 0 AND j.scheduled_at > datetime('now', 'subsec') THEN '` + queue.Retry + `'
	ELSE '` + queue.Waiting + `' END`

// millisecondsOf is a time of River's tables in milliseconds since 1970.
func millisecondsOf(column string) string {
	return `CAST(unixepoch(CAST(` + column + ` AS TEXT), 'subsec') * 1000 AS INTEGER)`
}

// countJobs and selectJobs list jobs with the names of their files: River's list knows no
// table but its own, and no order by number with an offset.
func countJobs(where string) string { return `SELECT count(*) FROM river_job j WHERE ` + where }

func selectJobs(where string) string {
	return `SELECT j.id, coalesce(` + uploadOf + `, ''), coalesce(u.filename, ''), j.queue, ` + jobState + `, j.attempt, j.max_attempts,
	coalesce(json_extract(CAST(j.metadata AS TEXT), '$.crashes'), 0), coalesce(json_extract(CAST(j.errors AS TEXT), '$[#-1].error'), ''),
	` + millisecondsOf("j.created_at") + `, ` + millisecondsOf("j.scheduled_at") + `,
	` + millisecondsOf("j.attempted_at") + `, ` + millisecondsOf("j.finalized_at") + `, CAST(j.args AS TEXT)
	FROM river_job j LEFT JOIN uploads u ON u.id = ` + uploadOf + ` WHERE ` + where + ` ORDER BY j.id DESC LIMIT ? OFFSET ?`
}

// Of an upload's jobs. River has no index on what a job is for, and deletes by its own
// clock alone.
const (
	indexJobsByUpload = `CREATE INDEX IF NOT EXISTS uploads_jobs ON river_job (` + uploadOf + `)`
	countWaitingJobs  = `SELECT count(*) FROM river_job WHERE ` + ofUpload + ` AND finalized_at IS NULL AND state <> 'running'`
	deleteUploadJobs  = `DELETE FROM river_job WHERE ` + ofUpload + ` AND state <> 'running'`
	// selectJobless lists the uploads that wait and have no job: it joins with a table
	// that River does not know.
	selectJobless = `SELECT id FROM uploads WHERE status IN ('PENDING', 'PROCESSING') AND id NOT IN
		(SELECT coalesce(` + uploadOf + `, '') FROM river_job WHERE finalized_at IS NULL) ORDER BY created`
)

// Of jobs that are at their end: River deletes them after a time and not by hand, all or
// by number.
const (
	deleteEndedJobs = `DELETE FROM river_job WHERE finalized_at IS NOT NULL`
	selectEnded     = `SELECT finalized_at IS NOT NULL FROM river_job WHERE id = ?`
	deleteJob       = `DELETE FROM river_job WHERE id = ?`
)

// deleteUnreadJobs deletes jobs whose columns are damaged: River fails on them at each
// look, and none of the others would be done.
const deleteUnreadJobs = `DELETE FROM river_job WHERE NOT json_valid(CAST(args AS TEXT)) OR NOT json_valid(CAST(metadata AS TEXT))
		OR errors IS NOT NULL AND NOT json_valid(CAST(errors AS TEXT))
		OR attempted_by IS NOT NULL AND NOT json_valid(CAST(attempted_by AS TEXT))`

// Of the jobs whose time is of another clock: a job of no attempt is due at once, and one that
// failed within the longest pause, here in seconds. River knows its own clock alone, and would wait
// for years for what was handed in while the clock was ahead.
const (
	ofAnotherClock = ` WHERE state IN ('available', 'scheduled', 'retryable') AND (
		attempt = 0 AND scheduled_at > datetime('now', 'subsec') OR scheduled_at > datetime('now', 'subsec', '+' || ? || ' seconds'))`
	countAhead = `SELECT count(*) FROM river_job` + ofAnotherClock
	bringAhead = `UPDATE river_job SET state = 'available', scheduled_at = datetime('now', 'subsec')` + ofAnotherClock
)

// selectCancelled lists the running jobs that any process cancelled: River tells a worker
// by a notification, which SQLite lacks.
const selectCancelled = `SELECT id FROM river_job
	WHERE state = 'running' AND json_extract(CAST(metadata AS TEXT), '$.cancel_attempted_at') IS NOT NULL`

// markRisk notes in a running job that a file which may kill its worker is being read, or
// was: River changes the metadata of a job when it ends, which is too late.
const markRisk = `UPDATE river_job SET metadata = json_set(CAST(metadata AS TEXT), '$.risk', json(?)) WHERE id = ? AND state = 'running'`

// Of the jobs of dead workers: River knows a dead worker from a slow one by its time limit
// alone, and counts an attempt that ended with its worker.
const (
	selectWorkers  = `SELECT DISTINCT ` + lastWorker + ` FROM river_job WHERE state = 'running'`
	selectLeftJobs = `SELECT id,
			coalesce(json_extract(CAST(metadata AS TEXT), '$.crashes'), 0) + coalesce(json_extract(CAST(metadata AS TEXT), '$.risk'), 0),
			json_extract(CAST(metadata AS TEXT), '$.cancel_attempted_at') IS NOT NULL, coalesce(` + uploadOf + `, '')
			FROM river_job WHERE state = 'running' AND ` + lastWorker + ` = ?`
	putBackWaiting   = `state = 'available', attempt = max(attempt - 1, 0), scheduled_at = datetime('now', 'subsec')`
	putBackCancelled = `state = 'cancelled', finalized_at = datetime('now', 'subsec')`
	putBackGivenUp   = `state = 'discarded', finalized_at = datetime('now', 'subsec')`
)

// putBackJob takes a job from its dead worker, into one of the states above, and notes why
// among its errors.
func putBackJob(into string) string {
	return `UPDATE river_job SET ` + into + `, metadata = json_set(CAST(metadata AS TEXT), '$.crashes', ?, '$.risk', json('false')),
		errors = json_insert(coalesce(CAST(errors AS TEXT), '[]'), '$[#]',
			json_object('at', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'attempt', attempt, 'error', ?, 'trace', ''))
		WHERE id = ?`
}
