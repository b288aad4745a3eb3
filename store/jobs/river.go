package jobs

import "docent/store/queue"

// The statements on River's table. River's API covers adding, cancelling and retrying a
// job; what it lacks stands here, each with its reason. No other file names the table or its
// columns, but for dialect.go, which has the terms in which the engines differ.

// ofUpload chooses the jobs of an upload.
func (d *dialect) ofUpload() string { return d.uploadOf + ` = ?` }

// jobState is a job's state in our words: River's states do not tell a first attempt from
// a repeated one. What waits for less than River's scheduler looks again is available to
// it, with a time to come.
func (d *dialect) jobState() string {
	return `CASE
	WHEN j.state = 'running' THEN '` + queue.Running + `'
	WHEN j.state = 'completed' THEN '` + queue.Done + `'
	WHEN j.state = 'discarded' THEN '` + queue.Failed + `'
	WHEN j.state = 'cancelled' THEN '` + queue.Cancelled + `'
	WHEN j.state = 'retryable' OR j.attempt > 0 AND j.scheduled_at > ` + d.now + ` THEN '` + queue.Retry + `'
	ELSE '` + queue.Waiting + `' END`
}

// countJobs and selectJobs list jobs with the names of their files: River's list knows no
// table but its own, and no order by number with an offset.
func countJobs(where string) string { return `SELECT count(*) FROM river_job j WHERE ` + where }

func (d *dialect) selectJobs(where string) string {
	return `SELECT j.id, coalesce(` + d.uploadOf + `, ''), coalesce(u.filename, ''), j.queue, ` + d.jobState() + `,
	j.attempt, j.max_attempts, ` + d.crashes + `, ` + d.lastError + `,
	` + d.milliseconds("j.created_at") + `, ` + d.milliseconds("j.scheduled_at") + `,
	` + d.milliseconds("j.attempted_at") + `, ` + d.milliseconds("j.finalized_at") + `, CAST(j.args AS TEXT)
	FROM river_job j LEFT JOIN uploads u ON u.id = ` + d.uploadOf + ` WHERE ` + where + ` ORDER BY j.id DESC LIMIT ? OFFSET ?`
}

// Of an upload's jobs. River has no index on what a job is for, and deletes by its own
// clock alone.

func (d *dialect) indexJobsByUpload() string {
	return `CREATE INDEX IF NOT EXISTS uploads_jobs ON river_job (` + d.uploadOf + `)`
}

func (d *dialect) countWaitingJobs() string {
	return `SELECT count(*) FROM river_job WHERE ` + d.ofUpload() + ` AND finalized_at IS NULL AND state <> 'running'`
}

func (d *dialect) deleteUploadJobs() string {
	return `DELETE FROM river_job WHERE ` + d.ofUpload() + ` AND state <> 'running'`
}

// selectJobless lists the uploads that wait and have no job: it joins with a table that River
// does not know.
func (d *dialect) selectJobless() string {
	return `SELECT id FROM uploads WHERE status IN ('PENDING', 'PROCESSING') AND id NOT IN
		(SELECT coalesce(` + d.uploadOf + `, '') FROM river_job WHERE finalized_at IS NULL) ORDER BY created`
}

// Of jobs that are at their end: River deletes them after a time and not by hand, all or
// by number.
const (
	deleteEndedJobs = `DELETE FROM river_job WHERE finalized_at IS NOT NULL`
	selectEnded     = `SELECT finalized_at IS NOT NULL FROM river_job WHERE id = ?`
	deleteJob       = `DELETE FROM river_job WHERE id = ?`
)

// deleteUnreadJobs deletes jobs whose columns are damaged: River fails on them at each
// look, and no other would be done.
func (d *dialect) deleteUnreadJobs() string { return `DELETE FROM river_job WHERE ` + d.unread }

// ofAnotherClock chooses the jobs whose time is of another clock: a job of no attempt is due at
// once, and one that failed within the longest pause, here in seconds. River knows its own clock
// alone, and would wait for years for what was handed in while the clock was ahead.
func (d *dialect) ofAnotherClock() string {
	return ` WHERE state IN ('available', 'scheduled', 'retryable') AND (
		attempt = 0 AND scheduled_at > ` + d.now + ` OR scheduled_at > ` + d.later + `)`
}

func (d *dialect) countAhead() string { return `SELECT count(*) FROM river_job` + d.ofAnotherClock() }

func (d *dialect) bringAhead() string {
	return `UPDATE river_job SET state = 'available', scheduled_at = ` + d.now + d.ofAnotherClock()
}

// selectCancelled lists the running jobs that any process cancelled: River tells a worker
// by a notification, which its drivers here lack.
func (d *dialect) selectCancelled() string {
	return `SELECT id FROM river_job WHERE state = 'running' AND ` + d.isCancelled
}

// Of the jobs of dead workers: River knows a dead worker from a slow one by its time limit
// alone, and counts an attempt that ended with its worker.

func (d *dialect) selectWorkers() string {
	return `SELECT DISTINCT ` + d.lastWorker + ` FROM river_job WHERE state = 'running'`
}

func (d *dialect) selectLeftJobs() string {
	return `SELECT id, ` + d.crashes + ` + ` + d.risk + `, ` + d.isCancelled + `, coalesce(` + d.uploadOf + `, '')
			FROM river_job WHERE state = 'running' AND ` + d.lastWorker + ` = ?`
}

func (d *dialect) putBackWaiting() string {
	return `state = 'available', attempt = CASE WHEN attempt > 0 THEN attempt - 1 ELSE 0 END, scheduled_at = ` + d.now
}

func (d *dialect) putBackEnded(state string) string {
	return `state = '` + state + `', finalized_at = ` + d.now
}

// putBackJob takes a job from its dead worker, into one of the states above, and notes why
// among its errors.
func (d *dialect) putBackJob(into string) string {
	return `UPDATE river_job SET ` + into + `, ` + d.noteCrash + ` WHERE id = ?`
}
