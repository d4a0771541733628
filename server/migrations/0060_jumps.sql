DROP INDEX "certificates_end";--> statement-breakpoint
DROP INDEX "system_users_disk";--> statement-breakpoint
CREATE INDEX "certificates_end" ON "certificates" USING btree (coalesce("not_after", 'infinity'),"certificate_id","not_after") WHERE "certificates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_disk" ON "system_users" USING btree (coalesce("disk_used_mb", -1),"system_user_id","disk_used_mb") WHERE "system_users"."deleted_at" is null;--> statement-breakpoint
DROP INDEX "websites_domain";--> statement-breakpoint
CREATE UNIQUE INDEX "websites_domain" ON "websites" USING btree ("domain") INCLUDE ("website_id") WHERE "websites"."deleted_at" is null;--> statement-breakpoint
ALTER TABLE "websites" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "action_logs" SET (autovacuum_vacuum_insert_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "zones" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "certificates" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);--> statement-breakpoint
ALTER TABLE "system_users" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);
