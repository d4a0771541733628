DROP INDEX "backups_repository";--> statement-breakpoint
CREATE INDEX "backups_stored" ON "backups" USING btree ("backup_repository_id") WHERE "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_repository" ON "backups" USING btree ("backup_repository_id","created_at");