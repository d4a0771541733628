DROP INDEX "database_users_name";--> statement-breakpoint
ALTER TABLE "database_users" ADD COLUMN "engine" text DEFAULT 'mariadb' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "database_users_name" ON "database_users" USING btree ("server_id","engine","username","host") WHERE "database_users"."deleted_at" is null;