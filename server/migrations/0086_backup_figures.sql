CREATE INDEX "backup_tasks_drill" ON "backup_tasks" USING btree ("website_id","created_at") WHERE "backup_tasks"."type" = 'drill';--> statement-breakpoint
CREATE INDEX "backups_bad" ON "backups" USING btree ("created_at","backup_id") WHERE "backups"."status" in (3, 4) and "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_proven" ON "backups" USING btree ("created_at","backup_id") WHERE "backups"."proven_at" is not null and "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_results" ON "backups" USING btree ("created_at","status");--> statement-breakpoint
CREATE INDEX "backups_good" ON "backups" USING btree ("website_id","ended_at") WHERE "backups"."status" = 2;--> statement-breakpoint
CREATE INDEX "backups_recent" ON "backups" USING btree ("ended_at","website_id") WHERE "backups"."status" = 2 and "backups"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backups_proof" ON "backups" USING btree ("website_id","proven_at") WHERE "backups"."proven_at" is not null;