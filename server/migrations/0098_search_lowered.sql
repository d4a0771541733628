DROP INDEX "backup_logs_search";--> statement-breakpoint
DROP INDEX "backup_repositories_search";--> statement-breakpoint
DROP INDEX "backup_schedules_search";--> statement-breakpoint
DROP INDEX "backup_tasks_search";--> statement-breakpoint
DROP INDEX "config_collections_search";--> statement-breakpoint
DROP INDEX "config_resets_search";--> statement-breakpoint
DROP INDEX "config_versions_search";--> statement-breakpoint
DROP INDEX "database_users_search";--> statement-breakpoint
DROP INDEX "databases_search";--> statement-breakpoint
DROP INDEX "ftp_users_search";--> statement-breakpoint
DROP INDEX "bans_search";--> statement-breakpoint
DROP INDEX "ip_sets_search";--> statement-breakpoint
DROP INDEX "mailbox_users_search";--> statement-breakpoint
DROP INDEX "system_users_search";--> statement-breakpoint
CREATE INDEX "backup_logs_search" ON "backup_logs" USING gin (lower("message") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "backup_repositories_search" ON "backup_repositories" USING gin (lower("account") gin_trgm_ops) WHERE "backup_repositories"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_schedules_search" ON "backup_schedules" USING gin (lower("name") gin_trgm_ops) WHERE "backup_schedules"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "backup_tasks_search" ON "backup_tasks" USING gin (lower("subject") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "config_collections_search" ON "config_collections" USING gin (lower("server_name" || ' ' || coalesce("problem", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "config_resets_search" ON "config_resets" USING gin (lower("server_name" || ' ' || "service" || ' ' || "started_by" || ' ' || coalesce("message", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "config_versions_search" ON "config_versions" USING gin (lower("about") gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "database_users_search" ON "database_users" USING gin (lower("username") gin_trgm_ops) WHERE "database_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "databases_search" ON "databases" USING gin (lower("name") gin_trgm_ops) WHERE "databases"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "ftp_users_search" ON "ftp_users" USING gin (lower("username") gin_trgm_ops) WHERE "ftp_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "bans_search" ON "bans" USING gin ("set_id",lower("ip" || ' ' || coalesce("reason", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "ip_sets_search" ON "ip_sets" USING gin (lower("name" || ' ' || coalesce("description", '')) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "mailbox_users_search" ON "mailbox_users" USING gin (lower("address" || ' ' || "name") gin_trgm_ops) WHERE "mailbox_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_search" ON "system_users" USING gin (lower("username") gin_trgm_ops) WHERE "system_users"."deleted_at" is null;