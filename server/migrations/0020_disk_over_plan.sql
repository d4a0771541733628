ALTER TABLE "system_users" ADD COLUMN "disk_asked_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "system_users" ADD COLUMN "disk_over_since" timestamp(3) with time zone;--> statement-breakpoint
CREATE INDEX "system_users_over" ON "system_users" USING btree ("username","system_user_id") WHERE "system_users"."disk_over_since" is not null and "system_users"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "system_users_asked" ON "system_users" USING btree ("server_id","disk_asked_at" NULLS FIRST) WHERE "system_users"."deleted_at" is null;