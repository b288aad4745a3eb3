package catalog

// failureMigration adds why a file failed, as a code, and whether it is tried at every
// update.
const failureMigration = `ALTER TABLE failures ADD COLUMN code TEXT NOT NULL DEFAULT '';
	ALTER TABLE failures ADD COLUMN again INTEGER NOT NULL DEFAULT 0;`
