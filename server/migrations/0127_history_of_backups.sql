CREATE INDEX "backup_restores_backup" ON "backup_restores" USING btree ("backup_id");--> statement-breakpoint
CREATE INDEX "backup_tasks_backup" ON "backup_tasks" USING btree ("backup_id");