ALTER TABLE "database_users" ADD COLUMN "login_ends_at" timestamp(3) with time zone;--> statement-breakpoint
ALTER TABLE "database_users" ADD COLUMN "login_reason" text;--> statement-breakpoint
ALTER TABLE "database_users" ADD COLUMN "login_by" text;--> statement-breakpoint
CREATE INDEX "database_users_login" ON "database_users" USING btree ("login_ends_at") WHERE "database_users"."deleted_at" is null and "database_users"."login_ends_at" is not null;