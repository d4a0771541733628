DROP INDEX "backup_servers_server";--> statement-breakpoint
ALTER TABLE "backup_servers" ADD COLUMN "s3" jsonb;--> statement-breakpoint
ALTER TABLE "backup_servers" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "backup_servers" ADD COLUMN "secret" text;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_servers_name" ON "backup_servers" USING btree ("name") WHERE "backup_servers"."deleted_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "backup_servers_server" ON "backup_servers" USING btree ("server_id") WHERE "backup_servers"."deleted_at" is null and "backup_servers"."s3" is null;