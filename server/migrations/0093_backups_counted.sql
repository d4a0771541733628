DROP INDEX "backups_repository";--> statement-breakpoint
CREATE INDEX "backups_repository" ON "backups" USING btree ("backup_repository_id","created_at","deleted_at");